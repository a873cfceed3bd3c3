#!/bin/sh
# check-rooms.sh SOURCE_DIR: checks that every module of the tree has a row in ARCHITECTURE.md. A row `x/...`
# covers all modules within x. A row `x/<space>` covers the modules of spaces directly within x (a space is a
# folder of `app`), and `x/<space>/y` covers the module y within each of these modules.
cd "$1" || exit 2
rows=$(sed -n '/^| module /,/^$/p' ARCHITECTURE.md | cut -d '|' -f 2 | grep -o '`[^`]*`' | tr -d '`')
[ -n "$rows" ] || { echo "ARCHITECTURE.md has no table of rooms"; exit 1; }
rooms=$(find . -name CMakeLists.txt -not -path './build/*' -exec grep -h 'nestor_room(.*' {} + |
  sed -n 's/^ *nestor_room(\([a-z][a-z_/]*\).*/\1/p' | sort -u)
[ -n "$rooms" ] || { echo "no rooms found"; exit 1; }
missing=0
for room in $rooms; do
  of_space=''
  [ -d "app/${room##*/}" ] && of_space="${room%/*}/<space>"
  outer=${room%/*}
  within_space=''
  [ -d "app/${outer##*/}" ] && within_space="${outer%/*}/<space>/${room##*/}"
  for row in "$room" "${room%/*}/..." "${room%/*/*}/..." $of_space $within_space; do
    echo "$rows" | grep -qxF "$row" && continue 2
  done
  echo "ARCHITECTURE.md has no row for the room $room"
  missing=1
done
exit $missing
