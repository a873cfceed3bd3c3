#include "heuristics/chip/improve.h"

#include <algorithm>

namespace nestor::chip {
namespace {

// How far limits are exceeded comes first, then the objective.
struct Score {
  double excess = 0;
  double figure = 0;
  bool operator<(const Score& other) const {
    return excess != other.excess ? excess < other.excess : figure < other.figure;
  }
};

class Improver {
 public:
  Improver(const ChipProblem& problem, const CompileRequest& request, Decisions start, std::uint64_t effort)
      : problem_(problem), request_(request), decisions_(std::move(start)), effort_(effort) {
    for (const auto& op : problem.network.operators) rows_ += static_cast<std::uint64_t>(op.rows);
  }

  Decisions run(StopSource& stop) {
    if (find_violation(problem_, decisions_)) return decisions_;
    best_ = score(decisions_);
    for (bool better = true; better && !spent();) {
      better = false;
      for (std::size_t i = 0; i < problem_.size() && !spent() && !stop.requested(); ++i)
        better |= take_best(moves_of(i), i);
      for (auto& segment : decisions_.segments) {
        if (spent()) break;
        segment.pipeline = !segment.pipeline;
        const Score flipped = score(decisions_);
        if (flipped < best_)
          best_ = flipped, better = true;
        else
          segment.pipeline = !segment.pipeline;
      }
      if (stop.requested()) break;
    }
    return decisions_;
  }

 private:
  bool spent() const { return done_ >= effort_; }

  Score score(const Decisions& decisions) {
    done_ += rows_;
    const ChipEvaluation figures = evaluate(problem_, decisions);
    Score result{0, figure_of(figures, request_.objective)};
    const auto exceed = [&](double value, double most) {
      if (exceeds(value, most)) result.excess += (value - most) / std::max(1.0, most);
    };
    const FigureLimits& limits = request_.limits;
    if (limits.latency)
      exceed(static_cast<double>(figures.latency_cycles), static_cast<double>(*limits.latency));
    if (limits.energy) exceed(figures.energy_pj, *limits.energy);
    if (limits.peak_power) exceed(figures.peak_power, *limits.peak_power);
    return result;
  }

  // Copies that give one window more or less to each, half as many, and one.
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
      if (now.on_array) moves.emplace_back();
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

  bool take_best(const std::vector<OperatorDecision>& moves, std::size_t i) {
    const OperatorDecision before = decisions_.operators[i];
    OperatorDecision chosen = before;
    for (const auto& move : moves) {
      decisions_.operators[i] = move;
      if (find_violation(problem_, decisions_)) continue;
      const Score found = score(decisions_);
      if (!(found < best_)) continue;
      best_ = found;
      chosen = move;
    }
    decisions_.operators[i] = chosen;
    return !(chosen == before);
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  Decisions decisions_;
  std::uint64_t effort_;
  std::uint64_t done_ = 0;
  std::uint64_t rows_ = 0;  ///< of one schedule
  Score best_;
};

}  // namespace

Decisions improve(const ChipProblem& problem, const CompileRequest& request, Decisions start,
                  std::uint64_t effort, StopSource& stop) {
  return Improver(problem, request, std::move(start), effort).run(stop);
}

}  // namespace nestor::chip
