# A matrix with a mistake: exit 2, FILE:LINE, and nothing is run.
. "$(dirname "$0")/lib.sh" "$@"
"$qdepth" matrices oltp >good.xml
expect 0 "valid" "$qdepth" check good.xml
sed 's/share="50"/share="40"/' good.xml >share.xml
expect 2 "share.xml:" "$qdepth" check share.xml
sed 's/<sweep>/<swoop>/; s#</sweep>#</swoop>#' good.xml >unknown.xml
line=$(grep -n '<swoop>' unknown.xml | head -n 1 | cut -d: -f1)
expect 2 "unknown.xml:$line:" "$qdepth" check unknown.xml
sed 's/size="8KiB"/size="8000"/' good.xml >size.xml
expect 2 "size.xml:" "$qdepth" run size.xml --target A=.
printf '<!DOCTYPE x [<!ENTITY a "b">]><matrix/>' >dtd.xml
expect 2 "dtd.xml" "$qdepth" check dtd.xml
: >empty.xml
expect 2 "empty.xml" "$qdepth" check empty.xml
expect 1 "missing.xml" "$qdepth" check missing.xml
[ ! -e store.db ] || fail "a matrix error made a store"
