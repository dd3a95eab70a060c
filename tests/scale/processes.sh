#!/usr/bin/env bash
# Distributed solving over MPI: one, two and four processes give the same table, and a solve resumes after one of four processes is
# killed. Prints wall time, the memory of the largest process and the megabytes sent.
#
#   tests/scale/processes.sh [VARIANT [--rebels N]]…
#
# Builds the program with MPI. If mpirun or libclang is missing, installs them, as root on Debian.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v mpirun >/dev/null || ! ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1; then
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends libopenmpi-dev openmpi-bin libclang-dev time >/dev/null
fi
cargo build --release --locked --manifest-path src/mpi/Cargo.toml --target-dir target/mpi
privy=$PWD/target/mpi/release/privy-solve-mpi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# There may be more processes than cores: a process that waits for a message yields.
mpi=(mpirun --oversubscribe --mca mpi_yield_when_idle 1)

# Solves a game with this number of processes. Prints the seconds and MiB of the largest process, and the megabytes sent by all.
solve() {
  local processes=$1 folder=$2; shift 2
  rm -rf "$folder"; mkdir -p "$folder"
  "${mpi[@]}" -n "$processes" bash -c \
    'exec /usr/bin/time -f "%e %M" -o "$0/time-$OMPI_COMM_WORLD_RANK" "$1" --tables "$0" "${@:2}"' \
    "$folder" "$privy" "$@" | tee "$folder/out"
  sort -n "$folder"/time-* | awk -v n="$processes" '{ if ($1 > s) s = $1; if ($2 > m) m = $2 } END { printf "%d processes: %.1f s, %.0f MiB in the largest", n, s, m / 1024 }'
  { grep -o '[0-9.]* MB sent' "$folder/out" || true; } | awk '{ sum += $1 } END { printf ", %.1f MB sent\n", sum }'
}

same() {
  cmp "$1"/*.privy "$2"/*.privy && echo "the tables of $(basename "$1") and $(basename "$2") are the same"
}

games=("$@")
[ ${#games[@]} -gt 0 ] || games=(sixteen-rebels)
for game in "${games[@]}"; do
  echo "== $game"
  # A game is a variant with options.
  read -ra words <<<"$game"
  for processes in 1 2 4; do solve "$processes" "$work/$processes" "${words[@]}"; done
  same "$work/1" "$work/2"
  same "$work/1" "$work/4"
  echo "-- one of four is killed in the middle"
  folder=$work/killed
  mkdir -p "$folder"
  "${mpi[@]}" -n 4 "$privy" --tables "$folder" "${words[@]}" >"$folder/out" 2>&1 &
  until compgen -G "$folder/*.resume" >/dev/null; do sleep 0.2; done
  sleep 2
  pkill -KILL -f -n -- "--tables $folder" || true
  if wait $!; then echo "it had ended already"; else grep -m1 -i "killed\|signal" "$folder/out"; fi
  solve_on=$("${mpi[@]}" -n 4 "$privy" --tables "$folder" "${words[@]}")
  echo "$solve_on"
  grep -q "resumed from" <<<"$solve_on"
  same "$work/1" "$folder"
done
