// Quantities derived from the tiles of a loop nest, as one-hot choices over the columns of a NestProgram:
// sizes and capacities, complete outputs, energies, steps. The formulations of all loop-nest spaces share
// them.
#pragma once

#include <map>

#include "model/mip/nest_program.h"

namespace nestor::mip {

/// Returns the elements of a tile divided by the product of its relevant extents: 1 except for overlapping
/// windows.
double window_share(const LayerShape& layer, Operand operand, const Extents& extents);
/// Returns the dimensions on which window_share() or the product of the irrelevant extents depends.
DimSet counted_dims(const LayerShape& layer, Operand operand);

class NestFigures {
 public:
  explicit NestFigures(NestProgram& nest)
      : nest_(nest), program_(nest.program()), layer_(nest.layer()), machine_(nest.machine()) {}

  /// Adds the capacities (Eqs. 7 and 9). With `all`, also adds the sizes in memories in which all operands
  /// fit completely.
  void add_sizes(bool all);
  /// Returns the size of Eq. 7 in bits, without doubling; empty if add_sizes() did not add it.
  const Sum& size(std::size_t memory, Operand operand) const { return size_[memory][index_of(operand)]; }

  /// Returns a sum that is 1 if no reduction loop is outside the content of a memory of O, and otherwise 0.
  Sum complete(std::size_t memory) { return Sum(reductions_outside(memory).front().column); }
  bool is_complete_known(std::size_t memory) {
    return program_.known()[reductions_outside(memory).front().column] > 0.5;
  }
  /// Returns the possible products of the reduction loops outside a memory's content; the first is 1.
  const std::vector<ExtentChoice>& reductions_outside(std::size_t memory);
  /// Returns a sum that is 1 if an axis before `axis` carries a reduction factor, and otherwise 0.
  Sum reduced_above(std::size_t axis);

  /// Returns the energy in pJ, without compute and leakage. `reads_weights`: true if steps also read weights.
  Sum energy(bool reads_weights);
  /// Returns the cycles of all steps, with `each` cycles per step and at most `most` in total. V^N is a
  /// one-hot choice among the products of all loops.
  Sum steps(double each, double most);

  /// A product that a one-hot choice may select. Rows require the prime exponents of the selected product to
  /// equal those of the query.
  struct Product {
    double value = 1;
    Index column = 0;
  };
  struct ProductQuery {
    std::string name;
    Meaning meaning;
    Sum selected = 1.0;
    std::map<Int, Sum> exponents;  ///< exponent of each prime
    std::function<bool(double)> allows = nullptr;
  };
  std::vector<Product> choose_product(const ProductQuery& query);
  /// Adds the prime exponents of a dimension's factors; `count(k)` is the number of occurrences of the k-th
  /// factor.
  void add_primes(std::map<Int, Sum>& exponents, std::size_t dim,
                  const std::function<Sum(std::size_t)>& count) const;

  Meaning meaning(std::string_view symbol, Operand operand, std::size_t memory, int source = -1) const;

 private:
  std::size_t next_inward(Operand operand, std::size_t memory) const;
  Sum size_of(Operand operand, std::size_t memory);
  Sum operand_energy(Operand operand);
  Sum output_energy();
  Sum passes(const std::string& name, Operand operand, std::size_t memory, std::size_t axis,
             const Sum& selected);
  Sum returned(const std::string& name, std::size_t memory, std::size_t axis, const Sum& selected, double in,
               double out, bool one_lane);

  NestProgram& nest_;
  Program& program_;
  const LayerShape& layer_;
  const Hierarchy& machine_;
  std::map<std::size_t, std::vector<ExtentChoice>> reductions_;
  std::map<std::size_t, Index> reduced_;
  PerMemoryOperand<Sum> size_{};
};

}  // namespace nestor::mip
