#include "heuristics/chip/improve.h"

#include <algorithm>
#include <limits>

#include "model/chip/addresses.h"
#include "model/chip/operator_timing.h"

namespace nestor::chip {
namespace {

// Figures by which schedules are compared.
struct Totals {
  double excess = 0;
  double figure = 0;
  double other = 0;  ///< value of the tie-breaking objective
};

class Improver {
 public:
  Improver(const ChipProblem& problem, const CompileRequest& request, Decisions start, std::uint64_t effort,
           const StopSource& stop)
      : problem_(problem), request_(request), decisions_(std::move(start)), effort_(effort), stop_(stop) {}

  Decisions run() {
    measure();
    best_ = totals(costs_);
    unit_ = std::max(1e-30, best_.figure);
    constexpr double cheapest = 0.25;
    constexpr double costliest = 1 << 16;
    for (price_ = cheapest; best_.excess > 0 && price_ < costliest && !ended(); price_ *= 4) descend();
    price_ = infinite;
    descend();
    return decisions_;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  bool ended() const { return done_ >= effort_ || stop_.requested(); }

  bool is_better(const Totals& a, const Totals& b) const {
    const double left = price_ == infinite ? a.excess : a.figure / unit_ + price_ * a.excess;
    const double right = price_ == infinite ? b.excess : b.figure / unit_ + price_ * b.excess;
    if (left != right) return left < right * (1 - 1e-12);
    if (a.figure != b.figure) return a.figure < b.figure * (1 - 1e-12);
    return a.other < b.other * (1 - 1e-12);
  }

  void descend() {
    for (bool better = true; better && !ended();) {
      better = false;
      for (std::size_t s = 0; s < decisions_.segments.size() && !ended(); ++s) {
        for (std::size_t i = decisions_.segments[s].first; i <= decisions_.segments[s].last && !ended(); ++i)
          better |= take_best(s, i);
        if (!ended()) better |= flip(s);
      }
    }
  }

  // Evaluates all segments again.
  void measure() {
    bytes_ = assign_addresses(problem_, decisions_.segments).segment_bytes;
    costs_.clear();
    for (std::size_t s = 0; s < decisions_.segments.size(); ++s) costs_.push_back(cost(s));
  }

  SegmentCost cost(std::size_t s) {
    // Besides the rows, each evaluation has a fixed cost.
    for (std::size_t i = decisions_.segments[s].first; i <= decisions_.segments[s].last; ++i)
      done_ += static_cast<std::uint64_t>(problem_.network.operators[i].rows) + 4;
    done_ += problem_.size();
    return cost_of_segment(problem_, decisions_, s, bytes_[s], times_);
  }

  Totals totals(const std::vector<SegmentCost>& costs) const {
    ChipEvaluation figures;
    for (const SegmentCost& cost : costs) {
      figures.latency_cycles += cost.latency;
      figures.energy_pj += cost.energy;
      figures.peak_power = std::max(figures.peak_power, cost.peak);
    }
    figures.energy_pj += problem_.machine.energy.leakage * static_cast<double>(figures.latency_cycles);
    Totals result{0, figure_of(figures, request_.objective),
                  figure_of(figures, tie_breaker(request_.objective))};
    const auto exceed = [&](double value, double most) {
      if (exceeds(value, most)) result.excess += (value - most) / std::max(1e-30, most);
    };
    const FigureLimits& limits = request_.limits;
    if (limits.latency)
      exceed(static_cast<double>(figures.latency_cycles), static_cast<double>(*limits.latency));
    if (limits.energy) exceed(figures.energy_pj, *limits.energy);
    if (limits.peak_power) exceed(figures.peak_power, *limits.peak_power);
    return result;
  }

  // Tries the segment with and without a pipeline, and with operators that pass on rows or pixels. A change
  // may move tensors, so all segments are evaluated again.
  bool flip(std::size_t s) {
    bool better = false;
    for (const bool pipeline : {false, true})
      for (const bool stream : {false, true}) {
        if (ended()) return better;
        if (stream && !(pipeline && decisions_.levels.stream)) continue;
        better |= flip(s, pipeline, stream);
      }
    return better;
  }

  bool flip(std::size_t s, bool pipeline, bool stream) {
    auto& segment = decisions_.segments[s];
    const auto before = segment;
    if (pipeline == before.pipeline && stream == before.stream) return false;
    segment.pipeline = pipeline;
    segment.stream = stream;
    const auto costs = costs_;
    const auto bytes = bytes_;
    if (!problem_.machine.l0.strict || !find_violation(problem_, decisions_)) {
      measure();
      const Totals found = totals(costs_);
      if (is_better(found, best_)) {
        best_ = found;
        return true;
      }
    }
    segment = before;
    costs_ = costs;
    bytes_ = bytes;
    return false;
  }

  // Returns candidates for the number of copies: half the copies, a single copy, and nearby numbers. In mode
  // CM, these are one less and one more. Otherwise, they change the windows per copy by at most one, or
  // differ by the number of windows in a row.
  std::vector<Int> copies_near(const Operator& op, Int copies) const {
    if (problem_.machine.mode == Mode::CM) return {copies - 1, copies + 1, copies / 2, 1};
    const Int windows = ceil_divide(op.width, copies);
    std::vector<Int> near = {copies / 2, 1, ceil_divide(op.width, windows)};
    near.push_back(copies > op.width ? copies - op.width : ceil_divide(op.width, windows + 1));
    near.push_back(windows > 1 ? ceil_divide(op.width, windows - 1) : copies + op.width);
    return near;
  }

  std::vector<OperatorDecision> moves_of(std::size_t i) const {
    const Operator& op = problem_.network.operators[i];
    const OperatorDecision& now = decisions_.operators[i];
    const CrossbarLayout& layout = problem_.facts[i].layout;
    std::vector<OperatorDecision> moves;
    const auto add = [&](auto change) {
      OperatorDecision next = now;
      change(next);
      if (!(next == now)) moves.push_back(next);
    };
    if (op.kind == OperatorKind::alu) return moves;
    if (op.kind == OperatorKind::product) {
      if (now.on_array && problem_.facts[i].may_use_alu) moves.emplace_back();
      if (!now.on_array && problem_.facts[i].may_use_array) add([](auto& next) { next.on_array = true; });
      if (!now.on_array) return moves;
    }
    for (const Int copies : copies_near(op, now.copies)) add([&](auto& next) { next.copies = copies; });
    const Int parts = now.parts == 0 ? layout.least_parts : now.parts;
    if (decisions_.levels.mvm)
      for (const Int phases : {now.phases - 1, now.phases + 1, 2 * now.phases, parts, Int{1}})
        add([&](auto& next) { next.phases = phases; });
    if (decisions_.levels.vvm)
      for (const Int more : {parts - 1, parts + 1, parts / 2, 2 * parts, layout.least_parts})
        add([&](auto& next) {
          next.parts = more;
          next.phases = std::min(next.phases, more);
        });
    return moves;
  }

  // True if the decision is in the ranges of docs/models/chip.md, section 4, and the segment fits on the
  // chip.
  bool is_legal(std::size_t s, std::size_t i) const {
    const OperatorDecision& decision = decisions_.operators[i];
    const Operator& op = problem_.network.operators[i];
    if (op.kind == OperatorKind::array || decision.on_array) {
      const CrossbarLayout& layout = problem_.facts[i].layout;
      const Int parts = decision.parts == 0 ? layout.least_parts : decision.parts;
      const Int most = problem_.machine.mode == Mode::CM ? op.rows : op.rows * op.width;
      if (decision.copies < 1 || decision.copies > most || decision.phases < 1 || decision.phases > parts ||
          parts < layout.least_parts || parts > layout.most_parts)
        return false;
    }
    Int cores = 0;
    for (std::size_t k = decisions_.segments[s].first; k <= decisions_.segments[s].last; ++k) {
      const Int more = timing_of(problem_, k, decisions_.operators[k], decisions_.levels).cores;
      if (more > problem_.machine.cores.count() - cores) return false;
      cores += more;
    }
    return true;
  }

  bool take_best(std::size_t s, std::size_t i) {
    const OperatorDecision before = decisions_.operators[i];
    OperatorDecision chosen = before;
    SegmentCost chosen_cost = costs_[s];
    auto costs = costs_;
    for (const auto& move : moves_of(i)) {
      if (ended()) break;
      decisions_.operators[i] = move;
      if (!is_legal(s, i)) continue;
      costs[s] = cost(s);
      const Totals found = totals(costs);
      if (!is_better(found, best_)) continue;
      best_ = found;
      chosen = move;
      chosen_cost = costs[s];
    }
    decisions_.operators[i] = chosen;
    costs_[s] = chosen_cost;
    return !(chosen == before);
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  Decisions decisions_;
  std::uint64_t effort_;
  const StopSource& stop_;
  std::uint64_t done_ = 0;
  double price_ = 0;  ///< penalty for exceeding a limit by 100 %, in units of the initial figure
  double unit_ = 1;
  Totals best_;
  std::vector<SegmentCost> costs_;  ///< by segment
  std::vector<Int> bytes_;          ///< bytes of L0, by segment
  Timetable times_;
};

}  // namespace

Decisions improve(const ChipProblem& problem, const CompileRequest& request, Decisions start,
                  std::uint64_t effort, const StopSource& stop) {
  for (auto& op : start.operators) op.first_core.reset();
  if (find_violation(problem, start)) return start;
  return Improver(problem, request, std::move(start), effort, stop).run();
}

}  // namespace nestor::chip
