// Enumeration of all useful decisions of one segment (label_enumeration.h). A label is a point of latency,
// energy and peak power that no other label of the segment dominates in the relevant figures.
#pragma once

#include <vector>

#include "model/chip/search/compile.h"
#include "model/chip/search/segment_graph.h"

namespace nestor::chip {

struct SegmentLabel {
  Int latency = 0;    ///< maximum of the schedule and the time of shared units, without writes and spills
  double energy = 0;  ///< energy with cell writes and leakage, without fetched weights and spills
  double peak = 0;
  std::vector<OperatorDecision> decisions;
};

/// Relevant figures: the objective and the figures with a limit.
struct CountingFigures {
  bool latency = false;
  bool energy = false;
  bool peak = false;
  bool beats(const SegmentLabel& a, const SegmentLabel& b) const {
    return (!latency || a.latency <= b.latency) && (!energy || a.energy <= b.energy) &&
           (!peak || a.peak <= b.peak);
  }
};

/// Adds a label unless another label dominates it, and drops the labels that it dominates.
void add_label(std::vector<SegmentLabel>& labels, SegmentLabel label, const CountingFigures& figures);

/// One way to run an operator, with its costs.
struct Way {
  OperatorDecision decision;
  OperatorTiming pace;
  double energy = 0;  ///< energy of all rows and writes
};

class SegmentLabels {
 public:
  /// `several` is true if the network has several segments, so that weights are written.
  SegmentLabels(const ChipProblem& problem, SegmentDecision segment, bool several,
                const CompileRequest& request, CountingFigures figures);

  /// Enumerates the labels. Returns false if the enumeration reached the work limit or was stopped.
  bool run(std::uint64_t& work, std::uint64_t work_limit, const StopSource& stop);
  std::vector<SegmentLabel> take() { return std::move(labels_); }

 private:
  bool list_ways();
  bool ways_of(std::size_t op, std::vector<Way>& ways);
  bool spend();
  bool descend(std::size_t op, Int cores, double energy);
  void place(std::size_t op, Int first_core);
  void finish(double energy);
  bool hopeless(std::size_t next, double energy);

  const ChipProblem& problem_;
  SegmentDecision segment_;
  bool several_;
  const CompileRequest& request_;
  CountingFigures figures_;
  SegmentGraph graph_;
  std::vector<std::vector<Way>> ways_;
  std::vector<Speed> best_speeds_;
  std::vector<double> least_energy_;  ///< [k]: least energy of operator k and all later operators
  std::vector<Int> least_cores_;
  std::vector<Speed> speeds_;
  SegmentTimes graph_times_;
  Timetable times_;                    ///< one per operator of the network
  std::vector<OperatorTiming> paces_;  ///< one per operator of the network
  std::vector<Int> first_core_;
  std::vector<OperatorDecision> chosen_;
  std::vector<Int> ends_;
  std::vector<SegmentLabel> labels_;
  std::uint64_t* work_ = nullptr;
  std::uint64_t work_limit_ = 0;
  const StopSource* stop_ = nullptr;
};

}  // namespace nestor::chip
