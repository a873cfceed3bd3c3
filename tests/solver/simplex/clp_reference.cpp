#include "solver/simplex/references.h"

#ifdef NESTOR_TEST_CLP
#include <coin/Clp_C_Interface.h>

#include <memory>

namespace nestor::simplex {
namespace {

struct Deleter {
  void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
};
using Model = std::unique_ptr<Clp_Simplex, Deleter>;

Model translate(const LinearProgram& program, bool with_cost) {
  Model model(Clp_newModel());
  Clp_setLogLevel(model.get(), 0);
  std::vector<CoinBigIndex> start{0};
  std::vector<int> index;
  std::vector<double> value, lower, upper, cost, row_lower, row_upper;
  for (Index j = 0; j < program.columns(); ++j) {
    for (const Entry& entry : program.column(j)) {
      index.push_back(static_cast<int>(entry.index));
      value.push_back(entry.value);
    }
    start.push_back(static_cast<CoinBigIndex>(index.size()));
    lower.push_back(program.column_bounds(j).lower);
    upper.push_back(program.column_bounds(j).upper);
    cost.push_back(with_cost ? program.cost(j) : 0.0);
  }
  for (Index i = 0; i < program.rows(); ++i) {
    row_lower.push_back(program.row_bounds(i).lower);
    row_upper.push_back(program.row_bounds(i).upper);
  }
  Clp_loadProblem(model.get(), static_cast<int>(program.columns()), static_cast<int>(program.rows()),
                  start.data(), index.data(), value.data(), lower.data(), upper.data(), cost.data(),
                  row_lower.data(), row_upper.data());
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
  // Either may mean "not both feasible": a run without cost tells feasible from infeasible.
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
