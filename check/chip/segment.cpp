#include "check/chip/segment.h"

namespace nestor::check::chip {

Segment::Segment(const CheckedChipProblem& problem, std::size_t first, std::size_t last)
    : cores_(problem.machine.cores) {
  for (std::size_t i = first; i <= last; ++i) {
    const Operator& op = problem.operators[i];
    rows_.push_back(static_cast<std::size_t>(op.rows));
    into_.emplace_back();
    out_of_.emplace_back();
    gated_outside_.push_back(false);
    for (const Input& input : op.inputs) {
      if (!input.is_inside(first)) {
        gated_outside_.back() = gated_outside_.back() || input.is_gated;
        continue;
      }
      Edge edge{input.from - first, i - first, input.is_gated, {}};
      for (Int r = 0; r < (input.is_gated ? 1 : op.rows); ++r)
        edge.need.push_back(static_cast<std::size_t>(input.need(r, problem.operators[input.from].rows)));
      into_.back().push_back(edges_.size());
      out_of_[edge.from].push_back(edges_.size());
      edges_.push_back(std::move(edge));
    }
  }
}

Times Segment::heads(const std::vector<OperatorTiming>& paces) const {
  Times done;
  for (std::size_t k = 0; k < size(); ++k)
    done.push_back(ends(k, paces[k], [&](std::size_t e, std::size_t r) {
      return done[edges_[e].from][edges_[e].need[r]] + paces[edges_[e].from].out;
    }));
  return done;
}

Times Segment::tails(const std::vector<OperatorTiming>& paces) const {
  // `left` is the remaining time. It is first measured from the end of a row, without the row's output time,
  // and finally from the arrival of the row's input.
  Times left;
  for (std::size_t k = 0; k < size(); ++k) left.emplace_back(rows_[k], 0);
  for (std::size_t k = size(); k-- > 0;) {
    const auto lanes = static_cast<std::size_t>(paces[k].lanes);
    for (std::size_t r = rows_[k]; r-- > 0;) {
      if (r + 1 < rows_[k]) left[k][r] = std::max(left[k][r], left[k][r + 1]);
    }
    for (std::size_t r = rows_[k]; r-- > 0;) {
      left[k][r] += paces[k].out + paces[k].row;
      if (r + lanes < rows_[k]) left[k][r] = std::max(left[k][r], left[k][r + lanes] + paces[k].row);
    }
    for (Int& time : left[k]) time += paces[k].in;
    for (const std::size_t e : into_[k]) {
      Int gate = edges_[e].is_gated ? paces[k].gate : 0;
      for (std::size_t r = 0; r < edges_[e].need.size(); ++r) {
        Int& before = left[edges_[e].from][edges_[e].need[r]];
        before = std::max(before, left[k][r] + gate);
      }
    }
  }
  return left;
}

std::vector<OperatorTiming> best_of(const Choices& choices) {
  std::vector<OperatorTiming> best;
  for (const auto& paces : choices) {
    best.push_back(paces.front());
    for (const OperatorTiming& pace : paces)
      best.back() = {std::min(best.back().cores, pace.cores), std::min(best.back().row, pace.row),
                     std::max(best.back().lanes, pace.lanes), std::min(best.back().in, pace.in),
                     std::min(best.back().out, pace.out),     std::min(best.back().gate, pace.gate)};
  }
  return best;
}

Int Step::length(const OperatorTiming& pace) const {
  return ceiling(rows, pace.lanes) * pace.row + pace.in + pace.out + (is_gated ? pace.gate : 0);
}

Path way_through(const Segment& segment, const Json& numbers) {
  Path path;
  for (std::size_t at = 0; at + 2 < numbers.size(); at += 3) {
    const Int op = integer(numbers[at], path.empty() ? 0 : static_cast<Int>(path.back().op) + 1, "a path");
    if (static_cast<std::size_t>(op) >= segment.size())
      throw Unreadable("a path contains an operator outside its run");
    path.push_back({static_cast<std::size_t>(op), integer(numbers[at + 1], 1, "a path"),
                    integer(numbers[at + 2], 0, "a path") != 0});
  }
  if (path.empty()) throw Unreadable("a path is empty");
  std::size_t exit = segment.rows(path.back().op) - 1;
  for (std::size_t s = path.size(); s-- > 0;) {
    Step& step = path[s];
    const auto rows = static_cast<std::size_t>(step.rows);
    if (rows > exit + 1) throw Unreadable("a path has more rows than the operator computes");
    step.entry = exit + 1 - rows;
    if (s == 0) {
      if (step.is_gated && !segment.is_gated_outside(step.op))
        throw Unreadable("a path enters an operator through a gate that does not exist");
      return path;
    }
    bool is_entered = false;
    for (const std::size_t e : segment.into(step.op)) {
      const Edge& edge = segment.edges()[e];
      if (edge.from != path[s - 1].op || edge.is_gated != step.is_gated) continue;
      const std::size_t need = edge.need[edge.is_gated ? 0 : step.entry];
      if (is_entered && need <= exit) continue;
      is_entered = true;
      exit = need;
      step.edge = e;
    }
    if (!is_entered) throw Unreadable("consecutive operators of a path are not connected");
  }
  return path;
}

std::vector<std::vector<Int>> Mix::lengths(const Choices& choices, Int limit) const {
  std::vector<std::vector<Int>> all;
  for (const auto& paces : choices) all.emplace_back(paces.size(), 0);
  for (std::size_t p = 0; p < paths.size(); ++p)
    for (const Step& step : *paths[p])
      for (std::size_t o = 0; o < choices[step.op].size(); ++o)
        all[step.op][o] += shares[p] * std::min(limit, step.length(choices[step.op][o]));
  return all;
}

}  // namespace nestor::check::chip
