// Tables as comma-separated text: a first line of column names, then rows of as many cells. Read with places
// for messages, written back as read.
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
    std::vector<int> starts;  ///< columns of the text, from 1
  };
  std::vector<Row> rows;

  /// Its position, or columns.size().
  std::size_t find(std::string_view column) const;
  SourceLocation where(const Row& row, std::size_t column) const;
};

Result<CsvTable> parse_csv(std::string_view text, const std::string& file);

std::string csv_line(const std::vector<std::string>& cells);

}  // namespace nestor::io
