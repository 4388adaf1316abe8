# On a loop device throttled to a fixed rate, qdepth and fio measure the same IOPS within 1.5 %.
. "$(dirname "$0")/lib.sh" "$@"
need_root "loop devices and cgroups"
need fio
need sqlite3
[ -d /sys/fs/cgroup/blkio ] || skip "no cgroup v1 blkio controller to throttle with"
truncate -s 256M image
loop=$(losetup -f --show image) || skip "no loop device"
group=/sys/fs/cgroup/blkio/qdepth-test-$$
clean() {
    losetup -d "$loop" 2>/dev/null || true
    for _ in $(seq 50); do
        rmdir "$group" 2>/dev/null && break
        sleep 0.1
    done
}
trap clean EXIT
mkdir "$group" || skip "no cgroup can be made"
number=$(lsblk -dno MAJ:MIN "$loop" | tr -d ' ')
echo "$number 500" >"$group/blkio.throttle.read_iops_device" || skip "throttling is not possible"
cat >reading.xml <<'X'
<matrix xmlns="urn:qdepth:matrix:1" name="reading" title="Reading">
  <defaults duration="4s" ramp="1s"/>
  <workload id="read" title="Reads"><access share="100" size="4KiB" read="100" random="100"/></workload>
  <sweep><queue-depth>8</queue-depth></sweep>
</matrix>
X
inside() {
    (echo "$BASHPID" >"$group/cgroup.procs" && exec "$@")
}
inside "$qdepth" run reading.xml --target "L=$loop" --no-report --name throttled >/dev/null 2>&1 || fail "qdepth run failed"
ours=$(sql "select iops from results where direction='all'")
theirs=$(inside fio --name=t --filename="$loop" --readonly --ioengine=io_uring --direct=1 --bs=4k --rw=randread --iodepth=8 \
    --runtime=4 --ramp_time=1 --time_based --thread --output-format=json | sed -n 's/^ *"iops" : \([0-9.]*\).*/\1/p' | head -n 1)
printf 'qdepth %s IOPS, fio %s IOPS\n' "$ours" "$theirs"
awk -v a="$ours" -v b="$theirs" 'BEGIN { r = a / b; exit !(r > 0.985 && r < 1.015) }' || fail "more than 1.5 % apart"
