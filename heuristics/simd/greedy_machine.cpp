#include "heuristics/simd/greedy_machine.h"

#include <algorithm>

#include "heuristics/simd/perturb.h"

namespace nestor::simd {

GreedyMachine::GreedyMachine(const ScheduleProblem& problem)
    : problem_(&problem), position_(problem.gate_count()), recorder_(problem) {
  reset();
}

void GreedyMachine::grow(std::uint32_t array) {
  while (free_rows_.size() <= array) {
    std::vector<std::uint32_t> rows(problem_->free_rows(static_cast<std::uint32_t>(free_rows_.size())));
    for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = problem_->rows() - 1 - i;
    free_rows_.push_back(std::move(rows));
  }
}

void GreedyMachine::reset() {
  place_.assign(problem_->value_count(), {});
  unread_.resize(problem_->value_count());
  for (Value value = 0; value < problem_->value_count(); ++value)
    unread_[value] = static_cast<std::uint32_t>(problem_->readers(value).size());
  for (Value input = 0; input < problem_->input_count(); ++input)
    place_[input] = input_place(input, problem_->rows());
  free_rows_.clear();
  grow(problem_->home_arrays());  // one empty array beyond the inputs
  computed_ = copies_ = 0;
}

std::uint32_t GreedyMachine::arrays_open() const {
  const auto open = static_cast<std::uint32_t>(free_rows_.size());
  return problem_->array_limit() == 0 ? open : std::min(open, problem_->array_limit());
}

std::uint32_t GreedyMachine::missing_in(std::uint32_t gate, std::uint32_t array) const {
  ++work_;
  std::uint32_t missing = 0;
  for (const Value value : problem_->fanins(gate))
    if (value != no_value && place_[value].array != array) ++missing;
  return missing;
}

bool GreedyMachine::dies_with_next_read(Value value) const {
  return !problem_->is_input(value) && unread_[value] == 1 && !problem_->must_stay(value);
}

/// True if the array has enough free rows. The result may reuse the row of a fanin that was copied in or that
/// is not needed after this gate.
bool GreedyMachine::has_room(std::uint32_t gate, std::uint32_t array, std::uint32_t missing) const {
  if (free_rows_[array].size() < missing) return false;
  if (missing > 0 || !free_rows_[array].empty()) return true;
  for (const Value value : problem_->fanins(gate))
    if (value != no_value && place_[value].array == array && dies_with_next_read(value)) return true;
  return false;
}

std::uint32_t GreedyMachine::take_row(std::uint32_t array) {
  const std::uint32_t row = free_rows_[array].back();
  free_rows_[array].pop_back();
  return row;
}

void GreedyMachine::apply(const Choice& choice) {
  const std::uint32_t array = choice.array;
  std::vector<std::uint32_t> guests;  // rows of fanins copied in
  std::array<std::pair<Value, std::uint32_t>, 3> rows{};
  std::size_t count = 0;
  for (const Value value : problem_->fanins(choice.gate)) {
    if (value == no_value) break;
    if (place_[value].array == array) {
      rows[count++] = {value, place_[value].row};
      continue;
    }
    const std::uint32_t row = take_row(array);
    guests.push_back(row);
    rows[count++] = {value, row};
    ++copies_;
    recorder_.copy(place_[value], {array, row}, value, CopyCause::fanin);
  }
  for (const std::uint32_t row : guests) free_rows_[array].push_back(row);
  for (const Value value : problem_->fanins(choice.gate)) {
    if (value == no_value) break;
    if (dies_with_next_read(value)) free_rows_[place_[value].array].push_back(place_[value].row);
    --unread_[value];
  }
  const auto operands = recorder_.operands(choice.gate, [&](Value value) {
    return std::find_if(rows.begin(), rows.end(), [&](const auto& entry) { return entry.first == value; })
        ->second;
  });
  const Value result = problem_->value_of_gate(choice.gate);
  place_[result] = {array, take_row(array)};
  recorder_.compute(choice.gate, place_[result], operands);
  if (unread_[result] == 0 && !problem_->must_stay(result)) free_rows_[array].push_back(place_[result].row);
  ++computed_;
  if (array + 1 == free_rows_.size()) grow(array + 1);
}

std::size_t GreedyMachine::perturb(std::span<Choice> sequence, Random& random) {
  return perturb_order(*problem_, sequence, position_, random);
}

Schedule GreedyMachine::record(const Netlist& netlist, std::span<const Choice> sequence, const Stop& stop) {
  return recorder_.record(
      *this, netlist, sequence, [&](Value value) { return place_[value]; }, stop);
}

}  // namespace nestor::simd
