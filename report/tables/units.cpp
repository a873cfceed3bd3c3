#include "report/tables/units.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace nestor::io {

std::string count_text(Int count) {
  auto digits = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string size_text(Int bits) {
  if (bits == unlimited_capacity) return "unlimited";
  constexpr Int kibibyte = 8 * 1024;
  constexpr std::array<std::string_view, 4> units = {"KiB", "MiB", "GiB", "TiB"};
  if (bits < kibibyte) return fmt::format("{} b", bits);
  auto scaled = static_cast<double>(bits) / static_cast<double>(kibibyte);
  std::size_t unit = 0;
  for (; scaled >= 1024 && unit + 1 < units.size(); ++unit) scaled /= 1024;
  return fmt::format("{:.4g} {}", scaled, units[unit]);
}

std::string energy_text(double picojoules) {
  constexpr std::array<std::string_view, 5> units = {"pJ", "nJ", "uJ", "mJ", "J"};
  std::size_t unit = 0;
  for (; picojoules >= 1000 && unit + 1 < units.size(); ++unit) picojoules /= 1000;
  const int decimals = picojoules >= 1000 ? 0 : picojoules >= 100 ? 1 : picojoules >= 10 ? 2 : 3;
  return fmt::format("{:.{}f} {}", picojoules, decimals, units[unit]);
}

std::string figure_text(double value) { return fmt::format("{:.4g}", value); }

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace nestor::io
