// Numbers as people read them, with their units. Machine-readable outputs carry plain numbers instead.
#pragma once

#include <string>

#include "model/loopnest/architecture.h"

namespace nestor::io {

/// 1814073344 as "1,814,073,344".
std::string count_text(Int count);
/// A number of bits as "2048 b", "256 KiB" or "3.25 KiB"; unlimited_capacity as "unlimited".
std::string size_text(Int bits);
/// Picojoules, scaled: "16.80 uJ".
std::string energy_text(double picojoules);
/// The same in the unit that suits a whole of which it is a part.
std::string part_energy_text(double picojoules, double whole);
/// Four significant digits, with an exponent where plain digits would be long: energy-delay products, rates.
std::string figure_text(double value);
/// A change as a share of what was before: "-12.3 %"; "0" for none.
std::string change_text(double share);
/// A share of a whole: "87.5 %"; "<0.1 %" for one that is not 0.
std::string percent_text(double share);

}  // namespace nestor::io
