// Why no schedule of a run is shorter than a limit (docs/proofs.md): the rules by which paces are left out
// and nodes of the tree are closed. Every rule holds whatever the paths, shares and splits of a proof are;
// these only decide how far the rules lead.
#pragma once

#include <functional>
#include <optional>

#include "check/chip/segment.h"

namespace nestor::check::chip {

/// One node: what is left of every operator's paces, and a limit below which no schedule is to be found.
class ProofNode {
 public:
  ProofNode(const Segment& segment, const Mix& mix, Choices choices, Int limit)
      : segment_(segment), mix_(mix), choices_(std::move(choices)), limit_(limit) {}

  /// Leaves out paces that no schedule below the limit has. True: nothing is left.
  bool is_closed_by_bounds();
  const Choices& choices() const { return choices_; }

  /// Lists all schedules below the limit, operator by operator, but for beginnings that another one
  /// makes superfluous, or after which no schedule stays below the limit. The shortest of them; nothing:
  /// there is none. Throws NotChecked if they are too many. `count` is increased by the beginnings kept.
  std::optional<Int> shortest_schedule(std::size_t& count) const;

 private:
  bool leave_out(const std::function<bool(std::size_t, const Pace&)>& goes);
  bool by_paths();
  bool by_cores();
  bool by_mix();

  const Segment& segment_;
  const Mix& mix_;
  Choices choices_;
  Int limit_;
};

/// Least sums of numbers, one for a pace of each operator, within cores: row k is of the operators from k on,
/// by the cores that are left. Exact.
std::vector<std::vector<Int>> least_sums(const Choices& choices, const std::vector<std::vector<Int>>& numbers,
                                         Int cores);

}  // namespace nestor::check::chip
