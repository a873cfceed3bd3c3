// Fuzzer for the reader of mappings of the pim space. Every mapping that the reader accepts can be normalised
// and checked. Evaluation and replay of a legal mapping agree, and normalising it again changes nothing.
#include <cstdlib>

#include "model/pim/evaluate.h"
#include "report/results/pim/texts.h"
#include "sim/pim/replay.h"

namespace {

constexpr std::string_view machine_text = R"(name: small
kind: pim
blocks: uneven
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16, row: 5 B, banks: 2, activation_cycles: 3}
  - memory: {name: buffer, operands: [I, O], capacity: 1 KiB, bandwidth: 32}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
  - memory: {name: registers, operands: [I, W, O], capacity: 2048, bandwidth: 32}
compute: {}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  static const auto machine = io::pim::parse_machine(machine_text, "machine").value();
  static const std::vector<Layer> layers = [] {
    Layer layer;
    layer.name = "conv";
    layer.shape.bounds = {1, 4, 8, 6, 6, 1, 1, 1};
    return std::vector<Layer>{layer};
  }();
  auto mappings =
      io::pim::parse_mappings({reinterpret_cast<const char*>(data), size}, "fuzz", machine, layers);
  if (!mappings) return 0;
  auto mapping = mappings->front();
  const auto& shape = layers.front().shape;
  pim::normalise(mapping, shape, machine.machine);
  if (const auto violation = pim::find_violation(shape, machine.machine, mapping)) {
    if (io::pim::violation_text(*violation, mapping, machine).empty()) std::abort();
    return 0;
  }
  auto twice = mapping;
  pim::normalise(twice, shape, machine.machine);
  pim::RowCounter rows;
  const auto model = pim::evaluate(shape, machine.machine, mapping, rows);
  const auto replay = sim::pim::replay(shape, machine.machine, mapping);
  if (!(twice == mapping) || replay.status != sim::pim::ReplayEnd::complete ||
      replay.cycles != model.latency_cycles || replay.activations != model.row_activations)
    std::abort();
  return 0;
}
