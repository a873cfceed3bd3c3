// Cache of the behaviour of a channel. The behaviour depends only on the current groups, the group after them
// and the state relative to the current cycle, so it is computed once and cached. hbm_machine.cpp caches
// single groups and whole trips of innermost loops. A single group is cached only if no refresh is due during
// the group. If a refresh is due during a trip, the times of refreshes are part of the trip's key.
#pragma once

#include <memory>

#include "base/tables/hash_table.h"
#include "model/cnm/hbm_phase.h"

namespace nestor::cnm {

/// Key of a cached transition, as numbers.
using Key = std::vector<Int>;

HbmCauses difference(const HbmCauses& a, const HbmCauses& b);
void add(HbmCauses& sum, const HbmCauses& more, Int times);

/// State of a channel at a point in time: its banks, its refresh, and the number of bursts in the queue.
struct ChannelPlace {
  ChannelState state;
  RefreshClock clock;
  Int lead = 0;
  HbmCauses causes;
};

class HbmMemory {
 public:
  HbmMemory(const ChannelRules& rules, const PimUnits& pim) : rules_(rules), pim_(pim) {}

  /// A place from which `groups` groups run, with everything on which their behaviour depends.
  struct Start {
    Key key;
    std::size_t groups = 0;
    Int bursts = 0;  ///< number of bursts in these groups
    ChannelPlace place;
  };
  /// Sets all fields of `start` except its place.
  void begin(Start& start, const StreamCursor& cursor, std::size_t groups, const ChannelPlace& place);
  /// Advances to the end of the groups if their behaviour is cached. Returns false otherwise.
  bool recall(Start& start, const StreamCursor& cursor, ChannelPlace& place) const;
  /// Caches the behaviour between a start and `end`; `cursor` is at the start.
  void keep(const Start& start, const StreamCursor& cursor, const ChannelPlace& end);

  /// Appends to `key` the times of `state`, relative to the current cycle, and its modes.
  void append_state(Key& key, const ChannelState& state) const;

 private:
  // State after the groups. Open rows are represented by the accesses of the groups that opened them.
  struct Outcome {
    ChannelState state;
    std::array<Int, most_banks> opened{};  // place_of() of the row that is open now; -1: unchanged
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
