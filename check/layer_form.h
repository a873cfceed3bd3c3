// Tables (check/form.h) of the keys and values of machines with a hierarchy, of layers and of mappings, as
// embedded in results of the loop-nest spaces.
#pragma once

#include "check/form.h"

namespace nestor::check {

inline constexpr Int most_bits = Int{1} << 52;  ///< bits of a memory
inline constexpr Int most_size = Int{1} << 31;  ///< size of an axis, an extent or a factor
inline constexpr Int most_width = 1024;         ///< bits of an element
inline constexpr Int most_entries = 4096;       ///< entries of a hierarchy or a nest

inline constexpr std::array axis_form = {form::name("name"), form::integer("size", 1, most_size),
                                         form::letters("dims", "NKCPQRSG")};
/// Machines of the cim space. Each entry of the hierarchy has exactly one of the keys `memory` and `spatial`.
inline constexpr std::array cim_memory_form = {form::name("name"),
                                               form::letters("operands", "IWO"),
                                               form::optional(form::integer("capacity", 1, most_bits)),
                                               form::integer("bandwidth", 1, most_bits),
                                               form::optional(form::flag("double_buffer")),
                                               form::optional(form::amount("read_energy")),
                                               form::optional(form::amount("write_energy")),
                                               form::optional(form::amount("area")),
                                               form::optional(form::flag("estimated"))};
inline constexpr std::array cim_entry_form = {form::optional(form::object("memory", cim_memory_form)),
                                              form::optional(form::object("spatial", axis_form))};
inline constexpr std::array cim_compute_form = {form::integer("mvm_cycles", 1, most_size),
                                                form::optional(form::amount("mac_energy")),
                                                form::optional(form::amount("area"))};
inline constexpr std::array cim_machine_form = {form::name("name"),
                                                form::optional(form::any("source")),
                                                form::optional(form::word("kind", "cim")),
                                                form::list("hierarchy", 1, most_entries, cim_entry_form),
                                                form::object("compute", cim_compute_form),
                                                form::optional(form::amount("leakage")),
                                                form::optional(form::amount("clock"))};

inline constexpr std::array bits_form = {
    form::optional(form::integer("I", 1, most_width)), form::optional(form::integer("W", 1, most_width)),
    form::optional(form::integer("O", 1, most_width)), form::optional(form::integer("psum", 1, most_width))};
inline constexpr std::array dims_form = {
    form::optional(form::integer("N", 1, most_size)), form::optional(form::integer("K", 1, most_size)),
    form::optional(form::integer("C", 1, most_size)), form::optional(form::integer("P", 1, most_size)),
    form::optional(form::integer("Q", 1, most_size)), form::optional(form::integer("R", 1, most_size)),
    form::optional(form::integer("S", 1, most_size)), form::optional(form::integer("G", 1, most_size))};
/// A layer record, which can have further keys.
inline constexpr std::array layer_form = {form::object("dims", dims_form),
                                          form::optional(form::title("name")),
                                          form::optional(form::pair("stride", 1, most_size)),
                                          form::optional(form::pair("dilation", 1, most_size)),
                                          form::optional(form::integer("groups", 1, most_size)),
                                          form::optional(form::integer("repeat", 1, most_size)),
                                          form::optional(form::flag("activation_product")),
                                          form::optional(form::object("bits", bits_form))};

inline constexpr std::array at_form = {form::name("I"), form::name("W"), form::name("O")};
inline constexpr std::array loop_form = {form::word("dim", "N K C P Q R S G"),
                                         form::integer("factor", 1, most_size), form::object("at", at_form)};
/// Mappings of the cim space.
inline constexpr std::array pair_form = {form::name("memory"), form::word("operand", "I W O")};
inline constexpr std::array cim_mapping_form = {
    form::any("spatial"), form::list("temporal", 0, most_entries, loop_form),
    form::optional(form::list("double_buffer", 0, most_entries, pair_form))};

}  // namespace nestor::check
