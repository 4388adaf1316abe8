# Known answers: a file that takes 2 ms for every read. qdepth measures those 2 ms, measures the same as fio within 3 %, and at every depth
# IOPS × mean response time is the depth within 3 %.
. "$(dirname "$0")/lib.sh" "$@"
need_root "FUSE"
need fio
need sqlite3
[ -n "${FAULTFS:-}" ] || skip "libfuse3-dev is not installed: no file with a known response time"
delay=2000000
mkdir slow
"$FAULTFS" "$scratch/slow" size=16777216 delay=$delay >fuse.log 2>&1 &
served=$!
clean() {
    for _ in $(seq 50); do
        umount slow 2>/dev/null && break
        sleep 0.1
    done
    kill "$served" 2>/dev/null || true
}
trap clean EXIT
for _ in $(seq 100); do
    [ -e slow/disk ] && break
    sleep 0.05
done
[ -e slow/disk ] || skip "no FUSE here"
cat >reading.xml <<'X2'
<matrix xmlns="urn:qdepth:matrix:1" name="reading" title="Reading">
  <defaults duration="1s" ramp="200ms" interval="200ms"/>
  <workload id="read" title="Reads"><access share="100" size="4KiB" read="100" random="100"/></workload>
  <sweep><queue-depth>1</queue-depth></sweep>
</matrix>
X2
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
within() { awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { r = a / b - 1; exit !(r <= s && -r <= s) }'; } # VALUE WANTED SHARE
# Both take turns, so that what else the machine does meets both: three rounds, and where it met one more than the other, up to nine.
for depth in 1 4 16; do
    : >ours
    : >theirs
    for round in 1 2 3 4 5 6 7 8 9; do
        name=d$depth-$round
        "$qdepth" run reading.xml --target X=slow/disk --queue-depth $depth --name "$name" --no-report >/dev/null 2>&1 || fail "qdepth run failed"
        sql "select lat_mean_ns from results where run_name = '$name' and direction = 'read'" >>ours
        fio --name=t --filename=slow/disk --readonly --ioengine=io_uring --direct=1 --bs=4k --rw=randread --iodepth=$depth \
            --runtime=1 --ramp_time=1 --time_based --thread --output-format=json >fio.json
        sed -n '/"read" : {/,/"write" : {/p' fio.json | sed -n '/"lat_ns" : {/,/}/s/^ *"mean" : \([0-9.]*\).*/\1/p' | head -n 1 >>theirs
        sql "select iops, lat_mean_ns, achieved_depth from results where run_name = '$name' and direction = 'all'" |
            awk -F'|' -v d=$depth '{ n = $1 * $2 / 1e9 / d; exit !(n > 0.97 && n < 1.03 && $3 / d > 0.97 && $3 / d < 1.03) }' ||
            fail "depth $depth: $(sql "select iops || ' IOPS × ' || lat_mean_ns || ' ns, achieved ' || achieved_depth from results where run_name = '$name' and direction = 'all'")"
        mine=$(median <ours)
        fios=$(median <theirs)
        [ "$round" -lt 3 ] || ! within "$mine" "$fios" 0.03 || break
    done
    printf 'depth %s: qdepth %.1f µs, fio %.1f µs\n' "$depth" "$(awk "BEGIN { print $mine / 1e3 }")" "$(awk "BEGIN { print $fios / 1e3 }")"
    within "$mine" "$fios" 0.03 || fail "depth $depth: qdepth $mine ns, fio $fios ns"
    awk -v a="$mine" -v d=$delay 'BEGIN { exit !(a >= d) }' || fail "shorter than the delay: $mine ns"
done
