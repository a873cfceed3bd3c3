// One node of the segment search (segment_search.h), and the operations on it: shaving, bounding, branching.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "model/chip/search/arrival_labels.h"
#include "model/chip/search/path_dual.h"
#include "model/chip/search/segment_search.h"

namespace nestor::chip {

/// A path and its length under every option of every operator.
struct SegmentSearch::Path {
  SegmentPath rows;
  std::vector<double> lengths;  ///< by option; all values are integers
};

struct SegmentSearch::Node {
  Int bound = 0;
  std::uint64_t number = 0;
  std::vector<std::uint8_t> alive;  ///< by option; 0: removed
  std::vector<std::shared_ptr<const Path>> paths;
  std::vector<Int> shares;      ///< shares of the paths; empty: not known yet
  std::vector<Answer> answers;  ///< answers of the parent's mix
  bool closed = false;          ///< true if a trial closed the node
  std::size_t step = 0;         ///< index of the node's step in the proof
};

struct SegmentSearch::Outcome {
  std::optional<OptionSplit> split;
  /// One child with at most `most` of the split's figure, and one with more.
  std::vector<std::unique_ptr<Node>> children;
  Answer answer;  ///< options of a schedule shorter than the limit, if found
  Int schedule = SegmentSearch::never;
  bool stopped = false;  ///< true if a stop left the node unfinished
  SegmentCounts counts;
};

/// Sum of the integer shares of a mix. Mixed lengths are exact below 2^53, that is, for schedules below 2^33.
inline constexpr Int whole_mix = Int{1} << 20;
/// Returns the lower bound, in whole cycles, that a mixed length proves.
inline Int proved_cycles(double mixed) {
  return static_cast<Int>(std::ceil(mixed / static_cast<double>(whole_mix)));
}

/// Worker that processes nodes and reuses its memory.
class SegmentSearch::Worker {
 public:
  explicit Worker(const SegmentSearch& search);

  /// Processes a node. `labels` is true if labels may be used.
  Outcome process(Node& node, Int limit, bool labels);
  /// Searches for a schedule below the limit by changing `answer`.
  Outcome repair(Answer answer, Int limit, std::uint64_t seed);

 private:
  bool stopped();
  Int least_cores(const Node& node) const;
  void take_best_speeds(const Node& node);
  bool shave_by_paths(Node& node);
  bool shave_by_cores(Node& node);
  bool shave(Node& node);
  void mix(const Node& node, const std::vector<Int>& shares);
  bool fill_knapsack(const Node& node);
  std::shared_ptr<const Path> path_of(SegmentPath rows) const;
  void note(Int schedule, const Answer& answer);
  void note_cheapest(const Node& node);
  bool step(Node& node, PathDual& dual);
  bool bound_by_paths(Node& node, int steps);
  bool shave_by_knapsack(Node& node);
  bool finish_by_labels(const Node& node);
  std::vector<OptionSplit> promising_splits(const Node& node) const;
  std::unique_ptr<Node> side_of(const OptionSplit& split, bool above, const Node& child) const;
  bool split_by_trial(const Node& node, const Node& child);
  std::optional<OptionSplit> halve_cores(const Node& node) const;
  std::optional<OptionSplit> halve_another_figure(const Node& node) const;
  void branch(Node& node);

  const SegmentSearch& search_;
  Knapsack knapsack_;
  ArrivalLabels labels_;
  SegmentTimes times_;
  std::vector<Int> scratch_;
  std::vector<Speed> speeds_;
  std::vector<double> mixed_;  ///< mixed length of each option
  double fixed_cost_ = 0;
  std::vector<std::uint32_t> group_operator_;
  std::vector<Answer> answers_;
  std::vector<double> weights_;  ///< weights of answers_, for branching
  Int limit_ = 0;
  Outcome outcome_;
};

}  // namespace nestor::chip
