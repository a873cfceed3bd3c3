// Random networks on random chips in the form of results of nestor compile, and their proofs as lists of
// runs.
#pragma once

#include "check/chip/claims.h"
#include "check/chip/segment.h"
#include "check/claim.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "model/chip/search/compile.h"
#include "report/chip/proof_writer.h"
#include "support/chip_cases.h"

namespace nestor::check_cases {

using check::chip::Json;
using Runs = std::vector<Json>;

/// A random chip, a random network and the enabled levels. chip_case() returns null if the network does not
/// fit the chip. The checker has rules for at least nine in ten of the chips. In some products, no input is
/// gated.
struct ChipCase {
  chip::ChipMachine machine;
  chip::ChipNetwork network;
  std::optional<chip::ChipProblem> problem;
  chip::Levels levels;
};
inline std::unique_ptr<ChipCase> chip_case(std::uint64_t seed) {
  const auto drawn = tests::random_chip_case(seed);
  if (!drawn) return nullptr;
  Random random(seed);
  auto made = std::make_unique<ChipCase>();
  made->machine = drawn->machine;
  made->network = drawn->network;
  if (random.chance(0.9)) {
    made->machine.chip_noc = {};
    if (random.chance(0.5)) made->machine.l0.size = chip::left_out;
    if (made->machine.l0.size != chip::left_out) made->machine.off_chip_bandwidth = chip::left_out;
    if (random.chance(0.8)) made->machine.alu_shared = false;
  }
  for (auto& op : made->network.operators)
    if (op.kind == chip::OperatorKind::product && random.chance(0.3))
      for (auto& input : op.inputs)
        if (input.gated) input = {input.tensor, {0, made->network.tensor_rows(input.tensor) - 1, 1}, false};
  if (random.chance(0.2)) made->machine.cell.write_cycles = 500;  // longer than some whole schedules
  made->problem.emplace(chip::make_problem(made->machine, made->network));
  made->levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, made->machine.mode);
  return made;
}

inline std::string levels_option(chip::Levels levels) {
  return std::string("cg") + (levels.mvm ? ",mvm" : "") + (levels.vvm ? ",vvm" : "");
}

inline Json result_json(const ChipCase& of, const chip::Decisions& decisions, const char* status,
                        double bound) {
  const auto latency = chip::evaluate(*of.problem, decisions).latency_cycles;
  return {{"verb", "compile"},
          {"space", "chip"},
          {"options", {{"levels", levels_option(decisions.levels)}}},
          {"status", status},
          {"objective", {{"name", "latency"}, {"value", static_cast<double>(latency)}}},
          {"lower_bound", bound},
          {"decisions", io::chip_decisions_to_json(decisions, of.network)},
          {"evaluation", {{"latency_cycles", latency}}},
          {"architecture", io::chip_machine_to_json(of.machine)},
          {"network", io::chip_network_to_json(of.network)}};
}

inline check::chip::CheckedChipProblem problem_of(const Json& result) {
  return check::chip::read_problem(result.at("architecture"), result.at("network"), result.at("decisions"));
}

inline Runs runs_of(const chip::CompileOutcome& outcome, const chip::ChipNetwork& network) {
  Runs runs;
  for (const auto& proof : outcome.proof) runs.push_back(report::proof_run_json(proof, network));
  return runs;
}

inline check::chip::RunSource source_of(const Runs& runs) {
  return [&runs, at = std::size_t{0}]() mutable { return at < runs.size() ? runs[at++] : Json(); };
}

/// Returns the checker's verdict on a result; "unreadable" if it throws.
inline check::chip::Verdict verdict_on(const Json& result, const Runs& runs) {
  try {
    const Json head = {{"space", "chip"},
                       {"network", result.at("network").at("name")},
                       {"architecture", result.at("architecture").at("name")}};
    if (const auto faults = check::claim_faults(result); !faults.empty())
      return {"REFUTED", faults.front().sentence};
    return check::chip::check_result(result, head, source_of(runs));
  } catch (const std::exception& error) {
    return {"unreadable", error.what()};
  }
}

/// Runs the search and returns its result with a proof.
inline chip::CompileOutcome compiled(const ChipCase& of, const chip::SegmentOptions& options,
                                     std::uint64_t work_limit = UINT64_MAX) {
  chip::CompileRequest request;
  request.levels = of.levels;
  request.search = options;
  request.search.keep_proof = true;
  request.work_limit = work_limit;
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  return chip::compile(*of.problem, request, {}, *executor, stop);
}

inline bool is_by_cuts(const ChipCase& of) {
  chip::CompileRequest request;
  return !chip::why_not_by_cuts(*of.problem, request);
}

/// Returns a random path through the rows of operators. Most of these paths are valid.
inline Json random_path(const check::chip::Segment& segment, Random& random) {
  std::vector<Int> numbers;
  std::size_t op = random.below(segment.size());
  std::size_t exit = segment.rows(op) - 1;
  while (true) {
    const auto rows = static_cast<std::size_t>(random.between(1, static_cast<Int>(exit) + 1));
    const auto& into = segment.into(op);
    const bool is_first = into.empty() || random.chance(0.2);
    const auto* const edge = is_first ? nullptr : &segment.edges()[into[random.below(into.size())]];
    const bool is_gated =
        edge != nullptr ? edge->is_gated : random.chance(0.5) && segment.is_gated_outside(op);
    const Int odd = random.chance(0.02) ? 1 : 0;
    numbers.insert(numbers.begin(), {static_cast<Int>(op), static_cast<Int>(rows) + odd, is_gated ? 1 : 0});
    if (is_first) return numbers;
    exit = edge->need[edge->is_gated ? 0 : exit + 1 - rows];
    op = edge->from;
  }
}

}  // namespace nestor::check_cases
