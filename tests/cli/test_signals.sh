# A signal at any point, from before the first byte to after the last cell: the store is sound, whatever a cell had measured is in it, nothing
# is left behind, and the run can be reported.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
cat >mixed.xml <<'X2'
<matrix xmlns="urn:qdepth:matrix:1" name="mixed" title="Mixed">
  <defaults duration="300ms" ramp="100ms" interval="50ms"/>
  <workload id="mix" title="Mix"><access share="100" size="4KiB" read="50" random="100"/></workload>
  <sweep><queue-depth>1 4 8</queue-depth></sweep>
</matrix>
X2
mkdir data
sound() { # after the run NAME ended with CODE
    local name=$1 code=$2
    [ -e store.db ] || return 0
    [ "$(sqlite3 store.db "pragma integrity_check" | head -n 1)" = ok ] || fail "$name: the store is damaged"
    expect 0 "" "$qdepth" list
    [ "$(sql "select count(*) from run where name = '$name'")" = 1 ] || return 0
    [ "$(sql "select count(*) from run where name = '$name' and status = 'running'")" = 0 ] || [ "$code" = 137 ] ||
        fail "$name: still called running"
    # a cell that ended keeps exactly what its intervals hold
    [ "$(sql "select count(*) from cell c join run r on r.id = c.run where r.name = '$name' and c.status in ('done', 'interrupted') and
        (select coalesce(sum(ios), 0) from interval i where i.cell = c.id and t_ns >= 0) <> (select coalesce(sum(ios), 0) from result x where x.cell = c.id)")" = 0 ] ||
        fail "$name: a result is not the sum of its intervals"
    [ -z "$(ls -A data)" ] || fail "$name: left behind: $(ls -A data)"
    if [ "$(sql "select count(*) from target t join run r on r.id = t.run where r.name = '$name'")" = 0 ]; then
        expect 1 "has no targets" "$qdepth" report "$name" --out "report-$name" # killed before the first was looked at
        return 0
    fi
    expect 0 "index.html" "$qdepth" report "$name" --out "report-$name"
    # whoever had measured a tenth of a second has rows
    [ "$(sql "select count(*) from cell c join run r on r.id = c.run where r.name = '$name' and c.status = 'done' and
        (select count(distinct t_ns) from interval i where i.cell = c.id and t_ns >= 0) <> 6")" = 0 ] || fail "$name: a finished cell misses rows"
}
n=0
for signal in INT TERM HUP KILL; do
    for wait in 0.01 0.05 0.15 0.4 0.7 1.1 1.6; do
        n=$((n + 1))
        "$qdepth" run mixed.xml --target D=data --size 8MiB --name "s$n" --no-report >out.txt 2>&1 &
        pid=$!
        sleep "$wait"
        kill -"$signal" $pid 2>/dev/null || true
        code=0
        wait $pid 2>/dev/null || code=$?
        case "$signal:$code" in
            *:0 | KILL:137) ;;             # it was faster
            *:130) ;;                      # as cli.md says
            INT:2 | TERM:143 | HUP:129) ;; # before anything was begun: the signal's own end
            *) cat out.txt && fail "signal $signal after $wait s: exit $code" ;;
        esac
        sound "s$n" $code
    done
done
[ "$(sql "select count(*) from run where status = 'interrupted'")" -gt 5 ] || fail "no run was interrupted: nothing was tested"
[ "$(sql "select count(*) from result x join cell c on c.id = x.cell where c.status = 'interrupted' and x.ios > 0")" -gt 3 ] ||
    fail "no interrupted cell holds a result"

# A machine that stands still for a second (here: the process): every second is there, those without a result as zeros.
"$qdepth" run mixed.xml --target D=data --size 8MiB --queue-depth 4 --duration 3s --interval 200ms --name stalled --no-report >out.txt 2>&1 &
pid=$!
sleep 1.5
kill -STOP $pid
sleep 1.2
kill -CONT $pid
wait $pid || fail "a run that was stopped and continued failed"
of="from interval i join cell c on c.id = i.cell join run r on r.id = c.run where r.name = 'stalled' and i.direction = 0 and t_ns >= 0"
[ "$(sql "select count(*) || ' ' || sum(length_ns) || ' ' || max(t_ns) $of")" = "15 3000000000 2800000000" ] || fail "rows are missing: $(sql "select t_ns, ios $of")"
[ "$(sql "select count(*) >= 4 $of and ios = 0")" = 1 ] || fail "the stall does not show: $(sql "select t_ns, ios $of")"
