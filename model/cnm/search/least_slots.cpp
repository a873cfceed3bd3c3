#include "model/cnm/search/least_slots.h"

#include <algorithm>

#include "base/cost.h"

namespace nestor::cnm {

LeastSlots::LeastSlots(const Kernel& kernel, const System& system)
    : kernel_(kernel), system_(system), access_(kernel.operands.size()) {
  if (!kernel.library_call.empty()) {
    of_point_ = of_many_ = 1;
    return;
  }
  const auto slots = [&](Op op, Type type) {
    return static_cast<double>(system.cost(op, type).slots(kernel.multiply_k));
  };
  add_ = slots(Op::add, Type::index);
  move_ = slots(Op::move, Type::index);
  index_ = slots(Op::lsladd, Type::index);
  const auto use = [&](std::size_t argument) {
    if (argument < access_.size()) access_[argument].used = true;
  };
  for (const RegionStep& step : kernel.region) {
    if (step.kind == RegionStep::Kind::constant) continue;
    operations_ += slots(step.op, step.type);
    for (const std::size_t argument : step.arguments) use(argument);
  }
  for (const std::size_t argument : kernel.yields) use(argument);
  double stores = 0;
  for (std::size_t i = 0; i < access_.size(); ++i) {
    const KernelOperand& operand = kernel.operands[i];
    if (access_[i].used) access_[i].load = slots(Op::load, operand.type);
    if (operand.output) {
      access_[i].store = slots(Op::store, operand.type);
      if (!is_reduced(kernel, operand)) stores += access_[i].store;
    } else {
      loads_ += access_[i].load;
      inputs_ += access_[i].used ? 1 : 0;
    }
  }
  of_point_ = operations_ + loads_ + stores;
  of_many_ = of_one_of_many();
}

// Returns a lower bound on of_block() per point: the least over the three kinds of code (blocks of one
// element, outputs in buffers, and outputs in values).
double LeastSlots::of_one_of_many() const {
  double kept = 0, kept_outputs = 0, least_kept = no_cost, least_store = no_cost;
  bool single = true;  // true if a request for one element of every input is legal
  for (std::size_t i = 0; i < access_.size(); ++i) {
    const KernelOperand& operand = kernel_.operands[i];
    if (!operand.output) {
      const Int bytes = bytes_of(operand.type);
      single = single && bytes >= system_.dma.min_bytes && bytes % system_.dma.align == 0;
      continue;
    }
    const double both = access_[i].load + access_[i].store;
    least_kept = std::min(least_kept, both);
    least_store = std::min(least_store, access_[i].store);
    if (is_reduced(kernel_, operand)) continue;
    kept += both;
    ++kept_outputs;
  }
  const double work = operations_ + loads_;
  const double by_one = single ? work + kept + add_ * 2 / 3 : no_cost;
  const double stored = work + (kept_outputs > 0 ? kept : least_kept) +
                        (inputs_ + std::max(1.0, kept_outputs)) * index_ + add_ + 1;
  const double in_value = kept_outputs > 0 ? no_cost
                                           : work + std::min(inputs_ * add_ + add_,
                                                             least_store + (inputs_ + 1) * index_ + add_ + 1);
  return std::max(of_point_, std::min({by_one, stored, in_value}));
}

bool LeastSlots::stays_in_buffer(const KernelOperand& operand, const std::vector<Int>& local,
                                 const std::vector<Int>& block) const {
  if (!is_reduced(kernel_, operand)) return true;
  bool unused_step = false, used_block = false;
  for (std::size_t d = 0; d < block.size(); ++d) {
    unused_step |= !operand.uses(d) && local[d] > block[d];
    used_block |= operand.uses(d) && block[d] > 1;
  }
  return unused_step && used_block;
}

bool LeastSlots::may_be_gathered(const std::vector<Int>& local, const std::vector<Int>& block) const {
  for (const KernelOperand& operand : kernel_.operands) {
    if (!operand.output) continue;
    Int run = 1;
    for (std::size_t k = operand.map.size(); k-- > 0;) {
      const Int extent = reach(operand.map[k], block);
      run *= extent;
      if (extent != reach(operand.map[k], local)) break;
    }
    if (run * bytes_of(operand.type) < system_.dma.min_bytes) return true;
  }
  return false;
}

// Returns the least number of slots at the end of any loop: its counter, its branch, and the least number of
// increments of inputs in a loop over any dim. If there are no increments, the loop may be over elements; its
// counter then also branches.
double LeastSlots::per_entry(const std::vector<Int>& local) const {
  double moved = inputs_;
  for (std::size_t d = 0; d < local.size(); ++d) {
    if (local[d] == 1) continue;
    double here = 0;
    for (std::size_t i = 0; i < access_.size(); ++i)
      if (!kernel_.operands[i].output && access_[i].used && kernel_.operands[i].uses(d)) ++here;
    moved = std::min(moved, here);
  }
  return moved > 0 ? add_ + 1 + moved * add_ : add_;
}

double LeastSlots::of_block(const std::vector<Int>& local, const std::vector<Int>& block) const {
  double points = 1, largest = 1;
  for (std::size_t d = 0; d < block.size(); ++d) {
    points *= static_cast<double>(local[d]);
    largest = std::max(largest, static_cast<double>(block[d]));
  }
  if (!kernel_.library_call.empty()) return points;
  double buffered = 0, places = inputs_, values = 0, least_store = 0;
  bool stored = false;
  for (std::size_t i = 0; i < access_.size(); ++i) {
    const KernelOperand& operand = kernel_.operands[i];
    if (!operand.output) continue;
    const double store = access_[i].store;
    if (stays_in_buffer(operand, local, block)) {
      stored = true;
      buffered += access_[i].load + store;
      ++places;
      continue;
    }
    double elements = 1;
    for (std::size_t d = 0; d < local.size(); ++d)
      if (operand.uses(d)) elements *= static_cast<double>(local[d]);
    values += elements * store;
    least_store = values > 0 && least_store > 0 ? std::min(least_store, store) : store;
  }
  const double work = operations_ + loads_;
  const double entries = points / largest;
  double slots = 0;
  if (largest == 1) {
    slots = points * (work + buffered);
  } else if (stored) {
    slots = points * (work + buffered + places * index_ + add_ + 1) + entries * move_;
  } else {
    const double by_pointers =
        points * (work + inputs_ * add_ + add_) + entries * (inputs_ + 1) * move_ + values;
    const double by_indices =
        points * (work + least_store + (inputs_ + 1) * index_ + add_ + 1) + entries * move_;
    slots = std::min(by_pointers, by_indices);
  }
  if (entries > 1) slots += entries * per_entry(local) * (may_be_gathered(local, block) ? 2.0 / 3 : 1.0);
  return slots;
}

}  // namespace nestor::cnm
