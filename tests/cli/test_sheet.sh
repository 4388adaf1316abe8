# A device sheet: names, facts and what was left out go with the run.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
cat >sheet.xml <<'E'
<devices xmlns="urn:qdepth:devices:1">
  <device target="M" title="Memory, fast" price="49.90" currency="EUR" capacity-gb="16">
    <rated read-iops="1000000"/>
    <fact key="Warranty">10 years</fact>
  </device>
  <device target="Nobody"/>
  <left-out title="Old drive" reason="does not spin up"/>
  <fact key="Case">open bench</fact>
</devices>
E
expect 0 "no target of this run is 'Nobody'" "$qdepth" run quick "${quick[@]}" --queue-depth 1 --no-report --target M=mem: --devices sheet.xml
[ "$(sql 'select name, price, currency, rated_read_iops from target')" = "Memory, fast|49.9|EUR|1000000.0" ] || fail "the sheet is not stored"
[ "$(sql 'select name, reason from left_out')" = "Old drive|does not spin up" ] || fail "left out"
[ "$(sql "select value from environment where key='Warranty' and target=1")" = "10 years" ] || fail "a fact of the target"
[ "$(sql "select value from environment where key='Case' and target is null")" = "open bench" ] || fail "a fact of the host"
expect 0 "2 devices" "$qdepth" check sheet.xml
# 6 cells of 100 s that write at 500 MB/s, and the test data: 300.02 GB of 3 TB.
sed -e 's/<rated /<rated write-mb-s="500" /' -e 's/capacity-gb/endurance-tb="3" capacity-gb/' sheet.xml >wear.xml
expect 0 "at its rated 500.0 MB/s at most 300 GB are written: 10 % of the rated 3,000 GB" "$qdepth" run quick --dry-run --size 16MiB --duration 100s --ramp 0s --target M=mem: --devices wear.xml
sed -i 's/price="49.90"/price="x"/' sheet.xml
expect 2 "sheet.xml:2" "$qdepth" check sheet.xml
expect 2 "sheet.xml:2" "$qdepth" run quick --target M=mem: --devices sheet.xml
expect 1 "none.xml" "$qdepth" run quick --target M=mem: --devices none.xml
