// Comma-separated tables: a line of column names, then rows with the same number of cells. Cells keep their
// positions for messages, and are written back as read.
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
    std::vector<int> starts;  ///< columns of the cells in the text, from 1
  };
  std::vector<Row> rows;

  /// Returns the position of a column, or columns.size().
  std::size_t find(std::string_view column) const;
  SourceLocation where(const Row& row, std::size_t column) const;
};

Result<CsvTable> parse_csv(std::string_view text, const std::string& file);

std::string csv_line(const std::vector<std::string>& cells);

}  // namespace nestor::io
