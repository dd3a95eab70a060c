#!/bin/sh
# A referee in the shell: plays one game between two engines, prints its moves and the result.
#
#   referee.sh [-v VARIANT] [-g LIMITS] [-n PLIES] [-s SECONDS] GENERAL REBELS
#
# GENERAL and REBELS are the command lines of the engines, LIMITS the arguments of `go` ("time 100"), PLIES the greatest
# length of a game (400), SECONDS the time to wait for an answer (60). Exit status 1: an engine was at fault.
#
# It has no rules of its own: every move is sent to both engines by `play`, and their answers to `status` must agree.

variant=sixteen-rebels limits='time 100' plies=400 patience=60
while getopts v:g:n:s: option; do
    case $option in
        v) variant=$OPTARG ;;
        g) limits=$OPTARG ;;
        n) plies=$OPTARG ;;
        s) patience=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 2 ] || { sed -n 's/^# *\(referee.sh .*\)/usage: \1/p' "$0" >&2; exit 2; }

# Each engine reads from one named pipe and writes to another. The second must not inherit the pipes of the first.
pipes=$(mktemp -d) && mkfifo "$pipes/3" "$pipes/4" "$pipes/5" "$pipes/6" || exit 1
sh -c "exec $1" <"$pipes/3" >"$pipes/4" & general=$!
exec 3>"$pipes/3" 4<"$pipes/4"
sh -c "exec $2" <"$pipes/5" >"$pipes/6" 3>&- 4<&- & rebels=$!
exec 5>"$pipes/5" 6<"$pipes/6"
trap '' PIPE # an engine that has exited is noticed by its missing answer

# The shell cannot read a line with a timeout, so a second process is the watchdog: `within SECONDS ENGINE` writes a
# numbered task to a file, and an engine whose task is not replaced in time is killed.
number=0
within() { number=$((number + 1)) && echo "$number $1 $2" >"$pipes/task"; }
watch() {
    exec 3>&- 4<&- 5>&- 6<&- >/dev/null 2>&1
    while sleep 1 && [ -d "$pipes" ]; do
        read -r now seconds engine <"$pipes/task" || continue
        [ "$now" = "$before" ] || waited=0
        before=$now waited=$((waited + 1))
        [ $waited -le "$seconds" ] || kill -9 "$engine"
    done
}
within "$patience" $general
watch & watcher=$!

finish() { # finish STATUS: closes the input of both engines, waits for them, and exits
    exec 3>&- 5>&-
    within 2 $general && wait $general 2>/dev/null
    within 2 $rebels && wait $rebels 2>/dev/null
    kill $watcher && rm -r "$pipes"
    exit "$1"
}
trap 'finish 130' INT TERM

forfeit() { # forfeit SIDE REASON: the engine of SIDE loses by its own fault
    case $1 in general) echo "result rebels win: $2" ;; *) echo "result general wins: $2" ;; esac
    finish 1
}
void() { echo "result none: $1" && finish 1; } # void REASON: the engines disagree; no result

ask() { # ask SIDE LINE: puts the last line of the answer into $answer; fails if the answer begins with a question mark
    case $1 in general) to=3 from=4 engine=$general ;; *) to=5 from=6 engine=$rebels ;; esac
    within "$patience" $engine
    printf '%s\n' "$2" >&$to 2>/dev/null
    first='' answer=''
    while IFS= read -r line <&$from || forfeit "$1" "no answer to $2"; do
        [ "$line" ] || break
        first=${first:-$line} answer=${line#=} answer=${answer# }
    done
    case $first in
        =*) ;;
        \?*) return 1 ;;
        *) forfeit "$1" "no answer to $2: $first" ;;
    esac
}

for side in general rebels; do
    ask $side "variant $variant" || forfeit $side "does not play $variant"
done
ply=0
while :; do
    status=''
    for side in general rebels; do
        ask $side status || continue # `status` is optional
        [ "${status:=$answer}" = "$answer" ] || void "the engine of the $side says $answer, the other $status"
    done
    case $status in *' to move') side=${status% to move} ;; *) break ;; esac
    [ $ply -lt "$plies" ] || { status='draw: move limit' && break; }
    ask "$side" "go $limits" || forfeit "$side" "no move: $answer"
    move=${answer#bestmove } ply=$((ply + 1))
    echo "$ply $side $move"
    ask "$side" "play $move" || forfeit "$side" "refuses its own move: $answer"
    case $side in general) other=rebels ;; *) other=general ;; esac
    ask $other "play $move" || void "the engine of the $other refuses the move: $answer"
done
echo "result ${status:-unknown: neither engine has status}"
finish 0
