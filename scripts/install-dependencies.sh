#!/usr/bin/env bash
# Installs the Debian packages for building, testing and checking Nestor; prints nothing if all are installed.
#   scripts/install-dependencies.sh [build|test|python|site|ci|cross|night]...     default: build test
# Needs a network, and root or sudo, only if a package is missing.
set -euo pipefail

declare -A packages=(
  [build]="make cmake ninja-build g++ ccache libtbb-dev libboost-dev libboost-container-dev libabsl-dev
           libonnx-dev libprotobuf-dev protobuf-compiler libyaml-cpp-dev nlohmann-json3-dev libcli11-dev
           libfmt-dev zlib1g-dev libzstd-dev libsqlite3-dev libpq-dev"
  [test]="libgtest-dev libgmock-dev libbenchmark-dev libglpk-dev glpk-utils coinor-cbc coinor-libclp-dev coinor-clp"
  [python]="pybind11-dev python3-dev"
  [site]="mkdocs"
  [ci]="git clang clang-format clang-tidy-22 libclang-rt-dev gcc-arm-none-eabi libnewlib-arm-none-eabi
        libstdc++-arm-none-eabi-dev libstdc++-arm-none-eabi-newlib dpkg-dev lintian"
  [night]="chromium python3-matplotlib python3-pandas"
  [cross]="qemu-system-arm qemu-user g++-arm-linux-gnueabihf g++-riscv64-linux-gnu"
)

wanted=()
for group in "${@:-build test}"; do
  for name in $group; do
    if [[ -z ${packages[$name]:-} ]]; then
      echo "unknown group '$name' (build, test, python, site, ci, cross or night)" >&2
      exit 2
    fi
    # shellcheck disable=SC2206  # the lists are words
    wanted+=(${packages[$name]})
  done
done

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages: ${missing[*]}" >&2
    echo "Install them as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
if ! "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi
