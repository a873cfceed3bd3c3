// All schedules of a segment below a limit, built operator by operator (docs/models/chip.md, "Labels"). What
// the later operators see of a beginning is only when rows arrive at them, and how many cores are left. So a
// beginning is a label: cores taken, longest end so far, and for each transfer still to come when each row of
// its reader has what it needs. A label goes if another takes no more of any of these, or if no completion
// stays below the limit: by the longest path at best speeds, or by a mix of paths of which the label's part
// is known and a knapsack over the cores left bounds the rest.
//
// Equal operators in a row make nearly equal labels, so chains of hundred operators need some thousand labels
// where branching splits each operator anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/search/segment_graph.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

class ArrivalLabels {
 public:
  /// Schedules below this only: times are kept in 32 bits, and sums of a few must fit.
  static constexpr Int longest = Int{1} << 28;

  struct Operators {
    const SegmentGraph& graph;
    std::span<const LatencyOption> options;
    std::span<const std::uint32_t> begin;  ///< of each operator's options, and the end
    Int cores;                             ///< of the chip
  };
  struct Mix {
    std::vector<const SegmentPath*> paths;
    std::vector<Int> shares;
    Int whole;                      ///< what the shares add up to
    std::span<const double> mixed;  ///< mixed length of each option
  };

  explicit ArrivalLabels(const Operators& of) : of_(of) {}

  /// Looks at all schedules of options alive below `limit`. False: that took more than `effort`,
  /// or too much memory, or the stop came.
  bool run(std::span<const std::uint8_t> alive, const Mix& mix, Int limit, std::uint64_t effort,
           const StopSource* stop);
  /// The options of a shortest; empty if none is below the limit.
  const std::vector<std::uint32_t>& answer() const { return answer_; }
  std::uint64_t labels() const { return labels_; }

 private:
  using Time = std::int32_t;
  static constexpr std::size_t nowhere = SIZE_MAX;

  struct Label {
    std::uint32_t parent;
    std::uint32_t option;
    std::int32_t cores;
    Time done;  ///< end of the last operator done that ends
  };
  // A transfer from an operator that is scheduled to one that is not, and where its rows stand in a label.
  struct Pending {
    const SegmentGraph::Edge* edge;
    std::size_t to;
    std::size_t begin;
    std::size_t size;  ///< 1 if gated, else the reader's rows
    std::size_t was;   ///< where they stood before; nowhere: this operator sends them
    // The reader's rows arrive on another way too, never before: row r not before `delay` after row
    // like_row[r] at position `like` of the label.
    std::size_t like;
    std::vector<std::size_t> like_row;
    Int delay;
  };
  // What is the same for all labels after an operator.
  struct Layer {
    std::vector<Pending> pending;
    std::size_t size = 0;
    std::vector<Int> tail;       ///< of each place: the least from there to the end
    std::vector<double> weight;  ///< of each place: shares of the paths that go on there
    double ended = 0;            ///< shares of the paths that have ended
  };

  void find_best_speeds(std::span<const std::uint8_t> alive);
  bool find_layers();
  void find_other_way(std::size_t op, Pending& pending, const std::vector<Pending>& known) const;
  bool place_paths(const Mix& mix);
  void bound_rest(std::span<const std::uint8_t> alive, const Mix& mix);
  bool extend(std::size_t op, const Label& label, const Time* from, const LatencyOption& option);
  void keep_undominated(std::size_t op);
  bool spent();

  const Operators of_;
  Int limit_ = 0;
  double most_mixed_ = 0;
  std::vector<Speed> best_;
  std::vector<Int> least_cores_;  ///< of the operators from each on
  SegmentTimes times_;
  std::vector<Layer> layers_;
  std::vector<double> rest_;  ///< row k: least mixed length of the operators from k on, by cores left
  std::vector<std::vector<Label>> kept_;  ///< after k operators
  std::vector<Time> places_;              ///< of the labels kept last, one after another
  std::vector<Label> made_;
  std::vector<Time> made_places_;
  std::vector<Time> end_;
  std::vector<std::uint32_t> answer_;
  std::uint64_t effort_ = 0;
  std::uint64_t most_effort_ = 0;
  std::uint64_t labels_ = 0;
  const StopSource* stop_ = nullptr;
  std::uint64_t next_look_ = 0;  ///< at the stop, by effort
};

}  // namespace nestor::chip
