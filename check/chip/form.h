// Tables (check/form.h) of the keys and values that the chip, the network and the decisions in a result may
// have.
#pragma once

#include "check/form.h"

namespace nestor::check::chip {

inline constexpr Int most_rate = Int{1} << 40;
inline constexpr Int most_size = Int{1} << 52;
inline constexpr Int most_width = 64;
inline constexpr Int most_cells = Int{1} << 20;
inline constexpr Int most_extent = Int{1} << 31;
inline constexpr Int most_count = Int{1} << 50;
inline constexpr Int most_entries = 10'000;

inline constexpr std::array noc_form = {form::word("kind", "ideal mesh h-tree matrix"),
                                        form::optional(form::integer("hop_cycles", 0, most_rate)),
                                        form::optional(form::list("cost", 1, Int{1} << 24))};
inline constexpr std::array l0_form = {
    form::optional(form::integer("size", 1, most_size)),
    form::optional(form::integer("bandwidth", 1, most_rate)), form::optional(form::flag("hidden")),
    form::optional(form::flag("shared")), form::optional(form::flag("strict"))};
inline constexpr std::array l1_form = {form::optional(form::integer("size", 1, most_size)),
                                       form::optional(form::integer("bandwidth", 1, most_rate))};
inline constexpr std::array off_chip_form = {form::optional(form::integer("bandwidth", 1, most_rate))};
inline constexpr std::array chip_form = {form::any("cores"),
                                         form::optional(form::integer("alu", 1, most_rate)),
                                         form::optional(form::flag("alu_shared")),
                                         form::optional(form::object("l0", l0_form)),
                                         form::optional(form::object("off_chip", off_chip_form)),
                                         form::optional(form::object("noc", noc_form))};
inline constexpr std::array core_form = {
    form::any("crossbars"), form::optional(form::integer("alu", 1, most_rate)),
    form::optional(form::object("l1", l1_form)), form::optional(form::object("noc", noc_form))};
inline constexpr std::array crossbar_form = {form::pair("size", 1, most_cells),
                                             form::optional(form::integer("parallel_rows", 1, most_cells)),
                                             form::optional(form::integer("dac", 1, most_width)),
                                             form::optional(form::integer("adc", 1, most_width)),
                                             form::optional(form::name("type")),
                                             form::optional(form::integer("cell_bits", 1, most_width)),
                                             form::optional(form::flag("runtime_write")),
                                             form::optional(form::integer("write_cycles", 0, most_rate))};
inline constexpr std::array energy_form = {
    form::optional(form::amount("crossbar")), form::optional(form::amount("adc")),
    form::optional(form::amount("dac")),      form::optional(form::amount("alu")),
    form::optional(form::amount("l0")),       form::optional(form::amount("l1")),
    form::optional(form::amount("noc")),      form::optional(form::amount("write")),
    form::optional(form::amount("off_chip")), form::optional(form::amount("leakage"))};
inline constexpr std::array machine_form = {form::name("name"),
                                            form::optional(form::any("source")),
                                            form::word("kind", "chip"),
                                            form::word("mode", "CM XBM WLM"),
                                            form::object("chip", chip_form),
                                            form::object("core", core_form),
                                            form::object("crossbar", crossbar_form),
                                            form::optional(form::object("energy", energy_form)),
                                            form::optional(form::any("functions")),
                                            form::optional(form::counts("alu_ops", 0, most_cells)),
                                            form::optional(form::amount("clock"))};

inline constexpr std::array bits_form = {form::optional(form::integer("I", 1, most_width)),
                                         form::optional(form::integer("W", 1, most_width)),
                                         form::optional(form::integer("O", 1, most_width))};
inline constexpr std::array input_form = {form::title("name"), form::integer("rows", 1, most_cells),
                                          form::integer("width", 1, most_extent),
                                          form::integer("channels", 1, most_extent)};
inline constexpr std::array matrix_form = {form::integer("rows", 1, most_extent),
                                           form::integer("columns", 1, most_extent),
                                           form::optional(form::integer("groups", 1, most_extent))};
inline constexpr std::array from_form = {
    form::title("from"), form::optional(form::list("need", 3, 3)), form::optional(form::flag("gate")),
    form::optional(form::list("pixels", 3, 3)), form::optional(form::list("taps", 2, 2))};
inline constexpr std::array operator_form = {form::title("name"),
                                             form::word("kind", "array alu product"),
                                             form::integer("rows", 1, most_cells),
                                             form::integer("width", 1, most_extent),
                                             form::integer("channels", 1, most_extent),
                                             form::integer("in_channels", 0, most_count),
                                             form::integer("row_in", 0, most_count),
                                             form::optional(form::object("matrix", matrix_form)),
                                             form::optional(form::integer("alu_ops", 0, most_count)),
                                             form::optional(form::object("bits", bits_form)),
                                             form::list("inputs", 0, most_entries, from_form),
                                             form::optional(form::any("function")),
                                             form::optional(form::list("calls", 1, 16)),
                                             form::optional(form::any("piece"))};
inline constexpr std::array network_form = {form::title("name"),
                                            form::optional(form::any("source")),
                                            form::optional(form::word("kind", "chip-network")),
                                            form::optional(form::object("bits", bits_form)),
                                            form::list("inputs", 0, most_entries, input_form),
                                            form::optional(form::list("outputs", 1, most_entries)),
                                            form::list("operators", 1, most_entries, operator_form)};

inline constexpr std::array decision_form = {form::title("name"),
                                             form::optional(form::word("on", "alu array")),
                                             form::optional(form::integer("copies", 1, most_size)),
                                             form::optional(form::integer("parts", 0, most_size)),
                                             form::optional(form::integer("phases", 1, most_size)),
                                             form::optional(form::any("first_core"))};
inline constexpr std::array segment_form = {
    form::title("from"), form::title("to"), form::optional(form::any("pipeline")),
    form::optional(form::list("operators", 0, most_entries, decision_form))};
inline constexpr std::array decisions_form = {form::list("levels", 1, 4),
                                              form::list("segments", 1, most_entries, segment_form)};

}  // namespace nestor::check::chip
