# Published results as tables: the commands of docs/importing.md, as they stand there, draw the charts of seeds/002 again.
. "$(dirname "$0")/lib.sh" "$@"
mkdir -p runs
cp -r "$SOURCE_DIR/runs/reference" runs/
sed -n '/^## Published results/,/^## Giving/p' "$SOURCE_DIR/docs/importing.md" | sed -n '/^```$/,/^```$/p' | grep '^qdepth' >commands
[ "$(wc -l <commands)" = 6 ] || fail "docs/importing.md has other commands"
while read -r line; do
    case $line in
        "qdepth run"*) line="$line --no-report ${quick[*]}" ;;
        "qdepth report"*) line="$line --format html,svg" ;;
    esac
    bash -c "qdepth() { '$qdepth' \"\$@\"; }; $line" >printed 2>&1 || {
        cat printed
        fail "$line"
    }
done <commands

[ "$(sql "SELECT count(*) FROM results WHERE run_name = 'thesis' AND direction <> 'all'")" = 40 ] || fail "some figures are lost"
[ "$(sql "SELECT mb_s FROM results WHERE run_name = 'thesis' AND target = 'SSD RAID 0' AND workload = 'sequential-write-0-fill' AND direction = 'write'")" = "962.7" ] ||
    fail "SSD RAID 0 wrote 962.7 MB/s"
[ "$(sql "SELECT count(*) FROM results WHERE run_name = 'thesis' AND (lat_mean_ns IS NOT NULL OR lat_p99_ns IS NOT NULL)")" = 0 ] ||
    fail "response times came from nowhere"
for text in '1st ADATA SX900 128 GB' 'HDD RAID 0' 'imported from CrystalDiskMark 3.0.3 x64' 'CrystalDiskMark, MB/s' '962.7'; do
    grep -qF "$text" out/thesis/index.html || fail "'$text' is not in the report"
done
grep -qF 'Importing pictures' out/thesis-filesystems/index.html || fail "PCMark's tests are not in their report"

# own and imported side by side: the same workload at the same depth is one group
[ "$(sql "SELECT count(DISTINCT run_name) FROM results WHERE workload = 'random-read-4k' AND queue_depth = 32")" = 2 ] ||
    fail "own and published cells have different names"
grep -qF 'imported from CrystalDiskMark 3.0.3 x64' out/mine-and-thesis/index.html || fail "the source is not marked"
grep -qF 'Mine' out/mine-and-thesis/index.html || fail "our own drive is not in it"

for table in runs/reference/*.csv; do
    grep -q '^# source: ' "$table" || fail "$table names no source"
    expect 0 "imported as run" "$qdepth" import "$table" --name "again-$(basename "$table" .csv)"
done
[ "$(sql "SELECT count(*) FROM event WHERE code = 'import-note'")" = 2 ] || fail "the notes are lost"
