#include "model/mip/program.h"

#include <algorithm>
#include <cmath>

namespace nestor::mip {

Sum& Sum::operator+=(const Sum& other) {
  terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
  constant_ += other.constant_;
  return *this;
}

Sum Sum::operator*(double factor) const {
  Sum product = *this;
  for (Entry& term : product.terms_) term.value *= factor;
  product.constant_ *= factor;
  return product;
}

Index Program::add(Column column, double known) {
  columns_.push_back(std::move(column));
  known_.push_back(known);
  return static_cast<Index>(columns_.size() - 1);
}

void Program::row(std::string name, Sum left, Sense sense, const Sum& right) {
  left -= right;
  Row row{.name = std::move(name), .sense = sense, .right = 0 - left.constant(), .terms = left.terms()};
  simplex::sum_duplicates(row.terms);
  const bool holds = sense == Sense::at_most    ? 0 <= row.right
                     : sense == Sense::at_least ? 0 >= row.right
                                                : row.right == 0;
  if (!row.terms.empty() || !holds) rows_.push_back(std::move(row));
}

void Program::set_costs(const Sum& sum) {
  std::vector<Entry> terms = sum.terms();
  simplex::sum_duplicates(terms);
  for (const Entry& term : terms) columns_[term.index].cost = term.value;
  if (sum.constant() == 0) return;
  const Index one = add({.name = "one", .lower = 1, .upper = 1, .meaning = {.symbol = "constant"}}, 1);
  columns_[one].cost = sum.constant();
}

void Program::at_least(std::string name, Index column, const Sum& bound) {
  known_[column] = std::max(known_[column], known_value(bound));
  row(std::move(name), Sum(column), Sense::at_least, bound);
}

std::size_t Program::entries() const {
  std::size_t entries = 0;
  for (const Row& row : rows_) entries += row.terms.size();
  return entries;
}

double Program::value(const Sum& sum, const std::vector<double>& values) {
  double value = sum.constant();
  for (const Entry& term : sum.terms()) value += term.value * values[term.index];
  return value;
}

double Program::objective(const std::vector<double>& values) const {
  double objective = 0;
  for (std::size_t j = 0; j < columns_.size(); ++j) objective += columns_[j].cost * values[j];
  return objective;
}

std::string Program::broken(const std::vector<double>& values, double tolerance, bool integers_only) const {
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Column& column = columns_[j];
    if (integers_only && !column.integer) continue;
    const double slack = tolerance * std::max(1.0, std::abs(values[j]));
    if (!(values[j] >= column.lower - slack && values[j] <= column.upper + slack)) return column.name;
  }
  for (const Row& row : rows_) {
    long double sum = 0;
    long double scale = std::max(1.0, std::abs(row.right));
    bool counts = true;
    for (const Entry& term : row.terms) {
      counts = counts && (!integers_only || columns_[term.index].integer);
      const long double product = static_cast<long double>(term.value) * values[term.index];
      sum += product;
      scale = std::max(scale, std::abs(product));
    }
    const long double slack = tolerance * scale;
    if (!counts) continue;
    const bool below = row.sense != Sense::at_least && !(sum <= row.right + slack);
    const bool above = row.sense != Sense::at_most && !(sum >= row.right - slack);
    if (below || above) return row.name;
  }
  return {};
}

}  // namespace nestor::mip
