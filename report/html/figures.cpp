#include "report/html/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "report/html/markup.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

std::string plain_text(const Json& value) {
  const double number = value.get<double>();
  constexpr double longest = 1e7;
  if (std::abs(number) >= longest) return io::figure_text(number);
  return fmt::format("{:.6g}", number);
}

// Returns a count as an integer, even if a writer printed it as a floating-point number.
std::optional<Int> whole(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return std::nullopt;
  if (value.is_number_integer()) return value.get<Int>();
  const double number = value.get<double>();
  constexpr double exact = 9007199254740992;  // 2^53
  if (std::abs(number) > exact || std::floor(number) != number) return std::nullopt;
  return static_cast<Int>(number);
}

}  // namespace

const Json& at(const Json& map, std::string_view key) {
  static const Json nothing;
  if (!map.is_object()) return nothing;
  const auto found = map.find(key);
  return found == map.end() ? nothing : *found;
}

std::optional<double> number_of(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

Json exact(double figure) {
  const auto integer = whole(Json(figure));
  return integer ? Json(*integer) : Json(figure);
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string figure_text(const Json& value, Style style) {
  const auto number = number_of(value);
  if (!number) return "";
  switch (style) {
    case Style::count:
      if (const auto count = whole(value)) return io::count_text(*count);
      return plain_text(value);
    case Style::energy:
      return io::energy_text(*number);
    case Style::size:
      if (const auto bits = whole(value)) return io::size_text(*bits);
      return plain_text(value);
    case Style::share:
      return io::percent_text(*number);
    case Style::milliseconds:
      return fmt::format("{:.6g} ms", *number);
    case Style::plain:
      break;
  }
  return plain_text(value);
}

std::string figure(const Json& value, Style style) {
  const auto text = figure_text(value, style);
  if (text.empty()) return escaped(text_of(value));
  return text_element("data", {{"value", value.dump()}}, text);
}

std::string status_mark(const Json& status) {
  const auto text = text_of(status);
  if (text.empty()) return "";
  const bool proved = text == "optimal" || text == "gap_reached";
  return text_element("span", {{"class", proved ? "status proved" : "status open"}},
                      (proved ? "\u2713 " : "\u25cb ") + text);
}

HtmlTable::HtmlTable(std::string caption, std::vector<HtmlColumn> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

std::string HtmlTable::row(const std::vector<std::string>& cells) const {
  std::string content;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string_view cell = i < cells.size() ? std::string_view(cells[i]) : std::string_view();
    content += i == 0 ? element("th", {{"scope", "row"}}, cell)
                      : element("td", {{"class", columns_[i].is_figure ? "figure" : ""}}, cell);
  }
  return element("tr", {}, content);
}

void HtmlTable::add_row(const std::vector<std::string>& cells) { body_ += row(cells) + "\n"; }

void HtmlTable::add_total(const std::vector<std::string>& cells) { foot_ += row(cells) + "\n"; }

std::string HtmlTable::to_string() const {
  std::string head;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    head += text_element("th", {{"scope", "col"}, {"class", columns_[i].is_figure && i > 0 ? "figure" : ""}},
                         columns_[i].title);
  std::string content = text_element("caption", {}, caption_) + element("thead", {}, element("tr", {}, head));
  content += element("tbody", {}, body_);
  if (!foot_.empty()) content += element("tfoot", {}, foot_);
  return element("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", caption_}},
                 element("table", {}, content)) +
         "\n";
}

std::string table_of(const Json& map, std::string caption, const MapTitles& titles, Style style) {
  if (!map.is_object() || map.empty()) return "";
  HtmlTable table(std::move(caption), {{titles.names, false}, {titles.figures}});
  for (const auto& [name, value] : map.items()) table.add_row({escaped(name), figure(value, style)});
  return table.to_string();
}

std::string facts(const std::vector<Fact>& facts) {
  std::string content;
  for (const auto& fact : facts)
    if (!fact.value.empty())
      content += element("div", {}, text_element("dt", {}, fact.term) + element("dd", {}, fact.value));
  return content.empty() ? "" : element("dl", {{"class", "facts"}}, content) + "\n";
}

}  // namespace nestor::report::html
