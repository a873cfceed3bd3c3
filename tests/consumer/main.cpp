// A compiler back end that maps its own layers: a 64 x 128 matrix-vector product onto a machine of a DRAM, a
// buffer and an array of 16 x 16 cells, with a proof that no mapping is faster.
#include <cstdio>

#include "mapper/cim/map_layer.h"

int main() {
  using namespace nestor;

  Architecture machine;
  const auto add_memory = [&](OperandSet operands, Int capacity_bits, Int bits_per_cycle) {
    Memory memory;
    memory.operands = operands;
    memory.capacity = capacity_bits;
    memory.bandwidth = bits_per_cycle;
    machine.memories.push_back(memory);
  };
  add_memory(OperandSet::of(Operand::I, Operand::W, Operand::O), unlimited_capacity, 64);  // DRAM
  add_memory(OperandSet::of(Operand::I, Operand::O), 8 * 1024, 128);                       // buffer
  add_memory(OperandSet::of(Operand::W), 16 * 16 * 8, 128);                                // cells
  machine.axes.push_back({16, DimSet::of(Dim::C)});
  machine.axes.push_back({16, DimSet::of(Dim::K)});
  machine.mvm_cycles = 4;

  LayerShape layer;
  layer.bounds[index_of(Dim::K)] = 64;
  layer.bounds[index_of(Dim::C)] = 128;

  const auto executor = make_executor(ExecutorKind::tbb, 0);
  MemoryBudget memory(std::size_t{256} << 20U);
  const auto found = mapper::map_layer(layer, machine, mapper::CimRequest{}, {*executor, memory});
  if (found.status != Status::optimal || found.best.empty()) return 1;
  const auto& best = found.best.front();
  std::printf("%s: %lld cycles\n", to_string(found.status),
              static_cast<long long>(best.evaluation.stall_cycles));
  for (const Loop& loop : best.mapping.loops)
    std::printf("for %c in 0..%lld\n", letter(loop.dim), static_cast<long long>(loop.factor - 1));
  return 0;
}
