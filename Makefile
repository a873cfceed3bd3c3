# New users need only two commands, `make demo` and `make test`. Everything else is for those who change the
# code; CMake presets (CMakePresets.json) do the work.
SHELL := /bin/bash
JOBS ?= $(shell scripts/jobs.sh)
FUZZ_SECONDS ?= 60
SANITIZED_RUNS ?= 12
# NESTOR_WERROR=ON (continuous integration) makes every warning an error.
NESTOR_WERROR ?= OFF
SOURCES = $(shell git ls-files -co --exclude-standard '*.h' '*.cpp')
configure = cmake --preset $(1) --log-level=NOTICE -DNESTOR_WERROR=$(NESTOR_WERROR)
build = $(call configure,$(1)) >/dev/null && cmake --build build/$(1) -j $(JOBS)
run_tests = ctest --test-dir build/$(1) -j $(JOBS) --output-on-failure --no-tests=error

.PHONY: demo papers site test nightly build headers format format-check lint embedded firmware asan tsan fuzz sanitized install-deps install-ci-deps package expected clean
.DEFAULT_GOAL := build

install-deps:
	@scripts/install-dependencies.sh build test python

install-ci-deps:
	@scripts/install-dependencies.sh build test python ci

build: install-deps
	@$(call build,release)

demo:
	@scripts/install-dependencies.sh build
	@$(call build,release) --target nestor_tool
	@scripts/demo.sh build/release/app/nestor

# Solves the plans of data/plans, which reproduce figures of papers, and compares their tables with
# docs/papers. MASIM's tables are included if NESTOR_NETLISTS names the folder of its netlists, which Nestor
# may not redistribute.
papers:
	@scripts/install-dependencies.sh build
	@$(call build,release) --target nestor_tool
	@scripts/papers.sh build/release/app/nestor
	@if [ -n "$$NESTOR_NETLISTS" ]; then scripts/masim.sh build/release/app/nestor "$$NESTOR_NETLISTS"; \
	else echo "papers: MASIM's tables are skipped: set NESTOR_NETLISTS to the folder of its netlists"; fi

# Builds the documentation as a static site in build/site.
site:
	@scripts/install-dependencies.sh build site
	@$(call build,release) --target nestor_tool
	@scripts/site.sh build/release/app/nestor build/site

test: build
	@$(call run_tests,release) -LE nightly

# The packages of the groups site and night let tests run that are skipped without them.
nightly: install-ci-deps
	@scripts/install-dependencies.sh site night
	@scripts/nightly.sh

# Compiles every header alone, with all warnings as errors.
headers: install-ci-deps
	@cmake --preset dev --log-level=NOTICE -DNESTOR_WERROR=ON >/dev/null && cmake --build build/dev -j $(JOBS) --target headers

# Rewrites the files that tests compare with: docs/options.md, docs/machines.md, generated schemas, the scenes of tests/cli
# and tests/bad_inputs. Review the diff.
expected: install-deps
	@$(call build,release) --target nestor_tool io_test cli_test bad_inputs_test
	@NESTOR_UPDATE_EXPECTED=1 $(call run_tests,release) -LE nightly -R '^Options|GeneratedSchemas|CommandLine|BadInputs' || true; git diff --stat

format: install-ci-deps
	@clang-format -i $(SOURCES)

format-check: install-ci-deps
	@clang-format --dry-run -Werror $(SOURCES)

lint: install-ci-deps
	@$(call configure,dev) >/dev/null
	@scripts/lint.sh build/dev

embedded: install-ci-deps
	@$(call build,embedded) --target all headers
	@scripts/check-embedded.sh build/embedded

# Builds the single-file solver with every supported compiler and runs it on emulated boards
# (docs/embedded.md).
firmware: install-ci-deps
	@scripts/install-dependencies.sh cross
	@$(call build,release) --target firmware_tables firmware_expected
	@scripts/check-amalgamation.sh build/release

asan: install-ci-deps
	@$(call build,asan)
	@ASAN_OPTIONS=detect_stack_use_after_return=1:$$ASAN_OPTIONS $(call run_tests,asan) -LE nightly

# Tests that run several threads, under the thread sanitizer.
tsan: install-ci-deps
	@$(call build,tsan) --target app_test cli_test mapper_test run_api_test solver_test
	@$(call run_tests,tsan) -LE nightly -R '^(Engine|Executor|InProcess|MapNetwork|PriorityOfNetworks|RunApi|SearchStates|Source)[.]|MapDeterminism'

fuzz: install-ci-deps
	@$(call build,fuzz) --target fuzzers
	@scripts/run-fuzzers.sh $(FUZZ_SECONDS) build/fuzz

# Runs the tool under address and undefined-behaviour sanitizers on a sample of the recorded runs of all spaces.
sanitized: install-ci-deps
	@$(call build,release) --target nestor_tool recorded_figures
	@$(call build,fuzz) --target nestor_tool
	@JOBS=$(JOBS) SAMPLE=$(SANITIZED_RUNS) NESTOR=build/fuzz/app/nestor tests/recorded/recorded.sh check build/release

package: install-ci-deps
	@$(call build,release)
	@scripts/check-packages.sh build/release

clean:
	@rm -rf build
