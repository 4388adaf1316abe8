# Filesystems and arrays made for a run: permission, undone at the end, after Ctrl-C and after kill -9, and only what is ours.
. "$(dirname "$0")/lib.sh" "$@"
need_root "loop devices and mounts"
need losetup
need mkfs.btrfs
need mkfs.xfs
need blkid
need sqlite3
loop() {
    truncate -s 320M "$1"
    losetup --direct-io=on -f --show "$1" 2>/dev/null || losetup -f --show "$1" || skip "no loop device"
}
a=$(loop a.img)
b=$(loop b.img)
clean() {
    "$qdepth" clean >/dev/null 2>&1 || true
    mountpoint -q "$scratch/mnt" && umount "$scratch/mnt"
    losetup -d "$a" 2>/dev/null || true
    losetup -d "$b" 2>/dev/null || true
}
trap clean EXIT
settings='duration="200ms" ramp="0s" interval="100ms"'
work='<workload id="w" title="Writes"><access size="4KiB" read="50" random="100"/></workload>'
matrix() { # NAME INSIDE [ATTRIBUTE…]
    local name=$1 inside=$2
    shift 2
    printf '<matrix xmlns="urn:qdepth:matrix:1" name="%s" %s>\n<defaults %s/>\n%s\n</matrix>\n' "$name" "$*" "$settings" "$inside" >"$name.xml"
}
targets="<targets><device name=\"a\" path=\"$a\" measure=\"no\"/><device name=\"b\" path=\"$b\" measure=\"no\"/>"
devices=(--destroy "$a" --destroy "$b")
run=("$qdepth" run --size 16MiB --no-report)
blank() {
    local d
    for d in "$a" "$b"; do
        blkid -p "$d" >/dev/null 2>&1 && fail "$d bears a signature: $(blkid -p "$d")"
        grep -q "^$d " /proc/mounts && fail "$d is mounted"
    done
    [ "$(sql 'select count(*) from undo')" = 0 ] || fail "steps are left in the journal: $(sql 'select * from undo')"
}

# Three targets take turns on the same devices.
matrix raid "$targets
  <filesystem name=\"single\" on=\"a\" type=\"xfs\" title=\"Single\" mount-options=\"noatime\"/>
  <array name=\"r0\" level=\"raid0\" made-by=\"btrfs\" members=\"a b\" title=\"RAID 0\"/>
  <array name=\"r1\" level=\"raid1\" made-by=\"btrfs\" members=\"a b\" title=\"RAID 1\"/></targets>$work"
expect 4 "--destroy $a" "${run[@]}" raid.xml
expect 4 "--destroy $b" "${run[@]}" raid.xml --destroy "$a"
expect 0 "WILL BE DESTROYED" "${run[@]}" raid.xml "${devices[@]}" --dry-run
expect 0 "RAID 1" "${run[@]}" raid.xml "${devices[@]}" --name raid
blank
[ "$(sql "select group_concat(name) from (select name from target where run=1 order by no)")" = "Single,RAID 0,RAID 1" ] || fail "targets"
sql "select e.value from environment e join target t on t.id=e.target where t.name='Single' and key='Mount options'" | grep -q noatime || fail "mount options are not recorded"
sql "select e.value from environment e join target t on t.id=e.target where t.name='RAID 0' and key='Profiles'" | grep -q 'raid0 (data)' || fail "geometry is not recorded"
sql "select e.value from environment e join target t on t.id=e.target where t.name='RAID 1' and key='Filesystem made by'" | grep -q 'mkfs.btrfs .* -d raid1' || fail "the command is not recorded"

# A sweep of filesystems, the device by --target; and beside it one that is there already.
matrix sweep "$work<sweep><filesystem>ext4 xfs btrfs</filesystem></sweep>"
expect 0 "btrfs" "${run[@]}" sweep.xml --target "D=$a" --destroy "$a" --name sweep
blank
[ "$(sql "select group_concat(name) from (select name from target where run=2 order by no)")" = "ext4,xfs,btrfs" ] || fail "the sweep's targets"
expect 2 "not a block device" "${run[@]}" sweep.xml --target "D=mem:"

# What cannot be.
matrix order "$targets<filesystem name=\"x\" on=\"a\" type=\"ext4\"/><filesystem name=\"y\" on=\"a\" type=\"xfs\"/></targets>$work<sweep><queue-depth>1 2</queue-depth></sweep>" 'order="interleaved"'
expect 2 "take turns on the same device" "${run[@]}" order.xml "${devices[@]}"
matrix force "$targets<filesystem name=\"x\" on=\"a\" type=\"ext4\" mkfs-options=\"-F\"/></targets>$work"
expect 2 "options that force" "${run[@]}" force.xml "${devices[@]}"
matrix md "$targets<array name=\"m\" level=\"raid1\" members=\"a b\"/></targets>$work"
command -v mdadm >/dev/null || expect 1 "'mdadm' is not installed" "${run[@]}" md.xml "${devices[@]}"
matrix path "<targets><device name=\"a\" measure=\"no\"/><filesystem name=\"x\" on=\"a\" type=\"ext4\"/></targets>$work"
expect 2 "--target a=PATH" "${run[@]}" path.xml
expect 0 "IOPS" "${run[@]}" path.xml --target "a=$a" --destroy "$a"
blank
mkdir -p mnt
mkfs.ext4 -q "$a"
expect 4 "holds an ext4 filesystem" "${run[@]}" path.xml --target "a=$a" --destroy "$a"
mount "$a" mnt
expect 4 "mounted" "${run[@]}" path.xml --target "a=$a" --destroy "$a"
umount mnt
wipefs -qa "$a"
# A step that fails makes its cells fail, not the others.
matrix half "$targets<filesystem name=\"x\" on=\"a\" type=\"ext4\" mkfs-options=\"-b 123\"/><filesystem name=\"y\" on=\"b\" type=\"ext4\"/></targets>$work"
expect 1 "IOPS" "${run[@]}" half.xml "${devices[@]}" --name half
[ "$(sql "select group_concat(status) from (select c.status from cell c join run r on r.id=c.run where r.name='half' order by no)")" = "failed,done" ] || fail "cells of a filesystem that cannot be made"
sql "select reason from cell where status='failed'" | grep -q "mkfs.ext4.*invalid block size" || fail "the reason is not the tool's"
blank

# Ctrl-C: undone before it ends.
settings='duration="30s" ramp="0s" interval="100ms"'
matrix long "$targets<array name=\"r1\" level=\"raid1\" made-by=\"btrfs\" members=\"a b\"/></targets>$work"
measuring() {
    for _ in $(seq 200); do
        [ "$(sql "select count(*) from interval i join cell c on c.id=i.cell join run r on r.id=c.run where r.name='$1'" 2>/dev/null)" -gt 2 ] 2>/dev/null && return
        sleep 0.1
    done
    fail "no second was measured"
}
"${run[@]}" long.xml "${devices[@]}" --name ctrlc >printed 2>&1 &
pid=$!
measuring ctrlc
expect 0 "of a run that goes on: left alone" "$qdepth" clean
grep -q "^$a " /proc/mounts || fail "not mounted while it is measured"
kill -INT "$pid"
got=0
wait "$pid" || got=$?
[ "$got" = 130 ] || fail "exit $got after Ctrl-C"
blank

# kill -9: what is left is undone by clean, and only that.
"${run[@]}" long.xml "${devices[@]}" --name killed >printed 2>&1 &
pid=$!
measuring killed
kill -9 "$pid"
wait "$pid" || true
grep -q "^$a " /proc/mounts || fail "the mount did not outlive its run"
expect 4 "mounted" "$qdepth" run --store other.db path.xml --target "a=$a" --destroy "$a"
point=$(grep "^$a " /proc/mounts | cut -d' ' -f2)
expect 0 "unmounted '$point'" "$qdepth" clean
grep -q "wiped '$a'" "$scratch/printed" || fail "the device was not wiped"
[ -e "$point" ] && fail "the folder is left"
blank
expect 0 "nothing to clean" "$qdepth" clean
[ "$(sql "select status from run where name='killed'")" = interrupted ] || fail "the killed run"
[ "$(sql "select count(*)>2 from intervals i join run r on r.id=i.run where r.name='killed'")" = 1 ] || fail "seconds measured before the kill are lost"

# The next run does it too; what took its place stays.
"${run[@]}" long.xml "${devices[@]}" --name again >printed 2>&1 &
pid=$!
measuring again
kill -9 "$pid"
wait "$pid" || true
expect 0 "unmounted" "${run[@]}" path.xml --target "a=$a" --destroy "$a"
blank
"${run[@]}" long.xml "${devices[@]}" --name once-more >printed 2>&1 &
pid=$!
measuring once-more
kill -9 "$pid"
wait "$pid" || true
point=$(grep "^$a " /proc/mounts | cut -d' ' -f2)
for _ in $(seq 50); do umount "$point" 2>/dev/null && break; sleep 0.1; done
wipefs -qa "$a" "$b"
mkfs.ext4 -q "$a"
mount "$a" "$point"
expect 1 "not ours" "$qdepth" clean
grep -q "^$a $point " /proc/mounts || fail "a mount that is not ours was undone"
umount "$point"
expect 0 "removed '$point'" "$qdepth" clean
blkid -p "$a" | grep -q ext4 || fail "a filesystem that is not ours was wiped"
wipefs -qa "$a"
