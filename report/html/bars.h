// Bars whose parts are stacked: what cycles or time are spent on, in a row of a table or with a legend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/html/figures.h"

namespace nestor::report::html {

/// Names that share a legend, each with a colour of its own in the order of first use.
class Palette {
 public:
  /// The class that colours `name`.
  std::string style_of(std::string_view name);
  std::string legend() const;

 private:
  std::vector<std::string> names_;
};

/// A bar as long as the parts' sum is of `whole`; parts that are no positive numbers are left out.
std::string stacked_bar(const io::Json& parts, double whole, Palette& palette, std::string_view unit,
                        std::string_view label);
/// A bar of one part.
std::string plain_bar(double part, double whole, std::string_view style, std::string_view label);

/// The sum of the positive numbers of a map.
double sum_of(const io::Json& parts);
/// The name of the largest number; empty if there is none.
std::string largest_of(const io::Json& parts);

}  // namespace nestor::report::html
