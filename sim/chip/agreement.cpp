#include "sim/chip/agreement.h"

#include "sim/chip/reference.h"

namespace nestor::sim::chip {

std::variant<Int, Fault> compare_with_reference(const nestor::chip::ChipNetwork& whole,
                                                const Program& program, const Execution& execution) {
  const auto reference = reference_results(whole);
  if (const auto* fault = std::get_if<Fault>(&reference)) return Fault{"reference: " + fault->message};
  return compare_with_results(whole, program, execution, std::get<0>(reference));
}

std::variant<Int, Fault> compare_with_results(const nestor::chip::ChipNetwork& whole, const Program& program,
                                              const Execution& execution,
                                              const std::vector<std::vector<Int>>& expected) {
  const auto& results = execution.results;
  Int compared = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < whole.operators.size(); ++i) {
    const auto& op = whole.operators[i];
    Int first = 0;
    for (; at < program.operators.size() && first < op.channels; ++at) {
      const auto& made = program.operators[at];
      if (made.keys.partial != 0) continue;
      const Int channels = program.tensors[made.output].channels;
      if (first + channels > op.channels)
        return Fault{fmt::format("{} computes {} channels; the network has {} left at this point", made.name,
                                 channels, op.channels - first)};
      if (results[at].size() != static_cast<std::size_t>(op.rows * op.width * channels))
        return Fault{fmt::format("{} and {} compute different numbers of elements", made.name, op.name)};
      for (Int pixel = 0; pixel < op.rows * op.width; ++pixel) {
        for (Int c = 0; c < channels; ++c, ++compared) {
          const Int found = results[at][static_cast<std::size_t>(pixel * channels + c)];
          const Int wanted = expected[i][static_cast<std::size_t>(pixel * op.channels + first + c)];
          if (found == wanted) continue;
          return Fault{
              fmt::format("{}: pixel {}, channel {} is {}; expected {}", made.name, pixel, c, found, wanted)};
        }
      }
      first += channels;
    }
    if (first < op.channels) return Fault{fmt::format("the program does not compute all of {}", op.name)};
  }
  if (at != program.operators.size()) return Fault{"the program computes more than the network"};
  return compared;
}

}  // namespace nestor::sim::chip
