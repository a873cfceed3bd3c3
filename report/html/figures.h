// Figures of a result's JSON as markup, and tables of such figures. The HTML report accepts a result as it
// is: if a value is absent or has an unexpected type, its cell is empty.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"

namespace nestor::report::html {

/// Returns the value of `key` in a map, or null.
const io::Json& at(const io::Json& map, std::string_view key);
/// Returns the number, if it is finite.
std::optional<double> number_of(const io::Json& value);
/// Returns the text of a string, an empty string for null, and the JSON of any other value.
std::string text_of(const io::Json& value);

/// Returns a number as an integer if it is one and exact in a double.
io::Json exact(double figure);

enum class Style { count, energy, size, share, plain, milliseconds };

/// Formats a figure for people: "2,048", "16.80 uJ". Returns an empty string for anything except a number.
std::string figure_text(const io::Json& value, Style style);
/// Returns <data value="JSON">figure</data>, which contains both the JSON value and the text. A value that is
/// not a number is shown as text.
std::string figure(const io::Json& value, Style style);
/// Returns a status as an element whose class shows whether the result is proved.
std::string status_mark(const io::Json& status);

struct HtmlColumn {
  std::string title;
  bool is_figure = true;
};

/// A table in a group that scrolls horizontally. Every column needs a title, which screen readers announce.
class HtmlTable {
 public:
  HtmlTable(std::string caption, std::vector<HtmlColumn> columns);
  /// Cells are markup. The first one is the header of the row. Missing cells are empty.
  void add_row(const std::vector<std::string>& cells);
  void add_total(const std::vector<std::string>& cells);
  bool empty() const { return body_.empty(); }
  std::string to_string() const;

 private:
  std::string row(const std::vector<std::string>& cells) const;

  std::string caption_;
  std::vector<HtmlColumn> columns_;
  std::string body_;
  std::string foot_;
};

/// Titles of the two columns of a map.
struct MapTitles {
  const char* names;
  const char* figures;
};
/// Returns a table with the names of a map and its figures in one column.
std::string table_of(const io::Json& map, std::string caption, const MapTitles& titles, Style style);

/// A term and its value, shown side by side. The value is markup.
struct Fact {
  std::string term;
  std::string value;
};
std::string facts(const std::vector<Fact>& facts);

}  // namespace nestor::report::html
