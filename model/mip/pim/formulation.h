// PIM Optimizer's integer program of one layer (its Eqs. 4 to 43; docs/models/mip.md, section 4) with the
// hybrid row formulas. tests/model/pim/mip_test.cpp compares it with the search.
#pragma once

#include <memory>
#include <optional>

#include "model/mip/nest_figures.h"
#include "model/pim/search/problem.h"

namespace nestor::pim {

class PimProgram {
 public:
  /// The machine must use the hybrid row model and have no axis before its DRAM. `known` is a legal mapping
  /// with layouts from choose_layouts(). `best` is the objective of some known mapping; it tightens the upper
  /// limit on the latency.
  PimProgram(const PimProblem& problem, const PimMapping* known, std::optional<double> best);

  const mip::Program& program() const { return program_; }
  const mip::NestProgram& nest() const { return nest_; }

 private:
  using Sum = mip::Sum;
  using Index = mip::Index;

  // Defined in levels.cpp.
  void add_dims_once();
  void add_levels(const PimMapping* known);
  // Defined in traffic.cpp.
  double latency_limit(std::optional<double> best) const;
  void add_traffic();
  Sum moved(const std::string& name, Operand operand, std::size_t from, std::size_t to, const Sum& selected);
  Sum output_moved(const std::string& name, std::size_t from, std::size_t to, const Sum& selected);
  Sum served(Operand operand);
  struct Lanes {
    std::vector<mip::NestFigures::Product> products;
    bool fixed = true;  ///< true if no axis is above: a single lane
  };
  const Lanes& lanes_above(std::size_t axis, bool outputs_only);
  // Defined in rows.cpp.
  void add_rows(Operand operand);
  struct Repeats {  // prime exponents of the numbers of iterations
    std::map<Int, Sum> outer, all, tiles;
  };
  Repeats repeats(Operand operand);
  // Defined in formulation.cpp.
  void add_latency();
  void add_objective();

  const PimProblem& problem_;
  mip::Program program_;
  mip::NestProgram nest_;
  mip::NestFigures figures_;
  const PimMapping* known_;
  double limit_ = 0;
  PerMemoryOperand<Sum> cycles_{};  ///< cycles in which a memory's inner side moves tiles and serves steps
  std::array<Sum, operand_count> rows_{};
  std::map<std::size_t, Lanes> lanes_;
  Index latency_ = 0;
};

}  // namespace nestor::pim
