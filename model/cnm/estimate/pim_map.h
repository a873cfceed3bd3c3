// A map of HBM-PIM that runs a general stream: what may be left out filled in, and what the machine refuses
// (docs/models/cnm.md, "General streams"). The innermost tuple counts vectors, of one element a lane.
#pragma once

#include <string>

#include "model/cnm/estimate/pim_form.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

struct PimMap {
  std::string fault;                                ///< the first rule that is broken; empty if none is
  std::vector<Int> channels, blocks, lanes, local;  ///< at most one bank of a block counted
  PimHalf half = PimHalf::alternate;
  Int instructions = 1;  ///< of the program

  // Pointwise.
  Int grf = 8;
  PimLayout layout = PimLayout::apart;

  // Contractions.
  std::vector<Int> block;
  std::vector<std::size_t> order;  ///< all dims
  std::size_t half_dim = 0;
  std::size_t bank = 0;                    ///< of a product, the operand in the banks
  std::size_t held = 0;                    ///< of a product, the other one
  bool held_in_banks = false;              ///< it is copied to registers from the banks
  bool held_is_scalar = false;             ///< else: every lane has the same
  std::vector<std::size_t> bank_operands;  ///< read at every step
  bool stationary = true;                  ///< an output tile stays in registers until it is complete
  Int steps(std::size_t dim) const { return local[dim] / block[dim]; }
  Int halves() const { return half == PimHalf::even ? 1 : 2; }
  /// Vectors in a tile of an operand.
  Int tile(const KernelOperand& operand) const;
  /// Tiles of an operand in a bank; `plain`: both halves in one.
  Int tiles(const KernelOperand& operand, bool plain) const;
};

/// Whether the map takes one of the library's streams, if there is one for the kernel.
bool is_library_form(const CnmMap& map, const System& system);

PimMap complete_pim_map(const Kernel& kernel, const PimForm& form, const CnmMap& map, const System& system);

/// The map with what was left out and may be given.
CnmMap with_pim_keys(CnmMap map, const PimForm& form, const PimMap& complete, const System& system);

/// Partial results that the host adds up.
Int pim_partial_results(const Kernel& kernel, const PimForm& form, const PimMap& map);

}  // namespace nestor::cnm
