#include "model/chip/search/segment_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "model/chip/search/segment_node.h"

namespace nestor::chip {

SegmentSearch::SegmentSearch(const ChipProblem& problem, std::size_t first, std::size_t last,
                             const OptionTable& table, SegmentOptions settings, bool stream)
    : problem_(problem), graph_(problem, first, last, stream), settings_(settings) {
  option_begin_.push_back(0);
  Int least = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const auto& options = table[i];
    if (options.empty()) feasible_ = false;
    options_.insert(options_.end(), options.begin(), options.end());
    option_begin_.push_back(static_cast<std::uint32_t>(options_.size()));
    if (feasible_) least += options.front().cores;
    if (least > problem.machine.cores.count()) feasible_ = false;
    if (!feasible_) {
      bound_ = never;
      return;
    }
  }
}

SegmentSearch::~SegmentSearch() = default;

void SegmentSearch::offer(const std::vector<OperatorDecision>& decisions, Int schedule) {
  if (schedule >= best_) return;
  best_ = schedule;
  decisions_ = decisions;
  best_answer_.clear();
}

void SegmentSearch::accept(Int schedule, const Answer& answer) {
  if (schedule >= best_) return;
  best_ = schedule;
  best_answer_ = answer;
  decisions_.clear();
  for (const auto option : answer) decisions_.push_back(options_[option].decision);
}

// True if labels close enough nodes to be worth their time.
bool SegmentSearch::labels_pay() const {
  return counts_.labelled < 16 || counts_.listed * 4 > counts_.labelled;
}

void SegmentSearch::start() {
  started_ = true;
  auto root = std::make_unique<Node>();
  root->alive.assign(options_.size(), 1);
  root->number = numbered_++;
  open_.push_back(std::move(root));
  log_.steps().emplace_back();
}

SegmentProof SegmentSearch::proof() const {
  return {graph_.first(), graph_.first() + graph_.size() - 1, bound_, log_.paths(), log_.steps()};
}

// Records the processing of a node, and the initial mixes of its children.
void SegmentSearch::log(const Node& node, const Outcome& outcome) {
  const auto take_mix = [&](std::size_t step, const Node& of) {
    auto& mix = log_.steps()[step].mix;
    mix.clear();
    for (std::size_t p = 0; p < of.shares.size(); ++p)
      if (of.shares[p] > 0) mix.push_back({log_.number_of(of.paths[p]->rows), of.shares[p]});
  };
  take_mix(node.step, node);
  log_.steps()[node.step].split = outcome.split;
  log_.steps()[node.step].children = log_.steps().size();
  for (const auto& child : outcome.children) {
    child->step = log_.steps().size();
    log_.steps().emplace_back();
    take_mix(child->step, *child);
  }
}

void SegmentSearch::advance(Executor& executor, Int cutoff, const StopSource& stop) {
  stop_ = &stop;
  if (!feasible_ || done()) return;
  if (!started_) start();
  const auto later = [](const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) {
    return std::tie(a->bound, a->number) > std::tie(b->bound, b->number);
  };
  std::vector<std::unique_ptr<Node>> turns;
  const Int limit = std::min(cutoff, best_);
  while (!open_.empty() && turns.size() < settings_.width && open_.front()->bound < limit) {
    std::pop_heap(open_.begin(), open_.end(), later);
    turns.push_back(std::move(open_.back()));
    open_.pop_back();
  }
  const bool repairs = settings_.repair_every > 0 && counts_.nodes >= settings_.repair_after &&
                       ++rounds_ % settings_.repair_every == 0 && !best_answer_.empty() && !turns.empty();
  const std::size_t tasks = turns.size() + (repairs ? 1 : 0);
  while (workers_.size() < tasks) workers_.push_back(std::make_unique<Worker>(*this));
  std::vector<Outcome> outcomes(tasks);
  const bool labels = labels_pay();
  executor.run(tasks, [&](std::size_t t) {
    outcomes[t] = t < turns.size() ? workers_[t]->process(*turns[t], limit, labels)
                                   : workers_[t]->repair(best_answer_, limit, rounds_);
  });
  for (std::size_t t = 0; t < tasks; ++t) {
    Outcome& outcome = outcomes[t];
    if (!outcome.answer.empty()) accept(outcome.schedule, outcome.answer);
    if (t < turns.size()) {
      if (outcome.stopped) {
        open_.push_back(std::move(turns[t]));
        std::push_heap(open_.begin(), open_.end(), later);
        continue;
      }
      counts_.nodes += 1;
    }
    if (settings_.keep_proof && t < turns.size()) log(*turns[t], outcome);
    counts_.knapsacks += outcome.counts.knapsacks;
    counts_.programs += outcome.counts.programs;
    counts_.reached += outcome.counts.reached;
    counts_.mixed += outcome.counts.mixed;
    counts_.shaved += outcome.counts.shaved;
    counts_.tried += outcome.counts.tried;
    counts_.labelled += outcome.counts.labelled;
    counts_.listed += outcome.counts.listed;
    counts_.labels += outcome.counts.labels;
    for (auto& child : outcome.children) {
      if (child->closed) continue;
      child->number = numbered_++;
      open_.push_back(std::move(child));
      std::push_heap(open_.begin(), open_.end(), later);
    }
  }
  // The only known bound on nodes dropped in this round is the limit of the round.
  closed_ = std::min(closed_, limit);
  while (!open_.empty() && open_.front()->bound >= best_) {
    std::pop_heap(open_.begin(), open_.end(), later);
    open_.pop_back();
  }
  Int least = std::min(best_, closed_);
  if (!open_.empty()) least = std::min(least, open_.front()->bound);
  bound_ = std::max(bound_, least);
}

}  // namespace nestor::chip
