# Part of cluster-test.sh that needs Slurm (sourced): munge, slurmctld and three virtual nodes on this machine. One
# node is drained, another is killed with all its processes, and a task receives SIGTERM. The resulting table must
# equal that of the run with SQLite.
command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null ||
  missing "Slurm is not installed (Debian: slurm-wlm munge)"

start_slurm() {
  local dir=$scratch/slurm node first host
  mkdir -p "$dir/state"
  first=$(free_port)
  host=$(hostname -s)
  (umask 077; head -c 1024 /dev/urandom >"$dir/munge.key")
  munged --force --socket="$dir/munge.sock" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" >/dev/null 2>&1 || fail "munged: $(tail -1 "$dir/munged.log")"
  cat >"$dir/slurm.conf" <<END
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.sock
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
SlurmctldPort=$first
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=2
ReturnToService=2
NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((first + 1))-$((first + 3))] CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=trial Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$dir/slurm.conf
  slurmctld -f "$SLURM_CONF" || fail "slurmctld"
  for node in n1 n2 n3; do
    mkdir -p "$dir/spool.$node"
    slurmd -N "$node" -f "$SLURM_CONF" || fail "slurmd of $node: $(tail -1 "$dir/slurmd.$node.log")"
  done
  wait_until 30 '[[ $(sinfo -h -o %T) == idle ]]' || fail "the nodes are not idle: $(sinfo -h)"
}
wait_until() { # SECONDS CONDITION
  local i
  for ((i = 0; i < $1 * 5; ++i)); do
    if eval "$2" 2>/dev/null; then return 0; fi
    sleep 0.2
  done
  return 1
}

# Prints the ids of the processes that slurmd started on a node (n2, or n. for all). They have the node's name
# in their environment.
processes_of() {
  local folder words
  for folder in /proc/[0-9]*; do
    words=$({ tr '\0' '\n' <"$folder/environ"; } 2>/dev/null || true)
    if grep -qx "SLURMD_NODENAME=$1" <<<"$words" && grep -qx "SLURM_CONF=$SLURM_CONF" <<<"$words"; then echo "${folder#/proc/}"; fi
  done
}
stop_slurm() {
  local file pid
  scancel --user="$(id -un)" 2>/dev/null || true
  for pid in $(processes_of n.); do kill -9 "$pid" 2>/dev/null || true; done
  for file in "$scratch"/slurm/*.pid; do
    [[ -f $file ]] || continue
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null || true
    wait_until 10 "! kill -0 $pid" || kill -9 "$pid" 2>/dev/null || true
  done
}

try_slurm() {
  local planner job pid
  planner=$(url nestor_planner sweeps)
  write_plan "$1"
  "$nestor" sweep "$scratch/plan.yaml" --store "$scratch/reference.db" >"$scratch/reference.log"
  table_of "$scratch/reference.db" reference
  # Tasks write their logs to the folder of the submission.
  (cd "$scratch" && PGPASSWORD=$secret "$nestor" sweep plan.yaml --store "$planner" --submit slurm --tasks 6 --time 5 --memory 100M \
    --lease 2 --partition trial >"$scratch/submit.log" 2>&1) || fail "submission: $(cat "$scratch/submit.log")"
  grep -q 'PGPASSWORD is not passed on' "$scratch/submit.log" || fail "no word about PGPASSWORD"
  job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' "$scratch/submit.log")
  [[ -n $job ]] || fail "no job: $(cat "$scratch/submit.log")"
  wait_until 60 "(( \$(count_points \"state <> 'todo'\") > 0 ))" || fail "no task begins: $(squeue)"
  # A task that receives SIGTERM reopens its points.
  scancel --batch --signal=TERM "${job}_1"
  wait_until 20 "grep -q interrupted $scratch/*-${job}_1.log" || fail "task 1 goes on: $(cat "$scratch"/*-"${job}"_1.log)"
  # The tasks of a drained node finish their work; those of a killed node do not.
  scontrol update NodeName=n1 State=DRAIN Reason=trial
  kill -9 "$(cat "$scratch/slurm/slurmd.n2.pid")"
  for pid in $(processes_of n2); do kill -9 "$pid" 2>/dev/null || true; done
  say "a task was told to end, a node drained, a node killed at $(count_points "state = 'done'") of $(count_points true) points"
  wait_until 240 "(( \$(count_points \"state IN ('todo', 'running')\") == 0 ))" ||
    fail "$(count_points "state IN ('todo', 'running')") points are left: $(squeue; sinfo)"
  table_of "$planner" served
  expect_same reference served
  if grep -rlF "$secret" "$scratch/slurm" "$scratch"/*.log; then fail "the password was written down"; fi
  say "$(sql -U admin sweeps -c "SELECT count(*) || ' points in 6 tasks on 3 nodes: ' || sum(attempts - 1) || ' leases ran out, ' ||
    count(*) FILTER (WHERE state <> 'done') || ' points failed' FROM nestor.points"); the table equals that of SQLite"
}

# Executes the steps of a new user: the blocks of docs/cluster.md, unchanged and in order, in an empty folder that is
# also the home folder. Only the name of the server differs; the program is in the search path.
guide_block() { # [LANGUAGE]: prints the first block of this language
  awk -v fence="\`\`\`$1" '/^```/ { if (open) { if (on) exit; open = 0 } else { open = 1; on = $0 == fence }; next } on' docs/cluster.md
}
on_this_server() { sed "s#db.example.org:5432#localhost:$port#; s#@db.example.org/#@localhost:$port/#g; s#-h db.example.org#-h localhost -p $port#"; }
try_guide() {
  local begin=$SECONDS command commands
  mkdir "$scratch/home"
  guide_sql 1 >"$scratch/home/one.sql"
  guide_sql 2 >"$scratch/home/two.sql"
  guide_block yaml >"$scratch/home/plan.yaml"
  commands=$(guide_block "" | on_this_server)
  command=$(grep -m 1 '^(umask' docs/cluster.md | on_this_server)
  local rights
  rights=$(grep -m 1 '^psql -h' docs/cluster.md | on_this_server)
  [[ -s $scratch/home/plan.yaml && -n $rights && -n $command && $(wc -l <<<"$commands") == 5 ]] || fail "the guide has other blocks"
  (
    export HOME=$scratch/home PATH=$build/app:$PATH
    cd "$HOME"
    sql -U admin postgres <one.sql || fail "the first SQL"
    say "$((SECONDS - begin)) s: the server has its roles"
    eval "$command"
    while read -r command; do
      eval "$command" >>steps.log 2>&1 || fail "$command: $(tail -2 steps.log)"
      case $command in
        *create*) eval "$rights" <two.sql >>steps.log 2>&1 || fail "$rights: $(tail -2 steps.log)" ;;
        *slurm*) wait_until 240 '[[ -z $(squeue -h) ]]' || fail "$(squeue)" ;;
      esac
      say "$((SECONDS - begin)) s: ${command:0:90}"
    done <<<"$commands"
    nestor sweep plan.yaml >reference.log
    nestor sweep plan.yaml --export reference.csv --pareto latency,energy >reference.log
    nestor sweep plan.yaml --store results.db --export copied.csv --pareto latency,energy >copied.log
    [[ $(grep -c optimal table.csv) -gt 0 ]] || fail "no point of the table is solved"
    cut -d, -f1-8 table.csv >table && cut -d, -f1-8 reference.csv | cmp - table && cut -d, -f1-8 copied.csv | cmp - table || fail "the table differs from that of SQLite"
    ! grep -l choose-one *.log *.sbatch || fail "the password was written down"
  )
  say "from an empty folder to a table in $((SECONDS - begin)) s, as the guide says"
}

secret=not-a-word-$RANDOM$RANDOM
start_postgresql
if [[ $part == slurm ]]; then make_database; fi
start_slurm
if [[ $part == slurm ]]; then try_slurm "${SHAPES:-300}"; else try_guide; fi
