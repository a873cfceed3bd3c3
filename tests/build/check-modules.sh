#!/bin/sh
# check-modules.sh SOURCE_DIR: checks that every module of the tree has a row in ARCHITECTURE.md. A row `x/...`
# covers all modules within x. A row `x/<space>` covers the modules of spaces directly within x (a space is a
# folder of `app`), and `x/<space>/y` covers the module y within each of these modules.
cd "$1" || exit 2
rows=$(sed -n '/^| module /,/^$/p' ARCHITECTURE.md | cut -d '|' -f 2 | grep -o '`[^`]*`' | tr -d '`')
[ -n "$rows" ] || { echo "ARCHITECTURE.md has no table of modules"; exit 1; }
modules=$(find . -name CMakeLists.txt -not -path './build/*' -exec grep -h 'nestor_module(.*' {} + |
  sed -n 's/^ *nestor_module(\([a-z][a-z_/]*\).*/\1/p' | sort -u)
[ -n "$modules" ] || { echo "no modules found"; exit 1; }
missing=0
for module in $modules; do
  of_space=''
  [ -d "app/${module##*/}" ] && of_space="${module%/*}/<space>"
  outer=${module%/*}
  within_space=''
  [ -d "app/${outer##*/}" ] && within_space="${outer%/*}/<space>/${module##*/}"
  for row in "$module" "${module%/*}/..." "${module%/*/*}/..." $of_space $within_space; do
    echo "$rows" | grep -qxF "$row" && continue 2
  done
  echo "ARCHITECTURE.md has no row for the module $module"
  missing=1
done
exit $missing
