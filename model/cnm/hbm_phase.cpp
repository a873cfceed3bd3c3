#include "model/cnm/hbm_phase.h"

namespace nestor::cnm {

void HbmPhase::load(const StreamCursor& cursor) {
  bursts_.clear();
  const auto append = [this](const StreamCursor& at) {
    for (const Access& access : at.group().accesses) {
      const Int address = at.address(access);
      for (Int i = 0; i < access.count; ++i)
        bursts_.push_back(
            {access.write, access.bank, (address + i) / row_bursts_, (address + i) % row_bursts_, &access});
    }
  };
  append(cursor);
  own_ = bursts_.size();
  StreamCursor behind = cursor;
  behind.advance();
  if (!behind.at_end()) {
    append(behind);
    bursts_.pop_back();
  }
  head_ = 0;
}

bool HbmPhase::run(const StreamCursor& cursor, ChannelState& state, RefreshClock& clock, Int& lead,
                   HbmCauses& causes) {
  load(cursor);
  const Int depth = rules_.dram().queue;
  Int in_queue = lead;
  entered_ = std::min(bursts_.size(), static_cast<std::size_t>(lead));
  const Int patience = 20 * (rules_.dram().tREFI + rules_.dram().tRFC + 2000);
  Int last_issue = state.now;
  while (head_ < own_) {
    if (state.now - last_issue > patience) return false;
    rules_.begin_cycle(state);
    for (std::size_t r = 0; r < clock.next.size(); ++r)
      if (state.now >= clock.next[r]) {
        clock.due.push_back(static_cast<Int>(r));
        clock.next[r] += rules_.dram().tREFI;
      }
    Int& idle_cause = cause(state, clock, causes);  // cause in the state before the command
    bool acted = !clock.due.empty() && refresh(state, clock);
    bool issued = false;
    if (!acted) {
      issued = issue(state);
      acted = issued || activate(state) || close(state);
    }
    if (issued) {
      ++causes.column;
      --in_queue;
      last_issue = state.now;
    } else if (acted) {
      ++cause(state, clock, causes);
    } else {
      ++idle_cause;
    }
    const bool all_entered = entered_ == bursts_.size();
    if (in_queue < depth) {
      ++in_queue;
      entered_ = std::min(bursts_.size(), entered_ + 1);
    }
    ++state.now;
    if (acted || !all_entered || state.toggles || state.enters == 15 || state.leaves == 3) continue;
    const Int skipped = quiet_until(state, clock) - state.now;
    if (skipped <= 0) continue;
    idle_cause += skipped;
    in_queue = std::min(depth, in_queue + skipped);
    state.now += skipped;
  }
  lead = in_queue;
  return true;
}

// Returns the first cycle, not in the past, at which a wait may end.
Int HbmPhase::quiet_until(const ChannelState& state, const RefreshClock& clock) const {
  Int first = clock.earliest();
  const auto consider = [&](Int time) {
    if (time >= state.now) first = std::min(first, time);
  };
  for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
    const HbmBank& bank = state.banks[b];
    consider(bank.act);
    consider(bank.rd);
    consider(bank.wr);
    consider(bank.pre);
    if (bank.state > BankState::open) consider(bank.until);
  }
  const std::size_t kept = std::min(state.activation_count, state.activations.size());
  for (std::size_t i = 0; i < kept; ++i) consider(state.activations[i] + rules_.activation_window());
  return first;
}

// Processes the first refresh that is due. Returns true if this takes a command. The refresh of rank 0 waits
// until no bank is open; banks are closed for it as soon as timings allow.
bool HbmPhase::refresh(ChannelState& state, RefreshClock& clock) const {
  if (clock.due.front() == 0) {
    bool open = false;
    for (std::size_t b = 0; b < rules_.bank_count(); ++b) {
      if (state.banks[b].state != BankState::open) continue;
      open = true;
      if (state.now < state.banks[b].pre) continue;
      rules_.close(state, b);
      return true;
    }
    if (open) return false;
    rules_.refresh(state);
  }
  clock.due.erase(clock.due.begin());
  return true;
}

bool HbmPhase::issue(ChannelState& state) {
  const std::size_t end = std::min(entered_, own_);
  for (std::size_t i = head_; i < end; ++i) {
    PendingBurst& burst = bursts_[i];
    if (burst.issued) continue;
    const bool fence = i + 1 == own_;
    if (fence && i != head_) return false;
    const HbmBank& bank = state.banks[static_cast<std::size_t>(burst.bank)];
    if (bank.state != BankState::open || bank.row != burst.row ||
        state.now < (burst.write ? bank.wr : bank.rd))
      continue;
    bool repeated = false;
    for (std::size_t e = head_; e < i && !repeated; ++e)
      repeated = !bursts_[e].issued && bursts_[e].bank == burst.bank && bursts_[e].row == burst.row &&
                 bursts_[e].column == burst.column;
    if (repeated) continue;
    rules_.burst(state, burst.write, burst.bank, burst.row, burst.column);
    burst.issued = true;
    while (head_ < own_ && bursts_[head_].issued) ++head_;
    return true;
  }
  return false;
}

bool HbmPhase::activate(ChannelState& state) const {
  for (std::size_t i = head_; i < entered_; ++i) {
    const PendingBurst& burst = bursts_[i];
    if (burst.issued) continue;
    if (i + 1 == own_ && i != head_) return false;
    if (!rules_.may_activate(state, burst.bank)) continue;
    rules_.activate(state, burst.bank, burst.row, burst.access);
    return true;
  }
  return false;
}

bool HbmPhase::close(ChannelState& state) const {
  const std::size_t banks = rules_.bank_count();
  for (std::size_t i = 0; i < banks; ++i) {
    const std::size_t b = (state.turn + i) % banks;
    const HbmBank& bank = state.banks[b];
    if (bank.state != BankState::open || state.now < bank.pre) continue;
    bool wanted = false;
    for (std::size_t e = head_; e < std::min(entered_, own_) && !wanted; ++e)
      wanted =
          !bursts_[e].issued && static_cast<std::size_t>(bursts_[e].bank) == b && bursts_[e].row == bank.row;
    if (wanted) continue;
    state.turn = static_cast<std::uint32_t>(b);
    rules_.close(state, b);
    return true;
  }
  return false;
}

Int& HbmPhase::cause(const ChannelState& state, const RefreshClock& clock, HbmCauses& causes) const {
  bool refreshing = !clock.due.empty();
  for (std::size_t b = 0; b < rules_.bank_count(); ++b)
    refreshing |= state.banks[b].state == BankState::refreshing;
  if (refreshing) return causes.refresh;
  if (head_ >= entered_) return causes.timing;
  const PendingBurst& burst = bursts_[head_];
  if (burst.row >= reserved_row_) return causes.mode;
  const HbmBank& bank = state.banks[static_cast<std::size_t>(burst.bank)];
  return bank.state != BankState::open || bank.row != burst.row ? causes.row : causes.timing;
}

}  // namespace nestor::cnm
