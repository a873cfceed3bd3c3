#!/usr/bin/env bash
# Tests sweeps with a store in PostgreSQL and workers started by Slurm on this machine. The server runs in a temporary
# folder as an unprivileged user. Workers are killed, the server is restarted during their work, the certificate is
# self-signed, and the rights of the database roles are checked. Except for times, the table must equal that of an
# undisturbed run with SQLite. All started processes are stopped by their ids.
#   scripts/cluster-test.sh [quick | postgresql | slurm | guide | scale | faults | measure]...     default: all but quick
# `measure` and `scale` print the figures of docs/cluster.md, with a server that syncs to the disk. `scale` and `faults`
# process POINTS (100,000) points each. `guide` executes the instructions of docs/cluster.md literally. BUILD is the
# build folder (build/release). KILLS and RESTARTS are numbers of events (faults: 200 and 20; postgresql: 20 and 3;
# quick: 8 and 1). The exit status is 77 if a dependency of a part is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
build=${BUILD:-build/release}
[[ $build == /* ]] || build=$root/$build
nestor=$build/app/nestor
postgres=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1)
RANDOM=1 # makes the kills as reproducible as the machine allows
scratch=
workers=()

fail() { echo "FAILED: $*" >&2; exit 1; }
say() { printf '%-12s %s\n' "$part" "$*"; }
# Servers refuse to run as root.
as_server() {
  (
    cd "$scratch"
    if [[ $(id -u) != 0 ]]; then exec "$@"; fi
    exec setpriv --reuid="$server_user" --regid="$(id -g "$server_user")" --clear-groups "$@"
  )
}
server_user=$(id -un)
if [[ $(id -u) == 0 ]]; then server_user=$(id -un postgres 2>/dev/null || echo nobody); fi

stop_everything() {
  local status=$? pid
  trap - EXIT
  for pid in "${workers[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  if [[ -n $scratch ]]; then
    if [[ -f $scratch/data/postmaster.pid ]]; then as_server "$postgres/pg_ctl" -D "$scratch/data" -m immediate stop >/dev/null 2>&1 || true; fi
    if [[ -d $scratch/slurm ]]; then stop_slurm; fi
    if [[ $status != 0 && -z ${KEEP:-} ]]; then tail -n 5 "$scratch"/*.log >&2 2>/dev/null || true; fi
    if [[ -n ${small_disk:-} ]]; then umount "$small_disk" || true; fi
    [[ -n ${KEEP:-} ]] || rm -rf "$scratch"
  fi
  exit "$status"
}
trap stop_everything EXIT

free_port() {
  local port
  for port in $(shuf -i 20000-30000 -n 50 --random-source=<(yes)); do
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
  fail "no free port"
}

# A server with TLS. Its socket trusts all user names; the network requires a password.
start_postgresql() {
  scratch=$(mktemp -d)
  chmod 755 "$scratch"
  mkdir "$scratch/data" "$scratch/socket"
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$scratch/server.key" -out "$scratch/server.crt" 2>/dev/null
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stranger -keyout "$scratch/stranger.key" \
    -out "$scratch/stranger.crt" 2>/dev/null
  chmod 600 "$scratch/server.key"
  if [[ $(id -u) == 0 ]]; then chown "$server_user" "$scratch/data" "$scratch/socket" "$scratch/server.key"; fi
  as_server "$postgres/initdb" -D "$scratch/data" -U admin -A trust -E UTF8 --locale=C --no-sync >"$scratch/initdb.log" 2>&1 ||
    fail "initdb"
  port=$(free_port)
  as_server tee "$scratch/data/pg_hba.conf" >/dev/null <<END
local all all trust
hostssl all all 127.0.0.1/32 scram-sha-256
END
  as_server tee -a "$scratch/data/postgresql.conf" >/dev/null <<END
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$scratch/socket'
max_connections = ${connections:-150}
fsync = ${fsync:-off}
ssl = on
ssl_cert_file = '$scratch/server.crt'
ssl_key_file = '$scratch/server.key'
END
  pg_ctl start
}
pg_ctl() { as_server "$postgres/pg_ctl" -D "$scratch/data" -l "$scratch/data/server.log" -w "$@" >/dev/null || fail "pg_ctl $*"; }
sql() { "$postgres/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$scratch/socket" -p "$port" "$@"; }
url() { echo "postgresql://$1@/$2?host=$scratch/socket&port=$port"; } # ROLE DATABASE

# The SQL blocks of the guide, in order.
guide_sql() { awk -v wanted="$1" '/^```sql/ { n++; on = n == wanted; next } /^```/ { on = 0 } on' docs/cluster.md; }

count_points() { sql -U admin sweeps -c "SELECT count(*) FROM nestor.points WHERE $1"; }

# A plan of small layers of similar size: SHAPES of them on three machines.
write_plan() {
  local i shapes=$1
  {
    echo "name: many"
    echo "layers:"
    for ((i = 0; i < shapes; ++i)); do
      echo "  - {name: l$i, dims: {K: $((16 + 8 * (i % 10))), C: $((8 + 4 * (i / 10 % 10))), P: $((6 + i / 100 % 10)), Q: $((8 + i / 1000)), R: 3, S: 3}}"
    done
  } >"$scratch/many.yaml"
  write_machines
}
write_machines() {
  cat >"$scratch/plan.yaml" <<END
name: 'o''brien"; DROP TABLE points; --'
networks: [${network:-$scratch/many.yaml}]
machines:
  - {base: miredo-default, grid: {axis.core.size: [2, 8]}}
  - zigzag-dimc
runs: [{objective: latency}]
END
}

# The table and the points of a store, without their times.
table_of() { # STORE NAME
  "$nestor" sweep "$scratch/plan.yaml" --store "$1" --status --per-layer --export "$scratch/$2.json" >"$scratch/$2.out"
  sed -i '/"seconds":/d' "$scratch/$2.json"
  "$nestor" store copy "$1" "$scratch/$2.copy.db" >/dev/null
  python3 - "$scratch/$2.copy.db" >"$scratch/$2.points" <<'END'
import re, sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(
        "SELECT key, verb, inputs, options, state, error, status, objective, lower_bound, latency, energy, area, result "
        "FROM points WHERE id IN (SELECT point FROM plan_rows) ORDER BY key"):
    print([re.sub(r'"seconds":[-+.e0-9]+', '"seconds":0', str(value)) for value in row])
END
}
expect_same() { # NAME NAME
  cmp "$scratch/$1.json" "$scratch/$2.json" && cmp "$scratch/$1.points" "$scratch/$2.points" || fail "$1 and $2 differ"
}

start_worker() {
  "$nestor" work --store "$(url nestor_worker sweeps)" --threads 1 --lease ${lease:-1} >>"$scratch/worker.log" 2>&1 &
  workers[$1]=$!
}

make_database() {
  guide_sql 1 | sed "s/PASSWORD '[^']*'/PASSWORD '$secret'/" | sql -U admin postgres >/dev/null || fail "first block of SQL of docs/cluster.md"
  "$nestor" store create "$(url nestor_planner sweeps)" || fail "store create"
  guide_sql 2 | sql -U nestor_planner sweeps >/dev/null || fail "second block of SQL of docs/cluster.md"
}

try_security() {
  local output role
  # Each role has exactly the intended rights.
  for role in "nestor_worker DELETE FROM nestor.points" "nestor_worker UPDATE nestor.points SET inputs = ''" \
    "nestor_worker INSERT INTO nestor.plans (name, digest, text) VALUES ('', '', '')" "nestor_worker DROP TABLE nestor.points" \
    "nestor_worker CREATE TABLE nestor.mine (id INT)" "nestor_reader UPDATE nestor.points SET state = 'todo'"; do
    if sql -U "${role%% *}" sweeps -c "${role#* }" 2>/dev/null; then fail "${role%% *} may ${role#* }"; fi
  done
  if "$nestor" sweep "$scratch/plan.yaml" --store "$(url nestor_worker sweeps)" >"$scratch/denied.log" 2>&1; then fail "a worker adds plans"; fi
  grep -q 'permission denied' "$scratch/denied.log" || fail "$(cat "$scratch/denied.log")"
  "$nestor" sweep "$scratch/plan.yaml" --store "$(url nestor_reader sweeps)" --status >/dev/null || fail "a reader reads"
  # Over the network, the password comes from a file, and the certificate verifies the server.
  (umask 077; echo "localhost:$port:sweeps:nestor_worker:$secret" >"$scratch/pgpass")
  output=$("$nestor" work --store "postgresql://nestor_worker@localhost:$port/sweeps" --points 1 2>&1 </dev/null) && fail "no password is asked for"
  [[ $output == *PGPASSFILE* ]] || fail "$output"
  export PGPASSFILE=$scratch/pgpass
  local remote="postgresql://nestor_worker@localhost:$port/sweeps"
  "$nestor" work --store "$remote?sslmode=verify-full&sslrootcert=$scratch/server.crt" --points 1 >/dev/null || fail "TLS with a verified server"
  output=$("$nestor" work --store "$remote?sslmode=verify-full&sslrootcert=$scratch/stranger.crt" 2>&1) && fail "an unverified server is accepted"
  [[ $output == *"certificate verify failed"* ]] || fail "$output"
  output=$("$nestor" work --store "$remote?sslmode=disable" 2>&1) && fail "a connection without TLS is accepted"
  output=$(PGPASSFILE=/dev/null PGPASSWORD=${secret}2 "$nestor" work --store "$remote" 2>&1) && fail "a wrong password is accepted"
  [[ $output == *"password authentication failed"* ]] || fail "$output"
  output=$("$nestor" work --store "postgresql://nestor_worker:$secret@localhost:$port/sweeps" 2>&1) && fail "a URL with a password is accepted"
  [[ $output == *"holds a password"* && $output != *$secret* ]] || fail "a password is repeated"
  unset PGPASSFILE
  # The password must not appear in output, logs or the store.
  if grep -rlF "$secret" "$scratch" --include=*.log --include=*.out --include=*.json --include=*.points; then fail "the password was written down"; fi
  say "roles, passwords and TLS are as the guide says"
}

# The time between kills is long compared with the time of a point. By design, a point fails once its workers
# have been killed three times; the table would then differ.
try_postgresql() { # SHAPES WORKERS KILLS RESTARTS SHORTEST_PAUSE PAUSES (milliseconds)
  local i victim killed=0 pause restarted=0
  local planner
  planner=$(url nestor_planner sweeps)
  write_plan "$1"
  "$nestor" sweep "$scratch/plan.yaml" --store "$scratch/reference.db" >"$scratch/reference.log"
  table_of "$scratch/reference.db" reference
  "$nestor" sweep "$scratch/plan.yaml" --store "$planner" --points 1 >/dev/null
  try_security
  for ((i = 0; i < $2; ++i)); do start_worker "$i"; done
  for ((killed = 0; killed < $3; ++killed)); do
    pause=$((RANDOM % $6 + $5))
    sleep "$((pause / 1000)).$(printf %03d $((pause % 1000)))"
    victim=$((RANDOM % $2))
    kill -9 "${workers[$victim]}" 2>/dev/null || true
    wait "${workers[$victim]}" 2>/dev/null || true
    if ((restarted < $4 && (killed + 1) * $4 >= (restarted + 1) * $3)); then
      pg_ctl restart -m immediate
      restarted=$((restarted + 1))
    fi
    start_worker "$victim"
  done
  for i in "${workers[@]}"; do wait "$i" || fail "a worker ended with status $?: $(tail -2 "$scratch/worker.log")"; done
  workers=()
  "$nestor" work --store "$planner" --lease 1 >/dev/null # points of the workers killed last
  local failed
  failed=$(sql -U admin sweeps -c "SELECT count(*) FROM nestor.points WHERE state = 'failed'")
  [[ $failed == 0 ]] || fail "$failed points failed: their leases of ${lease:-1} s ran out three times, as on a busy machine"
  table_of "$planner" served
  expect_same reference served
  say "$(sql -U admin sweeps -c "SELECT count(*) || ' points, $2 workers, $3 kills, $restarted restarts: ' ||
    sum(attempts - 1) || ' leases ran out, ' || count(*) FILTER (WHERE state <> 'done') || ' points failed' FROM nestor.points"); the table equals that of SQLite"
  # Copies a store to another one and back.
  sql -U admin postgres -c "CREATE DATABASE moved OWNER nestor_planner"
  "$nestor" store copy "$scratch/reference.db" "$(url nestor_planner moved)" >/dev/null
  table_of "$(url nestor_planner moved)" moved
  expect_same reference moved
  say "a store moves from a file to the server and back"
}

processor_seconds() { # FILE: sum of the user and system times that bash's time wrote
  awk '{ sum += $1 + $2 } END { printf "%.2f", sum }' "$1"
}
# Processor time of the server: that of its current processes and of those that ended.
server_seconds() {
  local head pid total=0 ticks
  head=$(head -1 "$scratch/data/postmaster.pid")
  for pid in "$head" $(ps -o pid= --ppid "$head"); do
    ticks=$(awk -v own=$([[ $pid == "$head" ]] && echo 1 || echo 0) '{ print $14 + $15 + (own ? $16 + $17 : 0) }' "/proc/$pid/stat" 2>/dev/null || echo 0)
    total=$((total + ticks))
  done
  awk -v t=$total -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.2f", t / hz }'
}
measure() {
  local workers database points begin i memory TIMEFORMAT='%U %S'
  for workers in ${WORKERS-1 8 100 1000}; do
    for at_once in 1 16; do
      database=claims_${workers}_$at_once points=$((at_once == 1 ? 20000 : 60000))
      sql -U admin postgres -c "CREATE DATABASE $database"
      "$build/bench/store_claims" "$(url admin $database)" $workers $points $at_once
      sql -U admin postgres -c "DROP DATABASE $database"
    done
  done
  write_plan "${SHAPES:-400}"
  # Without the cost of a store: an SQLite database in memory.
  begin=$(date +%s%N)
  { time "$nestor" sweep "$scratch/plan.yaml" --store :memory: --threads 8 >"$scratch/memory.out"; } 2>"$scratch/memory.time"
  say "in memory: $(tail -1 "$scratch/memory.out"), $(processor_seconds "$scratch/memory.time") s of processor, $(awk -v b="$begin" -v e="$(date +%s%N)" 'BEGIN { printf "%.2f", (e - b) / 1e9 }') s"
  "$nestor" sweep "$scratch/plan.yaml" --store "$(url nestor_planner sweeps)" --points 1 >/dev/null
  local before=$(server_seconds)
  begin=$(date +%s%N)
  for i in 0 1 2 3 4 5 6 7; do
    { time "$nestor" work --store "$(url nestor_worker sweeps)" --threads 1 >"$scratch/worker.log"; } 2>"$scratch/worker$i.time" &
    workers_of_time[i]=$!
  done
  sleep 1
  memory=$(ps -o rss=,args= -C nestor | awk '/ work / { if ($1 > most) most = $1 } END { printf "%.0f", most / 1024 }')
  wait "${workers_of_time[@]}"
  cat "$scratch"/worker?.time >"$scratch/workers.time"
  say "8 workers: $(processor_seconds "$scratch/workers.time") s of processor, the server $(awk -v a="$before" -v b="$(server_seconds)" 'BEGIN { printf "%.2f", b - a }') s, $(awk -v b="$begin" -v e="$(date +%s%N)" 'BEGIN { printf "%.2f", (e - b) / 1e9 }') s; a worker has $memory MiB"
}

missing() {
  echo "skipped: $1"
  exit 77
}

check_postgresql() {
  [[ -n $postgres && -x $postgres/initdb ]] || missing "the server of PostgreSQL is not installed (Debian: postgresql)"
  command -v openssl >/dev/null || missing "openssl is not installed"
  command -v python3 >/dev/null || missing "python3 is not installed"
  local answer
  answer=$("$nestor" work --store postgresql://x@/x?host=/nonexistent 2>&1) || true
  [[ $answer != *"without libpq"* ]] || missing "nestor was built without libpq"
}

run_part() {
  part=$1
  case $part in
    quick | postgresql)
      check_postgresql
      secret=not-a-word-$RANDOM$RANDOM
      start_postgresql
      make_database
      if [[ -x $build/tests/io/postgres_store_test ]]; then
        NESTOR_TEST_SERVER=$(url admin postgres) "$build/tests/io/postgres_store_test" >"$scratch/unit.log" 2>&1 || { cat "$scratch/unit.log"; fail "postgres_store_test"; }
        say "postgres_store_test passed"
      fi
      if [[ $part == quick ]]; then try_postgresql 20 3 "${KILLS:-8}" "${RESTARTS:-1}" 5 100; else try_postgresql "${SHAPES:-1200}" 8 "${KILLS:-20}" "${RESTARTS:-3}" 50 300; fi
      ;;
    measure)
      check_postgresql
      secret=unused fsync=on connections=1100
      start_postgresql
      make_database
      measure
      ;;
    slurm | guide)
      check_postgresql
      . scripts/cluster-slurm.sh
      ;;
    scale | faults)
      check_postgresql
      . scripts/cluster-bars.sh
      ;;
    *) echo "no part '$part', expected quick, postgresql, slurm, guide, scale, faults or measure" >&2; exit 2 ;;
  esac
}

if (($# == 1)); then
  run_part "$1"
else
  # Each part runs in its own shell with its own server. Two parts share the undisturbed run of the large plan.
  (($# > 0)) || set -- postgresql slurm guide scale faults measure
  scratch=$(mktemp -d)
  export REFERENCE=${REFERENCE:-$scratch/reference.db}
  status=77
  for part in "$@"; do
    code=0
    "$0" "$part" || code=$?
    if [[ $code == 0 && $status == 77 ]]; then status=0; fi
    if [[ $code != 0 && $code != 77 ]]; then status=1; fi
  done
  exit $status
fi
