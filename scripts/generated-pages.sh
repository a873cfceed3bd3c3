#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the files of an installation that the tool generates from its option table: the man page of each verb,
# compressed, and the completions of shells.
#   scripts/generated-pages.sh NESTOR SHARE_DIR
set -euo pipefail
tool=$1
man=$2/man/man1
mkdir -p "$man" "$2/bash-completion/completions" "$2/zsh/vendor-completions" "$2/fish/vendor_completions.d"
verbs=$("$tool" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ -n $verbs ]] || { echo "$tool --help lists no verbs" >&2; exit 1; }
for verb in $verbs; do
  page=$("$tool" --man "$verb")
  name=$(sed -n 's/^\.TH \([^ ]*\) 1 .*/\1/p' <<<"$page" | tr -d '\\')
  gzip -9nc <<<"$page" >"$man/$name.1.gz"
done
"$tool" --completion bash >"$2/bash-completion/completions/nestor"
"$tool" --completion zsh >"$2/zsh/vendor-completions/_nestor"
"$tool" --completion fish >"$2/fish/vendor_completions.d/nestor.fish"
