#include "support/chip_decisions.h"

namespace nestor::tests {
namespace {

using chip::Decisions;
using chip::OperatorDecision;
using chip::OperatorKind;

constexpr std::uint64_t most_decisions = 60'000;

// Returns all possible decisions for one operator. The number of copies is limited by the crossbars of the
// chip.
std::vector<OperatorDecision> options_of(const chip::ChipProblem& problem, std::size_t i,
                                         chip::Levels levels) {
  const auto& op = problem.network.operators[i];
  const auto& facts = problem.facts[i];
  std::vector<OperatorDecision> options;
  if (op.kind != OperatorKind::array) options.emplace_back();
  if (op.kind == OperatorKind::alu || !facts.may_use_array) return options;
  const auto& machine = problem.machine;
  const Int windows = machine.mode == chip::Mode::CM ? op.rows : op.rows * op.width;
  const Int most_copies = std::min(windows, machine.cores.count() * machine.crossbars.count());
  const Int most_parts = levels.vvm ? facts.layout.most_parts : facts.layout.least_parts;
  for (Int parts = facts.layout.least_parts; parts <= most_parts; ++parts)
    for (Int copies = 1; copies <= most_copies; ++copies)
      for (Int phases = 1; phases <= (levels.mvm ? parts : 1); ++phases)
        options.push_back({.copies = copies,
                           .parts = parts,
                           .phases = phases,
                           .on_array = op.kind == OperatorKind::product,
                           .first_core = {}});
  return options;
}

// Visits all ways to cut `size` operators into segments. Each segment is sequential, pipelined by rows or, if
// `streams`, pipelined by pixels.
void each_cut(std::size_t size, bool streams,
              const std::function<void(const std::vector<chip::SegmentDecision>&)>& visit) {
  std::vector<chip::SegmentDecision> segments;
  const std::function<void(std::size_t)> extend = [&](std::size_t first) {
    if (first == size) return visit(segments);
    for (std::size_t last = first; last < size; ++last)
      for (const bool pipeline : {true, false}) {
        segments.push_back({first, last, pipeline});
        extend(last + 1);
        if (pipeline && streams) {
          segments.back().stream = true;
          extend(last + 1);
        }
        segments.pop_back();
      }
  };
  extend(0);
}

}  // namespace

bool each_chip_decision(const chip::ChipProblem& problem, chip::Levels levels, const DecisionVisitor& visit) {
  std::vector<std::vector<OperatorDecision>> options;
  double count = levels.stream ? 3 : 2;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    options.push_back(options_of(problem, i, levels));
    count *= static_cast<double>(options.back().size()) * (i == 0 ? 1 : levels.stream ? 4 : 3);
    if (options.back().empty() || count > static_cast<double>(most_decisions)) return false;
  }
  Decisions decisions{.levels = levels, .segments = {}, .operators = {}};
  each_cut(problem.size(), levels.stream, [&](const auto& segments) {
    decisions.segments = segments;
    std::vector<std::size_t> chosen(options.size(), 0);
    for (bool more = true; more;) {
      decisions.operators.clear();
      for (std::size_t i = 0; i < options.size(); ++i) decisions.operators.push_back(options[i][chosen[i]]);
      if (!chip::find_violation(problem, decisions)) visit(decisions, chip::evaluate(problem, decisions));
      more = false;
      for (std::size_t i = 0; i < options.size() && !more; ++i) {
        more = ++chosen[i] < options[i].size();
        if (!more) chosen[i] = 0;
      }
    }
  });
  return true;
}

}  // namespace nestor::tests
