// The least schedule of one pipelined segment, proved (docs/models/chip.md, section 8): branch and bound over
// ranges of options per operator. A node holds the options still alive. Its bounds, cheapest first: the
// longest path with each operator at its best; options that alone would reach the incumbent, or that leave
// too few cores, go; then a mix of longest paths (path_dual.h) turns the rest into a knapsack over cores,
// whose answers are incumbents and whose critical paths enter the mix. Nodes are taken best bound first, some
// at a time, on any number of threads: what a round does depends only on what the rounds before it left.
//
// Exact where transfers between cores cost nothing; with a cost the bound still holds (a cost only delays).
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
  std::uint64_t programs = 0;  ///< linear programs solved
  std::uint64_t reached = 0;   ///< nodes closed by the longest path at best speeds
  std::uint64_t mixed = 0;     ///< nodes closed by a mix of paths
  std::uint64_t shaved = 0;    ///< options removed
  std::uint64_t tried = 0;     ///< splits tried
  std::uint64_t labelled = 0;  ///< nodes of which labels were made
  std::uint64_t listed = 0;    ///< nodes closed so
  std::uint64_t labels = 0;
};

struct SegmentOptions {
  bool linear_program = true;  ///< false: shares follow the critical paths step by step
  int dual_steps = 12;         ///< of a node below the root
  int root_steps = 60;
  std::size_t width = 8;  ///< nodes of a round
  // Splits of a node that are tried before one is taken, and the steps that bound a child on trial.
  std::size_t trial_splits = 8;
  int trial_steps = 2;
  // Steps (at most a nanosecond each) that labels of the root may take, and of another node; 0: none are
  // made.
  std::uint64_t root_label_effort = 1'000'000'000;
  std::uint64_t label_effort = 200'000'000;
  // From so many nodes on, so often (in rounds), the best schedule is taken apart once, by chance; 0: never.
  std::uint64_t repair_after = 48;
  std::uint64_t repair_every = 1;
  bool keep_proof = false;
};

class SegmentSearch {
 public:
  static constexpr Int never = INT64_MAX / 4;

  /// `options`: of all operators of the network. Of a stream the schedules are those of its relaxation
  /// (segment_graph.h): what is proved holds, what is found is a start.
  SegmentSearch(const ChipProblem& problem, std::size_t first, std::size_t last, const OptionTable& options,
                SegmentOptions settings = {}, bool stream = false);
  ~SegmentSearch();
  SegmentSearch(const SegmentSearch&) = delete;
  SegmentSearch& operator=(const SegmentSearch&) = delete;

  /// Do the operators fit the chip together at all?
  bool feasible() const { return feasible_; }
  /// No schedule is shorter. Reaches `best` when the search is done.
  Int bound() const { return bound_; }
  Int best() const { return best_; }
  bool done() const { return bound_ >= best_; }
  /// Of the best schedule found, by position in the segment.
  const std::vector<OperatorDecision>& decisions() const { return decisions_; }

  /// Takes decisions from elsewhere as an incumbent; they must be legal.
  void offer(const std::vector<OperatorDecision>& decisions, Int schedule);
  /// Expands some nodes that may lead below `cutoff`; the bound may stop at `cutoff`. A stop leaves the nodes
  /// that are not finished as they were.
  void advance(Executor& executor, Int cutoff, const StopSource& stop);
  const SegmentCounts& counts() const { return counts_; }
  /// Of bound(), if that is kept; without steps before the first advance().
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
  const StopSource* stop_ = nullptr;  ///< while nodes are worked on
  SegmentGraph graph_;
  SegmentOptions settings_;
  std::vector<LatencyOption> options_;       ///< of all operators, one after another
  std::vector<std::uint32_t> option_begin_;  ///< size() + 1
  bool feasible_ = true;
  bool started_ = false;
  Int bound_ = 0;
  Int best_ = never;
  std::vector<OperatorDecision> decisions_;
  Answer best_answer_;                       ///< empty: the best schedule came from elsewhere
  std::vector<std::unique_ptr<Node>> open_;  ///< a heap, least bound first
  Int closed_ = never;  ///< least limit of a round so far: what went is only known to reach it
  std::uint64_t numbered_ = 0;
  std::uint64_t rounds_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
  SegmentCounts counts_;
  SegmentLog log_;
};

inline constexpr Int never = SegmentSearch::never;

}  // namespace nestor::chip
