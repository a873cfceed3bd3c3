#!/bin/bash
# plant_faults.sh BUILD_DIR [COUNT [SEED]] plants the faults of faults.txt one at a time; see README.md.
# plant_faults.sh BUILD_DIR places only checks that the piece of code of each fault is still in the sources.
# COUNT limits the number of faults, drawn with SEED. FAULTS=REGEX in the environment selects faults. JOBS=N
# plants N faults at a time. CASES='8 40' lists the numbers of cases to run, one after the other. With
# TEST=NAME, this program (its tests GTEST_FILTER) must detect the faults, instead of the tests named in faults.txt. The exit status is 1
# if a fault is not detected or its piece is not found. A fault that makes the test run forever counts as not
# detected. If the test named by TEST records the claims of a search (NESTOR_CLAIMS), it need not detect a
# fault that changes no claim; for such a fault, "no change" is printed with the number of claims.
# BUILD_DIR/planted/run/seconds contains for each fault the processor seconds of compiling, linking and
# running, and the last number of cases.
set -u
build=$(cd "$1" && pwd) || exit 2
count=${2:-0}
seed=${3:-$RANDOM}
jobs=${JOBS:-1}
root=$(cd "$(dirname "$0")/../.." && pwd)
# A fault is planted in a separate directory. Its name is the same in every run and for every test, so that a
# compiler cache recognises it. The records of a run are in another directory. The cache compares the contents
# of files and does not preprocess files that it has not seen.
export CCACHE_DEPEND=1 CCACHE_SLOPPINESS=include_file_mtime,include_file_ctime
areas=$build/planted
work=$areas/run${TEST:+-$TEST}
mkdir -p "$work"

# --- the list -------------------------------------------------------------------------------------------------
files=() tests=() filters=() titles=() pieces=() places=() replacements=()
file='' test='' filter='' title=''
part=''
while IFS= read -r line; do
  case $line in
    '@ '*) read -r _ file test filter <<<"$line"; part='' ;;
    '# '*) title=${line#\# }; part='' ;;
    '=='* | '') part='' ;;
    '-'*)
      [[ $line =~ ^-([0-9]*)\ (.*)$ ]] || { echo "faults.txt: $line"; exit 2; }
      places+=("${BASH_REMATCH[1]}") pieces+=("${BASH_REMATCH[2]}")
      files+=("$file") tests+=("${TEST:-$test}") titles+=("$title")
      if [[ -n ${TEST:-} ]]; then filters+=("${GTEST_FILTER:-*}"); else filters+=("${filter:-*}"); fi
      part=piece ;;
    '+'*) line=${line#+}; replacements+=("${line# }"); part=replacement ;;
    *) # further lines of a piece or of its replacement
      [[ $part == piece ]] && pieces[-1]+=$'\n'$line
      [[ $part == replacement ]] && replacements[-1]+=$'\n'$line ;;
  esac
done < "$root/tests/mutation/faults.txt"
[[ ${#pieces[@]} == "${#replacements[@]}" ]] || { echo "faults.txt: every - needs its +"; exit 2; }

chosen=()
for i in "${!files[@]}"; do
  [[ "${files[i]}: ${titles[i]}" =~ ${FAULTS:-.} ]] && chosen+=("$i")
done
if [[ $count != places ]] && ((count > 0 && count < ${#chosen[@]})); then
  RANDOM=$seed
  drawn=()
  while ((${#drawn[@]} < count)); do
    at=$((RANDOM % ${#chosen[@]}))
    drawn+=("${chosen[at]}")
    chosen=("${chosen[@]:0:at}" "${chosen[@]:at+1}")
  done
  chosen=("${drawn[@]}")
  echo "sample of $count of ${#files[@]} faults, seed $seed"
fi

# --- one fault ------------------------------------------------------------------------------------------------
# Prints the file with the piece replaced. Fails unless the piece occurs as stated.
mutate() { # source piece place replacement
  PIECE=$2 NEW=$4 LC_ALL=C awk -v place="$3" '
    BEGIN { RS = "\001" }
    { text = $0 }
    END {
      piece = ENVIRON["PIECE"]
      sub(/\n+$/, "", text)
      for (n = 0; n < (place == "" ? 1 : place); ++n) {
        at = index(text, piece)
        if (!at) exit 1
        before = before (n ? piece : "") substr(text, 1, at - 1)
        text = substr(text, at + length(piece))
      }
      # Without a number, the piece must be unique.
      if (place == "" && index(text, piece)) exit 1
      printf "%s%s%s\n", before, ENVIRON["NEW"], text
    }' "$1"
}

# Succeeds if a source, or a batch of sources, contains a test that the filter selects, or no tests at all.
has_tests_of() { # source filter
  local sources suites pattern
  sources=("$1")
  [[ $1 != */unity_*.cxx ]] || mapfile -t sources < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$1")
  suites=$(sed -nE 's/^(TYPED_)?TEST(_F|_P)?\(([A-Za-z0-9_]+),.*/\3/p' "${sources[@]}" | sort -u)
  [[ -n $suites ]] || return 0
  while IFS= read -r pattern; do
    pattern=${pattern%%.*}
    pattern=${pattern##*/}
    grep -qxE -- "$(sed 's/[*]/.*/g' <<<"$pattern")" <<<"$suites" && return 0
  done < <(tr ':' '\n' <<<"$2")
  return 1
}

# Prints the link command of a test without the objects whose tests the filter does not select.
link_of() { # test filter
  local link object source
  link=$(ninja -C "$build" -t commands "$1" | tail -1 | sed 's/^: && //; s/ && .*//')
  for object in $(grep -oE ' [^ ]+[.]o( |$)' <<<"${link// /  }"); do
    source=$(grep -F -- " -o $object " "$work/commands" | head -1 | sed 's/.* -c \([^ ]*\).*/\1/')
    has_tests_of "$source" "$2" || link=${link/ $object / }
  done
  echo "$link"
}

# Prints the objects that a link command uses, including those of libraries, one per line. Objects of a library
# with equal names are all printed.
objects_of() { # link
  local library member
  (cd "$build" && eval "$(sed 's# -o [^ ]*# -Wl,--trace -o /dev/null#' <<<"$1")") | sed -nE 's/^\((.*[.]a)\)(.*)$/\1 \2/p; s/^([^() ]*[.]a)\((.*)\)$/\1 \2/p; s/^([^() ]*[.]o)$/\1/p' |
    sort -u | while read -r library member; do
      if [[ -z $member ]]; then
        echo "$library"
      elif [[ $library != /* ]]; then
        ninja -C "$build" -t query "$library" | sed -n '/^  input:/,/^  outputs:/p' | grep -oE "[^ ]+/${member//./[.]}\$"
      fi
    done | sort -u
}

# Prints the objects that are rebuilt when a file of the project changes, one per line.
objects_that_read() { # file
  awk -v root="$root/" -v file="$1" '
    /^[^ ].*: #deps/ { object = substr($0, 1, index($0, ": #deps") - 1); next }
    /^    / {
      read = $1
      sub("^([.][.]/)+", "", read)
      sub("^(.*/)?modules/[^/]*/", "", read)
      if (index(read, root) == 1) read = substr(read, length(root) + 1)
      if (read == file) print object
    }' "$work/deps" | sort -u
}

# Stores the processor seconds that this process has used so far in `seconds`.
spent() { # file for the times
  times >"$1"
  tail -1 "$1" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }' >"$1.sum"
  read -r seconds <"$1.sum"
}

# Prints the number of cases and objectives that two runs share. Succeeds if most are shared and all claims
# are equal.
same_claims() { # file, file
  awk -F '\t' 'NR == FNR { claim[$1] = $2; next }
    $1 in claim { ++shared; if (claim[$1] != $2) differ = 1 }
    END { print shared + 0; exit differ || 2 * shared <= FNR }' "$1" "$2"
}

# Builds the test of plant() with the fault, as `target`: the objects that the selected tests use, including those in
# libraries, and that depend on the file. Objects of the test itself are replaced in the link command; objects of
# modules precede their library.
rebuild() {
  while IFS= read -r original; do
    command=$(grep -F -- " -o $original " "$work/commands" | head -1)
    [[ -n $command ]] || continue
    source=$(sed 's/.* -c \([^ ]*\).*/\1/' <<<"$command")
    target=$area/$(sha256sum <<<"$original" | cut -c 1-8)-$(basename "$source").o
    if [[ $source == "$root/$file" ]]; then
      command=${command/ -c $source/ -c $area/$file}
    elif [[ $source == */unity_*.cxx ]]; then  # a batch of sources that includes the file or its header
      sed "s#\"$root/$file\"#\"$area/$file\"#" "$source" >"$target.cxx"
      command=${command/ -c $source/ -c $target.cxx}
    fi
    command=$(sed "s# -o [^ ]*\.o # -o $target #; s# -I# -I$area -I#; s# -MF [^ ]*# -MF $target.d#; s# -O[23] # -O1 #g; s# -c # -w -c #" <<<"$command")
    if ! (cd "$build" && eval "$command") > "$area/log" 2>&1; then
      echo "NO CODE    $file: ${titles[i]}"
      sed 's/^/    /' "$area/log" | head -5
      return 1
    fi
    if [[ $link == *" $original "* ]]; then link=${link/ $original / $target }; else objects+=("$target"); fi
  done < <(comm -12 <(objects_that_read "$file") "$linked.objects")
  if [[ $link != *"$area"* && ${#objects[@]} == 0 ]]; then
    echo "NO USE     $file: ${titles[i]}: nothing in $test is made from it"
    return 1
  fi
  spent "$area/times"; compiled=$seconds
  target=$area/$test
  link=$(sed "s# -o [^ ]*# ${objects[*]} -o $target#" <<<"$link")
  if ! (cd "$build" && eval "$link") > "$area/log" 2>&1; then
    echo "NO PROGRAM $file: ${titles[i]}"
    sed 's/^/    /' "$area/log" | head -5
    return 1
  fi
}

plant() { # index [numbers of cases]
  local i=$1 file=${files[$1]} test=${tests[$1]} area lock command source link target original objects=()
  area=$areas/$(sha256sum <<<"$file ${pieces[i]} ${places[i]} ${replacements[i]}" | cut -c 1-16)
  exec {lock}>"$area.lock" && flock "$lock" || return 1  # another run may test the same fault
  rm -rf "$area"
  mkdir -p "$area/$(dirname "$file")"
  if ! mutate "$root/$file" "${pieces[i]}" "${places[i]}" "${replacements[i]}" > "$area/$file"; then
    echo "NOT FOUND  $file: ${titles[i]}: '${pieces[i]}'"
    return 1
  fi
  local begin compiled seconds linked
  linked=$work/$test.$(sha256sum <<<"${filters[i]}" | cut -c 1-8)
  if [[ -n ${controls:-} ]]; then
    link_of "$test" "${filters[i]}" >"$linked.link" && objects_of "$(cat "$linked.link")" >"$linked.objects"
    spent "$area/times"; compiled=$seconds
    target=$build/$(sed 's/.* -o \([^ ]*\) .*/\1/' "$linked.link")
  else
    link=$(cat "$linked.link")
    rebuild || return 1
  fi
  # A few cases reveal most faults. Processor time is limited instead of wall time, since the machine may be
  # busy. (On a slow machine, the longest test has taken more than 600 seconds without a fault.)
  local cases status=0 claims=$work/$test.claims
  spent "$area/times"; begin=$seconds
  for cases in ${*:2}; do
    rm -f "$area/claims"
    (cd "$area" && ulimit -S -t 1800 && GTEST_FAIL_FAST=1 GTEST_BREAK_ON_FAILURE=0 NESTOR_EXACTNESS_CASES=$cases NESTOR_CLAIMS=$area/claims GTEST_FILTER=${filters[i]} exec "$target") > "$area/log" 2>&1
    status=$?
    ((status == 0)) || break
    # A test without this setting gives the same result every time.
    grep -qa NESTOR_EXACTNESS_CASES "$target" || break
  done
  spent "$area/times"
  printf '%s %s %s %s %s %s: %s\n' "$compiled" "$begin" "$seconds" "$cases" "$test" "$file" "${titles[i]}" |
    awk '{ printf "%7.1f %6.1f %6.1f %4d ", $1, $2 - $1, $3 - $2, $4; $1 = $2 = $3 = $4 = ""; print substr($0, 5) }' >>"$work/seconds"
  if ((status == 0)) && [[ -n ${TEST:-} && -s $area/claims && -z ${controls:-} ]]; then
    local shared
    if shared=$(same_claims "$claims" "$area/claims"); then
      echo "no change  $file: ${titles[i]}: $shared claims of $cases cases are those without it"
      touch "$work/$i.same"
      rm -rf "$area"
      return
    fi
    echo "UNNOTICED  $file: ${titles[i]}: claims differ from those without it"
    return 1
  fi
  if ((status == 0)); then
    [[ ! -s $area/claims ]] || mv "$area/claims" "$claims"
    echo "UNNOTICED  $file: ${titles[i]}"
    return 1
  elif ((status == 128 + 24)); then  # SIGXCPU
    echo "NO END     $file: ${titles[i]}"
    return 1
  fi
  echo "noticed    $file: ${titles[i]}"
  ((cases <= 40)) || echo "$i" >>"$linked.late"
  rm -rf "$area"
}

failed=0
if [[ $count == places ]]; then
  for i in "${!files[@]}"; do
    mutate "$root/${files[i]}" "${pieces[i]}" "${places[i]}" "${replacements[i]}" > /dev/null && continue
    echo "NOT FOUND  ${files[i]}: ${titles[i]}: '${pieces[i]}'"
    failed=$((failed + 1))
  done
  echo "${#files[@]} faults, $failed without their place"
  exit $((failed > 0))
fi
ninja -C "$build" -t commands > "$work/commands" && ninja -C "$build" -t deps > "$work/deps" || exit 2
rm -f "$work"/*.{link,objects,says,late,claims,same} "$work/seconds"
# Runs JOBS commands at a time and prints the output of each when it ends. `fails` is the number of failures.
in_parallel() { # command, called with each line of the input as its first argument
  local running=0 argument
  rm -f "$work"/*.failed
  while read -r argument; do
    { "$1" $argument </dev/null >"$work/${argument%% *}.says" || touch "$work/${argument%% *}.failed"; cat "$work/${argument%% *}.says"; } &
    if ((++running >= jobs)); then wait -n; running=$((running - 1)); fi
  done
  wait
  fails=$(find "$work" -name '*.failed' | wc -l)
}
# The control run: without a fault, the test must pass. Otherwise, detected faults mean nothing.
control() { # index numbers of cases
  local said controls=yes
  ! said=$(plant "$@") && [[ $said == UNNOTICED* ]] && return
  printf '%s fails without any fault:\n%s\n' "${tests[$1]} ${filters[$1]}" "$said"
  return 1
}
# The numbers of cases, in this order. The claims recorded for the last number are compared with those of each
# fault.
read -ra counts <<<"${CASES:-8 40 400}"
first=("${counts[@]}")
[[ -n ${TEST:-} ]] || first=("${counts[@]:0:2}")
declare -A controlled=()
in_parallel control < <(for i in "${chosen[@]}"; do
  [[ -n ${controlled["${tests[i]} ${filters[i]}"]:-} ]] || echo "$i ${first[*]}"
  controlled["${tests[i]} ${filters[i]}"]=yes
done)
((fails == 0)) || exit 1
in_parallel plant < <(printf "%s ${counts[*]}\n" "${chosen[@]}")
failed=$fails
# Tests that detect a fault only with many cases must pass with as many cases without a fault.
in_parallel control < <(for late in "$work"/*.late; do [[ ! -e $late ]] || echo "$(head -1 "$late") ${counts[-1]}"; done)
same=$(find "$work" -name '*.same' | wc -l)
echo "${#chosen[@]} faults planted, $((${#chosen[@]} - failed - same)) noticed$( ((same == 0)) || echo ", $same change no claim")"
((failed + fails == 0))
