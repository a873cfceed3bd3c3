// Enumeration of all schedules of a segment that are shorter than a limit, operator by operator
// (docs/models/chip.md, "Labels"). Later operators depend on a partial schedule only through the arrival
// times of rows and the number of free cores. A label therefore consists of the cores used, the latest end so
// far, and, for each pending transfer, the time at which each row of its reader has its input. A label is
// dropped if another label is no larger in any of these values, or if no completion is below the limit. The
// first bound on completions is the longest path at best speeds. The second bound is a weighted average of
// the lengths of several paths (a mix of paths): the label determines the part up to its last operator, and a
// knapsack over the remaining cores bounds the rest.
//
// Equal operators in sequence lead to nearly equal labels. A chain of a hundred operators needs only a few
// thousand labels, while a search by branching splits the options of each operator separately.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/search/segment_graph.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

class ArrivalLabels {
 public:
  /// Limit on the length of schedules that can be enumerated. Time values have 32 bits, and the sum of a few
  /// of them must fit.
  static constexpr Int longest = Int{1} << 28;

  struct Operators {
    const SegmentGraph& graph;
    std::span<const LatencyOption> options;
    std::span<const std::uint32_t> begin;  ///< index of the first option of each operator, and the end
    Int cores;                             ///< number of cores of the chip
  };
  struct Mix {
    std::vector<const SegmentPath*> paths;
    std::vector<Int> shares;
    Int whole;                      ///< sum of the shares
    std::span<const double> mixed;  ///< length of each option under the mix
  };

  explicit ArrivalLabels(const Operators& of) : of_(of) {}

  /// Enumerates all schedules shorter than `limit` that use only options in `alive`. Returns false if the
  /// enumeration is incomplete: `limit` is not below `longest`, `effort` or the memory does not suffice, or a
  /// stop was requested.
  bool run(std::span<const std::uint8_t> alive, const Mix& mix, Int limit, std::uint64_t effort,
           const StopSource* stop);
  /// Returns the options of a shortest schedule, one per operator, or an empty list if no schedule is below
  /// the limit.
  const std::vector<std::uint32_t>& answer() const { return answer_; }
  std::uint64_t labels() const { return labels_; }

 private:
  using Time = std::int32_t;
  static constexpr std::size_t nowhere = SIZE_MAX;

  struct Label {
    std::uint32_t parent;
    std::uint32_t option;
    std::int32_t cores;
    Time done;  ///< latest end of the finished operators
  };
  // Transfer from a scheduled operator to an operator that is not scheduled yet, with the position of its
  // rows in a label.
  struct Pending {
    const SegmentGraph::Edge* edge;
    std::size_t to;
    std::size_t begin;
    std::size_t size;  ///< 1 if gated, otherwise the number of the reader's rows
    std::size_t was;   ///< position of the rows in the previous layer; nowhere: not yet pending there
    // If the reader's rows also depend on another path, row r arrives at least `delay` after row like_row[r]
    // of another pending transfer, whose rows begin at position `like` of the label. Otherwise, `like` is
    // nowhere.
    std::size_t like;
    std::vector<std::size_t> like_row;
    Int delay;
  };
  // Data common to all labels after an operator.
  struct Layer {
    std::vector<Pending> pending;
    std::size_t size = 0;
    std::vector<Int> tail;       ///< least time from each position to the end
    std::vector<double> weight;  ///< for each position, sum of the shares of the paths that continue there
    double ended = 0;            ///< sum of the shares of the finished paths
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
  std::vector<Int> least_cores_;  ///< index k: least cores of operator k and all later operators
  SegmentTimes times_;
  std::vector<Layer> layers_;
  /// Row k contains, for each number of remaining cores, the least mixed length of operator k and all later
  /// operators.
  std::vector<double> rest_;
  std::vector<std::vector<Label>> kept_;  ///< labels after k operators
  std::vector<Time> places_;              ///< times of all labels after the latest operator, label by label
  std::vector<Label> made_;
  std::vector<Time> made_places_;
  std::vector<Time> end_;
  std::vector<std::uint32_t> answer_;
  std::uint64_t effort_ = 0;
  std::uint64_t most_effort_ = 0;
  std::uint64_t labels_ = 0;
  const StopSource* stop_ = nullptr;
  std::uint64_t next_look_ = 0;  ///< effort at which `stop_` is checked next
};

}  // namespace nestor::chip
