#include "report/results/chip/compiled_file.h"

#include <fmt/format.h>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "model/chip/problem.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/results/result_head.h"

namespace nestor::io {

Result<CompiledNetwork> read_compiled(const Document& document, const std::string& file) {
  const Node root = document.root();
  if (auto error = check_schema(root)) return *error;
  Reading reading;
  const auto part = [&](std::string_view key) {
    const auto node = root.is_map() ? root.find(key) : std::nullopt;
    if (!node) reading.fail(root, fmt::format("no '{}'; expected a result of compile", key));
    return node;
  };
  const auto architecture = part(key::architecture);
  const auto network = part(key::network);
  const auto decisions = part(key::decisions);
  if (reading.failed()) return reading.error();
  CompiledNetwork compiled;
  compiled.machine = read_chip_machine_node(*architecture, reading);
  compiled.network = read_chip_network_node(*network, reading);
  if (reading.failed()) return reading.error();
  if (const auto refused = chip::admit(compiled.machine, compiled.network))
    return input_error({file}, refused->message);
  compiled.decisions = read_chip_decisions_node(*decisions, compiled.network, compiled.machine.mode, reading);
  if (reading.failed()) return reading.error();
  return compiled;
}

}  // namespace nestor::io
