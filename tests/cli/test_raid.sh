# The shipped matrices that make their own targets, in small.
. "$(dirname "$0")/lib.sh" "$@"
need_root "loop devices and mounts"
need losetup
need mkfs.btrfs
need mkfs.xfs
need sqlite3
loops=()
clean() {
    local l
    for l in "${loops[@]}"; do losetup -d "$l" 2>/dev/null || true; done
}
trap clean EXIT
for f in a b; do
    truncate -s 320M "$f.img"
    loops+=("$(losetup -f --show "$f.img")") || skip "no loop device"
done
small=(--size 16MiB --duration 100ms --ramp 0s --interval 100ms --queue-depth 4)
expect 2 "--target a=PATH" "$qdepth" run raid
expect 0 "out/raid/index.html" "$qdepth" run raid "${small[@]}" --target "a=${loops[0]}" --target "b=${loops[1]}" \
    --destroy "${loops[0]}" --destroy "${loops[1]}" --name raid
[ "$(sql "select count(*) from cell where status='done'")" = 16 ] || fail "not every cell of raid is done"
grep -q "mkfs.btrfs" out/raid/index.html || fail "the report does not say how the arrays were made"
expect 0 "ext4" "$qdepth" run filesystems "${small[@]}" --target "D=${loops[0]}" --destroy "${loops[0]}" --no-report
[ "$(sql "select count(*) from cell where status='done'")" = 28 ] || fail "not every cell of filesystems is done"
expect 0 "nothing to clean" "$qdepth" clean
expect 0 "filesystem" "$qdepth" check "$(dirname "$0")/../../templates/matrix/filesystems.xml"
