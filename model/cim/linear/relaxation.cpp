#include "model/cim/linear/relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "model/cim/linear/relaxation_program.h"
#include "solver/simplex/safe_bound.h"
#include "solver/simplex/simplex.h"

namespace nestor::cim {
namespace {

using simplex::Entry;
using simplex::Index;
using simplex::LpStatus;
using simplex::no_index;

// Costs are sums of a few products of doubles. This margin covers the rounding of all coefficients.
constexpr double coefficient_margin = 1e-12;
// Contents whose overlap is at most this value (in logarithms) are considered nested.
constexpr double nesting_tolerance = 1e-6;

// Decision of the branching: the content `inner` is inside `outer`.
struct Nesting {
  std::size_t inner;
  std::size_t outer;
};

struct Node {
  double bound = 0;
  std::size_t pattern = 0;
  std::vector<Nesting> decided;
  simplex::Basis basis;
  std::vector<double> x;  // solution
  Nesting branch{};       // pair to branch on
  bool leaf = false;      // true if no pair remains to branch on
  std::uint64_t number = 0;
};

// Order of the queue: least bound first, ties in order of creation.
struct Later {
  bool operator()(const Node& a, const Node& b) const {
    return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
  }
};

class NestingSearch {
 public:
  NestingSearch(RelaxedCost cost, const SpatialSetting& setting, const RelaxationOptions& options,
                const ContentLimits& limits)
      : options_(options) {
    for (const UsePattern& pattern : use_patterns(setting.machine, limits))
      programs_.push_back(build_relaxation(cost, setting, pattern, limits));
  }
  RelaxedBound run();

 private:
  void note_contents(const Node& node);
  bool gives_up() const { return options_.give_up && options_.give_up(); }
  void open(Node node, double parent_bound);
  void choose_branch(const RelaxationProgram& relaxation, const std::vector<double>& x, Node& node) const;

  const RelaxationOptions& options_;
  std::vector<RelaxationProgram> programs_;
  std::priority_queue<Node, std::vector<Node>, Later> open_;
  RelaxedBound result_;
};

double excess(const Content& a, const Content& b, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (a.log_extent[d] != no_index) sum += std::max(0.0, x[a.log_extent[d]] - x[b.log_extent[d]]);
  return sum;
}

// Selects the pair of contents of two operands that is furthest from being nested in either order.
void NestingSearch::choose_branch(const RelaxationProgram& relaxation, const std::vector<double>& x,
                                  Node& node) const {
  double worst = nesting_tolerance;
  node.leaf = true;
  const auto& contents = relaxation.contents;
  for (std::size_t a = 0; a < contents.size(); ++a)
    for (std::size_t b = a + 1; b < contents.size(); ++b) {
      if (contents[a].operand == contents[b].operand) continue;
      const double overlap =
          std::min(excess(contents[a], contents[b], x), excess(contents[b], contents[a], x));
      if (overlap <= worst) continue;
      worst = overlap;
      node.branch = {a, b};
      node.leaf = false;
    }
}

void NestingSearch::open(Node node, double parent_bound) {
  const RelaxationProgram& relaxation = programs_[node.pattern];
  simplex::LinearProgram program = relaxation.program;
  for (const auto& [inner, outer] : node.decided)
    for (std::size_t d = 0; d < dim_count; ++d) {
      const Index small = relaxation.contents[inner].log_extent[d];
      if (small == no_index) continue;
      const std::array<Entry, 2> row{{{relaxation.contents[outer].log_extent[d], 1.0}, {small, -1.0}}};
      program.add_row({0, simplex::infinity}, row);
    }
  simplex::Simplex solver(std::move(program));
  solver.set_basis(node.basis);
  const LpStatus status = solver.solve();
  const auto& solution = solver.solution();
  ++result_.nodes;
  result_.pivots += solution.iterations;
  if (status == LpStatus::infeasible && simplex::safely_infeasible(solver.program(), solution.farkas)) return;
  node.bound = parent_bound;
  node.leaf = true;
  if (status == LpStatus::optimal) {
    const double safe = simplex::safe_dual_bound(solver.program(), solution.row_dual);
    node.bound = std::max(parent_bound, safe * (1 - coefficient_margin));
    choose_branch(relaxation, solution.x, node);
    node.basis = solver.basis();
    node.x = solution.x;
  }
  open_.push(std::move(node));
}

void NestingSearch::note_contents(const Node& node) {
  for (const Content& content : programs_[node.pattern].contents) {
    RelaxedContent noted{.operand = content.operand, .memory = content.memory};
    for (std::size_t d = 0; d < dim_count; ++d) {
      const Index column = content.log_extent[d];
      noted.extents[d] = column == no_index ? 1 : std::exp(node.x[column]);
    }
    result_.contents.push_back(noted);
  }
}

RelaxedBound NestingSearch::run() {
  std::uint64_t created = 0;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    if (gives_up()) return {};
    Node node;
    node.pattern = p;
    node.number = created++;
    open(std::move(node), 0);
  }
  const auto least = [this] { return open_.empty() ? simplex::infinity : open_.top().bound; };
  result_.root_cost = least();
  while (!open_.empty() && !open_.top().leaf && least() < options_.stop_at &&
         result_.nodes < options_.node_limit && !gives_up()) {
    const Node parent = open_.top();
    open_.pop();
    for (const Nesting nesting : {parent.branch, Nesting{parent.branch.outer, parent.branch.inner}}) {
      Node child;
      child.pattern = parent.pattern;
      child.decided = parent.decided;
      child.decided.push_back(nesting);
      child.basis = parent.basis;
      child.number = created++;
      open(std::move(child), parent.bound);
    }
  }
  result_.cost = least();
  result_.closed = open_.empty() || open_.top().leaf;
  if (!open_.empty() && !open_.top().x.empty()) note_contents(open_.top());
  return result_;
}

}  // namespace

RelaxedBound relaxed_bound(RelaxedCost cost, const LayerShape& layer, const Architecture& machine,
                           const SpatialFactors& spatial, const RelaxationOptions& options,
                           const ContentLimits& limits) {
  const SpatialSetting setting(layer, machine, spatial, options.log_margin);
  return NestingSearch(cost, setting, options, limits).run();
}

}  // namespace nestor::cim
