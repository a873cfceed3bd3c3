// A map of HBM-PIM that runs a general stream, with its optional parts filled in, and the first rule of the
// machine that it breaks (docs/models/cnm.md, "General streams"). The innermost tuple is in units of vectors,
// which have one element per lane.
#pragma once

#include <string>

#include "model/cnm/estimate/pim_form.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

struct PimMap {
  std::string fault;  ///< first broken rule, or empty
  /// Numbers by dim. `blocks` counts the machine's blocks, even if the map uses each of their two banks as a
  /// block.
  std::vector<Int> channels, blocks, lanes, local;
  PimHalf half = PimHalf::alternate;
  Int instructions = 1;  ///< number of instructions in the program

  // Pointwise kernels.
  Int grf = 8;
  PimLayout layout = PimLayout::apart;

  // Contractions.
  std::vector<Int> block;
  std::vector<std::size_t> order;  ///< order of all dims
  std::size_t half_dim = 0;
  std::size_t bank = 0;        ///< index of the operand of a product that is in the banks
  std::size_t held = 0;        ///< index of the other operand of a product
  bool held_in_banks = false;  ///< true if `held` is copied to registers from the banks
  /// True if `held` is not in the banks and all lanes have the same value.
  bool held_is_scalar = false;
  std::vector<std::size_t> bank_operands;  ///< operands that are read at every step
  bool stationary = true;                  ///< true if an output tile stays in registers until it is complete
  Int steps(std::size_t dim) const { return local[dim] / block[dim]; }
  Int halves() const { return half == PimHalf::even ? 1 : 2; }
  /// Returns the number of vectors in a tile of an operand.
  Int tile(const KernelOperand& operand) const;
  /// Returns the number of tiles of an operand in a bank; if `plain`, both halves are in one bank.
  Int tiles(const KernelOperand& operand, bool plain) const;
};

/// True if the map uses one of the library's streams, assuming that the library has one for the kernel.
bool is_library_form(const CnmMap& map, const System& system);

PimMap complete_pim_map(const Kernel& kernel, const PimForm& form, const CnmMap& map, const System& system);

/// Returns the map with its half, and with block and order or grf and layout, filled in. The half stays
/// omitted if blocks count both banks.
CnmMap with_pim_keys(CnmMap map, const PimForm& form, const PimMap& complete, const System& system);

/// Returns the number of partial results, beyond the first of each element, that the host adds up if dims are
/// cut into these parts, each with `local` points.
Int pim_partial_results(const PimForm& form, const std::vector<Int>& parts, const std::vector<Int>& local);
Int pim_partial_results(const PimForm& form, const PimMap& map);

}  // namespace nestor::cnm
