// One network compiled to one chip for a benchmark: the baselines, and the proved optimum or what a time
// limit leaves of it.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "heuristics/chip/baselines.h"
#include "io/chip/machine_file.h"
#include "io/chip/onnx/import.h"
#include "mapper/chip/compile_network.h"
#include "model/chip/search/compile.h"

namespace nestor::bench {

struct ChipRun {
  std::map<chip::CompileMethod, chip::ChipEvaluation> baselines;
  std::map<chip::CompileMethod, chip::Decisions> decisions;
  chip::CompileOutcome outcome;
  double seconds = 0;
};

template <typename T>
T read_or_stop(io::Result<T> read) {
  if (read) return std::move(read).value();
  std::fprintf(stderr, "%s\n", read.error().to_string().c_str());
  std::exit(static_cast<int>(read.error().kind));
}

/// Split for the machine; the program ends with a message where that is impossible.
inline chip::ChipNetwork chip_network(const std::string& name, const chip::ChipMachine& machine) {
  auto network = read_or_stop(io::read_chip_workload(name, machine));
  auto refused = chip::admit(machine, network);
  if (!refused) refused = chip::split(machine, network);
  if (!refused) refused = chip::admit(machine, network);
  if (!refused) return network;
  std::fprintf(stderr, "%s: %s\n", name.c_str(), refused->message.c_str());
  std::exit(4);
}

inline ChipRun run_chip(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                        const chip::CompileRequest& request, double seconds, int threads) {
  const auto problem = chip::make_problem(machine, network);
  ChipRun run;
  for (const auto baseline : chip::all_baselines) {
    const auto decisions = chip::run_baseline(problem, baseline, request.levels);
    if (!decisions || chip::find_violation(problem, *decisions)) continue;
    run.baselines[baseline] = chip::evaluate(problem, *decisions);
    run.decisions[baseline] = *decisions;
  }
  const auto begin = StopSource::Clock::now();
  StopSource stop(begin + std::chrono::milliseconds(static_cast<std::int64_t>(1e3 * seconds)));
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  run.outcome =
      chip::compile_network(problem, {chip::CompileMethod::optimal, request}, {*executor, stop, nullptr})
          .outcome;
  run.seconds = seconds_since(begin);
  return run;
}

}  // namespace nestor::bench
