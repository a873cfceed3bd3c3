#include "report/tables/table.h"

#include <algorithm>
#include <cstddef>

#include "io/printable.h"

namespace nestor::io {
namespace {

// Returns the width on a terminal, counting each UTF-8 code point as one column.
std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string Table::to_string() const {
  auto rows = rows_;  // escaped characters affect the column widths
  for (auto& row : rows)
    for (auto& cell : row) cell = printable(cell);
  std::vector<std::size_t> widths;
  widths.reserve(columns_.size());
  for (const auto& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));

  std::string text;
  const std::string none;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = i < cells.size() ? cells[i] : none;
      const std::string padding(widths[i] - display_width(cell), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::left ? cell + padding : padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };

  std::size_t total = 2 * (columns_.empty() ? 0 : columns_.size() - 1);
  for (const auto width : widths) total += width;
  const std::string rule(total, '-');

  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const auto& column : columns_) titles.push_back(column.title);
  add_line(titles);
  text += rule + "\n";
  for (const auto& row : rows) {
    if (row.empty())
      text += rule + "\n";
    else
      add_line(row);
  }
  return text;
}

}  // namespace nestor::io
