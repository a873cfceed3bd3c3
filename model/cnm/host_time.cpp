#include "model/cnm/host_time.h"

#include <algorithm>

namespace nestor::cnm {
namespace {

double bytes_of_operand(const KernelOperand& operand) {
  auto bytes = static_cast<double>(bytes_of(operand.type));
  for (const Int extent : operand.dims) bytes *= static_cast<double>(extent);
  return bytes;
}

}  // namespace

double host_time_ms(const KernelProgram& program, const ProgramOperation& operation, const System& host) {
  double bytes = 0, work_ms = 0;
  if (operation.kernel) {
    const Kernel& kernel = *operation.kernel;
    double points = 1;
    for (const Int extent : kernel.extents) points *= static_cast<double>(extent);
    const auto steps = std::count_if(kernel.region.begin(), kernel.region.end(), [](const RegionStep& step) {
      return step.kind == RegionStep::Kind::operation;
    });
    const auto type = static_cast<std::size_t>(kernel.operands.back().type);
    work_ms = points * static_cast<double>(steps) / (host.processor.peak_gops[type] * 1e6);
    for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
      const KernelOperand& operand = kernel.operands[i];
      double once = bytes_of_operand(operand);
      // The padding of a network's convolution does not increase the bytes of its input.
      if (!operation.pads.empty() && i < operation.operands.size())
        once = std::min(once, static_cast<double>(program.values[operation.operands[i]].bytes));
      bytes += once * (operand.output && operand.read && operation.updates ? 2 : 1);
    }
  } else {
    for (const auto* const list : {&operation.reads, &operation.writes})
      for (const std::size_t value : *list) bytes += static_cast<double>(program.values[value].bytes);
  }
  return host.processor.launch_ms + std::max(work_ms, bytes / (host.processor.bandwidth_gbs * 1e6));
}

}  // namespace nestor::cnm
