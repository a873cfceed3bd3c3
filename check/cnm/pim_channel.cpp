// One channel of HBM-PIM, simulated cycle by cycle as defined in "The HBM-PIM machine" of docs/models/cnm.md.
// Cycles in which nothing can happen are skipped. No search of the queue goes beyond the fence of the next
// group.
#include <algorithm>
#include <bit>
#include <numeric>

#include "check/cnm/pim.h"

namespace nestor::check::cnm {
namespace {

constexpr Int long_ago = -(Int{1} << 40);
std::size_t at(Int number) { return static_cast<std::size_t>(number); }
std::uint32_t bank_bit(std::size_t bank) { return std::uint32_t{1} << bank; }

// Calls `visit` for each bank of a set, in ascending order.
template <typename Visit>
void each_bank(std::uint32_t banks, const Visit& visit) {
  for (; banks != 0; banks &= banks - 1) visit(at(std::countr_zero(banks)));
}

}  // namespace

Channel::Channel(const PimMachine& machine)
    : machine_(machine),
      banks_(at(machine.banks)),
      columns_(at(machine.groups)),
      activations_(at(machine.XAW), long_ago) {
  for (Int b = 0; b < machine.banks; ++b) banks_[at(b)].group = at(machine.group_of(b));
  for (Int r = 0; r < machine.ranks; ++r) refreshes_.push_back(machine.tREFI / machine.ranks * (r + 1));
  next_refresh_ = refreshes_[0];
}

void Channel::take(const Group& group) {
  if (!behind_.empty()) {
    waiting_.clear();
    for (const Group* each : std::initializer_list<const Group*>{&behind_, &group})
      for (const Burst& burst : *each) waiting_.push_back({burst});
    own_ = behind_.size();
    if (!group.empty()) waiting_.pop_back();
    wanted_.clear();
    for (const Burst& burst : waiting_)
      if (wanted_.empty() || burst.bank != wanted_.back().bank || burst.write != wanted_.back().write)
        wanted_.push_back(burst);
    run();
  }
  behind_ = group;
}

Int Channel::finish() {
  take({});
  const Int cycles = last_ + machine_.after_last();
  causes_[of_timing] += cycles - std::accumulate(causes_.begin(), causes_.end(), Int{0});
  return cycles;
}

// Returns the cause of a cycle without a burst.
Channel::Cause Channel::cause() const {
  if (!due_.empty() || now_ < refreshed_) return of_refresh;
  if (head_ == entered_) return of_timing;  // no burst waits
  const Burst& first = waiting_[head_];
  if (first.row >= machine_.reserved_row) return of_mode;
  const std::size_t b = at(first.bank);
  return (open_ & bank_bit(b)) != 0 && banks_[b].row == first.row ? of_timing : of_row;
}

void Channel::run() {
  const Int patience = 20 * (machine_.tREFI + machine_.tRFC + 2000);
  head_ = 0;
  entered_ = std::min(waiting_.size(), at(in_queue_));
  const Int begin = now_;
  while (head_ < own_) {
    if (now_ - std::max(begin, last_) > patience) throw Stuck();
    begin_cycle();
    bool has_acted = !due_.empty() && refresh_rank();
    if (!has_acted && issue()) {
      has_acted = true;
      last_ = now_;
      --in_queue_;
      ++causes_[of_column];
    } else {
      has_acted = has_acted || activate() || close();
      ++causes_[cause()];
    }
    const bool is_full = entered_ == waiting_.size();
    if (in_queue_ < machine_.queue) {
      ++in_queue_;
      entered_ = std::min(waiting_.size(), entered_ + 1);
    }
    ++now_;
    if (has_acted || !is_full || toggles_ || enters_ == 15 || leaves_ == 3) continue;
    const Int passed = std::max<Int>(0, next_event() - now_);
    if (passed > 0) causes_[cause()] += passed;
    in_queue_ = std::min(machine_.queue, in_queue_ + passed);
    now_ += passed;
  }
}

// Applies the effects of the previous cycle and collects refreshes that are due.
void Channel::begin_cycle() {
  each_bank(changing_, [&](std::size_t b) {
    if (now_ < banks_[b].until) return;
    banks_[b].is_idle = true;
    changing_ &= ~bank_bit(b);
  });
  if (enters_ == 15) {
    all_bank_ = true;
    enters_ = 0;
  }
  if (leaves_ == 3) {
    all_bank_ = false;
    leaves_ = 0;
  }
  if (toggles_) pim_ = !pim_;
  toggles_ = false;
  if (now_ < next_refresh_) return;
  for (std::size_t r = 0; r < refreshes_.size(); ++r)
    if (now_ >= refreshes_[r]) {
      due_.push_back(static_cast<Int>(r));
      refreshes_[r] += machine_.tREFI;
    }
  next_refresh_ = *std::min_element(refreshes_.begin(), refreshes_.end());
}

// Returns the first cycle from now on in which a waiting command may become possible.
Int Channel::next_event() const {
  Int first = next_refresh_;
  const auto consider = [&](Int time) {
    if (time >= now_ && time < first) first = time;
  };
  each_bank(open_, [&](std::size_t b) { consider(banks_[b].pre); });
  each_bank(changing_, [&](std::size_t b) { consider(banks_[b].until); });
  for (const Burst& burst : wanted_) {
    consider(banks_[at(burst.bank)].act);
    consider(ready(burst));
  }
  consider(activations_[oldest_] + machine_.tXAW);
  return first;
}

Int Channel::ready(const Burst& burst) const {
  const Bank& bank = banks_[at(burst.bank)];
  const Column& column = columns_[bank.group];
  return burst.write ? std::max(bank.write, column.write) : std::max(bank.read, column.read);
}

// Performs one step of the first due refresh: closes an open bank, or refreshes the rank. Returns false if it
// must wait for a bank. Only the refresh of rank 0 affects the banks.
bool Channel::refresh_rank() {
  if (due_.front() == 0) {
    for (std::uint32_t open = open_; open != 0; open &= open - 1) {
      const std::size_t b = at(std::countr_zero(open));
      if (now_ < banks_[b].pre) continue;
      close_bank(b);
      return true;
    }
    if (open_ != 0) return false;
    refreshed_ = now_ + std::max<Int>(1, machine_.tRFC);
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      banks_[b].is_idle = false;
      banks_[b].until = banks_[b].act = now_ + machine_.tRFC;
      changing_ |= bank_bit(b);
    }
  }
  due_.erase(due_.begin());
  return true;
}

bool Channel::issue() {
  for (std::size_t i = head_; i < std::min(entered_, own_); ++i) {
    Waiting& next = waiting_[i];
    if (next.is_gone) continue;
    const bool is_fence = i + 1 == own_;
    if (is_fence && i != head_) return false;
    const Bank& bank = banks_[at(next.bank)];
    if ((open_ & bank_bit(at(next.bank))) == 0 || bank.row != next.row || now_ < ready(next)) continue;
    const auto is_same = [&](const Waiting& earlier) {
      return !earlier.is_gone && earlier.bank == next.bank && earlier.row == next.row &&
             earlier.column == next.column;
    };
    const auto first = waiting_.begin();
    if (std::any_of(first + static_cast<std::ptrdiff_t>(head_), first + static_cast<std::ptrdiff_t>(i),
                    is_same))
      continue;
    burst(next);
    next.is_gone = true;
    while (head_ < own_ && waiting_[head_].is_gone) ++head_;
    return true;
  }
  return false;
}

void Channel::burst(const Burst& burst) {
  Bank& own = banks_[at(burst.bank)];
  own.pre = std::max(own.pre, now_ + machine_.closing(burst.write));
  const Int half = machine_.BL / 2, turned = now_ + machine_.turn(burst.write);
  for (std::size_t g = 0; g < columns_.size(); ++g) {
    Column& column = columns_[g];
    const bool is_same = g == own.group;
    const Int next = now_ + std::max(is_same ? machine_.tCCDL : machine_.tCCDS, half);
    Int& again = burst.write ? column.write : column.read;
    Int& other = burst.write ? column.read : column.write;
    again = std::max(again, next);
    other = std::max(other, turned);
  }
  if (burst.write && burst.row == register_row && burst.column == 0) toggles_ = true;
}

bool Channel::activate() {
  if (now_ - activations_[oldest_] < machine_.tXAW) return false;
  for (std::size_t i = head_; i < entered_; ++i) {
    const Waiting& next = waiting_[i];
    if (next.is_gone) continue;
    if (i + 1 == own_ && i != head_) return false;
    Bank& own = banks_[at(next.bank)];
    if (!own.is_idle || now_ < own.act || (all_bank_ && next.bank >= 2)) continue;
    own.is_idle = false;
    open_ |= bank_bit(at(next.bank));
    own.row = next.row;
    own.pre = std::max(own.pre, now_ + machine_.tRAS);
    own.read = std::max(own.read, now_ + machine_.tRCDRD);
    own.write = std::max(own.write, now_ + machine_.tRCDWR);
    for (Bank& bank : banks_) {
      const bool is_near = bank.group == own.group;
      const Int wait = &bank == &own ? machine_.tRC : is_near ? machine_.tRRDL : machine_.tRRDS;
      bank.act = std::max(bank.act, now_ + wait);
    }
    activations_[oldest_] = now_;
    oldest_ = (oldest_ + 1) % activations_.size();
    constexpr std::array<Int, 4> entrances = {0, 1, 8, 9};
    for (std::size_t e = 0; e < entrances.size(); ++e)
      if (next.row == all_bank_row && !all_bank_ && next.bank == entrances[e]) enters_ |= 1U << e;
    return true;
  }
  return false;
}

// Closes the first bank whose row no queued burst of the current group needs. The search is round-robin and
// begins at the bank that was closed last.
bool Channel::close() {
  const std::uint32_t before = bank_bit(turn_) - 1;
  for (std::uint32_t banks : {open_ & ~before, open_ & before})
    for (; banks != 0; banks &= banks - 1) {
      const std::size_t b = at(std::countr_zero(banks));
      if (now_ < banks_[b].pre) continue;
      bool is_wanted = false;
      for (std::size_t w = head_; w < std::min(entered_, own_) && !is_wanted; ++w)
        is_wanted = !waiting_[w].is_gone && at(waiting_[w].bank) == b && waiting_[w].row == banks_[b].row;
      if (is_wanted) continue;
      turn_ = b;
      close_bank(b);
      return true;
    }
  return false;
}

void Channel::close_bank(std::size_t b) {
  Bank& bank = banks_[b];
  open_ &= ~bank_bit(b);
  changing_ |= bank_bit(b);
  bank.until = now_ + machine_.tRP;
  bank.act = std::max(bank.act, bank.until);
  if (bank.row == single_bank_row && all_bank_ && !pim_ && b < 2) leaves_ |= 1U << b;
}

}  // namespace nestor::check::cnm
