// Known behaviour of a channel on its current groups: it depends only on them, the group behind them and
// the state relative to now, so it is worked out once and remembered. hbm_machine.cpp remembers single groups
// and whole trips of innermost loops; what refresh falls into is remembered with the time at which it does.
#pragma once

#include <memory>

#include "base/tables/hash_table.h"
#include "model/cnm/hbm_phase.h"

namespace nestor::cnm {

/// Key of a remembered transition, as numbers.
using Key = std::vector<Int>;

HbmCauses difference(const HbmCauses& a, const HbmCauses& b);
void add(HbmCauses& sum, const HbmCauses& more, Int times);

/// Where a channel is: its banks, its refresh, and how many bursts have entered the queue.
struct ChannelPlace {
  ChannelState state;
  RefreshClock clock;
  Int lead = 0;
  HbmCauses causes;
};

class HbmMemory {
 public:
  HbmMemory(const ChannelRules& rules, const PimUnits& pim) : rules_(rules), pim_(pim) {}

  /// A place from which `groups` groups go through, with what they depend on.
  struct Start {
    Key key;
    std::size_t groups = 0;
    Int bursts = 0;  ///< of the groups
    ChannelPlace place;
  };
  /// Fills all of `start` but its place.
  void begin(Start& start, const StreamCursor& cursor, std::size_t groups, const ChannelPlace& place);
  /// Moves on to the end of the groups if what happens is known.
  bool recall(Start& start, const StreamCursor& cursor, ChannelPlace& place) const;
  /// What happened between a start and now; `cursor` is at the start.
  void keep(const Start& start, const StreamCursor& cursor, const ChannelPlace& end);

  /// Times and modes, relative to now.
  void append_state(Key& key, const ChannelState& state) const;

 private:
  // The state at the end; rows as the accesses of the groups that opened them.
  struct Outcome {
    ChannelState state;
    std::array<Int, most_banks> opened{};  // which access's row is open now; -1: as before
    RefreshClock clock;                    // relative to the end; empty if no refresh came near
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
