#include "model/cnm/extrapolation.h"

#include <cmath>

namespace nestor::cnm {
namespace {

CycleCounts operator-(const CycleCounts& a, const CycleCounts& b) {
  CycleCounts result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}
CycleCounts operator+(const CycleCounts& a, const CycleCounts& b) {
  CycleCounts result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] + b[i];
  return result;
}
CycleCounts operator*(double factor, const CycleCounts& a) {
  CycleCounts result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = factor * a[i];
  return result;
}

}  // namespace

Extrapolation::Extrapolation(const EngineSettings& settings, const FlatProgram& program)
    : settings_(settings), loops_(program.trips.size()) {
  link_loops(program);
  double innermost_runs = 0;
  for (std::size_t q = 0; q < loops_.size(); ++q) {
    loops_[q].reduced = loops_[q].trips;
    if (loops_[q].innermost()) innermost_runs += static_cast<double>(loops_[q].trips) * runs_of(q);
  }
  if (innermost_runs <= static_cast<double>(settings_.whole)) {
    want(none, 0);
  } else {
    k_ = settings_.k;
    plan();
  }
}

void Extrapolation::link_loops(const FlatProgram& program) {
  for (const Step& step : program.steps)
    if (step.kind == ItemKind::loop) loops_[step.loop].depth = step.depth;
  std::array<std::size_t, max_depth + 1> latest{};  // latest loop of each depth
  latest.fill(none);
  for (std::size_t q = 0; q < loops_.size(); ++q) {
    Loop& loop = loops_[q];
    loop.trips = program.trips[q];
    if (loop.depth > 0) loop.around = latest[loop.depth - 1];
    std::size_t& head = loop.around == none ? first_outermost_ : loops_[loop.around].first_inside;
    const std::size_t before = latest[loop.depth];
    if (before != none && loops_[before].around == loop.around)
      loops_[before].next = q;
    else
      head = q;
    latest[loop.depth] = q;
  }
}

// Returns the product of the reduced trips of the surrounding loops.
double Extrapolation::runs_of(std::size_t q) const {
  double product = 1;
  for (q = loops_[q].around; q != none; q = loops_[q].around)
    product *= static_cast<double>(loops_[q].reduced);
  return product;
}

// Requests a run with the reduced trips of all loops and `more` added trips of one loop.
void Extrapolation::want(std::size_t more_of, Int more) {
  ++needed_;
  for (std::size_t q = 0; q < loops_.size(); ++q)
    trips_.push_back(loops_[q].reduced + (q == more_of ? more : 0));
}

void Extrapolation::plan() {
  for (Loop& loop : loops_) {
    loop.step = loop.innermost() ? k_ : 2;
    loop.reduced = loop.trips < 3 * loop.step ? loop.trips : loop.step;
  }
  trips_.reserve((1 + 2 * loops_.size()) * loops_.size());
  want(none, 0);
  for (std::size_t q = 0; q < loops_.size(); ++q) {
    if (loops_[q].whole()) continue;
    want(q, loops_[q].step);
    if (loops_[q].innermost()) want(q, 2 * loops_[q].step);
  }
}

void Extrapolation::take(std::span<const CycleCounts> runs) {
  const CycleCounts& base = runs[0];
  needed_ = 0;
  trips_.clear();
  linear_ = true;
  std::size_t next = 1;
  for (Loop& loop : loops_) {
    loop.delta = {};
    if (loop.whole()) continue;
    const CycleCounts& once = runs[next++];
    loop.delta = once - base;
    if (!loop.innermost()) continue;
    const CycleCounts second = runs[next++] - once;
    // A decimal alpha may be less as a double.
    const double most = settings_.alpha * second[0] * (1 + 1e-12);
    if (std::abs(second[0] - loop.delta[0]) > most) linear_ = false;
    loop.delta = second;
  }
  if (!linear_ && k_ < settings_.k_max) {
    k_ *= 2;
    return plan();
  }
  estimate_ = base;
  if (k_ == 0) return;
  for (std::size_t q = first_outermost_; q != none; q = loops_[q].next) estimate_ = estimate_ + extra(q);
}

// Returns the cycles by which the complete loop q exceeds the reduced loop q each time the loop is entered.
CycleCounts Extrapolation::extra(std::size_t q) const {
  const Loop& loop = loops_[q];
  CycleCounts inside{};
  for (std::size_t c = loop.first_inside; c != none; c = loops_[c].next) inside = inside + extra(c);
  const auto trips = static_cast<double>(loop.trips);
  if (loop.whole()) return trips * inside;
  const CycleCounts one_more = 1 / (static_cast<double>(loop.step) * runs_of(q)) * loop.delta;
  return trips * (one_more + inside) - static_cast<double>(loop.reduced) * one_more;
}

}  // namespace nestor::cnm
