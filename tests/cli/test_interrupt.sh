# Ctrl-C keeps what was measured: exit 130, the cell and the run are marked, the report is written.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
"$qdepth" run quick --target M=mem: --size 16MiB --duration 60s --ramp 0s --interval 100ms --name broken >stdout 2>stderr &
pid=$!
for _ in $(seq 100); do
    [ "$(sql "select count(*) from interval" 2>/dev/null || echo 0)" -ge 5 ] && break
    sleep 0.1
done
kill -INT $pid
code=0
wait $pid || code=$?
[ $code = 130 ] || { cat stderr; fail "exit $code, not 130"; }
[ "$(tail -n 1 stdout)" = out/broken/index.html ] || fail "no report after an interrupt"
[ "$(sql "select count(*) from cell where status='interrupted'")" = 1 ] || fail "no cell is marked interrupted"
[ "$(sql "select status from run")" = interrupted ] || fail "the run is not marked interrupted"
ios=$(sql "select sum(ios) from results where direction='all'")
[ "${ios%.*}" -gt 0 ] || fail "the interrupted cell holds nothing"
grep -q interrupted out/broken/index.html || fail "the page does not say so"

# kill -9 loses at most the running second, and the store stays readable.
"$qdepth" run quick --target M=mem: --size 16MiB --duration 60s --ramp 0s --name killed --no-report >/dev/null 2>&1 &
pid=$!
for _ in $(seq 100); do
    [ "$(sql "select count(*) from intervals i join run r on r.id=i.run where r.name='killed'" 2>/dev/null || echo 0)" -ge 2 ] && break
    sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null || true
expect 0 "interrupted" "$qdepth" list
expect 0 "killed/index.html" "$qdepth" report killed

# Ctrl-C during a pause: the cells before it stand, the one after it never began.
cat >idle.xml <<X
<matrix xmlns="urn:qdepth:matrix:1" name="paused">
  <defaults duration="200ms" ramp="0s" interval="100ms"/>
  <workload id="first"><access size="4KiB" read="100" random="100"/></workload>
  <workload id="rested"><idle duration="10h"/><access size="4KiB" read="100" random="100"/></workload>
</matrix>
X
expect 0 "2 cells, 400 ms measuring, 10 h idle, plus writing the test data" "$qdepth" run idle.xml --target M=mem: --size 16MiB --dry-run
"$qdepth" run idle.xml --target M=mem: --size 16MiB --name paused >stdout 2>stderr &
pid=$!
of_paused="select count(*) from cell c join run r on r.id=c.run where r.name='paused'"
for _ in $(seq 100); do
    [ "$(sql "$of_paused and c.status='done'" 2>/dev/null || echo 0)" = 1 ] && break
    sleep 0.1
done
kill -INT $pid
code=0
wait $pid || code=$?
[ $code = 130 ] || { cat stderr; fail "exit $code after an interrupted pause, not 130"; }
[ "$(sql "$of_paused and c.status='planned'")" = 1 ] || fail "the cell after the pause was begun"
[ "$(sql "select status from run where name='paused'")" = interrupted ] || fail "the paused run is not marked interrupted"
grep -q "Idle for 10.*h before each cell of rested" out/paused/index.html || fail "the page does not say the pause"

# A cell that cannot be measured is skipped at once: nobody rests for it.
sed 's/<workload id="first">.*//; s/size="4KiB"/size="2MiB"/; s/"paused"/"large"/' idle.xml >large.xml
head -c 1M /dev/urandom >small
expect 0 "larger than the span" timeout 60 "$qdepth" run large.xml --target X=small --name large --no-report
