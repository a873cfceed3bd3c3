// The form of systems of DPUs and of mappings of kernels, as a result repeats them.
#pragma once

#include "check/form.h"

namespace nestor::check::cnm {

inline constexpr Int most_bytes = 1'000'000'000'000;
inline constexpr Int most_cycles = 1'000'000;

inline constexpr std::array level_form = {form::name("name"), form::integer("size", 1, 1'000'000)};
inline constexpr std::array pipeline_form = {form::integer("gap", 1, 1000)};
inline constexpr std::array wram_form = {form::integer("capacity", 1, most_bytes),
                                         form::integer("reserved", 0, most_bytes),
                                         form::integer("stack", 0, most_bytes)};
inline constexpr std::array iram_form = {form::integer("capacity", 1, most_bytes),
                                         form::integer("instruction", 1, 1024)};
inline constexpr std::array mram_form = {form::integer("capacity", 1, most_bytes)};
inline constexpr std::array rate_form = {form::amount("setup"), form::amount("per_byte"),
                                         form::amount("return")};
inline constexpr std::array refresh_form = {form::integer("every", 0, most_cycles),
                                            form::integer("busy", 0, most_cycles)};
inline constexpr std::array dma_form = {form::optional(form::integer("ports", 0, 64)),
                                        form::integer("min", 1, most_bytes),
                                        form::integer("max", 1, most_bytes),
                                        form::integer("align", 1, 4096),
                                        form::object("read", rate_form),
                                        form::object("write", rate_form),
                                        form::object("refresh", refresh_form)};
inline constexpr std::array host_form = {form::amount("launch_ms"), form::amount("launch_ms_per_tasklet"),
                                         form::amount("reduce_ns"), form::amount("to_gbs"),
                                         form::amount("from_gbs")};
inline constexpr std::array link_form = {form::amount("to_gbs"), form::amount("from_gbs"),
                                         form::amount("us")};
inline constexpr std::array engine_form = {form::amount("alpha"), form::integer("k", 1, 64),
                                           form::integer("k_max", 1, 64), form::integer("whole", 0, 10'000)};
inline constexpr std::array machine_form = {form::name("name"),
                                            form::word("kind", "cnm"),
                                            form::word("target", "upmem"),
                                            form::list("levels", 3, 3, level_form),
                                            form::amount("clock_mhz"),
                                            form::object("pipeline", pipeline_form),
                                            form::object("wram", wram_form),
                                            form::object("iram", iram_form),
                                            form::object("mram", mram_form),
                                            form::object("dma", dma_form),
                                            form::object("host", host_form),
                                            form::object("engine", engine_form),
                                            form::optional(form::object("link", link_form)),
                                            form::optional(form::any("barrier")),
                                            form::optional(form::any("ops")),
                                            form::optional(form::any("calls"))};

}  // namespace nestor::check::cnm
