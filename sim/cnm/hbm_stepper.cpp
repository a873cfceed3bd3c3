#include "sim/cnm/hbm_stepper.h"

#include <deque>

namespace nestor::sim::cnm {
namespace {

using nestor::cnm::Stream;
using nestor::cnm::StreamItem;

struct Burst {
  bool write = false;
  Int bank = 0;
  Int row = 0;
  Int column = 0;
  bool fence = false;
};

// Source of the bursts of a stream, in order.
class Source {
 public:
  Source(const Stream& stream, Int row_bursts) : row_bursts_(row_bursts) {
    stack_.push_back({&stream, 0, 0, 1});
  }

  std::optional<Burst> next() {
    while (true) {
      if (group_ != nullptr) {
        const auto& list = group_->accesses;
        const nestor::cnm::Access& access = list[access_];
        Int address = access.address + burst_;
        for (std::size_t depth = 1; depth < stack_.size(); ++depth)
          address += access.stride[depth - 1] * stack_[depth].trip;
        Burst burst{access.write, access.bank, address / row_bursts_, address % row_bursts_, false};
        if (++burst_ == access.count) {
          burst_ = 0;
          ++access_;
        }
        if (access_ == list.size()) {
          burst.fence = true;
          group_ = nullptr;
        }
        return burst;
      }
      if (!next_group()) return std::nullopt;
    }
  }

 private:
  struct Frame {
    const Stream* list;
    std::size_t at;
    Int trip;
    Int trips;
  };
  bool next_group() {
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.at == frame.list->size()) {
        frame.at = 0;
        if (++frame.trip == frame.trips) stack_.pop_back();
        continue;
      }
      const StreamItem& item = (*frame.list)[frame.at++];
      if (!item.is_loop()) {
        group_ = &item;
        access_ = 0;
        return true;
      }
      if (item.trips > 0) stack_.push_back({&item.body, 0, 0, item.trips});
    }
    return false;
  }
  std::vector<Frame> stack_;
  const StreamItem* group_ = nullptr;
  std::size_t access_ = 0;
  Int burst_ = 0;
  Int row_bursts_;
};

enum class BankState : std::uint8_t { idle, open, closing, refreshing };

struct Bank {
  BankState state = BankState::idle;
  Int row = 0, act = 0, rd = 0, wr = 0, pre = 0, until = 0;
};

class Channel {
 public:
  Channel(const nestor::cnm::System& system, const Stream& stream,
          const std::function<void(const HbmEvent&)>& observe)
      : d_(system.dram),
        reserved_(system.pim.reserved_row),
        source_(stream, system.pim.row_bursts),
        observe_(observe),
        banks_(static_cast<std::size_t>(d_.banks)),
        next_due_(static_cast<std::size_t>(d_.ranks)) {
    for (Int r = 0; r < d_.ranks; ++r) next_due_[static_cast<std::size_t>(r)] = d_.tREFI / d_.ranks * (r + 1);
    waiting_ = source_.next();
  }

  std::optional<nestor::cnm::HbmRun> run(Int limit) {
    Int last = 0;
    for (t_ = 0; waiting_ || !queue_.empty(); ++t_) {
      if (t_ >= limit) return std::nullopt;
      update_states();
      const bool issued = command();
      count_cause(issued);
      if (issued) {
        last = t_;
        queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(issued_at_));
      }
      if (waiting_ && static_cast<Int>(queue_.size()) < d_.queue) {
        queue_.push_back(*waiting_);
        waiting_ = source_.next();
      }
    }
    run_.cycles = last + d_.RL + d_.BL / 2 + 2;
    run_.causes.timing += run_.cycles - run_.causes.total();
    return run_;
  }

 private:
  void update_states() {
    for (Bank& bank : banks_)
      if ((bank.state == BankState::closing || bank.state == BankState::refreshing) && t_ >= bank.until)
        bank.state = BankState::idle;
    if (enters_ == 15) {
      all_bank_ = true;
      enters_ = 0;
    }
    if (leaves_ == 3) {
      all_bank_ = false;
      leaves_ = 0;
    }
    if (toggles_) {
      pim_ = !pim_;
      toggles_ = false;
    }
    for (std::size_t r = 0; r < next_due_.size(); ++r)
      if (t_ >= next_due_[r]) {
        due_.push_back(static_cast<Int>(r));
        next_due_[r] += d_.tREFI;
      }
  }

  // Issues at most one command. Returns true if the command was a burst.
  bool command() {
    if (!due_.empty() && refresh()) return false;
    return issue() || (activate() || close(), false);
  }

  bool refresh() {
    if (due_.front() == 0) {
      bool open = false;
      for (std::size_t b = 0; b < banks_.size(); ++b) {
        if (banks_[b].state != BankState::open) continue;
        open = true;
        if (t_ >= banks_[b].pre) {
          precharge(b);
          return true;
        }
      }
      if (open) return false;
      for (Bank& bank : banks_) {
        bank.state = BankState::refreshing;
        bank.until = bank.act = t_ + d_.tRFC;
      }
      if (observe_) observe_({t_, 'F', 0, 0, 0});
    }
    due_.pop_front();
    return true;
  }

  /// True if the row of a burst is open.
  bool has_open(const Burst& burst) const {
    const Bank& bank = banks_[static_cast<std::size_t>(burst.bank)];
    return bank.state == BankState::open && bank.row == burst.row;
  }

  bool issue() {
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Burst& burst = queue_[i];
      const Bank& bank = banks_[static_cast<std::size_t>(burst.bank)];
      bool free = has_open(burst) && t_ >= (burst.write ? bank.wr : bank.rd);
      for (std::size_t e = 0; e < i && free; ++e)
        free =
            !(queue_[e].bank == burst.bank && queue_[e].row == burst.row && queue_[e].column == burst.column);
      if (free && burst.fence && i > 0) return false;
      if (free) {
        issued_at_ = i;
        effects(burst);
        return true;
      }
      if (burst.fence) return false;
    }
    return false;
  }

  Int group(Int bank) const { return bank / (d_.banks / d_.groups); }

  void effects(const Burst& burst) {
    if (observe_) observe_({t_, burst.write ? 'W' : 'R', burst.bank, burst.row, burst.column});
    Bank& own = banks_[static_cast<std::size_t>(burst.bank)];
    const Int half = d_.BL / 2;
    const Int pre =
        burst.write ? t_ + d_.WL + half + d_.tWR : t_ + half + std::max(d_.tRTPL, d_.tCCDL) - d_.tCCDL;
    own.pre = std::max(own.pre, pre);
    for (Int b = 0; b < d_.banks; ++b) {
      Bank& bank = banks_[static_cast<std::size_t>(b)];
      const Int column = std::max(group(b) == group(burst.bank) ? d_.tCCDL : d_.tCCDS, half);
      if (burst.write) {
        bank.rd = std::max(bank.rd, t_ + d_.WL + half + d_.tWTRL);
        bank.wr = std::max(bank.wr, t_ + column);
      } else {
        bank.rd = std::max(bank.rd, t_ + column);
        bank.wr = std::max(bank.wr, t_ + d_.RL + half + d_.tRTRS - d_.WL);
      }
    }
    if (burst.write && burst.row == nestor::cnm::row_registers && burst.column == 0) toggles_ = true;
  }

  bool activate() {
    Int recent = 0;
    for (const Int at : activations_) recent += static_cast<Int>(t_ - at < d_.tXAW);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Burst& burst = queue_[i];
      if (i > 0 && burst.fence) return false;
      Bank& bank = banks_[static_cast<std::size_t>(burst.bank)];
      if (bank.state != BankState::idle || t_ < bank.act || recent >= d_.XAW ||
          (all_bank_ && burst.bank >= 2))
        continue;
      if (observe_) observe_({t_, 'A', burst.bank, burst.row, 0});
      bank.state = BankState::open;
      bank.row = burst.row;
      for (Int b = 0; b < d_.banks; ++b) {
        Bank& other = banks_[static_cast<std::size_t>(b)];
        const Int wait = b == burst.bank ? d_.tRC : group(b) == group(burst.bank) ? d_.tRRDL : d_.tRRDS;
        other.act = std::max(other.act, t_ + wait);
      }
      bank.pre = std::max(bank.pre, t_ + d_.tRAS);
      bank.rd = std::max(bank.rd, t_ + d_.tRCDRD);
      bank.wr = std::max(bank.wr, t_ + d_.tRCDWR);
      activations_.push_back(t_);
      if (activations_.size() > 64) activations_.pop_front();
      if (burst.row == nestor::cnm::row_all_bank && !all_bank_)
        enters_ |= burst.bank == 0 ? 1 : burst.bank == 1 ? 2 : burst.bank == 8 ? 4 : burst.bank == 9 ? 8 : 0;
      return true;
    }
    return false;
  }

  void precharge(std::size_t b) {
    Bank& bank = banks_[b];
    if (observe_) observe_({t_, 'P', static_cast<Int>(b), bank.row, 0});
    bank.state = BankState::closing;
    bank.until = t_ + d_.tRP;
    bank.act = std::max(bank.act, t_ + d_.tRP);
    if (bank.row == nestor::cnm::row_single_bank && all_bank_ && !pim_ && b < 2) leaves_ |= b == 0 ? 1 : 2;
  }

  bool close() {
    for (std::size_t i = 0; i < banks_.size(); ++i) {
      const std::size_t b = (turn_ + i) % banks_.size();
      const Bank& bank = banks_[b];
      if (bank.state != BankState::open || t_ < bank.pre) continue;
      bool wanted = false;
      for (const Burst& burst : queue_) {
        wanted |= static_cast<std::size_t>(burst.bank) == b && burst.row == bank.row;
        if (burst.fence) break;
      }
      if (wanted) continue;
      turn_ = b;
      precharge(b);
      return true;
    }
    return false;
  }

  void count_cause(bool issued) {
    bool refreshing = !due_.empty();
    for (const Bank& bank : banks_) refreshing |= bank.state == BankState::refreshing;
    auto& causes = run_.causes;
    if (issued)
      ++causes.column;
    else if (refreshing)
      ++causes.refresh;
    else if (!queue_.empty() && queue_.front().row >= reserved_)
      ++causes.mode;
    else if (!queue_.empty() && !has_open(queue_.front()))
      ++causes.row;
    else
      ++causes.timing;
  }

  const nestor::cnm::Dram& d_;
  Int reserved_;
  Source source_;
  const std::function<void(const HbmEvent&)>& observe_;
  std::vector<Bank> banks_;
  std::vector<Int> next_due_;
  std::deque<Int> due_;
  std::deque<Burst> queue_;
  std::optional<Burst> waiting_;
  std::deque<Int> activations_;
  std::size_t issued_at_ = 0;
  std::size_t turn_ = 0;
  int enters_ = 0, leaves_ = 0;
  bool toggles_ = false, all_bank_ = false, pim_ = false;
  Int t_ = 0;
  nestor::cnm::HbmRun run_;
};

}  // namespace

std::optional<nestor::cnm::HbmRun> step_channel(const nestor::cnm::System& system, const Stream& stream,
                                                Int limit,
                                                const std::function<void(const HbmEvent&)>& observe) {
  return Channel(system, stream, observe).run(limit);
}

}  // namespace nestor::sim::cnm
