// Known behaviour of a channel on its current groups. It depends only on these groups, the one after them and
// the state relative to the current cycle, so it is computed once and remembered. hbm_machine.cpp remembers
// single groups and whole trips of innermost loops. If a refresh falls into them, its time is part of the
// key.
#pragma once

#include <memory>

#include "base/tables/hash_table.h"
#include "model/cnm/hbm_phase.h"

namespace nestor::cnm {

/// Key of a remembered transition, as numbers.
using Key = std::vector<Int>;

HbmCauses difference(const HbmCauses& a, const HbmCauses& b);
void add(HbmCauses& sum, const HbmCauses& more, Int times);

/// Position of a channel in time: its banks, its refresh, and the number of bursts in the queue.
struct ChannelPlace {
  ChannelState state;
  RefreshClock clock;
  Int lead = 0;
  HbmCauses causes;
};

class HbmMemory {
 public:
  HbmMemory(const ChannelRules& rules, const PimUnits& pim) : rules_(rules), pim_(pim) {}

  /// A place from which `groups` groups run, with everything they depend on.
  struct Start {
    Key key;
    std::size_t groups = 0;
    Int bursts = 0;  ///< number in these groups
    ChannelPlace place;
  };
  /// Fills all of `start` except its place.
  void begin(Start& start, const StreamCursor& cursor, std::size_t groups, const ChannelPlace& place);
  /// Advances to the end of the groups if their behaviour is known.
  bool recall(Start& start, const StreamCursor& cursor, ChannelPlace& place) const;
  /// Remembers the behaviour between a start and now; `cursor` is at the start.
  void keep(const Start& start, const StreamCursor& cursor, const ChannelPlace& end);

  /// Appends times and modes, relative to now.
  void append_state(Key& key, const ChannelState& state) const;

 private:
  // State at the end, with rows given by the accesses of the groups that opened them.
  struct Outcome {
    ChannelState state;
    std::array<Int, most_banks> opened{};  // index of the access whose row is open now; -1: unchanged
    RefreshClock clock;                    // relative to the end; empty if no refresh was near
    Int lasted = 0;
    HbmCauses causes;
  };
  void append_rows(Key& key, const StreamCursor& cursor, std::size_t groups, const ChannelState& state);
  Int place_of(const Access& opener, Int row, const StreamCursor& cursor, std::size_t groups) const;
  void open_row(HbmBank& bank, Int opened, const StreamCursor& cursor, std::size_t groups) const;
  static void append_clock(Key& key, const ChannelPlace& place);

  static constexpr std::size_t most_outcomes = 50'000;

  const ChannelRules& rules_;
  const PimUnits& pim_;
  std::vector<std::pair<Int, Int>> clusters_;
  HashMap<Key, std::unique_ptr<const Outcome>> outcomes_;
};

}  // namespace nestor::cnm
