#!/bin/sh
# A referee in the shell: plays one game between two engines, prints its moves and the result.
#
#   referee.sh [-v VARIANT] [-g LIMITS] [-n PLIES] [-s SECONDS] GENERAL REBELS
#
# GENERAL and REBELS are the command lines of the engines. LIMITS is what `go` is asked with ("time 100"), PLIES how
# long a game may be (400), SECONDS how long an answer may take (60). The status is 1 when an engine was at fault.
#
# It knows no rules: both engines follow the game by `play`, and both are asked for its `status`. They must agree.

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

# An engine reads from one named pipe and writes to another. The second must not hold the pipes of the first.
pipes=$(mktemp -d) && mkfifo "$pipes/3" "$pipes/4" "$pipes/5" "$pipes/6" || exit 1
sh -c "exec $1" <"$pipes/3" >"$pipes/4" & general=$!
exec 3>"$pipes/3" 4<"$pipes/4"
sh -c "exec $2" <"$pipes/5" >"$pipes/6" 3>&- 4<&- & rebels=$!
exec 5>"$pipes/5" 6<"$pipes/6"
trap '' PIPE # an engine that has gone away is noticed by its answer

# The shell cannot wait for a line and a clock at once, so a second process looks at the clock: `within SECONDS ENGINE`
# writes to a file, with a new number, what is to be done now, and who does not get on with it is killed.
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

finish() { # finish STATUS: lets both engines end, at the end of their input, and ends
    exec 3>&- 5>&-
    within 2 $general && wait $general 2>/dev/null
    within 2 $rebels && wait $rebels 2>/dev/null
    kill $watcher && rm -r "$pipes"
    exit "$1"
}
trap 'finish 130' INT TERM

forfeit() { # forfeit SIDE REASON: an engine loses by its own fault
    case $1 in general) echo "result rebels win: $2" ;; *) echo "result general wins: $2" ;; esac
    finish 1
}
void() { echo "result none: $1" && finish 1; } # void REASON: the engines disagree, and one of them is wrong

ask() { # ask SIDE LINE: leaves the last line of the answer in $answer; fails when it begins with a question mark
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
        ask $side status || continue # not every engine has it
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
