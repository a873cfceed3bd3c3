// Figures of a result's JSON as markup, and tables of them. A page takes a result as it is: what is absent,
// or of another type than expected, leaves an empty cell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"

namespace nestor::report::html {

/// What a map has for `key`; null if nothing.
const io::Json& at(const io::Json& map, std::string_view key);
/// The number, if it is one and finite.
std::optional<double> number_of(const io::Json& value);
/// The text of a string; of anything else its JSON; empty for null.
std::string text_of(const io::Json& value);

enum class Style { count, energy, size, share, plain, milliseconds };

/// A figure as a person reads it: "2,048", "16.80 uJ". Empty if it is no number.
std::string figure_text(const io::Json& value, Style style);
/// <data value="JSON">figure</data>: what the JSON has beside what is read. A value that is no number is
/// shown as text.
std::string figure(const io::Json& value, Style style);
/// A status with a class of its own.
std::string status_mark(const io::Json& status);

struct HtmlColumn {
  std::string title;
  bool is_figure = true;
};

/// A table in a region that scrolls sideways.
class HtmlTable {
 public:
  HtmlTable(std::string caption, std::vector<HtmlColumn> columns);
  /// Cells are markup; the first one heads the row. Missing ones are empty.
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

/// A table of names and figures in one column, of a map.
std::string table_of(const io::Json& map, std::string caption, std::string_view title, Style style);

/// Terms and their values, side by side: markup.
struct Fact {
  std::string term;
  std::string value;
};
std::string facts(const std::vector<Fact>& facts);

}  // namespace nestor::report::html
