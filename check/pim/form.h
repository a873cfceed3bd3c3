// Tables (check/form.h) of the keys and values of PIM machines and of mappings onto them, as embedded in
// results.
#pragma once

#include "check/layer_form.h"

namespace nestor::check::pim {

inline constexpr Int most_cycles = Int{1} << 31;
inline constexpr std::array memory_form = {form::name("name"),
                                           form::letters("operands", "IWO"),
                                           form::optional(form::integer("capacity", 1, most_bits)),
                                           form::integer("bandwidth", 1, most_bits),
                                           form::optional(form::integer("read_bandwidth", 1, most_bits)),
                                           form::optional(form::integer("write_bandwidth", 1, most_bits)),
                                           form::optional(form::integer("access_latency", 0, most_cycles)),
                                           form::word("ports", "per_operand shared"),
                                           form::optional(form::integer("row", 1, Int{1} << 30)),
                                           form::optional(form::integer("banks", 1, 64)),
                                           form::optional(form::integer("activation_cycles", 0, most_cycles)),
                                           form::optional(form::amount("activation_energy")),
                                           form::optional(form::amount("read_energy")),
                                           form::optional(form::amount("write_energy")),
                                           form::optional(form::amount("area")),
                                           form::optional(form::flag("estimated"))};
inline constexpr std::array entry_form = {form::optional(form::object("memory", memory_form)),
                                          form::optional(form::object("spatial", axis_form))};
inline constexpr std::array compute_form = {
    form::integer("mvm_cycles", 1, most_size), form::optional(form::amount("mac_energy")),
    form::optional(form::integer("reduction_latency", 0, most_cycles)), form::optional(form::amount("area"))};
inline constexpr std::array machine_form = {form::name("name"),
                                            form::optional(form::any("source")),
                                            form::word("kind", "pim"),
                                            form::word("blocks", "even uneven"),
                                            form::word("row_model", "exact hybrid"),
                                            form::optional(form::integer("vaults", 1, most_size)),
                                            form::optional(form::integer("units", 1, most_size)),
                                            form::list("hierarchy", 1, most_entries, entry_form),
                                            form::object("compute", compute_form),
                                            form::optional(form::list("dim_once", 0, 64)),
                                            form::optional(form::amount("leakage")),
                                            form::optional(form::amount("clock"))};
inline constexpr std::array layout_form = {form::word("kind", "sequential hwc row_aligned"),
                                           form::optional(form::pair("block", 1, most_size))};
inline constexpr std::array layouts_form = {form::object("I", layout_form), form::object("W", layout_form),
                                            form::object("O", layout_form)};
inline constexpr std::array mapping_form = {
    form::any("spatial"), form::list("temporal", 0, most_entries, loop_form),
    form::object("layout", layouts_form), form::optional(form::any("stored"))};

}  // namespace nestor::check::pim
