#include "io/neighbours/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "io/arithmetic.h"

namespace nestor::io::neighbours {

double read_expression(const Node& node, std::string_view what, double low, Reading& reading) {
  const auto value = node.is_scalar() ? evaluate(node.text()) : std::nullopt;
  if (value && *value >= low) return *value;
  reading.fail(node, value ? fmt::format("{} is {}, expected at least {}", what, node.describe(), low)
                           : fmt::format("{} is {}, expected a number or arithmetic of numbers", what,
                                         node.describe()));
  return low;
}

Int read_whole(const Node& node, std::string_view what, IntRange range, Reading& reading) {
  const double value = read_expression(node, what, 0, reading);
  if (reading.failed()) return range.low;
  if (value == std::floor(value) && value >= static_cast<double>(range.low) &&
      value <= static_cast<double>(range.high))
    return static_cast<Int>(value);
  reading.fail(node, fmt::format("{} is {}, expected a whole number from {} to {}", what, node.describe(),
                                 range.low, range.high));
  return range.low;
}

}  // namespace nestor::io::neighbours
