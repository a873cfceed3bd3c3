#include "model/cnm/search/channel_bound.h"

#include <algorithm>

#include "base/checked.h"
#include "model/cnm/program.h"

namespace nestor::cnm {
namespace {

Int times(Int a, Int b) { return std::min(checked_multiply(a, b).value_or(max_count), max_count); }

}  // namespace

ChannelBound::ChannelBound(const Kernel& kernel, const PimForm& form, const System& system)
    : kernel_(kernel), form_(form) {
  const Dram& d = system.dram;
  const Int half = d.BL / 2;
  // Banks 0 and 1 are in one group if groups have two or more banks.
  again_ = std::max<Int>(1, std::max(d.banks / d.groups >= 2 ? d.tCCDL : std::min(d.tCCDL, d.tCCDS), half));
  to_write_ = std::max<Int>(1, d.RL + half + d.tRTRS - d.WL);
  to_read_ = std::max<Int>(1, d.WL + half + d.tWTRL);
  again_ = std::min({again_, to_write_, to_read_});
  to_write_ -= again_;
  to_read_ -= again_;
  end_ = d.RL + half + 2;
  // Two park groups, all-bank mode, the program and single-bank mode, with at least one cycle per burst.
  frame_ = 2 * d.banks + 4 + 1 + 2;
}

Int ChannelBound::of_local(const std::vector<Int>& local) const {
  Int vectors = 1;
  for (std::size_t d = 0; d < local.size(); ++d) vectors = times(vectors, local[d]);
  // For each point, a product reads a vector of its bank operand. A sum reads each vector of its inputs once,
  // and a pointwise kernel reads all inputs and writes its output.
  Int reads = vectors;
  if (!form_.contraction) {
    reads = times(vectors, static_cast<Int>(form_.runs.size() + 1));
  } else if (!form_.product) {
    reads = 0;
    for (const std::size_t input : form_.inputs) {
      Int own = 1;
      for (std::size_t d = 0; d < local.size(); ++d)
        if (kernel_.operands[input].uses(d)) own = times(own, local[d]);
      reads += own;
    }
  }
  return of_reads(reads);
}

Int ChannelBound::of_reads(Int reads) const { return frame_ + times(reads, again_) + end_; }

Int ChannelBound::of_units(const std::vector<Int>& extents, Int units) const {
  Int points = 1;
  for (const Int extent : extents) points = times(points, extent);
  const Int vectors = ceil_divide(points, units);
  if (!form_.contraction) return of_reads(times(vectors, static_cast<Int>(form_.runs.size() + 1)));
  if (form_.product) return of_reads(vectors);
  Int reads = 0;
  for (const std::size_t input : form_.inputs) {
    Int elements = 1;
    for (std::size_t d = 0; d < extents.size(); ++d)
      if (kernel_.operands[input].uses(d)) elements = times(elements, extents[d]);
    reads += ceil_divide(elements, units);
  }
  return of_reads(reads);
}

// Returns the number of steps at which an operand's tile differs from that of the previous step, including
// the first step.
Int ChannelBound::visits(std::size_t operand, const PimMap& map) const {
  Int product = 1, through = 1;
  for (const std::size_t d : map.order) {
    const Int steps = map.steps(d);
    product = times(product, steps);
    if (steps > 1 && kernel_.operands[operand].uses(d)) through = product;
  }
  return through;
}

Int ChannelBound::of_steps(const PimMap& map) const {
  return of_moved(map, {visits(form_.output, map), form_.product ? visits(map.held, map) : 0},
                  map.stationary);
}

// In any order, each tile is moved at least once.
Int ChannelBound::of_any_order(const PimMap& map) const {
  const auto tiles = [&](std::size_t operand) {
    Int product = 1;
    for (const std::size_t d : map.order)
      if (kernel_.operands[operand].uses(d)) product = times(product, map.steps(d));
    return product;
  };
  const Moved least = {tiles(form_.output), form_.product ? tiles(map.held) : 0};
  return std::min(of_moved(map, least, true), of_moved(map, least, false));
}

Int ChannelBound::of_moved(const PimMap& map, const Moved& moved, bool stationary) const {
  Int steps = 1;
  for (const std::size_t d : map.order) steps = times(steps, map.steps(d));
  const auto [results, loads] = moved;
  const Int result_vectors = map.tile(kernel_.operands[form_.output]);
  Int bursts = times(results, stationary ? result_vectors + 2 : 2 * result_vectors);
  Int writes = results, reads_back = results;  // changes of direction
  Int breaks = results;                        // steps whose reads do not directly follow reads
  if (form_.product) {
    const Int vectors = map.tile(kernel_.operands[map.held]);
    bursts += times(loads, map.held_is_scalar ? 1 : vectors);
    breaks = std::max(breaks, loads);
    // If an output is loaded into registers and stays there, its tile and the factor are written directly one
    // after the other.
    if (!map.held_in_banks) {
      writes = stationary ? breaks : results + loads;
      reads_back = writes;
    }
  }
  for (const std::size_t operand : map.bank_operands) {
    Int again = 1;
    if (form_.product)
      for (std::size_t d = 0; d < map.block.size(); ++d)
        if (!kernel_.operands[operand].uses(d)) again *= map.block[d];
    bursts += times(steps, times(again, map.tile(kernel_.operands[operand])));
  }
  const Int sum = times(bursts, again_) + times(std::max<Int>(0, writes - 1), to_write_) +
                  times(std::max<Int>(0, reads_back - 1), to_read_);
  return std::min(frame_ + sum + end_, max_count);
}

}  // namespace nestor::cnm
