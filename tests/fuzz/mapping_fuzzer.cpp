// Fuzzer for the reader of mapping files. Every mapping that the reader accepts can be normalised and
// checked. A legal mapping can be evaluated and replayed, and normalising it again changes nothing. Mappings
// written in the format of another tool are read back unchanged.
#include <cstdlib>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/neighbours/mapping_forms.h"
#include "model/cim/evaluate.h"
#include "model/loopnest/canonical.h"
#include "report/results/violation_text.h"
#include "sim/cim/replay.h"

namespace {

constexpr std::string_view machine_text = R"(name: small
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16}
  - memory: {name: buffer, operands: [I, O], capacity: 1 KiB, bandwidth: 32, double_buffer: true}
  - memory: {name: array, operands: [W], capacity: 2048, bandwidth: 32}
  - memory: {name: lines, operands: [I], capacity: 256, bandwidth: 32}
  - memory: {name: sums, operands: [O], capacity: 256, bandwidth: 32}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
compute: {mvm_cycles: 4}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  static const auto architecture = io::parse_architecture(machine_text, "machine").value();
  static const std::vector<Layer> layers = [] {
    Layer layer;
    layer.name = "conv";
    layer.shape.bounds = {1, 8, 8, 6, 6, 1, 1, 1};
    return std::vector<Layer>{layer};
  }();
  auto mappings =
      io::parse_mappings({reinterpret_cast<const char*>(data), size}, "fuzz", architecture, layers);
  if (!mappings) return 0;
  auto mapping = mappings->front();
  const auto& shape = layers.front().shape;
  normalise(mapping, shape, architecture.machine);
  if (const auto violation = find_violation(shape, architecture.machine, mapping)) {
    if (io::violation_text(*violation, mapping, architecture).empty()) std::abort();
    return 0;
  }
  auto twice = mapping;
  normalise(twice, shape, architecture.machine);
  const auto cost = cim::evaluate(shape, architecture.machine, mapping);
  const auto replay = sim::cim::replay(shape, architecture.machine, mapping);
  if (!(twice == mapping) || cost.stall_cycles <= 0 || replay.status != sim::cim::ReplayStatus::complete)
    std::abort();
  const io::neighbours::MappedLayer mapped{&layers.front(), &mapping};
  for (const auto form : {io::ShownForm::zigzag, io::ShownForm::timeloop, io::ShownForm::accelforge}) {
    const auto text = io::neighbours::write_mappings(form, std::span(&mapped, 1), architecture);
    if (!text) continue;
    auto again = io::parse_mappings(*text, "again", architecture, layers);
    if (!again) std::abort();
    normalise(again->front(), shape, architecture.machine);
    if (!(again->front() == mapping)) std::abort();
  }
  return 0;
}
