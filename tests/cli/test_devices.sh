# Block devices: written only with permission and only when nothing uses them.
. "$(dirname "$0")/lib.sh" "$@"
need_root "loop devices"
need losetup
need sfdisk
truncate -s 64M image
loop=$(losetup --direct-io=on -f --show image 2>/dev/null || losetup -f --show image) || skip "no loop device"
clean() {
    mountpoint -q "$scratch/mnt" && umount "$scratch/mnt"
    blockdev --setrw "$loop" 2>/dev/null || true
    losetup -d "$loop" 2>/dev/null || true
}
trap clean EXIT
run=("$qdepth" run quick "${quick[@]}" --queue-depth 1 --no-report --target "A=$loop")
expect 4 "--destroy" "${run[@]}"
expect 0 "cells" "$qdepth" run quick --dry-run --target "A=$loop" --destroy "$loop"
expect 0 "IOPS" "${run[@]}" --destroy "$loop"
for fs in ext4 xfs swap; do
    wipefs -qa "$loop"
    case $fs in
        ext4) mkfs.ext4 -q "$loop" ;;
        xfs) command -v mkfs.xfs >/dev/null || continue; truncate -s 320M image; losetup -c "$loop"; mkfs.xfs -qf "$loop" ;;
        swap) mkswap -q "$loop" 2>/dev/null || mkswap "$loop" >/dev/null ;;
    esac
    sum=$(sha256sum <"$loop")
    expect 4 "$fs" "${run[@]}" --destroy "$loop"
    [ "$(sha256sum <"$loop")" = "$sum" ] || fail "a refused device with $fs was changed"
done
wipefs -qa "$loop"
mkfs.ext4 -q "$loop"
mkdir -p mnt
mount "$loop" mnt
expect 4 "mounted" "${run[@]}" --destroy "$loop"
cat >reading.xml <<'X'
<matrix xmlns="urn:qdepth:matrix:1" name="reading" title="Reading">
  <defaults duration="200ms" ramp="0s" interval="100ms"/>
  <workload id="read" title="Reads"><access share="100" size="4KiB" read="100" random="100"/></workload>
  <sweep><queue-depth>4</queue-depth></sweep>
</matrix>
X
expect 0 "IOPS" "$qdepth" run reading.xml --target "A=$loop" --size 16MiB --no-report --name mounted
need sqlite3
[ "$(sql "select count(*) from event where code='device-in-use'")" -ge 1 ] || fail "reading a mounted device is no event"
umount mnt
printf 'label: gpt\n,\n' | sfdisk -q "$loop" >/dev/null 2>&1
expect 4 "partition" "${run[@]}" --destroy "$loop"
wipefs -qa "$loop"
blockdev --setro "$loop"
"${run[@]}" --destroy "$loop" >printed 2>&1 && fail "a read-only device was accepted for writing"
grep -qi "read-only" printed || { cat printed; fail "read-only is not named"; }
