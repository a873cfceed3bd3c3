// Proved minimum of the schedule of one pipelined segment (docs/models/chip.md, section 8), by branch and
// bound over ranges of options per operator. A node consists of the remaining options. The first bound is the
// longest path with each operator at its best speed. Options with which this path would reach the incumbent,
// or that leave too few cores, are then removed. Finally, a mix of longest paths (path_dual.h) reduces the
// remaining problem to a knapsack over cores. The answers of the knapsack are incumbents, and their critical
// paths enter the mix. Nodes are processed best bound first, several per round, on any number of threads. A
// round depends only on the results of earlier rounds.
//
// The result is exact if transfers between cores cost nothing. Otherwise the bound remains valid, because
// transfer costs only add delay.
#pragma once

#include <memory>
#include <vector>

#include "model/chip/search/knapsack.h"
#include "model/chip/search/segment_proof.h"
#include "solver/engine/executor.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

struct SegmentCounts {
  std::uint64_t nodes = 0;
  std::uint64_t knapsacks = 0;
  std::uint64_t programs = 0;  ///< number of linear programs solved
  std::uint64_t reached = 0;   ///< number of nodes closed by the longest path at best speeds
  std::uint64_t mixed = 0;     ///< number of nodes closed by a mix of paths
  std::uint64_t shaved = 0;    ///< number of options removed
  std::uint64_t tried = 0;     ///< number of splits tried in trials
  std::uint64_t labelled = 0;  ///< number of nodes for which labels were enumerated
  std::uint64_t listed = 0;    ///< number of nodes closed by labels
  std::uint64_t labels = 0;
};

struct SegmentOptions {
  bool linear_program = true;  ///< if false, shares follow the critical paths step by step
  int dual_steps = 12;         ///< number of steps in a node below the root
  int root_steps = 60;
  std::size_t width = 8;  ///< number of nodes per round
  // Numbers of splits tried before a node is split, and of steps to bound a child in a trial.
  std::size_t trial_splits = 8;
  int trial_steps = 2;
  // Limits on the effort of labels (a unit is at most a nanosecond) in the root and in other nodes; 0: no
  // labels.
  std::uint64_t root_label_effort = 1'000'000'000;
  std::uint64_t label_effort = 200'000'000;
  // After `repair_after` nodes, the best schedule is repaired at random, once every `repair_every` rounds (0:
  // never).
  std::uint64_t repair_after = 48;
  std::uint64_t repair_every = 1;
  bool keep_proof = false;
};

class SegmentSearch {
 public:
  static constexpr Int never = INT64_MAX / 4;

  /// `options` are the options of all operators of the network. For a stream, the schedules are those of its
  /// relaxation (segment_graph.h): the bound is valid, and the schedule is a starting point.
  SegmentSearch(const ChipProblem& problem, std::size_t first, std::size_t last, const OptionTable& options,
                SegmentOptions settings = {}, bool stream = false);
  ~SegmentSearch();
  SegmentSearch(const SegmentSearch&) = delete;
  SegmentSearch& operator=(const SegmentSearch&) = delete;

  /// True if all operators together fit the chip.
  bool feasible() const { return feasible_; }
  /// Lower bound on all schedules. It equals best() when the search is done.
  Int bound() const { return bound_; }
  Int best() const { return best_; }
  bool done() const { return bound_ >= best_; }
  /// Decisions of the best schedule found, by position in the segment.
  const std::vector<OperatorDecision>& decisions() const { return decisions_; }

  /// Adds legal decisions from elsewhere as an incumbent.
  void offer(const std::vector<OperatorDecision>& decisions, Int schedule);
  /// Expands a round of nodes that may lead to a schedule below `cutoff`; the resulting bound need not reach
  /// `cutoff`. After a stop, unfinished nodes remain open.
  void advance(Executor& executor, Int cutoff, const StopSource& stop);
  const SegmentCounts& counts() const { return counts_; }
  /// Returns the proof of bound(), if recorded. It has no steps before the first advance().
  SegmentProof proof() const;

 private:
  struct Path;
  struct Node;
  struct Outcome;
  class Worker;
  using Answer = std::vector<std::uint32_t>;  ///< option of each operator

  void start();
  void accept(Int schedule, const Answer& answer);
  bool labels_pay() const;
  void log(const Node& node, const Outcome& outcome);

  const ChipProblem& problem_;
  const StopSource* stop_ = nullptr;  ///< set while nodes are processed
  SegmentGraph graph_;
  SegmentOptions settings_;
  std::vector<LatencyOption> options_;       ///< options of all operators, in order
  std::vector<std::uint32_t> option_begin_;  ///< size() + 1 entries
  bool feasible_ = true;
  bool started_ = false;
  Int bound_ = 0;
  Int best_ = never;
  std::vector<OperatorDecision> decisions_;
  Answer best_answer_;                       ///< empty if the best schedule came from elsewhere
  std::vector<std::unique_ptr<Node>> open_;  ///< heap, least bound first
  Int closed_ = never;  ///< least limit of any round so far; the bounds of all dropped nodes reach it
  std::uint64_t numbered_ = 0;
  std::uint64_t rounds_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
  SegmentCounts counts_;
  SegmentLog log_;
};

inline constexpr Int never = SegmentSearch::never;

}  // namespace nestor::chip
