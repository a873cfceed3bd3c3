#include "model/cnm/kernel_program.h"

#include <algorithm>
#include <map>

namespace nestor::cnm {
namespace {

void move_values(std::vector<std::size_t>& values, std::size_t by) {
  for (std::size_t& value : values) value += by;
}

}  // namespace

KernelProgram joined(std::vector<KernelProgram> programs) {
  if (programs.size() == 1) return std::move(programs[0]);
  std::map<std::string, int> named;
  for (const KernelProgram& program : programs)
    for (const ProgramValue& value : program.values) ++named[value.name];
  KernelProgram all;
  const auto append = [](auto& list, auto& more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for (KernelProgram& program : programs) {
    const std::size_t by = all.values.size();
    for (ProgramValue& value : program.values)
      if (named[value.name] > 1) value.name = program.name + "." + value.name;
    for (auto* const list : {&program.inputs, &program.outputs, &program.constants}) move_values(*list, by);
    for (ProgramOperation& operation : program.operations) {
      for (auto* const list : {&operation.reads, &operation.writes, &operation.operands})
        move_values(*list, by);
      for (auto& [system, parts] : operation.parts) {
        std::map<std::size_t, ValuePart> moved;
        for (auto& [value, part] : parts) moved.emplace(value + by, std::move(part));
        parts = std::move(moved);
      }
    }
    all.name += (all.name.empty() ? "" : ",") + program.name;
    append(all.values, program.values);
    append(all.inputs, program.inputs);
    append(all.outputs, program.outputs);
    append(all.constants, program.constants);
    append(all.operations, program.operations);
  }
  return all;
}

void extend_by_pads(KernelOperand& image, const std::vector<Int>& shape, const std::vector<Int>& pads,
                    const std::vector<Int>& extents) {
  const std::size_t axes = pads.size() / 2;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t at = image.dims.size() - axes + i;
    const Int padded = shape[shape.size() - axes + i] + pads[i] + pads[axes + i];
    image.dims[at] = std::max(reach(image.map[at], extents), padded);
  }
}

}  // namespace nestor::cnm
