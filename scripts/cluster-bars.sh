# Parts of cluster-test.sh that process a large plan (sourced). `scale` checks that the store costs little compared with
# the work. `faults` kills workers, restarts the server and fills its disk. The plan has POINTS (100,000) small layers.
# REFERENCE names the SQLite store of an undisturbed run of the same plan; it is created or completed if necessary.
lease=2 network='many.yaml, more.yaml' # relative, so that the table does not depend on the folder
points=${POINTS:-100000}
seconds_from() { awk -v b="$1" -v e="$(date +%s%N)" 'BEGIN { printf "%.1f", (e - b) / 1e9 }'; }

# Different layers of a few milliseconds each, in two networks, because one network with 33,334 layers would exceed the
# file size limit.
write_large_plan() { # LAYERS EVERY
  local i file=many
  for file in many more; do printf 'name: %s\nlayers:\n' $file >"$scratch/$file.yaml"; done
  for ((i = 0; i < $1; i += $2)); do
    if ((i % 2 == 0)); then file=many; else file=more; fi
    echo "  - {name: l$i, dims: {K: $((4 + 4 * (i % 10))), C: $((4 + 2 * (i / 10 % 10))), P: $((1 + i / 100 % 10)), Q: $((2 + i / 1000)), R: 2, S: 3}}" >>"$scratch/$file.yaml"
  done
  write_machines
}
make_reference() {
  local begin=$(date +%s%N)
  reference=${REFERENCE:-$scratch/reference.db}
  write_large_plan $(((points + 2) / 3)) 1
  cd "$scratch"
  "$nestor" sweep plan.yaml --store "$reference" --threads 8 >"$scratch/reference.log" || fail "$(tail -1 "$scratch/reference.log")"
  say "undisturbed, in a file: $(tail -1 "$scratch/reference.log"), $(seconds_from "$begin") s if none was done before"
  table_of "$reference" reference
}

# Processor time per point for a sample of the plan, with a store that costs nothing.
milliseconds_a_point() {
  local every=33 TIMEFORMAT='%U %S' count
  ((points > 10000)) || every=1
  mkdir -p "$scratch/sample"
  (
    scratch=$scratch/sample
    cd "$scratch"
    write_large_plan $(((points + 2) / 3)) $every
    { time "$nestor" sweep plan.yaml --store :memory: --threads 8 >"$scratch/out"; } 2>"$scratch/time"
  )
  count=$(tail -1 "$scratch/sample/out")
  awk -v n="${count%% *}" '{ printf "%.3f", ($1 + $2) * 1000 / n }' "$scratch/sample/time"
}
# Records the peak memory of each worker while they run.
watch_memory() {
  local pid seconds=0
  : >"$scratch/waits"
  while sleep 1; do
    for pid in "${workers[@]}"; do sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2>/dev/null || true; done >"$scratch/memory.new"
    [[ -s $scratch/memory.new ]] || return 0
    cat "$scratch/memory.new" >>"$scratch/memory"
    # Samples the waits rarely, because a new session costs the server as much as dozens of points.
    ((++seconds % 10 == 0)) || continue
    sql -U admin sweeps -c "SELECT coalesce(wait_event, 'none') FROM pg_stat_activity WHERE application_name = 'nestor'" >>"$scratch/waits"
  done
}

try_scale() {
  local i begin before sample after TIMEFORMAT='%U %S' spent served memory planner
  make_reference
  planner=$(url nestor_planner sweeps)
  sample=$(milliseconds_a_point)
  "$nestor" sweep plan.yaml --store "$planner" --points 1 >/dev/null
  sql -U admin postgres -c CHECKPOINT
  before=$(server_seconds) begin=$(date +%s%N)
  for ((i = 0; i < 8; ++i)); do
    # The shell that measures a worker has another process id.
    { time { "$nestor" work --store "$(url nestor_worker sweeps)" --threads 1 >"$scratch/worker$i.log" 2>&1 & echo $! >"$scratch/worker$i.pid"; wait $! || echo $? >"$scratch/worker.failed"; }; } 2>"$scratch/worker$i.time" &
  done
  sleep 1
  for ((i = 0; i < 8; ++i)); do workers[i]=$(cat "$scratch/worker$i.pid"); done
  watch_memory
  wait
  workers=()
  [[ ! -f $scratch/worker.failed ]] || fail "a worker ended with status $(cat "$scratch/worker.failed"): $(tail -qn 1 "$scratch"/worker?.log)"
  begin=$(seconds_from "$begin")
  cat "$scratch"/worker?.time >"$scratch/workers.time"
  spent=$(processor_seconds "$scratch/workers.time")
  served=$(awk -v a="$before" -v b="$(server_seconds)" 'BEGIN { printf "%.2f", b - a }')
  memory=$(sort -n "$scratch/memory" | awk 'END { printf "%.0f", $1 / 1024 }')
  after=$(milliseconds_a_point)
  say "a point without a store: $sample ms of processor before and $after ms after the run"
  say "$(count_points "state = 'done'") points by 8 workers in $begin s: $spent s of processor, the server $served s; a worker had at most $memory MiB"
  say "sessions waited, of 100 samples, for: $(sort "$scratch/waits" | uniq -c | sort -rn | awk '{ n[NR] = $1; name[NR] = $2; all += $1 } END { for (i = 1; i <= 4 && i <= NR; ++i) printf "%s%s %.1f", (i > 1 ? ", " : ""), name[i], 100 * n[i] / all }') (ClientRead: for work)"
  table_of "$planner" served
  expect_same reference served
  say "the table equals that of SQLite; the server took $(awk -v s="$served" -v w="$spent" 'BEGIN { printf "%.1f", 100 * s / w }') % of the workers' time, all \
$(awk -v s="$served" -v w="$spent" -v p="$points" -v a="$sample" -v b="$after" 'BEGIN { pure = (a + b) / 2000 * p; printf "%.1f", 100 * (s + w - pure) / pure }') % more than the work alone"
  ((memory < 150)) || fail "a worker had $memory MiB"
  # The measured share is 4 %; it is higher on a busy machine.
  awk -v s="$served" -v w="$spent" 'BEGIN { exit s >= 0.07 * w }' || fail "the store costs more than 7 % of the work"
}

# Records the history of each point, in addition to the store's own data.
audit_points() {
  sql -U admin sweeps <<'END'
CREATE SCHEMA audit;
CREATE TABLE audit.moves (point BIGINT, was TEXT, became TEXT, ran_out BOOLEAN);
CREATE FUNCTION audit.note() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.state, NEW.owner) IS DISTINCT FROM (OLD.state, OLD.owner) THEN
    INSERT INTO audit.moves VALUES (NEW.id, OLD.state, NEW.state, OLD.lease < extract(epoch FROM clock_timestamp()));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note AFTER UPDATE ON nestor.points FOR EACH ROW EXECUTE FUNCTION audit.note();
END
}
expect_done_once() {
  local wrong
  wrong=$(sql -U admin sweeps <<'END'
SELECT 'points that are not done: ' || count(*) FROM nestor.points WHERE state <> 'done' HAVING count(*) > 0;
SELECT 'point ' || point || ' was finished ' || count(*) || ' times' FROM audit.moves WHERE became IN ('done', 'failed')
  GROUP BY point HAVING count(*) <> 1 LIMIT 3;
SELECT 'a finished point changed: ' || point FROM audit.moves WHERE was IN ('done', 'failed') LIMIT 3;
SELECT 'a point was finished and not claimed: ' || point FROM audit.moves WHERE was = 'todo' AND became <> 'running' LIMIT 3;
SELECT 'a claim went to another before its lease ended: ' || point FROM audit.moves
  WHERE was = 'running' AND became = 'running' AND NOT ran_out LIMIT 3;
END
  )
  [[ -z $wrong ]] || fail "$wrong"
}

# A separate disk for the database: a tablespace in memory, which only root can mount. Otherwise, a substitute raises
# the error of a full disk when points are written.
small_disk=
make_small_disk() {
  mkdir "$scratch/small"
  if ! mount -t tmpfs -o "size=$((200 + points / 100))m" none "$scratch/small" 2>/dev/null; then
    say "the full disk is a stand-in: only root can mount a small one"
    return
  fi
  small_disk=$scratch/small
  chmod 700 "$small_disk"
  chown "$server_user" "$small_disk"
  sql -U admin postgres -c "CREATE TABLESPACE small LOCATION '$small_disk'" -c "ALTER DATABASE sweeps SET TABLESPACE small"
}
fill_disk() {
  local full before seen
  before=$(grep -c 'No space left\|a full disk' "$scratch/data/server.log" || true)
  if [[ -n $small_disk ]]; then
    dd if=/dev/zero of="$small_disk/filler" bs=64k 2>/dev/null || true
  else
    sql -U admin sweeps -c "CREATE FUNCTION audit.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''a full disk'' USING ERRCODE = ''disk_full''; END'" \
      -c "CREATE TRIGGER refuse BEFORE UPDATE ON nestor.points EXECUTE FUNCTION audit.refuse()"
  fi
  sleep 4
  seen=$(($(grep -c 'No space left\|a full disk' "$scratch/data/server.log") - before))
  if [[ -n $small_disk ]]; then rm "$small_disk/filler"; else sql -U admin sweeps -c "DROP TRIGGER refuse ON nestor.points"; fi
  ((seen > 0)) || fail "nothing was refused on the full disk"
  say "a full disk for 4 s: the server refused $seen writes at $(count_points "state = 'done'") points"
}

try_faults() { # KILLS RESTARTS
  local i pid victim pause killed=0 restarted=0 filled=0 spared=0 planner begin
  make_reference
  planner=$(url nestor_planner sweeps)
  make_small_disk
  audit_points
  begin=$(date +%s%N)
  "$nestor" sweep plan.yaml --store "$planner" --points 1 >/dev/null
  for ((i = 0; i < 8; ++i)); do start_worker "$i"; done
  while ((killed < $1)); do
    pause=$((RANDOM % 500 + 100))
    sleep "0.$(printf %03d $pause)"
    victim=$((RANDOM % 8)) pid=${workers[victim]}
    [[ -e /proc/$pid && $(awk '{ print $3 }' "/proc/$pid/stat") != Z ]] || fail "a worker ended, perhaps as no point is left, after $killed kills: $(tail -1 "$scratch/worker.log")"
    # A point fails after its workers were killed three times, so the table would differ.
    if [[ $(count_points "state = 'running' AND attempts >= 3 AND owner LIKE '%:$pid:%'") != 0 ]]; then
      spared=$((spared + 1))
      continue
    fi
    kill -9 "$pid"
    wait "$pid" 2>/dev/null || true
    killed=$((killed + 1))
    if ((restarted < $2 && killed * $2 >= (restarted + 1) * $1)); then
      pg_ctl restart -m immediate
      restarted=$((restarted + 1))
    fi
    if ((filled == 0 && killed * 2 >= $1)); then filled=1 && fill_disk; fi
    start_worker "$victim"
  done
  say "$killed kills and $restarted restarts in $(seconds_from "$begin") s, at $(count_points "state = 'done'") of $(count_points true) points"
  for i in "${workers[@]}"; do wait "$i" || fail "a worker ended with status $?: $(tail -2 "$scratch/worker.log")"; done
  workers=()
  expect_done_once
  table_of "$planner" served
  expect_same reference served
  say "$(sql -U admin sweeps -c "SELECT count(*) FILTER (WHERE became = 'done') || ' points done once; ' ||
    count(*) FILTER (WHERE was = 'running' AND became = 'running') || ' leases ran out, ' ||
    count(*) FILTER (WHERE became = 'todo') || ' claims were put back' FROM audit.moves"), $spared kills spared a last try; $(seconds_from "$begin") s; the table equals that of SQLite"
}

secret=not-a-word-$RANDOM$RANDOM
if [[ $part == scale ]]; then fsync=on; fi
start_postgresql
make_database
if [[ $part == scale ]]; then try_scale; else try_faults "${KILLS:-200}" "${RESTARTS:-20}"; fi
