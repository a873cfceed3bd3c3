// Registers the kinds of bad input of the pim space (bad_inputs.h): machines, and mappings of one layer on a
// small machine.
#include "io/bad_inputs.h"
#include "io/layer_file.h"
#include "report/results/pim/texts.h"

namespace nestor::tests::pim_bad_inputs {
namespace {

constexpr auto machine_text = R"({name: small, kind: pim, dim_once: [row, column], hierarchy: [
 {memory: {name: dram, operands: [I, W, O], bandwidth: 64, row: 32 B, banks: 2, activation_cycles: 6}},
 {memory: {name: buffer, operands: [I, W], capacity: 256, bandwidth: 64}},
 {spatial: {name: row, size: 4, dims: [K, C]}},
 {spatial: {name: column, size: 4, dims: [K, C]}},
 {memory: {name: registers, operands: [I, W, O], capacity: 1 KiB, bandwidth: 32}}], compute: {}})";
constexpr auto layers_text = "{name: n, layers: [{name: a, dims: {K: 4, C: 4, P: 4, Q: 4}}]}";

const BadInputKind machine("pim-machine", "in.yaml", [](const std::string& input, const std::string& file) {
  return message_of(io::pim::parse_machine(input, file));
});
// Reads a mapping and checks it against one layer on the small machine.
const BadInputKind mapping("pim-mapping", "in.json", [](const std::string& input, const std::string& file) {
  const auto small = io::pim::parse_machine(machine_text, "machine").value();
  const auto network = io::parse_layers(layers_text, "layers").value();
  const auto read = io::pim::parse_mappings(input, file, small, network.layers);
  if (!read) return message_of(read);
  auto nest = read->front();
  auto violation = pim::find_misplacement(small.machine, nest);
  pim::normalise(nest, network.layers[0].shape, small.machine);
  if (!violation) violation = pim::find_violation(network.layers[0].shape, small.machine, nest);
  return violation ? io::pim::violation_text(*violation, nest, small) : std::string();
});

}  // namespace
}  // namespace nestor::tests::pim_bad_inputs
