#include "report/html/bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html/drawing.h"
#include "report/html/markup.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

constexpr std::size_t colours = 12;
constexpr double bar_height = 14;

double part_of(const io::Json& value) { return std::max(0.0, number_of(value).value_or(0)); }

}  // namespace

std::string Palette::style_of(std::string_view name) {
  auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) found = names_.insert(names_.end(), std::string(name));
  return fmt::format("c{}", static_cast<std::size_t>(found - names_.begin()) % colours);
}

std::string Palette::legend() const {
  std::string items;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    Drawing key(12, 12);
    key.rectangle({"0", "0", "12", "12"}, fmt::format("c{}", i % colours));
    items += element("li", {}, key.finish("") + escaped(names_[i]));
  }
  return items.empty() ? "" : element("ul", {{"class", "legend"}}, items) + "\n";
}

double sum_of(const io::Json& parts) {
  double sum = 0;
  for (const auto& part : parts) sum += part_of(part);
  return sum;
}

std::string largest_of(const io::Json& parts) {
  std::string name;
  double largest = 0;
  if (!parts.is_object()) return name;
  for (const auto& [key, part] : parts.items())
    if (part_of(part) > largest) {
      largest = part_of(part);
      name = key;
    }
  return name;
}

std::string stacked_bar(const io::Json& parts, double whole, Palette& palette, std::string_view unit,
                        std::string_view label) {
  if (!parts.is_object() || whole <= 0) return "";
  Drawing drawing(bar_height);
  const double sum = sum_of(parts);
  double begin = 0;
  for (const auto& [name, value] : parts.items()) {
    const double part = part_of(value);
    if (part <= 0) continue;
    drawing.rectangle({share(begin / whole), "0", share(part / whole), pixels(bar_height)},
                      palette.style_of(name),
                      fmt::format("{}: {} {} ({})", name, figure_text(value, Style::count), unit,
                                  io::percent_text(part / sum)));
    begin += part;
  }
  return drawing.finish(label);
}

std::string plain_bar(double part, double whole, std::string_view style, std::string_view label) {
  if (whole <= 0 || part <= 0) return "";
  Drawing drawing(bar_height);
  drawing.rectangle({"0", "0", share(part / whole), pixels(bar_height)}, style, label);
  return drawing.finish(label);
}

}  // namespace nestor::report::html
