#include "model/pim/even.h"

#include <algorithm>

namespace nestor::pim {
namespace {

// Range of gaps between loops in which a memory's level may start; gap g is just outside loop g. If operand x
// enters memory m, the level of m may start anywhere from the last relevant loop outside up to the next
// relevant loop. Canonical form moves the loops in between into the inner block (docs/models/pim.md (2.1)).
struct Window {
  std::size_t first = 0;
  std::size_t last = max_loops;
};

void narrow(const LayerShape& layer, const Mapping& nest, std::size_t x, std::size_t begin, Window& window) {
  const auto operand = static_cast<Operand>(x);
  std::size_t next = begin;
  while (next < nest.loops.size() && !layer.is_relevant(nest.loops[next].dim, operand)) ++next;
  window.first = std::max(window.first, begin);
  window.last = std::min(window.last, next);
}

}  // namespace

bool is_even(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping) {
  const auto& nest = mapping.nest;
  std::size_t level = 0;  // earliest gap for the next memory's level
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    Window window;
    for (std::size_t x = 0; x < operand_count; ++x) {
      const auto operand = static_cast<Operand>(x);
      if (m <= machine.home(operand) || !machine.memories[m].operands.contains(operand)) continue;
      bool used = m == machine.innermost(operand) || mapping.stored[m].contains(operand);
      std::size_t begin = 0;
      while (begin < nest.loops.size() && nest.loops[begin].at[x] < m) ++begin;
      used = used || (begin < nest.loops.size() && nest.loops[begin].at[x] == m);
      if (used) narrow(layer, nest, x, begin, window);
    }
    level = std::max(level, window.first);
    if (level > window.last) return false;
  }
  return true;
}

}  // namespace nestor::pim
