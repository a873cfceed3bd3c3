// Reader and writer of comma-separated tables without quoting: a line of column names, then rows with the
// same number of cells. Cells keep their positions for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace nestor::io {

struct CsvTable {
  std::string file;
  std::vector<std::string> columns;
  struct Row {
    std::vector<std::string> cells;
    int line = 0;
    std::vector<int> starts;  ///< column at which each cell starts in its line, from 1
  };
  std::vector<Row> rows;

  /// Returns the index of a column, or columns.size() if it does not exist.
  std::size_t find(std::string_view column) const;
  SourceLocation where(const Row& row, std::size_t column) const;
};

Result<CsvTable> parse_csv(std::string_view text, const std::string& file);

std::string csv_line(const std::vector<std::string>& cells);

}  // namespace nestor::io
