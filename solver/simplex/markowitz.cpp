#include "solver/simplex/markowitz.h"

#include <algorithm>
#include <cmath>

namespace nestor::simplex {
namespace {

// A column is treated as dependent if its largest pivot candidate, after scaling, is smaller than this.
constexpr double singular_tolerance = 1e-11;
// Entries that become smaller than this by cancellation are treated as zero.
constexpr double cancel_tolerance = 1e-14;
// The search ends after this many rows and columns in total if a candidate has been found.
constexpr int search_lists = 4;

}  // namespace

void Markowitz::CountLists::reset(std::size_t size) {
  head.assign(size + 1, no_index);
  next.assign(size, no_index);
  previous.assign(size, no_index);
}

void Markowitz::CountLists::insert(Index item, std::size_t count) {
  next[item] = head[count];
  previous[item] = no_index;
  if (head[count] != no_index) previous[head[count]] = item;
  head[count] = item;
}

void Markowitz::CountLists::remove(Index item, std::size_t count) {
  if (previous[item] != no_index)
    next[previous[item]] = next[item];
  else
    head[count] = next[item];
  if (next[item] != no_index) previous[next[item]] = previous[item];
}

void Markowitz::load(std::span<const std::span<const Entry>> columns) {
  const std::size_t size = columns.size();
  result_.pivots.clear();
  result_.lower.clear();
  result_.upper.clear();
  result_.unpivoted_rows.clear();
  result_.unpivoted_columns.clear();
  rows_.resize(size);
  columns_.resize(size);
  for (auto& row : rows_) row.clear();
  row_maximum_.assign(size, -1.0);
  work_.assign(size, 0.0);
  for (Index j = 0; j < size; ++j) {
    columns_[j].clear();
    for (const Entry& entry : columns[j]) {
      columns_[j].push_back(entry.index);
      rows_[entry.index].push_back({j, entry.value});
    }
  }
  row_lists_.reset(size);
  column_lists_.reset(size);
  for (Index i = static_cast<Index>(size); i-- > 0;) {
    row_lists_.insert(i, rows_[i].size());
    column_lists_.insert(i, columns_[i].size());
  }
}

double Markowitz::row_maximum(Index row) {
  if (row_maximum_[row] < 0) {
    double largest = 0;
    for (const Entry& entry : rows_[row]) largest = std::max(largest, std::abs(entry.value));
    row_maximum_[row] = largest;
  }
  return row_maximum_[row];
}

double Markowitz::look_up(Index row, Index column) const {
  for (const Entry& entry : rows_[row])
    if (entry.index == column) return entry.value;
  return 0;
}

double Markowitz::take_from_row(Index row, Index column) {
  auto& entries = rows_[row];
  for (auto& entry : entries)
    if (entry.index == column) {
      const double value = entry.value;
      entry = entries.back();
      entries.pop_back();
      row_maximum_[row] = -1;
      return value;
    }
  return 0;
}

void Markowitz::consider(Index row, Index column, double value, Candidate& best) {
  const double size = std::abs(value);
  if (size < singular_tolerance || size < threshold_ * row_maximum(row)) return;
  const double merit =
      static_cast<double>(rows_[row].size() - 1) * static_cast<double>(columns_[column].size() - 1);
  if (merit < best.merit || (merit == best.merit && size > best.size)) best = {row, column, size, merit};
}

void Markowitz::scan_column(Index column, Candidate& best) {
  for (const Index row : columns_[column]) consider(row, column, look_up(row, column), best);
}

void Markowitz::scan_row(Index row, Candidate& best) {
  for (const Entry& entry : rows_[row]) consider(row, entry.index, entry.value, best);
}

Markowitz::Candidate Markowitz::find_pivot() {
  Candidate best;
  int looked_at = 0;
  for (std::size_t count = 1; count < row_lists_.head.size(); ++count) {
    const double best_possible = static_cast<double>(count - 1) * static_cast<double>(count - 1);
    if (best.merit <= best_possible) return best;
    for (Index j = column_lists_.head[count]; j != no_index; j = column_lists_.next[j]) {
      scan_column(j, best);
      if (best.merit <= best_possible) return best;
      if (++looked_at >= search_lists && best.row != no_index) return best;
    }
    for (Index i = row_lists_.head[count]; i != no_index; i = row_lists_.next[i]) {
      scan_row(i, best);
      if (best.merit <= best_possible) return best;
      if (++looked_at >= search_lists && best.row != no_index) return best;
    }
  }
  return best;
}

void Markowitz::subtract_row(Index target, double multiplier, Index pivot_row) {
  // work_ contains the pivot row. Entries that also occur in the target are marked by clearing them in work_,
  // and restored below.
  auto& entries = rows_[target];
  const std::size_t old_count = entries.size();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < old_count; ++k) {
    Entry entry = entries[k];
    if (work_[entry.index] != 0) {
      entry.value -= multiplier * work_[entry.index];
      work_[entry.index] = 0;
      if (std::abs(entry.value) < cancel_tolerance) {
        auto& column = columns_[entry.index];
        column_lists_.remove(entry.index, column.size());
        std::erase(column, target);
        column_lists_.insert(entry.index, column.size());
        continue;
      }
    }
    entries[kept++] = entry;
  }
  entries.resize(kept);
  for (const Entry& pivot_entry : rows_[pivot_row]) {
    if (work_[pivot_entry.index] != 0) {
      entries.push_back({pivot_entry.index, -multiplier * pivot_entry.value});
      auto& column = columns_[pivot_entry.index];
      column_lists_.remove(pivot_entry.index, column.size());
      column.push_back(target);
      column_lists_.insert(pivot_entry.index, column.size());
    }
    work_[pivot_entry.index] = pivot_entry.value;
  }
  row_maximum_[target] = -1;
}

void Markowitz::pivot_on(Index row, Index column) {
  row_lists_.remove(row, rows_[row].size());
  column_lists_.remove(column, columns_[column].size());
  const double pivot = take_from_row(row, column);
  result_.pivots.push_back({row, column, pivot});
  for (const Entry& entry : rows_[row]) {
    result_.upper.push_back({row, entry.index, entry.value});
    work_[entry.index] = entry.value;
    auto& pattern = columns_[entry.index];
    column_lists_.remove(entry.index, pattern.size());
    std::erase(pattern, row);
    column_lists_.insert(entry.index, pattern.size());
  }
  for (const Index target : columns_[column]) {
    if (target == row) continue;
    row_lists_.remove(target, rows_[target].size());
    const double multiplier = take_from_row(target, column) / pivot;
    result_.lower.push_back({row, target, multiplier});
    if (!rows_[row].empty()) subtract_row(target, multiplier, row);
    row_lists_.insert(target, rows_[target].size());
  }
  for (const Entry& entry : rows_[row]) work_[entry.index] = 0;
  rows_[row].clear();
  columns_[column].clear();
}

const Elimination& Markowitz::eliminate(std::span<const std::span<const Entry>> columns, double threshold) {
  threshold_ = threshold;
  load(columns);
  const std::size_t size = columns.size();
  std::vector<unsigned char> row_done(size, 0);
  std::vector<unsigned char> column_done(size, 0);
  while (result_.pivots.size() < size) {
    const Candidate best = find_pivot();
    if (best.row == no_index) break;
    pivot_on(best.row, best.column);
    row_done[best.row] = column_done[best.column] = 1;
  }
  for (Index i = 0; i < size; ++i) {
    if (!row_done[i]) result_.unpivoted_rows.push_back(i);
    if (!column_done[i]) result_.unpivoted_columns.push_back(i);
  }
  return result_;
}

}  // namespace nestor::simplex
