// Stacked bars that show the parts of cycles or time, in a row of a table or with a legend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/html/figures.h"

namespace nestor::report::html {

/// Names that share a legend. Colours are assigned in the order of first use, and repeat after twelve names.
class Palette {
 public:
  /// Returns the class that colours `name`.
  std::string style_of(std::string_view name);
  std::string legend() const;

 private:
  std::vector<std::string> names_;
};

/// Returns a bar whose length is the sum of the parts relative to `whole`. Parts that are not positive
/// numbers are left out.
std::string stacked_bar(const io::Json& parts, double whole, Palette& palette, std::string_view unit,
                        std::string_view label);
/// Returns a bar with one part.
std::string plain_bar(double part, double whole, std::string_view style, std::string_view label);

/// Returns the sum of the positive numbers of a map.
double sum_of(const io::Json& parts);
/// Returns the name of the largest positive number of a map, or an empty string.
std::string largest_of(const io::Json& parts);

}  // namespace nestor::report::html
