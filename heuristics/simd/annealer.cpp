#include "heuristics/simd/annealer.h"

#include <algorithm>
#include <cmath>

namespace nestor::simd {

namespace {

/// Weight of a change in live values, relative to a copy.
constexpr double price_weight = 0.1;

/// After a useful move of the order, the evaluator soon reaches the old state again. For 49 in 50 accepted
/// moves, this takes at most short_trial positions; for the others, thousands. One in patient_trials trials
/// runs to its end.
constexpr std::uint32_t short_trial = 256;
constexpr std::uint64_t patient_trials = 32;

/// A move that adds crossings between arrays rarely saves as many evictions. Moves whose added crossings
/// exceed the allowance by at least this number are therefore rarely tried. Without this rule, such moves
/// were 1 in 70 accepted moves on the sin benchmark and 1 in 11 on sqrt, but their trials took at least nine
/// tenths of the work. (With 2 instead, fewer good moves are lost. This is better on sqrt but worse on the
/// multiplier, where such trials take most of the work.)
constexpr double likely_saving = 1.0;

bool holds_inputs(const ScheduleProblem& problem, const WorkingArrays& working) {
  return std::any_of(working.physical.begin(), working.physical.end(),
                     [&](std::uint32_t array) { return array < problem.home_arrays(); });
}

AlivePrice price_for(const ScheduleProblem& problem, const WorkingArrays& working) {
  std::int64_t rows = 0;
  for (const std::uint32_t array : working.physical) rows += problem.free_rows(array);
  return {static_cast<std::int32_t>(std::min<std::int64_t>(rows, 1 << 30)), 1.0, 0.0};
}

}  // namespace

Annealer::Annealer(const ScheduleProblem& problem, WorkingArrays working,
                   std::span<const std::uint32_t> order, std::span<const std::uint8_t> arrays)
    : sequence_(problem, order),
      evaluator_(problem, working, true),
      mover_(sequence_, working),
      profile_(sequence_, price_for(problem, working), !holds_inputs(problem, working)) {
  best_.working = std::move(working);
  start_from(order, arrays);
}

void Annealer::start_from(std::span<const std::uint32_t> order, std::span<const std::uint8_t> arrays) {
  sequence_.assign(order, arrays);
  profile_.count();
  evaluator_.evaluate(sequence_);
  keep_best();
}

void Annealer::keep_best() {
  if (evaluator_.current() >= best_.copies) return;
  best_.copies = evaluator_.current();
  best_.order = sequence_.order();
  best_.arrays = sequence_.arrays();
  best_.transfers = evaluator_.transfers();
}

void Annealer::run(std::uint64_t moves, double temperature, Random& random) {
  if (evaluator_.current() == impossible) return;
  for (std::uint64_t move = 0; move < moves; ++move) {
    work_ += 4;
    if (!mover_.propose(random)) continue;
    const std::uint32_t first = mover_.first(), last = mover_.last();
    const Copies current = evaluator_.current();
    work_ += (last - first) / 4;
    const double slope = mover_.rearranged() ? price_weight * profile_.change(first, last) : 0.0;
    const double allowed = -temperature * std::log(1.0 - random.unit()) - slope;
    const double limit = std::floor(static_cast<double>(current) + allowed + 1e-9);
    const bool patient = random.below(patient_trials) == 0;
    const bool crosses = static_cast<double>(mover_.crossing_change()) >= allowed + likely_saving;
    // Moves that must save more than 3 copies rarely succeed, so they are not tried.
    if (allowed < -3.0 || limit < 0.0 || (crosses && !patient)) {
      mover_.undo();
      continue;
    }
    const std::uint32_t patience = patient || mover_.crossing_change() != 0 ? never : short_trial;
    const Copies reached =
        evaluator_.trial(sequence_, first, last, {static_cast<Copies>(limit), current / 100 + 2, patience});
    if (reached == impossible) {
      mover_.undo();
      continue;
    }
    if (reached > current && current < best_.copies) {
      mover_.undo();
      keep_best();
      mover_.redo();
    }
    if (mover_.rearranged()) profile_.commit();
    evaluator_.accept();
  }
  keep_best();
}

}  // namespace nestor::simd
