// The estimate of "The engine" in docs/models/cnm.md, which is derived from a few simulated runs.
#include <algorithm>

#include "check/cnm/model.h"

namespace nestor::check::cnm {
namespace {

constexpr Int most_events = 60'000'000;             // of all runs of an estimate
constexpr std::size_t figures = 1 + causes.size();  // cycles and their causes

class Estimate {
 public:
  Estimate(const CnmMachine& machine, const Program& program, Int tasklets, bool wants_causes)
      : machine_(machine),
        program_(program),
        tasklets_(tasklets),
        wants_causes_(wants_causes),
        loops_(program.loops.size()) {}

  Estimated run() {
    Wide innermost = 0;
    for (std::size_t q = 0; q < loops_.size(); ++q)
      if (program_.loops[q].is_innermost) innermost = plus(innermost, whole_runs(q));
    if (innermost <= machine_.whole) {
      for (std::size_t q = 0; q < loops_.size(); ++q) loops_[q].trips = program_.loops[q].trips;
      base_ = run_with(loops_.size(), 0);
    } else {
      result_.k = machine_.k;
      for (; !measure(result_.k) && result_.k < machine_.k_max; result_.k *= 2) {
      }
    }
    result_.cycles = total(0);
    if (result_.cycles < program_.bound) result_.cycles = program_.bound;
    if (wants_causes_) set_causes();
    return result_;
  }

 private:
  using Figures = std::array<Int, figures>;
  struct Reduced {
    Int trips = 1, step = 1;
    Figures delta{};  ///< figures of `step` additional trips
  };

  Wide whole_runs(std::size_t q) const {
    Wide runs = program_.loops[q].trips;
    for (std::size_t a = program_.loops[q].around; a > 0; a = program_.loops[a - 1].around)
      runs = times(runs, Wide{program_.loops[a - 1].trips});
    return runs;
  }
  Figures run_with(std::size_t longer, Int more) {
    Tuple trips;
    for (const Reduced& loop : loops_) trips.push_back(loop.trips);
    if (longer < trips.size()) trips[longer] += more;
    const Run run = run_of(machine_, program_, trips, tasklets_, wants_causes_, events_left_);
    ++result_.runs;
    result_.simulated = plus(result_.simulated, run.cycles);
    Figures all{run.cycles};
    std::copy(run.causes.begin(), run.causes.end(), all.begin() + 1);
    return all;
  }
  static Figures difference(const Figures& a, const Figures& b) {
    Figures all{};
    for (std::size_t f = 0; f < figures; ++f) all[f] = a[f] - b[f];
    return all;
  }

  // Measures the figures of additional trips of each loop. Returns true if the cycles of all innermost loops
  // grow linearly, within alpha.
  bool measure(Int k) {
    for (std::size_t q = 0; q < loops_.size(); ++q) {
      const ProgramLoop& loop = program_.loops[q];
      const Int step = loop.is_innermost ? k : 2;
      loops_[q] = {loop.trips < 3 * step ? loop.trips : step, step, {}};
    }
    base_ = run_with(loops_.size(), 0);
    result_.is_linear = true;
    for (std::size_t q = 0; q < loops_.size(); ++q) {
      Reduced& loop = loops_[q];
      if (loop.trips == program_.loops[q].trips) continue;
      const Figures once = run_with(q, loop.step);
      loop.delta = difference(once, base_);
      if (!program_.loops[q].is_innermost) continue;
      const Figures second = difference(run_with(q, 2 * loop.step), once);
      const Int change = second[0] - loop.delta[0];
      if (machine_.alpha * Fraction(second[0]) < Fraction(std::max(change, -change)))
        result_.is_linear = false;
      loop.delta = second;
    }
    return result_.is_linear;
  }

  // Returns a figure of the whole program. Inner loops come after the loops around them.
  Fraction total(std::size_t figure) const {
    Fraction sum(base_[figure]);
    std::vector<Fraction> inside(loops_.size());  // by loop, what the omitted trips of its inner loops add
    for (std::size_t q = loops_.size(); q-- > 0;) {
      const std::size_t around = program_.loops[q].around;
      Fraction& outside = around == 0 ? sum : inside[around - 1];
      outside = outside + extra(q, figure, inside[q]);
    }
    return sum;
  }
  // Returns what the omitted trips of loop q and of its inner loops add to a figure of one run of loop q.
  Fraction extra(std::size_t q, std::size_t figure, const Fraction& inside) const {
    const ProgramLoop& loop = program_.loops[q];
    const Reduced& reduced = loops_[q];
    if (reduced.trips == loop.trips) return Fraction(loop.trips) * inside;
    Wide runs = reduced.step;
    for (std::size_t a = loop.around; a > 0; a = program_.loops[a - 1].around)
      runs = times(runs, Wide{loops_[a - 1].trips});
    const Fraction one_more(reduced.delta[figure], runs);
    return Fraction(loop.trips) * (one_more + inside) - Fraction(reduced.trips) * one_more;
  }
  // Scales the causes to sum to the cycles.
  void set_causes() {
    long double sum = 0;
    for (std::size_t c = 0; c < causes.size(); ++c) sum += result_.causes[c] = to_real(total(c + 1));
    for (long double& cause : result_.causes) cause *= sum > 0 ? to_real(result_.cycles) / sum : 0;
  }

  const CnmMachine& machine_;
  const Program& program_;
  Int tasklets_;
  const bool wants_causes_;
  std::vector<Reduced> loops_;
  Figures base_{};
  Int events_left_ = most_events;
  Estimated result_;
};

}  // namespace

Estimated estimate(const CnmMachine& machine, const Program& program, Int tasklets, bool wants_causes) {
  return Estimate(machine, program, tasklets, wants_causes).run();
}

}  // namespace nestor::check::cnm
