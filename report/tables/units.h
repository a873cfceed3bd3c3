// Human-readable numbers with their units. Machine-readable outputs have plain numbers instead.
#pragma once

#include <string>

#include "model/loopnest/architecture.h"

namespace nestor::io {

/// Returns 1814073344 as "1,814,073,344".
std::string count_text(Int count);
/// Returns the nearest integer as count_text() does, or four significant digits if it exceeds 64 bits.
std::string rounded_text(double count);
/// Returns a number of bits as "2,048 b", "256 KiB" or "3.25 KiB", and unlimited_capacity as "unlimited".
std::string size_text(Int bits);
/// Returns picojoules in a suitable unit: "16.80 uJ".
std::string energy_text(double picojoules);
/// Returns the energy of a part in the unit that suits the whole.
std::string part_energy_text(double picojoules, double whole);
/// Returns four significant digits, with an exponent if plain digits would be long. For energy-delay products
/// and rates.
std::string figure_text(double value);
/// Returns a relative change: "-12.3 %", or "0" for none.
std::string change_text(double share);
/// Returns a share of a whole: "87.5 %", or "<0.1 %" for a small share above 0.
std::string percent_text(double share);

}  // namespace nestor::io
