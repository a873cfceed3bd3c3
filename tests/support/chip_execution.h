// Helper that executes a program on numbers and compares it with the integer reference of the whole network.
#pragma once

#include <string>

#include "sim/chip/agreement.h"

namespace nestor::tests {

/// Returns an empty string if every tensor agrees to the last bit. Adds the number of elements to `compared`.
inline std::string execution_difference(const chip::ChipNetwork& whole, const chip_program::Program& program,
                                        const chip::ChipMachine& machine, Int& compared) {
  const auto execution = sim::chip::execute(program, machine);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&execution)) return "program: " + fault->message;
  const auto verdict =
      sim::chip::compare_with_reference(whole, program, std::get<sim::chip::Execution>(execution));
  if (const auto* fault = std::get_if<sim::chip::Fault>(&verdict)) return fault->message;
  compared += std::get<Int>(verdict);
  return "";
}

}  // namespace nestor::tests
