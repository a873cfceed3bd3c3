// Lower bound on the cycles of an HBM-PIM stream, from counts of its steps (docs/proofs.md, "Kernels near
// memory"): gaps between consecutive bursts, rows of one bank that certainly differ, and refresh.
#include <algorithm>

#include "check/cnm/pim.h"

namespace nestor::check::cnm {

// Returns the gap between consecutive bursts. If the second burst is certainly in another row of the same
// bank, the bank is closed between them.
Int PimStream::gap(const Run& a, const Run& b) const {
  const bool is_near = machine_.group_of(a.bank) == machine_.group_of(b.bank);
  const Int gap = a.write == b.write ? machine_.again(is_near) : std::max<Int>(1, machine_.turn(a.write));
  const bool are_registers = a.operand == registers || b.operand == registers;
  if (a.bank != b.bank || a.operand == b.operand || !(are_apart_ || are_registers)) return gap;
  return std::max(gap, machine_.closing(a.write) + machine_.tRP + machine_.opening(b.write));
}

// Returns the sum of the gaps within a run. If a tile consists of several whole rows, every pass opens each
// of them.
Int PimStream::inside(const Run& run) const {
  const Int again = machine_.again(true), row = machine_.row_bursts;
  const Int gaps = times(run.count * run.times - 1, again);
  if (run.operand == registers || !are_apart_ || run.count <= row || run.count % row != 0) return gaps;
  const Int other_row = machine_.closing(run.write) + machine_.tRP + machine_.opening(run.write);
  return plus(gaps, times(run.times * (run.count / row) - 1, std::max<Int>(0, other_row - again)));
}

Int PimStream::gaps(const Run* before, const Runs& runs) const {
  Int sum = before == nullptr ? 1 : 0;
  for (const Run& run : runs) {
    if (before != nullptr) sum = plus(sum, gap(*before, run));
    sum = plus(sum, inside(run));
    before = &run;
  }
  return sum;
}

// Adds the gaps of `often` steps that follow the burst run `before`.
void PimStream::count(Int often, const Run* before, const Runs& runs) {
  if (often == 0) return;
  const Int sum = gaps(before, runs);
  total_ = plus(total_, times(often, sum));
  const std::size_t reads = runs.size() - problem_.stored.size();
  longest_ = std::max(
      longest_, sum - gaps(nullptr, {runs.begin() + static_cast<std::ptrdiff_t>(reads), runs.end()}) + 1);
}

void PimStream::count_steps() {
  // The commands before the first step take at least one cycle each.
  const Int frame = machine_.banks + 4 + ceiling(program_, machine_.instructions_per_burst) - 1;
  const auto last_run = [&](Int bank) { return runs_of_step(loops_.size(), bank).back(); };
  count(1, nullptr, runs_of_step(loops_.size(), 0));
  total_ = first_ = plus(total_, frame, Int{!stays_});
  longest_ += plus(frame, Int{1});
  std::size_t halved = 0;
  while (halved < loops_.size() && !loops_[halved].is_halved) ++halved;
  Int around = 1;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const Int trips = loops_[l].trips, often = times(around, trips - 1);
    const auto add = [&](Int steps, Int from, Int to) {
      const Run before = last_run(from);
      count(steps, &before, runs_of_step(l, to));
    };
    if (halved == loops_.size()) {
      add(often, 0, 0);
    } else if (l < halved) {
      add(often, bank_at(halved, loops_[halved].trips - 1), 0);
    } else if (l > halved) {
      const Int all = loops_[halved].trips, even = ceiling<Int>(all, 2);
      add(often / all * even, 0, 0);
      add(often / all * (all - even), 1, 1);
    } else if (mapping_.half == Half::split) {
      add(times(around, (trips + 1) / 2 - 1), 0, 0);
      add(around, 0, 1);
      add(times(around, trips / 2 - 1), 1, 1);
    } else {
      add(times(around, trips / 2), 0, 1);
      add(times(around, (trips - 1) / 2), 1, 0);
    }
    around = times(around, trips);
  }
  Int bank = 0;  // bank of the last step
  if (halved < loops_.size()) bank = bank_at(halved, loops_[halved].trips - 1);
  take_windows(last_run(bank));
}

void PimStream::take_windows(const Run& last) {
  const PimMachine& m = machine_;
  const Int again = m.again(true), close = std::max(m.closing(false), m.closing(true));
  const Int open = std::max(m.tRCDRD, m.tRCDWR), row_gap = close + m.tRP + open;
  Runs reads;
  Int count = 0;
  for (const Run& run : runs_of_step(loops_.size(), last.bank)) {
    if (std::find(problem_.stored.begin(), problem_.stored.end(), run.operand) == problem_.stored.end())
      continue;
    reads.push_back(run);
    count = plus(count, times(run.count, run.times));
  }
  // Number of reads of a bank such that a refresh that is due before the first read starts before the last
  // one.
  const Int window = 2 + ceiling(std::max(m.tRAS, close) + m.banks + m.ranks + m.tRAS + again + 2, again);
  const Int rows = reads.size() > 1 ? 2 * window : 2 * window / m.row_bursts + 2;
  longest_ = plus(longest_, 2 * window * again, rows * row_gap);
  // The bursts after the last read write the output, switch PIM off, leave the all-bank mode and park the
  // banks. Each takes at least one cycle.
  behind_windows_ = gaps(nullptr, reads) - 1;
  const Int rest = plus(vectors_[problem_.output], Int{1}, Int{2}, m.banks);
  total_ = plus(total_, rest);
  behind_windows_ = plus(behind_windows_, rest);
  Int lost = m.tRFC + 1 - m.tRP, most_gap = row_gap;
  for (const bool from : {false, true})
    for (const bool to : {false, true}) {
      const Int gap = from == to ? std::max(again, m.again(false)) : std::max<Int>(1, m.turn(from));
      lost = std::min(lost, m.closing(from) + 1 + m.tRFC + m.opening(to) - gap);
      most_gap = std::max(most_gap, gap);
    }
  const Int whole = 1 + m.tRFC + close + open;  // cycles to close a bank, refresh it and reopen it
  const bool counts = count >= window && m.closing(false) <= again && lost > 0 &&
                      m.tREFI >= plus(whole, lost, 2 * longest_, 2 * most_gap);
  lost_ = counts ? lost : 0;
}

void PimStream::count_points() {
  const Int frame =
      machine_.banks + 4 + ceiling(program_, machine_.instructions_per_burst) + Int{problem_.has_constants};
  const Int all = mapping_.half == Half::even ? tiles_ : times(tiles_, Int{2});
  const Int switches = mapping_.half == Half::even ? 0 : mapping_.half == Half::split ? 1 : all - 1;
  const Run even = runs_of_tile(0).back();
  total_ = first_ = plus(frame, gaps(nullptr, runs_of_tile(0)));
  total_ = plus(total_, times(switches, gaps(&even, runs_of_tile(1))));
  total_ = plus(total_, times(all - 1 - switches, gaps(&even, runs_of_tile(0))));
  total_ = plus(total_, Int{3}, machine_.banks);
}

// Returns a lower bound on the cycles that remain until the last burst, after gaps of `done` cycles, if the
// next refresh is due by `first_refresh`.
Int PimStream::least_from(Int done, Int first_refresh) const {
  const Int rest = std::max<Int>(0, total_ - done), reads = rest - behind_windows_;
  if (lost_ == 0 || reads <= 0) return rest;
  const Int every = machine_.tREFI;
  const Int with = times(reads, every) - times(lost_, plus(first_refresh, every));
  return std::max(rest, with / (every - lost_) + behind_windows_);
}

}  // namespace nestor::check::cnm
