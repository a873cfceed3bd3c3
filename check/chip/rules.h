// Rules that show that no schedule of a run is shorter than a limit (docs/proofs.md). They remove paces
// (OperatorTiming) and close nodes of the proof tree. Every rule is valid for any paths, shares and splits of
// a proof; they only determine how much the rules can show.
#pragma once

#include <functional>
#include <optional>

#include "check/chip/segment.h"

namespace nestor::check::chip {

/// Cap on all sums. Mixed lengths below a limit are below 2^50, times below 2^30, and sums of shares at most
/// 2^20.
inline constexpr Int nowhere = Int{1} << 60;

/// One node of the tree: the remaining paces of every operator, and a limit that the length of every schedule
/// must reach.
class ProofNode {
 public:
  ProofNode(const Segment& segment, const Mix& mix, Choices choices, Int limit)
      : segment_(segment), mix_(mix), choices_(std::move(choices)), limit_(limit) {}

  /// Removes paces that no schedule below the limit has. Returns true if the rules show that there is no such
  /// schedule.
  bool is_closed_by_bounds();
  const Choices& choices() const { return choices_; }

  /// Enumerates all schedules below the limit, operator by operator. Beginnings that another one dominates,
  /// or that cannot stay below the limit, are dropped. Returns the length of the shortest schedule, or
  /// nothing if none is below the limit. Throws NotChecked if there are too many beginnings. Adds the number
  /// of remaining beginnings to `count`.
  std::optional<Int> shortest_schedule(std::size_t& count) const;

 private:
  bool leave_out(const std::function<bool(std::size_t, const OperatorTiming&)>& goes);
  bool by_paths();
  bool by_cores();
  bool by_mix();

  const Segment& segment_;
  const Mix& mix_;
  Choices choices_;
  Int limit_;
};

/// Returns exact minimum sums of `numbers`, with one pace for each operator, within the number of cores. Row
/// k covers the operators from k on and is indexed by the number of free cores.
std::vector<std::vector<Int>> least_sums(const Choices& choices, const std::vector<std::vector<Int>>& numbers,
                                         Int cores);

}  // namespace nestor::check::chip
