#include "solver/simplex/references.h"

#ifdef NESTOR_TEST_CLP
#include <algorithm>
#include <memory>

#include "solver/simplex/clp_arrays.h"

namespace nestor::simplex {
namespace {

struct Deleter {
  void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
};
using Model = std::unique_ptr<Clp_Simplex, Deleter>;

Model translate(const LinearProgram& program, bool with_cost) {
  ClpArrays arrays(program);
  if (!with_cost) std::fill(arrays.cost.begin(), arrays.cost.end(), 0.0);
  Model model(arrays.model());
  Clp_setPrimalTolerance(model.get(), 1e-9);
  Clp_setDualTolerance(model.get(), 1e-9);
  return model;
}

}  // namespace

std::optional<ReferenceAnswer> solve_with_clp(const LinearProgram& program) {
  const Model model = translate(program, true);
  Clp_primal(model.get(), 0);
  const int status = Clp_status(model.get());
  if (status == 0)
    return ReferenceAnswer{LpStatus::optimal, Clp_objectiveValue(model.get()) + program.offset()};
  if (status != 1 && status != 2) return ReferenceAnswer{};
  // Each of CLP's two statuses may mean that the primal or the dual is infeasible. A run without costs
  // distinguishes an infeasible program from an unbounded one.
  const Model feasibility = translate(program, false);
  Clp_primal(feasibility.get(), 0);
  return ReferenceAnswer{Clp_status(feasibility.get()) == 0 ? LpStatus::unbounded : LpStatus::infeasible, 0};
}

}  // namespace nestor::simplex
#else
namespace nestor::simplex {
std::optional<ReferenceAnswer> solve_with_clp(const LinearProgram&) { return std::nullopt; }
}  // namespace nestor::simplex
#endif
