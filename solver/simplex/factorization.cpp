#include "solver/simplex/factorization.h"

#include <deque>

namespace nestor::simplex {

std::vector<Factorization::Repair> Factorization::factor(std::span<const std::span<const Entry>> columns,
                                                         double threshold) {
  etas_.clear();
  eta_entries_.clear();
  row_of_column_.assign(columns.size(), no_index);
  const Elimination* elimination = &markowitz_.eliminate(columns, threshold);
  std::vector<Repair> repairs;
  std::vector<std::span<const Entry>> repaired(columns.begin(), columns.end());
  std::deque<Entry> logicals;  // a deque, because spans into it must stay valid
  while (!elimination->unpivoted_rows.empty()) {
    for (std::size_t k = 0; k < elimination->unpivoted_rows.size(); ++k) {
      const Repair repair{elimination->unpivoted_columns[k], elimination->unpivoted_rows[k]};
      repairs.push_back(repair);
      logicals.push_back({repair.row, -1.0});
      repaired[repair.column] = std::span(&logicals.back(), 1);
    }
    elimination = &markowitz_.eliminate(repaired, threshold);
  }
  build(*elimination);
  return repairs;
}

void Factorization::build(const Elimination& elimination) {
  const std::size_t size = row_of_column_.size();
  for (const auto& pivot : elimination.pivots) row_of_column_[pivot.column] = pivot.row;
  std::vector<Index> order(size);
  std::vector<double> pivots(size);
  for (std::size_t k = 0; k < size; ++k) {
    order[k] = elimination.pivots[k].row;
    pivots[order[k]] = elimination.pivots[k].value;
  }
  for (auto* factor : {&lower_, &upper_, &upper_transposed_, &lower_transposed_}) factor->begin(size);
  for (const auto& element : elimination.lower) {
    lower_.add_edge(element.from, element.to, element.value);
    lower_transposed_.add_edge(element.to, element.from, element.value);
  }
  for (const auto& element : elimination.upper) {
    const Index column_row = row_of_column_[element.to];
    upper_.add_edge(column_row, element.from, element.value);
    upper_transposed_.add_edge(element.from, column_row, element.value);
  }
  std::vector<Index> reversed(order.rbegin(), order.rend());
  lower_.finish(order, {});
  upper_transposed_.finish(std::move(order), pivots);
  lower_transposed_.finish(reversed, {});
  upper_.finish(std::move(reversed), std::move(pivots));
}

void Factorization::forward(SparseVector& v) {
  lower_.solve(v);
  upper_.solve(v);
  for (const Eta& eta : etas_) {
    if (v.value[eta.row] == 0) continue;
    const double x = v.value[eta.row] / eta.pivot;
    v.value[eta.row] = x;
    for (std::size_t k = eta.begin; k < eta.end; ++k)
      v.add(eta_entries_[k].index, -eta_entries_[k].value * x);
  }
}

void Factorization::backward(SparseVector& v) {
  for (std::size_t e = etas_.size(); e-- > 0;) {
    const Eta& eta = etas_[e];
    double y = v.value[eta.row];
    for (std::size_t k = eta.begin; k < eta.end; ++k)
      y -= eta_entries_[k].value * v.value[eta_entries_[k].index];
    y /= eta.pivot;
    if (y != v.value[eta.row]) v.set(eta.row, y);
  }
  upper_transposed_.solve(v);
  lower_transposed_.solve(v);
}

void Factorization::update(Index row, const SparseVector& direction) {
  Eta eta{row, direction.value[row], eta_entries_.size(), 0};
  for (const Index i : direction.index)
    if (i != row) eta_entries_.push_back({i, direction.value[i]});
  eta.end = eta_entries_.size();
  etas_.push_back(eta);
}

bool Factorization::is_long() const {
  const std::size_t rows = row_of_column_.size();
  return etas_.size() >= 100 || eta_entries_.size() > 3 * (lower_.entries() + upper_.entries() + rows);
}

}  // namespace nestor::simplex
