#include "io/cnm/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/split.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_columns = 1000;

CsvTable::Row row_of(std::string_view line, int number) {
  CsvTable::Row row;
  row.line = number;
  for (std::string_view cell : split(line, ',')) {
    row.starts.push_back(static_cast<int>(cell.data() - line.data()) + 1);
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
    row.cells.emplace_back(cell);
  }
  return row;
}

}  // namespace

std::size_t CsvTable::find(std::string_view column) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

SourceLocation CsvTable::where(const Row& row, std::size_t column) const {
  return {file, row.line, column < row.starts.size() ? row.starts[column] : 0};
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  table.file = file;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    auto row = row_of(line, number);
    if (table.columns.empty()) {
      if (row.cells.size() > most_columns)
        return input_error({file, number, 1}, fmt::format("expected at most {} columns, found {}",
                                                          most_columns, row.cells.size()));
      for (std::size_t i = 0; i < row.cells.size(); ++i)
        if (std::count(row.cells.begin(), row.cells.end(), row.cells[i]) > 1)
          return input_error({file, number, row.starts[i]},
                             fmt::format("column '{}' is given twice", row.cells[i]));
      table.columns = std::move(row.cells);
      continue;
    }
    if (row.cells.size() != table.columns.size())
      return input_error({file, number, 0},
                         fmt::format("expected {} cells, found {}", table.columns.size(), row.cells.size()));
    table.rows.push_back(std::move(row));
  }
  if (table.columns.empty())
    return input_error({file, 1, 1}, "expected a line of column names, found an empty file");
  return table;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + cells[i];
  return line + "\n";
}

}  // namespace nestor::io
