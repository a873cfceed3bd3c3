// State of an HBM-PIM channel between two commands, and the effect of each command on this state, as
// docs/models/cnm.md defines them.
#pragma once

#include <algorithm>
#include <array>

#include "model/cnm/stream.h"

namespace nestor::cnm {

inline constexpr std::size_t most_banks = 32;

enum class BankState : std::uint8_t { idle, open, closing, refreshing };

struct HbmBank {
  BankState state = BankState::idle;
  Int row = 0;
  const Access* opener = nullptr;  ///< access whose burst opened the row; null unless the bank is open
  /// First cycle at which the bank may be activated, read, written or closed.
  Int act = 0, rd = 0, wr = 0, pre = 0;
  Int until = 0;  ///< end of the current closing or refresh
};

/// State of a channel: everything on which its future depends, except the bursts still to come.
struct ChannelState {
  std::array<HbmBank, most_banks> banks{};
  std::array<Int, 64> activations{};  ///< ring of the cycles of the last activations
  std::size_t activation_count = 0;
  std::uint32_t turn = 0;  ///< first bank of the next search for a bank to close
  /// Bit sets of the banks accessed so far to enter and to leave all-bank mode.
  std::uint8_t enters = 0, leaves = 0;
  bool toggles = false, all_bank = false, pim = false;
  Int now = 0;
};

class ChannelRules {
 public:
  explicit ChannelRules(const Dram& dram) : d_(dram), bank_count_(static_cast<std::size_t>(dram.banks)) {}

  std::size_t bank_count() const { return bank_count_; }
  const Dram& dram() const { return d_; }
  Int activation_window() const { return d_.tXAW; }

  /// Applies the effects of the previous cycle.
  void begin_cycle(ChannelState& s) const {
    for (std::size_t b = 0; b < bank_count_; ++b)
      if (s.banks[b].state > BankState::open && s.now >= s.banks[b].until) s.banks[b].state = BankState::idle;
    if (s.enters == 15) {
      s.all_bank = true;
      s.enters = 0;
    }
    if (s.leaves == 3) {
      s.all_bank = false;
      s.leaves = 0;
    }
    if (s.toggles) {
      s.pim = !s.pim;
      s.toggles = false;
    }
  }

  void burst(ChannelState& s, bool write, Int bank, Int row, Int column) const {
    const Int t = s.now, half = d_.BL / 2;
    HbmBank& own = s.banks[static_cast<std::size_t>(bank)];
    own.pre = std::max(
        own.pre, write ? t + d_.WL + half + d_.tWR : t + half + std::max(d_.tRTPL, d_.tCCDL) - d_.tCCDL);
    const Int same = t + std::max(d_.tCCDL, half), other = t + std::max(d_.tCCDS, half);
    const Int turnaround = write ? t + d_.WL + half + d_.tWTRL : t + d_.RL + half + d_.tRTRS - d_.WL;
    for (std::size_t b = 0; b < bank_count_; ++b) {
      const Int next = in_group_of(b, bank) ? same : other;
      Int& again = write ? s.banks[b].wr : s.banks[b].rd;
      Int& turned = write ? s.banks[b].rd : s.banks[b].wr;
      again = std::max(again, next);
      turned = std::max(turned, turnaround);
    }
    if (write && row == row_registers && column == 0) s.toggles = true;
  }

  bool may_activate(const ChannelState& s, Int bank) const {
    const HbmBank& b = s.banks[static_cast<std::size_t>(bank)];
    if (b.state != BankState::idle || s.now < b.act || (s.all_bank && bank >= 2)) return false;
    Int recent = 0;
    const std::size_t kept = std::min(s.activation_count, s.activations.size());
    for (std::size_t i = 0; i < kept; ++i) recent += static_cast<Int>(s.now - s.activations[i] < d_.tXAW);
    return recent < d_.XAW;
  }

  void activate(ChannelState& s, Int bank, Int row, const Access* opener) const {
    HbmBank& own = s.banks[static_cast<std::size_t>(bank)];
    own.state = BankState::open;
    own.row = row;
    own.opener = opener;
    for (std::size_t b = 0; b < bank_count_; ++b) {
      const Int wait = static_cast<Int>(b) == bank ? d_.tRC : in_group_of(b, bank) ? d_.tRRDL : d_.tRRDS;
      s.banks[b].act = std::max(s.banks[b].act, s.now + wait);
    }
    own.pre = std::max(own.pre, s.now + d_.tRAS);
    own.rd = std::max(own.rd, s.now + d_.tRCDRD);
    own.wr = std::max(own.wr, s.now + d_.tRCDWR);
    s.activations[s.activation_count++ % s.activations.size()] = s.now;
    if (row == row_all_bank && !s.all_bank)
      s.enters = static_cast<std::uint8_t>(s.enters | (bank == 0   ? 1
                                                       : bank == 1 ? 2
                                                       : bank == 8 ? 4
                                                       : bank == 9 ? 8
                                                                   : 0));
  }

  void close(ChannelState& s, std::size_t bank) const {
    HbmBank& b = s.banks[bank];
    b.state = BankState::closing;
    b.opener = nullptr;
    b.until = s.now + d_.tRP;
    b.act = std::max(b.act, s.now + d_.tRP);
    if (b.row == row_single_bank && s.all_bank && !s.pim && bank < 2)
      s.leaves = static_cast<std::uint8_t>(s.leaves | (bank == 0 ? 1 : 2));
  }

  void refresh(ChannelState& s) const {
    for (std::size_t b = 0; b < bank_count_; ++b) {
      s.banks[b].state = BankState::refreshing;
      s.banks[b].until = s.banks[b].act = s.now + d_.tRFC;
    }
  }

 private:
  bool in_group_of(std::size_t b, Int bank) const {
    const Int per_group = d_.banks / d_.groups;
    return static_cast<Int>(b) / per_group == bank / per_group;
  }

  const Dram& d_;
  std::size_t bank_count_;
};

}  // namespace nestor::cnm
