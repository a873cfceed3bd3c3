#include "solver/simplex/linear_program.h"

#include <algorithm>

namespace nestor::simplex {

Index LinearProgram::add_column(double cost, Interval bounds, std::span<const Entry> entries) {
  cost_.push_back(cost);
  column_bounds_.push_back(bounds);
  auto& column = matrix_.emplace_back();
  column.reserve(entries.size());
  for (const Entry& entry : entries)
    if (entry.value != 0) column.push_back(entry);
  return columns() - 1;
}

Index LinearProgram::add_row(Interval bounds, std::span<const Entry> entries) {
  row_bounds_.push_back(bounds);
  const Index row = rows() - 1;
  for (const Entry& entry : entries)
    if (entry.value != 0) matrix_[entry.index].push_back({row, entry.value});
  return row;
}

void LinearProgram::set_row(Index row, std::span<const Entry> entries) {
  for (auto& column : matrix_)
    std::erase_if(column, [row](const Entry& entry) { return entry.index == row; });
  for (const Entry& entry : entries)
    if (entry.value != 0) matrix_[entry.index].push_back({row, entry.value});
}

void LinearProgram::truncate_rows(Index count) {
  if (count >= rows()) return;
  row_bounds_.resize(count);
  for (auto& column : matrix_)
    std::erase_if(column, [count](const Entry& entry) { return entry.index >= count; });
}

std::size_t LinearProgram::entries() const {
  std::size_t count = 0;
  for (const auto& column : matrix_) count += column.size();
  return count;
}

void sum_duplicates(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.index < b.index; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size();) {
    Entry sum = entries[i++];
    while (i < entries.size() && entries[i].index == sum.index) sum.value += entries[i++].value;
    if (sum.value != 0) entries[kept++] = sum;
  }
  entries.resize(kept);
}

}  // namespace nestor::simplex
