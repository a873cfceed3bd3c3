// A map of HBM-PIM that runs a general stream, with optional parts filled in, and the machine's checks of it
// (docs/models/cnm.md, "General streams"). The innermost tuple counts vectors, which have one element per
// lane.
#pragma once

#include <string>

#include "model/cnm/estimate/pim_form.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

struct PimMap {
  std::string fault;                                ///< the first rule that is broken, or empty
  std::vector<Int> channels, blocks, lanes, local;  ///< `blocks` counts at most one bank per block
  PimHalf half = PimHalf::alternate;
  Int instructions = 1;  ///< number in the program

  // Pointwise kernels.
  Int grf = 8;
  PimLayout layout = PimLayout::apart;

  // Contractions.
  std::vector<Int> block;
  std::vector<std::size_t> order;  ///< all dims
  std::size_t half_dim = 0;
  std::size_t bank = 0;                    ///< the operand of a product in the banks
  std::size_t held = 0;                    ///< the other operand of a product
  bool held_in_banks = false;              ///< `held` is copied to registers from the banks
  bool held_is_scalar = false;             ///< `held` is not in the banks, and all lanes have the same value
  std::vector<std::size_t> bank_operands;  ///< read at every step
  bool stationary = true;                  ///< an output tile stays in registers until it is complete
  Int steps(std::size_t dim) const { return local[dim] / block[dim]; }
  Int halves() const { return half == PimHalf::even ? 1 : 2; }
  /// Returns the number of vectors in a tile of an operand.
  Int tile(const KernelOperand& operand) const;
  /// Returns the number of tiles of an operand in a bank; if `plain`, both halves are in one bank.
  Int tiles(const KernelOperand& operand, bool plain) const;
};

/// True if the map uses one of the library's streams, provided that there is one for the kernel.
bool is_library_form(const CnmMap& map, const System& system);

PimMap complete_pim_map(const Kernel& kernel, const PimForm& form, const CnmMap& map, const System& system);

/// Returns the map with all optional keys filled in.
CnmMap with_pim_keys(CnmMap map, const PimForm& form, const PimMap& complete, const System& system);

/// Returns the number of partial results that the host adds up if dims are cut into these parts, each with
/// `local` points.
Int pim_partial_results(const PimForm& form, const std::vector<Int>& parts, const std::vector<Int>& local);
Int pim_partial_results(const PimForm& form, const PimMap& map);

}  // namespace nestor::cnm
