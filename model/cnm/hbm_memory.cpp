#include "model/cnm/hbm_memory.h"

#include "model/cnm/stream_reach.h"

namespace nestor::cnm {
namespace {

Int cycles_until(Int time, Int now) { return time > now ? time - now : 0; }

// Visits the groups from a position in the stream on, and the group after them.
template <typename Visit>
void each_group(const StreamCursor& cursor, std::size_t groups, Visit visit) {
  StreamCursor at = cursor;
  for (std::size_t i = 0; i <= groups && !at.at_end(); ++i) {
    if (!visit(at, i == groups)) return;
    at.advance();
  }
}

}  // namespace

HbmCauses difference(const HbmCauses& a, const HbmCauses& b) {
  return {a.column - b.column, a.refresh - b.refresh, a.mode - b.mode, a.row - b.row, a.timing - b.timing};
}

void add(HbmCauses& sum, const HbmCauses& more, Int times) {
  sum.column += times * more.column;
  sum.refresh += times * more.refresh;
  sum.mode += times * more.mode;
  sum.row += times * more.row;
  sum.timing += times * more.timing;
}

void HbmMemory::append_state(Key& key, const ChannelState& state) const {
  key.push_back(state.turn | Int{state.enters} << 8 | Int{state.leaves} << 16 | Int{state.toggles} << 24 |
                Int{state.all_bank} << 25 | Int{state.pim} << 26);
  for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
    const HbmBank& bank = state.banks[b];
    const Int until = bank.state > BankState::open ? cycles_until(bank.until, state.now) : 0;
    const Int act = cycles_until(bank.act, state.now), rd = cycles_until(bank.rd, state.now);
    const Int wr = cycles_until(bank.wr, state.now), pre = cycles_until(bank.pre, state.now);
    if (bank.state == BankState::idle && (act | rd | wr | pre) == 0) continue;
    key.push_back(static_cast<Int>(b) | static_cast<Int>(bank.state) << 8 | until << 16);
    key.push_back(act | rd << 32);
    key.push_back(wr | pre << 32);
  }
  key.push_back(-1);
  const std::size_t kept = std::min(state.activation_count, state.activations.size());
  for (std::size_t i = 0; i < kept; ++i) {
    const Int at = state.activations[(state.activation_count - 1 - i) % state.activations.size()];
    if (state.now - at >= rules_.activation_window()) break;
    key.push_back(state.now - at);
  }
  key.push_back(-2);
}

// Only the equality of rows matters. A row close to an earlier one in its bank is written as a distance from
// that row, any other row as a new one. Rows of registers and modes are also written by their number.
void HbmMemory::append_rows(Key& key, const StreamCursor& cursor, std::size_t groups,
                            const ChannelState& state) {
  clusters_.clear();
  const auto token = [this](Int bank, Int row, bool may_open) {
    for (std::size_t i = 0; i < clusters_.size(); ++i)
      if (clusters_[i].first == bank && std::abs(clusters_[i].second - row) <= 8)
        return static_cast<Int>(i) << 8 | (clusters_[i].second - row + 8);
    if (!may_open) return Int{-1};
    clusters_.emplace_back(bank, row);
    return static_cast<Int>(clusters_.size() - 1) << 8 | 8;
  };
  const auto append_row = [&](Int bank, Int row, bool may_open) {
    key.push_back(token(bank, row, may_open) << 1 | Int{row >= pim_.reserved_row});
    if (is_special_row(row)) key.push_back(-10 - row);
  };
  each_group(cursor, groups, [&](const StreamCursor& at, bool) {
    for (const Access& access : at.group().accesses) {
      const Int address = at.address(access);
      key.push_back(Int{access.write} | access.bank << 1 | access.count << 8 |
                    (address % pim_.row_bursts) << 24);
      const Int last = (address + access.count - 1) / pim_.row_bursts;
      for (Int row = address / pim_.row_bursts; row <= last; ++row) append_row(access.bank, row, true);
    }
    key.push_back(-3);
    return true;
  });
  for (std::size_t b = 0; b < rules_.bank_count(); ++b)
    if (state.banks[b].state == BankState::open) append_row(static_cast<Int>(b), state.banks[b].row, false);
}

void HbmMemory::append_clock(Key& key, const ChannelPlace& place) {
  key.push_back(-4);
  for (const Int next : place.clock.next) key.push_back(next - place.state.now);
  for (const Int rank : place.clock.due) key.push_back(-10 - rank);
}

void HbmMemory::begin(Start& start, const StreamCursor& cursor, std::size_t groups,
                      const ChannelPlace& place) {
  start.groups = groups;
  start.bursts = 0;
  Int visible = 0;
  each_group(cursor, groups, [&](const StreamCursor& at, bool behind) {
    for (const Access& access : at.group().accesses) {
      visible += access.count;
      if (!behind) start.bursts += access.count;
    }
    return true;
  });
  start.key.clear();
  start.key.push_back(static_cast<Int>(groups));
  append_rows(start.key, cursor, groups, place.state);
  append_state(start.key, place.state);
  start.key.push_back(std::min(place.lead, visible));
}

// Returns, in the upper 32 bits, the index of `opener` among the accesses of the groups and the group after
// them, and in the lower 32 bits the distance of `row` from the first row of this access. Returns -1 if
// `opener` is not among them or does not reach `row`.
Int HbmMemory::place_of(const Access& opener, Int row, const StreamCursor& cursor, std::size_t groups) const {
  Int place = 0, found = -1;
  each_group(cursor, groups, [&](const StreamCursor& at, bool) {
    for (const Access& access : at.group().accesses) {
      const Int first = at.address(access) / pim_.row_bursts;
      const Int last = (at.address(access) + access.count - 1) / pim_.row_bursts;
      if (&access == &opener && row >= first && row <= last) found = place << 32 | (row - first);
      if (found >= 0) return false;
      ++place;
    }
    return true;
  });
  return found;
}

void HbmMemory::open_row(HbmBank& bank, Int opened, const StreamCursor& cursor, std::size_t groups) const {
  Int place = opened >> 32;
  each_group(cursor, groups, [&](const StreamCursor& at, bool) {
    const auto& accesses = at.group().accesses;
    if (place >= static_cast<Int>(accesses.size())) {
      place -= static_cast<Int>(accesses.size());
      return true;
    }
    const Access& access = accesses[static_cast<std::size_t>(place)];
    bank.opener = &access;
    bank.row = at.address(access) / pim_.row_bursts + (opened & 0xffffffff);
    return false;
  });
}

bool HbmMemory::recall(Start& start, const StreamCursor& cursor, ChannelPlace& place) const {
  const Outcome* outcome = nullptr;
  if (place.clock.due.empty()) {
    const auto known = outcomes_.find(start.key);
    if (known != outcomes_.end() && place.clock.earliest() >= place.state.now + known->second->lasted)
      outcome = known->second.get();
  }
  if (outcome == nullptr && start.groups > 1) {
    const std::size_t length = start.key.size();
    append_clock(start.key, place);
    const auto known = outcomes_.find(start.key);
    if (known != outcomes_.end()) outcome = known->second.get();
    start.key.resize(length);
  }
  if (outcome == nullptr) return false;
  ChannelState& state = place.state;
  const Int end = state.now + outcome->lasted;
  const Int shift = end - outcome->state.now;
  for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
    HbmBank& bank = state.banks[b];
    const HbmBank before = bank;
    bank = outcome->state.banks[b];
    bank.act += shift;
    bank.rd += shift;
    bank.wr += shift;
    bank.pre += shift;
    bank.until += shift;
    if (bank.opener != nullptr) bank.opener = before.opener;
    bank.row = before.row;
    if (outcome->opened[b] >= 0) open_row(bank, outcome->opened[b], cursor, start.groups);
  }
  state.activations = outcome->state.activations;
  for (Int& at : state.activations) at += shift;
  state.activation_count = outcome->state.activation_count;
  state.turn = outcome->state.turn;
  state.enters = outcome->state.enters;
  state.leaves = outcome->state.leaves;
  state.toggles = outcome->state.toggles;
  state.all_bank = outcome->state.all_bank;
  state.pim = outcome->state.pim;
  state.now = end;
  if (!outcome->clock.next.empty()) {
    place.clock = outcome->clock;
    for (Int& next : place.clock.next) next += end;
  }
  add(place.causes, outcome->causes, 1);
  place.lead = std::min(rules_.dram().queue, place.lead + outcome->lasted - start.bursts);
  return true;
}

void HbmMemory::keep(const Start& start, const StreamCursor& cursor, const ChannelPlace& end) {
  const ChannelPlace& from = start.place;
  const bool quiet = from.clock.due.empty() && from.clock.earliest() >= end.state.now;
  if (outcomes_.size() >= most_outcomes || (!quiet && start.groups == 1)) return;
  Outcome outcome;
  outcome.state = end.state;
  outcome.lasted = end.state.now - from.state.now;
  outcome.causes = difference(end.causes, from.causes);
  for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
    outcome.opened[b] = -1;
    const HbmBank& bank = end.state.banks[b];
    const HbmBank& before = from.state.banks[b];
    if (bank.opener == nullptr || (bank.opener == before.opener && bank.row == before.row)) continue;
    outcome.opened[b] = place_of(*bank.opener, bank.row, cursor, start.groups);
    if (outcome.opened[b] < 0) return;  // cannot be cached
  }
  Key key = start.key;
  if (!quiet) {
    append_clock(key, from);
    outcome.clock = end.clock;
    for (Int& next : outcome.clock.next) next -= end.state.now;
  }
  outcomes_.emplace(std::move(key), std::make_unique<const Outcome>(std::move(outcome)));
}

}  // namespace nestor::cnm
