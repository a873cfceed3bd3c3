#include "model/simd/emit.h"

#include <algorithm>
#include <bit>

#include "model/simd/arrange_arrays.h"

namespace nestor::simd {

namespace {

/// Free rows of every array of the machine. The row that was freed last is reused first, then the lowest row
/// that was never used.
class Rows {
 public:
  explicit Rows(const ScheduleProblem& problem) : problem_(&problem) {}

  bool has_free(std::uint32_t array) {
    grow(array);
    return free_[array].untouched < problem_->rows() || !free_[array].freed.empty();
  }
  Place take(std::uint32_t array) {
    grow(array);
    auto& [untouched, freed] = free_[array];
    if (freed.empty()) return {array, untouched++};
    const std::uint32_t row = freed.back();
    freed.pop_back();
    return {array, row};
  }
  void give_back(Place place) {
    free_[place.array].freed.push_back(place.row);
    lowest_pool_ = std::min(lowest_pool_, place.array);
  }
  /// Allocates a row in the lowest-numbered array that does not compute and has a free row.
  Place take_from_pool(const WorkingArrays& working) {
    for (std::uint32_t array = lowest_pool_;; ++array) {
      const bool computes =
          std::find(working.physical.begin(), working.physical.end(), array) != working.physical.end();
      if (computes || !has_free(array)) continue;
      lowest_pool_ = array;
      return take(array);
    }
  }

 private:
  void grow(std::uint32_t array) {
    while (free_.size() <= array) {
      const auto next = static_cast<std::uint32_t>(free_.size());
      free_.push_back({problem_->rows() - problem_->free_rows(next), {}});
    }
  }

  struct FreeRows {
    std::uint32_t untouched;  ///< lowest row that was never allocated
    std::vector<std::uint32_t> freed;
  };
  const ScheduleProblem* problem_;
  std::vector<FreeRows> free_;
  std::uint32_t lowest_pool_ = 0;  ///< no pool array with a lower number has a free row
};

class Emitter {
 public:
  Emitter(const Netlist& netlist, const Sequence& sequence, const WorkingArrays& working)
      : netlist_(&netlist),
        problem_(&sequence.problem()),
        working_(&working),
        slots_(std::size_t{working.count()} + 1),
        rows_(*problem_),
        places_(std::size_t{problem_->value_count()} * slots_),
        mask_(problem_->value_count(), 0),
        unread_(problem_->value_count()) {
    for (Value value = 0; value < problem_->value_count(); ++value)
      unread_[value] = static_cast<std::uint32_t>(problem_->readers(value).size());
    schedule_.rows = problem_->rows();
    schedule_.array_limit = problem_->array_limit();
  }

  void transfer(const Transfer& transfer) {
    if (transfer.kind == TransferKind::drop) {
      release(transfer.value, transfer.from);
      return;
    }
    const Place from = place_of(transfer.value, transfer.from);
    const Place to = allocate(transfer.value, transfer.to);
    const bool saved = transfer.kind == TransferKind::save;
    schedule_.instructions.push_back(Instruction::copy(from, to, problem_->node_of(transfer.value),
                                                       saved ? CopyCause::eviction : CopyCause::fanin));
  }

  /// Records the operands of a gate, and frees the rows of values that are no longer needed. Must be called
  /// before the row for the result is allocated.
  void read_operands(std::uint32_t gate, std::uint8_t array) {
    const Gate& source = netlist_->gates[gate];
    for (std::size_t i = 0; i < 3; ++i) {
      const Signal signal = source.fanin[i];
      operands_[i] = signal.is_constant()
                         ? SimdOperand::constant(signal.complemented())
                         : SimdOperand::stored(place_of(signal.node() - 1, array).row, signal.complemented());
    }
    for (const Value value : problem_->fanins(gate))
      if (value != no_value && --unread_[value] == 0 && !problem_->must_stay(value)) release_all(value);
  }

  void compute(std::uint32_t gate, std::uint8_t array) {
    const Value result = problem_->value_of_gate(gate);
    const Place to = allocate(result, array);
    schedule_.instructions.push_back(
        Instruction::compute(netlist_->gates[gate].kind, to, operands_, problem_->node_of(result)));
    if (unread_[result] == 0 && !problem_->must_stay(result)) release_all(result);
  }

  Schedule finish() {
    schedule_.outputs = locate_outputs(*netlist_, [&](Value value) {
      return place_of(value, static_cast<std::uint8_t>(std::countr_zero(unsigned{mask_[value]})));
    });
    return std::move(schedule_);
  }

 private:
  Place& slot(Value value, std::uint8_t array) { return places_[value * slots_ + array]; }

  Place place_of(Value value, std::uint8_t array) {
    if ((static_cast<unsigned>(mask_[value]) >> array & 1U) != 0) return slot(value, array);
    return input_place(value, problem_->rows());  // not written anywhere: an input in its home row
  }
  Place allocate(Value value, std::uint8_t array) {
    const Place place =
        array < working_->count() ? rows_.take(working_->physical[array]) : rows_.take_from_pool(*working_);
    slot(value, array) = place;
    mask_[value] = static_cast<std::uint16_t>(mask_[value] | 1U << array);
    return place;
  }
  void release(Value value, std::uint8_t array) {
    rows_.give_back(slot(value, array));
    mask_[value] = static_cast<std::uint16_t>(mask_[value] & ~(1U << array));
  }
  void release_all(Value value) {
    for (unsigned left = mask_[value]; left != 0; left &= left - 1)
      release(value, static_cast<std::uint8_t>(std::countr_zero(left)));
  }

  const Netlist* netlist_;
  const ScheduleProblem* problem_;
  const WorkingArrays* working_;
  std::size_t slots_;
  Rows rows_;
  std::vector<Place> places_;
  /// Arrays to which a value was written, one bit per working array and one for the pool.
  std::vector<std::uint16_t> mask_;
  std::vector<std::uint32_t> unread_;  ///< number of remaining readers
  std::array<SimdOperand, 3> operands_{};
  Schedule schedule_;
};

}  // namespace

Schedule emit(const Netlist& netlist, const Sequence& sequence, const WorkingArrays& working,
              std::span<const Transfer> transfers, const Stop& stop) {
  constexpr std::uint32_t stretch = 4096;
  Emitter emitter(netlist, sequence, working);
  auto next = transfers.begin();
  const auto run_transfers = [&](std::uint32_t position, bool for_result) {
    for (; next != transfers.end() && next->position == position && next->for_result == for_result; ++next)
      emitter.transfer(*next);
  };
  for (std::uint32_t position = 0; position < sequence.size(); ++position) {
    if (position % stretch == stretch - 1 && should_stop(stop)) return {};
    const std::uint32_t gate = sequence.gate_at(position);
    run_transfers(position, false);
    emitter.read_operands(gate, sequence.array_of(gate));
    run_transfers(position, true);
    emitter.compute(gate, sequence.array_of(gate));
  }
  return emitter.finish();
}

void close_array_gaps(Schedule& schedule, std::uint32_t home_arrays) {
  const std::uint32_t most = array_count(schedule, home_arrays);
  std::vector<std::uint32_t> number(most, 0);
  for (const Instruction& instruction : schedule.instructions) number[instruction.to.array] = 1;
  std::fill_n(number.begin(), home_arrays, 1U);
  std::uint32_t next = 0;
  for (std::uint32_t& array : number) array = array != 0 ? next++ : 0;
  if (next != most) renumber_arrays(schedule, number);
}

}  // namespace nestor::simd
