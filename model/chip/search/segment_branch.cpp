// How a node is split: the options of one operator with at most so many cores, or with more. Whatever the
// operator and the number, every answer of the node is one of exactly one child, so the choice decides only
// how fast the proof is (docs/models/chip.md, "Branching").
//
// The mix of a node hardly tells which operator matters: of ten operators that may each be the slowest of
// their stage, each has a tenth of the shares, and each answer has another one slow. So the most promising
// splits are tried: both children get their bounds, by a few steps each, and the split whose children gain
// most stays (strong branching, known from the travelling salesman's branch and cut).
#include <algorithm>
#include <cmath>

#include "model/chip/search/segment_node.h"

namespace nestor::chip {

// Splits between the options that the mixed answers take, most promising first: the lighter side's weight
// times what the two sides differ by in mixed length. After mix() with the node's shares.
std::vector<SegmentSearch::Split> SegmentSearch::Worker::promising_splits(const Node& node) const {
  std::vector<Split> splits;
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
      Split split{k, cores[c], 0};
      double weight[2] = {0, 0};
      double length[2] = {0, 0};
      for (std::size_t a = 0; a < answers_.size(); ++a) {
        const auto option = answers_[a][k];
        const std::size_t side = split.keeps(search_.options_[option], true) ? 1 : 0;
        weight[side] += weight_of(a, k);
        length[side] += weight_of(a, k) * mixed_[option];
      }
      split.worth = std::min(weight[0], weight[1]) * std::abs(length[0] / weight[0] - length[1] / weight[1]);
      splits.push_back(split);
    }
  }
  std::stable_sort(splits.begin(), splits.end(),
                   [](const Split& a, const Split& b) { return a.worth > b.worth; });
  if (splits.size() > search_.settings_.trial_splits) splits.resize(search_.settings_.trial_splits);
  return splits;
}

// False: there is nothing to try. A child that closes on trial is closed for good.
bool SegmentSearch::Worker::split_by_trial(const Node& node, const Node& child) {
  double most = -1;
  std::vector<std::unique_ptr<Node>> chosen;
  for (const Split& split : promising_splits(node)) {
    outcome_.counts.tried += 1;
    std::vector<std::unique_ptr<Node>> open;
    double gain = 1;
    for (const bool above : {false, true}) {
      auto on_trial = std::make_unique<Node>(child);
      for (auto o = search_.option_begin_[split.op]; o < search_.option_begin_[split.op + 1]; ++o)
        if (!split.keeps(search_.options_[o], above)) on_trial->alive[o] = 0;
      const bool stays = shave(*on_trial) && bound_by_paths(*on_trial, search_.settings_.trial_steps);
      const Int reached = stays ? std::min(on_trial->bound, limit_) : limit_;
      gain *= static_cast<double>(std::max<Int>(1, reached - node.bound));
      if (stays) open.push_back(std::move(on_trial));
    }
    if (gain > most) {
      most = gain;
      chosen = std::move(open);
      if (chosen.empty()) break;
    }
  }
  for (auto& kept : chosen) outcome_.children.push_back(std::move(kept));
  return most >= 0;
}

// Where answers do not differ: the operator with most options, in the middle of its cores. False: the cores
// of all operators are decided.
bool SegmentSearch::Worker::halve_an_operator(const Node& node, const Node& child) {
  std::size_t most = 0;
  Split split;
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    Int least = never;
    Int dearest = -1;
    std::size_t alive = 0;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o) {
      if (node.alive[o] == 0) continue;
      ++alive;
      least = std::min(least, search_.options_[o].cores);
      dearest = std::max(dearest, search_.options_[o].cores);
    }
    if (least >= dearest || alive <= most) continue;
    most = alive;
    split = {k, least + (dearest - least) / 2, 0};
  }
  if (most == 0) return false;
  for (const bool above : {false, true}) {
    outcome_.children.push_back(std::make_unique<Node>(child));
    for (auto o = search_.option_begin_[split.op]; o < search_.option_begin_[split.op + 1]; ++o)
      if (!split.keeps(search_.options_[o], above)) outcome_.children.back()->alive[o] = 0;
  }
  return true;
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
  if (split_by_trial(node, child) || halve_an_operator(node, child)) return;
  // No cores to choose between: the options of some operator one by one.
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    const auto begin = search_.option_begin_[k];
    const auto end = search_.option_begin_[k + 1];
    if (std::count(node.alive.begin() + begin, node.alive.begin() + end, std::uint8_t{1}) < 2) continue;
    for (auto only = begin; only < end; ++only) {
      if (node.alive[only] == 0) continue;
      outcome_.children.push_back(std::make_unique<Node>(child));
      auto& alive = outcome_.children.back()->alive;
      std::fill(alive.begin() + begin, alive.begin() + end, std::uint8_t{0});
      alive[only] = 1;
    }
    return;
  }
  // One answer is left, which may be one that no knapsack has given.
  note_cheapest(node);
}

}  // namespace nestor::chip
