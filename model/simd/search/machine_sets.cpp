#include "model/simd/search/machine_sets.h"

namespace nestor::simd {

MachineSets::MachineSets(const ScheduleProblem& problem)
    : home_arrays(problem.home_arrays()),
      gates(problem.gate_count()),
      inputs(problem.input_count()),
      readers(problem.value_count(), 0) {
  for (std::uint32_t gate = 0; gate < gates; ++gate) {
    const Value result = problem.value_of_gate(gate);
    all_gates |= bit(result);
    if (problem.must_stay(result)) must_stay |= bit(result);
    ValueSet read = 0;
    for (const Value value : problem.fanins(gate))
      if (value != no_value) {
        read |= bit(value);
        readers[value] |= bit(result);
      }
    fanins.push_back(read);
  }
}

void MachineSets::set_arrays(const ScheduleProblem& problem, std::uint8_t count) {
  arrays = count;
  for (std::uint32_t array = 0; array < arrays; ++array) capacity[array] = problem.free_rows(array);
  for (Value input = 0; input < inputs; ++input) {
    home[problem.home_of(input)] |= bit(input);
    if (problem.free_rows(problem.home_of(input)) == 0) stuck_inputs |= bit(input);
  }
}

ValueSet MachineSets::needed(ValueSet computed) const {
  ValueSet result = must_stay & computed;
  const ValueSet open = all_gates & ~computed;
  for (std::uint32_t value = 0; value < readers.size(); ++value)
    if ((readers[value] & open) != 0) result |= bit(value);
  return result;
}

}  // namespace nestor::simd
