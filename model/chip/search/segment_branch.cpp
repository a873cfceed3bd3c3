// Splitting of a node. One child keeps the options of one operator with at most a given number of cores (or
// value of another figure), the other child keeps the options with more. For any operator and number, every
// answer of the node belongs to exactly one child, so the choice affects only the speed of the proof
// (docs/models/chip.md, "Branching").
//
// The mix of a node provides little information about which operator matters. If each of ten operators can be
// the slowest of its stage, each has a tenth of the shares, and each answer has a different slow operator.
// The most promising splits are therefore tried: a few steps compute bounds for both children, and the split
// whose children gain most is used (strong branching, known from branch and cut for the travelling salesman
// problem).
#include <algorithm>
#include <cmath>

#include "model/chip/search/segment_node.h"

namespace nestor::chip {

// Returns up to `trial_splits` splits between options of the mixed answers, most promising first. The promise
// is the weight of the lighter side times the difference in mixed length between the sides. Requires a
// previous mix() with the node's shares.
std::vector<OptionSplit> SegmentSearch::Worker::promising_splits(const Node& node) const {
  struct Promise {
    OptionSplit split;
    double worth;
  };
  std::vector<Promise> promises;
  std::vector<Int> cores;
  const auto weight_of = [&](std::size_t a, std::size_t k) {
    return a < weights_.size() && node.alive[answers_[a][k]] != 0 ? weights_[a] : 0.0;
  };
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    cores.clear();
    for (std::size_t a = 0; a < answers_.size(); ++a)
      if (weight_of(a, k) > 0) cores.push_back(search_.options_[answers_[a][k]].cores);
    std::sort(cores.begin(), cores.end());
    cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
    for (std::size_t c = 0; c + 1 < cores.size(); ++c) {
      const OptionSplit split{k, OptionFigure::cores, cores[c]};
      double weight[2] = {0, 0};
      double length[2] = {0, 0};
      for (std::size_t a = 0; a < answers_.size(); ++a) {
        const auto option = answers_[a][k];
        const std::size_t side = split.keeps(search_.options_[option], true) ? 1 : 0;
        weight[side] += weight_of(a, k);
        length[side] += weight_of(a, k) * mixed_[option];
      }
      promises.push_back(
          {split, std::min(weight[0], weight[1]) * std::abs(length[0] / weight[0] - length[1] / weight[1])});
    }
  }
  std::stable_sort(promises.begin(), promises.end(),
                   [](const Promise& a, const Promise& b) { return a.worth > b.worth; });
  std::vector<OptionSplit> splits;
  for (const Promise& promise : promises)
    if (splits.size() < search_.settings_.trial_splits) splits.push_back(promise.split);
  return splits;
}

std::unique_ptr<SegmentSearch::Node> SegmentSearch::Worker::side_of(const OptionSplit& split, bool above,
                                                                    const Node& child) const {
  auto side = std::make_unique<Node>(child);
  for (auto o = search_.option_begin_[split.op]; o < search_.option_begin_[split.op + 1]; ++o)
    if (!split.keeps(search_.options_[o], above)) side->alive[o] = 0;
  return side;
}

// Splits a node at the split whose trial gains most. Returns false if there is no split to try. A child that
// a trial closes remains closed.
bool SegmentSearch::Worker::split_by_trial(const Node& node, const Node& child) {
  double most = -1;
  for (const OptionSplit& split : promising_splits(node)) {
    if (stopped()) return true;
    outcome_.counts.tried += 1;
    std::vector<std::unique_ptr<Node>> sides;
    bool stays = false;
    double gain = 1;
    for (const bool above : {false, true}) {
      auto on_trial = side_of(split, above, child);
      on_trial->closed = !shave(*on_trial) || !bound_by_paths(*on_trial, search_.settings_.trial_steps);
      const Int reached = on_trial->closed ? limit_ : std::min(on_trial->bound, limit_);
      gain *= static_cast<double>(std::max<Int>(1, reached - node.bound));
      stays |= !on_trial->closed;
      sides.push_back(std::move(on_trial));
    }
    if (gain > most) {
      most = gain;
      outcome_.split = split;
      outcome_.children = std::move(sides);
      if (!stays) break;
    }
  }
  return most >= 0;
}

// Returns a split for answers that do not differ: it halves the range of cores of the operator with the most
// options. Returns nothing if the cores of all operators are fixed.
std::optional<OptionSplit> SegmentSearch::Worker::halve_cores(const Node& node) const {
  std::size_t most = 0;
  OptionSplit split;
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    Int least = never;
    Int costliest = -1;
    std::size_t alive = 0;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o) {
      if (node.alive[o] == 0) continue;
      ++alive;
      least = std::min(least, search_.options_[o].cores);
      costliest = std::max(costliest, search_.options_[o].cores);
    }
    if (least >= costliest || alive <= most) continue;
    most = alive;
    split = {k, OptionFigure::cores, least + (costliest - least) / 2};
  }
  if (most == 0) return std::nullopt;
  return split;
}

// Returns a split for options with equal cores: it halves the range of a figure in which options of the first
// operator with several options differ. Returns nothing if only one answer is left.
std::optional<OptionSplit> SegmentSearch::Worker::halve_another_figure(const Node& node) const {
  for (std::size_t k = 0; k < search_.graph_.size(); ++k)
    for (const auto figure : option_figures.values) {
      if (figure == OptionFigure::cores) continue;
      Int least = never;
      Int most = -1;
      for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o) {
        if (node.alive[o] == 0) continue;
        least = std::min(least, figure_of(search_.options_[o], figure));
        most = std::max(most, figure_of(search_.options_[o], figure));
      }
      if (least < most) return OptionSplit{k, figure, least + (most - least) / 2};
    }
  return std::nullopt;
}

void SegmentSearch::Worker::branch(Node& node) {
  Node child;
  child.bound = node.bound;
  child.alive = node.alive;
  for (std::size_t p = 0; p < node.paths.size(); ++p)
    if (node.shares[p] > 0) {
      child.paths.push_back(node.paths[p]);
      child.shares.push_back(node.shares[p]);
    }
  for (std::size_t a = 0; a < answers_.size(); ++a)
    if (a < weights_.size() && weights_[a] > 0) child.answers.push_back(answers_[a]);
  if (split_by_trial(node, child)) return;
  outcome_.split = halve_cores(node);
  if (!outcome_.split) outcome_.split = halve_another_figure(node);
  if (!outcome_.split) return note_cheapest(node);  // records the only remaining answer
  for (const bool above : {false, true}) outcome_.children.push_back(side_of(*outcome_.split, above, child));
}

}  // namespace nestor::chip
