// Helpers that read claims (claim.cpp, claim_totals.cpp): the keys of each space's claims, the decimal at a
// key, and checks of figures that follow from others.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "check/claim.h"

namespace nestor::check {

// The locations of a result's claims, by verb and space: JSON pointers into a layer, or into the result if it
// has no layers.
struct ClaimKeys {
  const char* verb;
  const char* space;
  const char* name;
  const char* objective;
  const char* lower_bound;
  const char* solution;
  const char* list;         ///< location of the list of the best solutions
  const char* listed_cost;  ///< location of the cost within an entry of the list
  bool list_has_first;      ///< true if the list begins with the layer's own solution
  const char* figures;      ///< location of the cycles and energy
  const char* proves;       ///< the only method that searches, or nullptr if no other method writes a status
  Decimal rounding{};       ///< precision of written costs
};
// Keys with the same meaning in all spaces.
inline constexpr const char* status_key = "/status";
inline constexpr const char* gap_key = "/gap";
inline constexpr const char* front_key = "/front";
inline constexpr const char* cycles_key = "/latency_cycles";
inline constexpr const char* energy_key = "/energy_pj";
inline constexpr const char* product_key = "/edp";
inline constexpr const char* twin_key = "/same_as";
inline constexpr const char* tie_key = "/tie_break";
inline constexpr const char* method_option = "/options/method";
inline constexpr const char* layers_key = "/layers";
inline constexpr const char* totals_key = "/totals";
inline constexpr const char* top_option = "top";
inline constexpr const char* gap_option = "gap";

inline const Json& at(const Json& record, const char* pointer) {
  static const Json nothing;
  const Json::json_pointer place(pointer);
  return record.contains(place) ? record[place] : nothing;
}

inline std::optional<Decimal> number_at(const Json& record, const char* pointer) {
  const Json& number = at(record, pointer);
  if (number.is_null()) return std::nullopt;
  if (!number.is_number()) throw Unreadable(std::string(pointer + 1) + " is not a number");
  return parse_decimal(number.dump());
}

inline const Json& list_at(const Json& record, const char* pointer) {
  static const Json empty = Json::array();
  const Json& list = at(record, pointer);
  if (!list.is_null() && !list.is_array()) throw Unreadable(std::string(pointer + 1) + " is not a list");
  return list.is_null() ? empty : list;
}

// Returns the value of an option as a number, if the option was given.
inline std::optional<Decimal> option(const Json& result, const char* name) {
  const auto options = result.find("options");
  if (options == result.end() || !options->is_object() || !options->contains(name)) return std::nullopt;
  const Json& text = (*options)[name];
  if (!text.is_string()) throw Unreadable(std::string("option ") + name + " is not a string");
  return parse_decimal(text.get<std::string>());
}

inline std::string text(const Decimal& number) { return to_text(number.digits, power_of_ten(number.places)); }
inline long double value(const Decimal& number) {
  return static_cast<long double>(number.digits) / static_cast<long double>(power_of_ten(number.places));
}

// Checks that an energy-delay product equals the product of cycles and energy.
inline std::string product_fault(const Json& point) {
  const auto cycles = number_at(point, cycles_key);
  const auto energy = number_at(point, energy_key);
  const auto product = number_at(point, product_key);
  if (!product) return "";
  if (!cycles || !energy) return "it has an energy-delay product without cycles and energy";
  const Decimal found{times(energy->digits, cycles->digits), energy->places + cycles->places};
  if (compare(found, *product) == 0) return "";
  return "its energy-delay product is " + text(*product) + ", but the product of its cycles and energy is " +
         text(found);
}

// Checks a gap. It is a relative figure, so the tolerance applies to its absolute error.
inline std::string gap_fault(const Decimal& gap, const Decimal& objective, const Decimal& bound) {
  constexpr long double tolerance = 1e-9L;
  const long double cost = value(objective);
  const long double found = cost == 0 ? 0 : (cost - value(bound)) / std::fabs(cost);
  if (std::fabs(value(gap) - found) <= tolerance) return "";
  return "its gap is " + text(gap) + ", but its cost and lower bound give " +
         std::to_string(static_cast<double>(found));
}

/// The parts of a total: layers, or the whole result if it has no layers.
using Parts = std::vector<const Json*>;
/// Returns the reason why totals do not follow from the parts, or an empty string if they do or if there are
/// no totals.
std::string totals_fault(const Json& result, const Parts& layers, const ClaimKeys& keys);

}  // namespace nestor::check
