// A program executed on numbers, held against the integer reference of the whole network: pieces of a split
// operator are put side by side again.
#pragma once

#include <string>

#include "model/chip/network.h"
#include "sim/chip/functional.h"
#include "sim/chip/reference.h"

namespace nestor::test {

/// Empty if every tensor agrees to the last bit. `compared` counts elements.
inline std::string execution_difference(const chip::Network& whole, const chip_program::Program& program,
                                        const chip::Machine& machine, Int& compared) {
  const auto reference = sim_chip::reference_results(whole);
  if (const auto* fault = std::get_if<sim_chip::Fault>(&reference)) return "reference: " + fault->message;
  const auto execution = sim_chip::execute(program, machine);
  if (const auto* fault = std::get_if<sim_chip::Fault>(&execution)) return "program: " + fault->message;
  const auto& expected = std::get<0>(reference);
  const auto& results = std::get<sim_chip::Execution>(execution).results;
  std::size_t at = 0;
  for (std::size_t i = 0; i < whole.operators.size(); ++i) {
    const auto& op = whole.operators[i];
    Int first = 0;
    for (; at < program.operators.size() && first < op.channels; ++at) {
      const auto& made = program.operators[at];
      if (made.keys.partial != 0) continue;
      const Int channels = program.tensors[made.output].channels;
      if (results[at].size() != static_cast<std::size_t>(op.rows * op.width * channels))
        return made.name + " made nothing";
      for (Int pixel = 0; pixel < op.rows * op.width; ++pixel) {
        for (Int c = 0; c < channels; ++c, ++compared) {
          const Int found = results[at][static_cast<std::size_t>(pixel * channels + c)];
          const Int wanted = expected[i][static_cast<std::size_t>(pixel * op.channels + first + c)];
          if (found == wanted) continue;
          return fmt::format("{}: pixel {}, channel {} is {}; expected {}", made.name, pixel, c, found,
                             wanted);
        }
      }
      first += channels;
    }
  }
  return at == program.operators.size() ? "" : "the program makes more than the network";
}

}  // namespace nestor::test
