#!/usr/bin/env bash
# Distributed matches: the same match in one process, in parts under GNU parallel, and in parts as a Slurm job array on four local
# daemons, with jobs killed at random. Records and figures must be equal. Installs missing tools, as root on Debian.
#
#   cargo build --release && tests/scale/try.sh [GAMES] [PARTS] [KILLS]
set -euo pipefail
games=${1:-2000} parts=${2:-8} kills=${3:-12}
here=$(cd "$(dirname "$0")" && pwd)
PATH="$here/../../target/release:$PATH"
for tool in parallel sbatch slurmctld slurmd munged; do
    if ! command -v "$tool" > /dev/null; then
        apt-get update -q
        DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends parallel slurmctld slurmd slurm-client munge
        break
    fi
done
place=$(mktemp -d)
chmod 755 "$place"
ended() {
    for file in "$place"/slurmd.*.pid "$place/slurmctld.pid" "$place/munged.pid"; do
        [ -f "$file" ] && kill "$(cat "$file")" 2> /dev/null || true
    done
    rm -rf "$place"
}
trap ended EXIT
options=(--tables off --each cmd=privy,nodes=200,option.tables=off --engine name=a --engine name=b,option.seed=5
    --variant subjugatio --openings random:2-4 --seed 9 --games "$games" --move-limit 200)

# The figures of a match without times, which vary.
figures() { sed -n '/^[0-9]* games: /,/^Times, /p' "$1"; }

# Its records without milliseconds and line ends, which vary with them.
moves() { tr '\n' ' ' < "$1" | sed 's/ [0-9]*ms / /g'; }

same() {
    cmp <(moves "$place/one/records.txt") <(moves "$place/$1/merged.txt")
    diff <(figures "$place/one/figures.txt") <(figures "$place/$1/merged.log")
    echo "$1: records and figures are those of one run"
}

mkdir "$place/one" "$place/parallel" "$place/slurm"
cd "$place/one"
time privy match "${options[@]}" --concurrency 2 --file one.jsonl > figures.txt
# Sorts the records by schedule: concurrent games are recorded as they end.
privy match merge one.jsonl --record records.txt > /dev/null

cd "$place/parallel"
pairs=$(((games / 2 + parts - 1) / parts)) last=$((games / 2))
# Two parts at a time, which write their process ids. The command is killed once and repeated.
parts_in_parallel=(parallel --jobs 2 sh -c "'echo \$\$ > \$0.pid; exec \"\$@\"'" "part-{1}" privy match "${options[@]}" --concurrency 1
    --part "{1}-{2}" --file "part-{1}.jsonl" ::: $(seq 1 "$pairs" "$last") :::+ $(seq "$pairs" "$pairs" $((pairs * parts))))
"${parts_in_parallel[@]}" > first.log 2>&1 & first=$!
sleep 5
kill -KILL "$first" || true
kill -KILL $(cat part-*.pid) 2> /dev/null || true
wait "$first" || true
time "${parts_in_parallel[@]}" > second.log
privy match merge part-*.jsonl --record merged.txt > merged.log
same parallel

cd "$place/slurm"
export SLURM_CONF=$place/slurm.conf
host=$(hostname -s)
cat > "$SLURM_CONF" << CONF
ClusterName=try
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge.socket
CredType=cred/munge
StateSaveLocation=$place/state
SlurmctldPidFile=$place/slurmctld.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdPidFile=$place/slurmd.%n.pid
SlurmdLogFile=$place/slurmd.%n.log
SlurmdSpoolDir=$place/spool.%n
SlurmctldPort=16817
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MaxArraySize=1001
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[16901-16904] CPUs=1
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$place/state"
dd if=/dev/urandom of="$place/munge.key" bs=128 count=1 2> /dev/null
chmod 600 "$place/munge.key"
munged --force --socket="$place/munge.socket" --key-file="$place/munge.key" --pid-file="$place/munged.pid" \
    --log-file="$place/munged.log" --seed-file="$place/munged.seed"
slurmctld
for node in n1 n2 n3 n4; do slurmd -N "$node"; done
sleep 3
sinfo
start=$(date +%s)
job=$(sbatch --parsable --array="1-$parts" --export="ALL,PAIRS=$pairs" "$here/match.sbatch" "${options[@]}")
merge=$(sbatch --parsable --dependency="afterok:$job" "$here/merge.sbatch")
killed=0
for _ in $(seq "$kills"); do
    sleep 3
    # Kills referee and engines without a chance to save. The job requeues itself.
    task=$(squeue --noheader --array --states=R --format=%K --job "$job" | shuf -n 1)
    if [ -n "$task" ] && kill -KILL "$(cat "part-$task.pid")" 2> /dev/null; then killed=$((killed + 1)); fi
done
while squeue --noheader --job "$job,$merge" 2> /dev/null | grep -q .; do sleep 2; done
echo "job array: $(($(date +%s) - start)) s, $killed times a job was killed"
same slurm
