#include "model/chip/search/runs.h"

#include <algorithm>

#include "model/chip/search/segment_graph.h"

namespace nestor::chip {
namespace {

// True if the inputs of both operators come from operators or inputs of the network at equal distances, and
// are needed in the same way.
bool has_same_inputs(const ChipNetwork& network, std::size_t i, std::size_t j) {
  const auto same = [&](const OperatorInput& a, const OperatorInput& b) {
    if (network.is_input(a.tensor) != network.is_input(b.tensor)) return false;
    if (!network.is_input(a.tensor) && i - network.producer(a.tensor) != j - network.producer(b.tensor))
      return false;
    return a.need == b.need && a.gated == b.gated && a.pixels == b.pixels && a.taps == b.taps &&
           a.tap_step == b.tap_step;
  };
  const auto& left = network.operators[i].inputs;
  const auto& right = network.operators[j].inputs;
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

}  // namespace

std::vector<Int> path_bounds(const ChipProblem& problem, const OptionTable& table, std::size_t first,
                             std::size_t end, bool stream) {
  const SegmentGraph graph(problem, first, end, stream);
  std::vector<Speed> speeds(graph.size(), slowest_speed);
  for (std::size_t k = 0; k < graph.size(); ++k)
    for (const LatencyOption& option : table[first + k]) speeds[k] = best_of(speeds[k], speed_of(option));
  SegmentTimes times;
  graph.heads(speeds, times);
  std::vector<Int> bounds;
  Int longest = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < graph.size(); ++k) {
    at += static_cast<std::size_t>(graph.rows(k));
    longest = std::max(longest, times.end[at - 1] + speeds[k].out);
    bounds.push_back(longest);
  }
  return bounds;
}

EqualRuns::EqualRuns(const ChipProblem& problem) {
  const ChipNetwork& network = problem.network;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    std::size_t j = 0;
    while (j < i && !(alike_[j] == j && has_same_options(network.operators[j], network.operators[i]) &&
                      has_same_inputs(network, j, i)))
      ++j;
    alike_.push_back(j);
  }
}

std::size_t EqualRuns::earliest(std::size_t first, std::size_t last) const {
  const auto begin = alike_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = alike_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
  for (std::size_t start = 0; start < first; ++start)
    if (std::equal(begin, end, alike_.begin() + static_cast<std::ptrdiff_t>(start))) return start;
  return first;
}

}  // namespace nestor::chip
