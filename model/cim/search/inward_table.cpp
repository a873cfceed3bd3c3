#include "model/cim/search/inward_table.h"

#include <algorithm>

namespace nestor::cim {

std::size_t InwardTable::bytes_needed(const OperandTable& table) {
  return table.count() * table.chain_length() * width_of(table) * sizeof(double) + alignof(double);
}

// Returns the cost of an inward jump from chain position `from` to `to`, with `relevant` iterations of
// relevant loops outside.
InwardTable::Cost InwardTable::jump(const OperandTable& table, TableIndex index, std::size_t from,
                                    std::size_t to, Int relevant) {
  const bool output = table.operand() == Operand::O;
  const Int out = output ? relevant : 0;
  const Int in = output ? 0 : relevant;
  const auto cost = [&](Int inward, bool complete) {
    return table.transfer_cost(index, to, from, out, inward, table.moved_width(complete));
  };
  if (!output) return {cost(in, true)};
  return {cost(in, true), cost(in, false), cost(relevant, false)};
}

// Cost policy (InwardCost) of an operand's inward transfers, with `width` doubles per content and memory.
class InwardTable::Transfers {
 public:
  Transfers(const OperandTable& table, double* staying, double* arrived)
      : table_(table),
        width_(width_of(table)),
        row_(table.chain_length() * width_),
        all_staying_(staying),
        all_arrived_(arrived) {}

  void begin(TableIndex index) {
    index_ = index;
    staying_ = all_staying_ + index * row_;
    std::fill_n(staying_, row_, infinite);
    if (index == 0) std::fill_n(staying_ + row_ - width_, width_, 0.0);
  }
  void take_least(TableIndex smaller) {
    const double* next = all_arrived_ + smaller * row_;
    for (std::size_t j = 0; j < row_; ++j) staying_[j] = std::min(staying_[j], next[j]);
  }
  void stay(Int relevant) {
    relevant_ = relevant;
    arrived_ = all_arrived_ + index_ * row_;
    std::copy_n(staying_, row_, arrived_);
  }
  bool goes_on(std::size_t to) const {
    const double* later = staying_ + to * width_;
    for (std::size_t k = 0; k < width_; ++k)
      if (later[k] != infinite) return table_.fits(index_, to);
    return false;
  }
  void jump(std::size_t from, std::size_t to) {
    const Cost cost = InwardTable::jump(table_, index_, from, to, relevant_);
    const double* later = staying_ + to * width_;
    double* best = arrived_ + from * width_;
    for (std::size_t k = 0; k < width_; ++k) best[k] = std::min(best[k], later[k] + cost[k]);
  }

 private:
  const OperandTable& table_;
  std::size_t width_;
  std::size_t row_;  // number of doubles per content
  double* all_staying_;
  double* all_arrived_;  // costs just after a loop is placed, when the operand may jump
  TableIndex index_ = 0;
  Int relevant_ = 1;
  double* staying_ = nullptr;  // row of the current content
  double* arrived_ = nullptr;
};

bool InwardTable::build(const OperandTable& table, Arena& arena, Arena& scratch) {
  chain_ = table.chain_length();
  width_ = width_of(table);
  const std::size_t size = table.count() * chain_ * width_;
  double* staying = arena.allocate<double>(size);
  double* arrived = scratch.allocate<double>(size);
  if (staying == nullptr || arrived == nullptr) return false;
  Transfers cost(table, staying, arrived);
  fill_inward(table, cost);
  costs_ = staying;
  return true;
}

}  // namespace nestor::cim
