#include "model/cnm/second_reading/figures.h"

namespace nestor::cnm::second {
namespace {

constexpr double per_million = 1e6;  // converts nanoseconds, and bytes over GB/s, to milliseconds

Int up_to(Int value, Int unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

HostFigures read_host(const System& system, Int tasklets, Int partial, Int bytes_in, Int bytes_out) {
  const Host& host = system.host;
  HostFigures figures;
  if (system.target == Target::upmem)
    figures.launch = host.launch_ms + static_cast<double>(tasklets) * host.launch_ms_per_tasklet;
  figures.reduce = static_cast<double>(partial) * host.reduce_ns / per_million;
  if (host.to_gbs > 0) figures.transfer += static_cast<double>(bytes_in) / host.to_gbs / per_million;
  if (host.from_gbs > 0) figures.transfer += static_cast<double>(bytes_out) / host.from_gbs / per_million;
  return figures;
}

double milliseconds(const System& system, double cycles) { return cycles / (system.clock_mhz * 1000); }

std::vector<Int> read_units(const CnmMap& map, const System& system) {
  std::vector<Int> units;
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    Int product = 1;
    for (const Int parts : map.tuples[level]) product *= parts;
    units.push_back(product);
  }
  return units;
}

Int read_results(const Kernel& kernel) {
  Int sum = 0;
  for (const KernelOperand& operand : kernel.operands) {
    Int elements = operand.output ? 1 : 0;
    for (const AffineExpr& expr : operand.map) {
      Int last = 0;
      for (std::size_t d = 0; d < kernel.extents.size(); ++d)
        last += expr.factors[d] * (kernel.extents[d] - 1);
      elements *= last + 1;
    }
    sum += elements;
  }
  return sum;
}

ChannelFigures read_channels(const Kernel& kernel, const std::vector<Int>& parts, const System& system) {
  const Int blocks = system.levels[1].size, lanes = system.levels[2].size, registers = system.pim.grf;
  ChannelFigures figures;
  if (kernel.extents.size() == 2 && kernel.reduction.back()) {
    figures.padded = {up_to(kernel.extents[0], parts[0] * blocks * registers),
                      up_to(kernel.extents[1], parts[1] * lanes * registers)};
    figures.partial = figures.padded[0] * (lanes * parts[1] - 1);
    return figures;
  }
  Int channels = 1, elements = 1;
  for (const Int part : parts) channels *= part;
  for (const Int extent : kernel.extents) elements *= extent;
  figures.padded = {up_to(elements, channels * blocks * lanes * 2 * registers)};
  return figures;
}

}  // namespace nestor::cnm::second
