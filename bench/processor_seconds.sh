# Helpers that the scripts of this folder source to measure processor times. $work is a temporary folder,
# which is deleted when the script ends.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'
seconds() { # command...: prints its processor time; the output of the command goes to $work/said
  { time "$@" >"$work/said" 2>"$work/errors"; } 2>"$work/time" || true
  awk '{printf "%.2f", $1 + $2}' "$work/time"
}
