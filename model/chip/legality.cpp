#include <fmt/format.h>

#include <algorithm>

#include "model/chip/addresses.h"
#include "model/chip/evaluate.h"
#include "model/chip/operator_timing.h"

namespace nestor::chip {
namespace {

using Found = std::optional<ChipViolation>;

template <typename... Args>
Found broken(fmt::format_string<Args...> text, Args&&... args) {
  return ChipViolation{fmt::format(text, std::forward<Args>(args)...)};
}

Found out_of_range(const Operator& op, const char* what, Int value, Int low, Int high) {
  if (value >= low && value <= high) return std::nullopt;
  return broken("operator '{}': {} is {}, expected {} to {}", op.name, what, value, low, high);
}

Found check_operator(const ChipProblem& problem, std::size_t i, const OperatorDecision& decision,
                     Levels levels) {
  const Operator& op = problem.network.operators[i];
  const bool on_array = op.kind == OperatorKind::array || decision.on_array;
  if (decision.on_array && op.kind != OperatorKind::product)
    return broken("operator '{}': only a product can choose where it runs", op.name);
  if (!on_array) {
    if (!problem.facts[i].may_use_alu)
      return broken("product '{}' is on the digital unit, but {} has no functions mul and add", op.name,
                    problem.machine.name);
    if (decision.copies != 1 || decision.parts != 0 || decision.phases != 1 || decision.first_core)
      return broken("operator '{}' runs on the digital unit: it has no copies, parts, phases or core",
                    op.name);
    return std::nullopt;
  }
  const OperatorFacts& facts = problem.facts[i];
  if (op.kind == OperatorKind::product && !problem.machine.cell.runtime_write)
    return broken("product '{}' is on crossbars, but {} is not written at run time", op.name,
                  problem.machine.cell.type);
  if (!facts.may_use_array) return broken("operator '{}' does not fit the chip", op.name);
  const Int most_copies = problem.machine.mode == Mode::CM ? op.rows : op.rows * op.width;
  if (auto found = out_of_range(op, "copies", decision.copies, 1, most_copies)) return found;
  const Int least = facts.layout.least_parts;
  const Int parts = decision.parts == 0 ? least : decision.parts;
  if (auto found = out_of_range(op, "parts", parts, least, levels.vvm ? facts.layout.most_parts : least))
    return found;
  return out_of_range(op, "phases", decision.phases, 1, levels.mvm ? parts : 1);
}

Found check_cover(const ChipProblem& problem, const Decisions& decisions) {
  std::size_t next = 0;
  for (const auto& segment : decisions.segments) {
    if (segment.first != next || segment.last < segment.first || segment.last >= problem.size())
      return broken("segments must cover each operator once, in order");
    if (segment.stream && !(segment.pipeline && decisions.levels.stream && decisions.levels.mvm))
      return broken("the segment from '{}' to '{}' is a stream, which needs levels mvm and stream",
                    problem.network.operators[segment.first].name,
                    problem.network.operators[segment.last].name);
    next = segment.last + 1;
  }
  if (next != problem.size() || problem.size() == 0)
    return broken("segments must cover each operator once, in order");
  return std::nullopt;
}

Found check_segment(const ChipProblem& problem, const Decisions& decisions, const SegmentDecision& segment) {
  const Int cores = problem.machine.cores.count();
  struct Taken {
    CoreRange range;
    std::size_t op;
  };
  std::vector<Taken> taken;
  std::size_t placed = 0;
  Int sum = 0;
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    const OperatorTiming pace = timing_of(problem, i, decisions.operators[i], decisions.levels);
    if (!pace.on_array) continue;
    const auto first = decisions.operators[i].first_core;
    placed += static_cast<std::size_t>(first.has_value());
    taken.push_back({{first.value_or(sum), pace.cores}, i});
    if (pace.cores > cores || sum > cores) break;
    sum += pace.cores;
  }
  const auto& name = [&](std::size_t i) { return problem.network.operators[i].name; };
  if (!taken.empty() && taken.back().range.count > cores) sum += taken.back().range.count;
  if (sum > cores)
    return broken("the segment from '{}' to '{}' needs at least {} cores, but the chip has {}",
                  name(segment.first), name(segment.last), sum, cores);
  if (placed != 0 && placed != taken.size())
    return broken(
        "the segment from '{}' to '{}' specifies first_core for {} of its {} operators on crossbars",
        name(segment.first), name(segment.last), placed, taken.size());
  std::sort(taken.begin(), taken.end(),
            [](const Taken& a, const Taken& b) { return a.range.first < b.range.first; });
  for (std::size_t k = 0; k < taken.size(); ++k) {
    const CoreRange range = taken[k].range;
    if (range.first < 0 || range.first > cores - range.count)
      return broken("operator '{}' on cores {} to {} is outside the chip of {} cores", name(taken[k].op),
                    range.first, range.first + (range.count - 1), cores);
    if (k > 0 && taken[k - 1].range.end() > range.first)
      return broken("core {} is used by both '{}' and '{}'", range.first, name(taken[k - 1].op),
                    name(taken[k].op));
  }
  return std::nullopt;
}

}  // namespace

Found find_violation(const ChipProblem& problem, const Decisions& decisions) {
  if (auto found = check_cover(problem, decisions)) return found;
  for (std::size_t i = 0; i < problem.size(); ++i)
    if (auto found = check_operator(problem, i, decisions.operators[i], decisions.levels)) return found;
  for (const auto& segment : decisions.segments)
    if (auto found = check_segment(problem, decisions, segment)) return found;
  if (!problem.machine.l0.strict || problem.machine.l0.size == left_out) return std::nullopt;
  const Addresses addresses = assign_addresses(problem, decisions.segments);
  for (std::size_t s = 0; s < decisions.segments.size(); ++s)
    if (8 * addresses.segment_bytes[s] > problem.machine.l0.size) {
      const auto& segment = decisions.segments[s];
      return broken("the segment from '{}' to '{}' needs {} bits of L0, but L0 has {}",
                    problem.network.operators[segment.first].name,
                    problem.network.operators[segment.last].name, 8 * addresses.segment_bytes[s],
                    problem.machine.l0.size);
    }
  return std::nullopt;
}

}  // namespace nestor::chip
