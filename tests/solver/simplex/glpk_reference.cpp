#include "solver/simplex/references.h"

#ifdef NESTOR_TEST_GLPK
#include <glpk.h>

#include <memory>

namespace nestor::simplex {
namespace {

int bound_kind(const Interval& bounds) {
  if (bounds.lower == bounds.upper) return GLP_FX;
  if (bounds.lower == -infinity) return bounds.upper == infinity ? GLP_FR : GLP_UP;
  return bounds.upper == infinity ? GLP_LO : GLP_DB;
}

struct Deleter {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};
using Problem = std::unique_ptr<glp_prob, Deleter>;

Problem translate(const LinearProgram& program, bool with_cost) {
  Problem problem(glp_create_prob());
  if (program.rows() > 0) glp_add_rows(problem.get(), static_cast<int>(program.rows()));
  if (program.columns() > 0) glp_add_cols(problem.get(), static_cast<int>(program.columns()));
  for (Index i = 0; i < program.rows(); ++i) {
    const Interval& bounds = program.row_bounds(i);
    glp_set_row_bnds(problem.get(), static_cast<int>(i) + 1, bound_kind(bounds), bounds.lower, bounds.upper);
  }
  std::vector<int> index;
  std::vector<double> value;
  for (Index j = 0; j < program.columns(); ++j) {
    const int column = static_cast<int>(j) + 1;
    const Interval& bounds = program.column_bounds(j);
    glp_set_col_bnds(problem.get(), column, bound_kind(bounds), bounds.lower, bounds.upper);
    glp_set_obj_coef(problem.get(), column, with_cost ? program.cost(j) : 0.0);
    index.assign(1, 0);
    value.assign(1, 0.0);
    for (const Entry& entry : program.column(j)) {
      index.push_back(static_cast<int>(entry.index) + 1);
      value.push_back(entry.value);
    }
    glp_set_mat_col(problem.get(), column, static_cast<int>(index.size()) - 1, index.data(), value.data());
  }
  glp_set_obj_coef(problem.get(), 0, program.offset());
  return problem;
}

// Uses the primal simplex, whose verdicts "no feasible solution" and "unbounded" are unambiguous.
int run(glp_prob* problem) {
  glp_smcp settings;
  glp_init_smcp(&settings);
  settings.msg_lev = GLP_MSG_OFF;
  settings.tol_bnd = settings.tol_dj = 1e-9;
  settings.it_lim = 100000;
  glp_scale_prob(problem, GLP_SF_AUTO);
  glp_adv_basis(problem, 0);
  if (glp_simplex(problem, &settings) != 0) return GLP_UNDEF;
  return glp_get_status(problem);
}

}  // namespace

std::optional<ReferenceAnswer> solve_with_glpk(const LinearProgram& program) {
  glp_term_out(GLP_OFF);
  const Problem problem = translate(program, true);
  switch (run(problem.get())) {
    case GLP_OPT:
      return ReferenceAnswer{LpStatus::optimal, glp_get_obj_val(problem.get())};
    case GLP_UNBND:
      return ReferenceAnswer{LpStatus::unbounded, 0};
    case GLP_NOFEAS:
      return ReferenceAnswer{LpStatus::infeasible, 0};
    default:
      return ReferenceAnswer{};
  }
}

}  // namespace nestor::simplex
#else
namespace nestor::simplex {
std::optional<ReferenceAnswer> solve_with_glpk(const LinearProgram&) { return std::nullopt; }
}  // namespace nestor::simplex
#endif
