#include "model/cnm/estimate_batch.h"

#include <algorithm>

namespace nestor::cnm {
namespace {

// Maximum number of series that are collected before the clock runs them.
constexpr std::size_t most_read = 1 << 18;

}  // namespace

void EstimateBatch::add(const FlatProgram& program, const ProgramBounds& bounds, Int tasklets) {
  Entry& entry = programs_.emplace_back();
  entry.bound = bounds.largest();
  entry.tasklets = tasklets;
  entry.program = program;
  entry.open = entry.bound <= static_cast<double>(max_count);
  if (entry.open) entry.extrapolation.emplace(system_.engine, program);
}

std::vector<std::optional<double>> EstimateBatch::estimate(const std::function<bool()>& stopped) {
  runs_.clear();
  words_.clear();
  for (;;) {
    order_.clear();
    bool finished = true;
    for (Entry& entry : programs_) {
      if (!entry.unfinished()) continue;
      finished = false;
      add_runs(entry);
    }
    if (finished) break;
    // No run is made if earlier rounds have made all the runs that are needed.
    sort_runs();
    if (!make_runs(stopped)) break;
    for (Entry& entry : programs_)
      if (entry.unfinished()) take(entry);
  }
  std::vector<std::optional<double>> cycles(programs_.size());
  for (std::size_t i = 0; i < programs_.size(); ++i)
    if (programs_[i].open && !programs_[i].unfinished())
      cycles[i] = std::max(programs_[i].extrapolation->estimate()[0], programs_[i].bound);
  programs_.clear();
  read_.clear();
  clock_.reset();  // its lists are no longer needed
  return cycles;
}

// Adds the runs of an entry. After k has doubled, the first run has often been made already.
void EstimateBatch::add_runs(Entry& entry) {
  const std::size_t before = entry.first_run, first = runs_.size();
  for (std::uint32_t place = 0; place < entry.extrapolation->needed(); ++place) {
    const auto number = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back({.words = words_.size(), .of = &entry, .place = place, .same = number});
    append_run_words(entry.program, entry.extrapolation->trips_of(place), entry.tasklets, words_);
    Run& run = runs_.back();
    run.end = words_.size();
    for (std::size_t i = before; i < before + entry.run_count; ++i)
      if (std::ranges::equal(words(runs_[i]), words(run))) run.same = runs_[i].same;
    if (run.same == number) order_.push_back(number);
  }
  entry.first_run = first;
  entry.run_count = runs_.size() - first;
}

// Sorts the runs by their words. A loop's trips are stored at its end, so lists with a common prefix are
// adjacent, and lists that leave a loop earlier come first.
void EstimateBatch::sort_runs() {
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const auto one = words(runs_[a]), other = words(runs_[b]);
    const auto parting = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    if (parting.first == one.end() || parting.second == other.end())
      return one.size() != other.size() ? one.size() < other.size() : a < b;
    return *parting.first < *parting.second;
  });
}

// Makes each distinct run once. Returns false if the batch was stopped.
bool EstimateBatch::make_runs(const std::function<bool()>& stopped) {
  const Run* before = nullptr;
  for (const std::uint32_t number : order_) {
    Run& run = runs_[number];
    if (before != nullptr && std::ranges::equal(words(run), words(*before))) {
      run.same = before->same;
      continue;
    }
    before = &run;
    const Int tasklets = run.of->tasklets;
    const bool other_tasklets = !clock_ || clock_tasklets_ != tasklets;
    if (other_tasklets || clock_->lists().series_count() > most_read) {
      if (stopped && stopped()) return false;
      make_read();
    }
    if (other_tasklets) clock_.emplace(system_, tasklets);
    clock_tasklets_ = tasklets;
    if (DpuClock::covers(system_, tasklets) && clock_->lists().read(run.of->program, trips_of(run)))
      read_.push_back(number);
    else
      make_by_machine(run);
  }
  if (stopped && stopped()) return false;
  make_read();
  return true;
}

void EstimateBatch::make_read() {
  for (std::size_t i = 0; i < read_.size(); ++i)
    runs_[read_[i]].requests = clock_->lists().requests(i, clock_tasklets_);
  if (!read_.empty()) clock_->run(cycles_);
  for (std::size_t i = 0; i < read_.size(); ++i) runs_[read_[i]].cycles = cycles_[i];
  read_.clear();
}

void EstimateBatch::make_by_machine(Run& run) {
  Int budget = simulation_budget;
  const auto made = DpuMachine(system_, run.of->tasklets).run(run.of->program, trips_of(run), budget);
  run.requests = made ? simulation_budget - budget : simulation_budget + 1;
  if (made) run.cycles = made->cycles;
}

void EstimateBatch::take(Entry& entry) {
  taken_.clear();
  for (std::size_t i = 0; i < entry.run_count; ++i) {
    const Run& run = runs_[runs_[entry.first_run + i].same];
    entry.budget -= run.requests;
    taken_.push_back({static_cast<double>(run.cycles)});
  }
  entry.open = entry.budget >= 0;
  if (entry.open) entry.extrapolation->take(taken_);
}

}  // namespace nestor::cnm
