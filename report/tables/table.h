// The project's only table printer. Columns are aligned (text left, numbers right), with a rule under the
// header.
#pragma once

#include <string>
#include <vector>

namespace nestor::io {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Adds a rule before the next row, for totals.
  void add_rule() { rows_.emplace_back(); }
  std::string to_string() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

}  // namespace nestor::io
