#include "report/tables/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace nestor::io {

std::string count_text(Int count) {
  auto digits = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string rounded_text(double count) {
  constexpr double largest = 9e18;
  return std::abs(count) < largest ? count_text(std::llround(count)) : figure_text(count);
}

std::string size_text(Int bits) {
  if (bits == unlimited_capacity) return "unlimited";
  constexpr Int kibibyte = 8 * 1024;
  constexpr std::array<std::string_view, 4> units = {"KiB", "MiB", "GiB", "TiB"};
  if (bits < kibibyte) return count_text(bits) + " b";
  auto scaled = static_cast<double>(bits) / static_cast<double>(kibibyte);
  std::size_t unit = 0;
  for (; scaled >= 1024 && unit + 1 < units.size(); ++unit) scaled /= 1024;
  return fmt::format("{:.4g} {}", scaled, units[unit]);
}

std::string energy_text(double picojoules) { return part_energy_text(picojoules, picojoules); }

std::string part_energy_text(double picojoules, double whole) {
  constexpr std::array<std::string_view, 5> units = {"pJ", "nJ", "uJ", "mJ", "J"};
  std::size_t unit = 0;
  for (; whole >= 1000 && unit + 1 < units.size(); ++unit) {
    picojoules /= 1000;
    whole /= 1000;
  }
  const int decimals = whole >= 1000 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : 3;
  return fmt::format("{:.{}f} {}", picojoules, decimals, units[unit]);
}

std::string figure_text(double value) { return fmt::format("{:.4g}", value); }

std::string percent_text(double share) {
  constexpr double least = 0.0005;  // smallest value that one decimal shows
  return share > 0 && share < least ? "<0.1 %" : fmt::format("{:.1f} %", 100 * share);
}

std::string change_text(double share) {
  constexpr double least = 0.0005;
  if (share == 0) return "0";
  if (std::abs(share) < least) return share > 0 ? "<+0.1 %" : ">-0.1 %";
  return fmt::format("{:+.1f} %", 100 * share);
}

}  // namespace nestor::io
