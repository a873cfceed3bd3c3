// Tables (check/form.h) of the keys and values of compute-near-memory systems, as embedded in results: first
// the target upmem, then the target hbm-pim.
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

// Systems of target hbm-pim.
inline constexpr std::array unit_form = {
    form::integer("burst", 1, 4096),      form::integer("grf", 1, 4096),
    form::integer("crf", 1, 4096),        form::integer("instructions_per_burst", 1, 4096),
    form::integer("row_bursts", 1, 4096), form::integer("reserved_row", 1, most_cycles)};
inline constexpr std::array dram_form = {form::integer("ranks", 1, 64),
                                         form::integer("banks", 10, 32),
                                         form::integer("groups", 1, 32),
                                         form::integer("queue", 1, 1024),
                                         form::integer("BL", 1, 1000),
                                         form::integer("RL", 0, 1000),
                                         form::integer("WL", 0, 1000),
                                         form::integer("tCCDS", 0, 1000),
                                         form::integer("tCCDL", 0, 1000),
                                         form::integer("tRCDRD", 0, 1000),
                                         form::integer("tRCDWR", 0, 1000),
                                         form::integer("tRAS", 0, 1000),
                                         form::integer("tRP", 0, 1000),
                                         form::integer("tRC", 0, 1000),
                                         form::integer("tRRDS", 0, 1000),
                                         form::integer("tRRDL", 0, 1000),
                                         form::integer("tRTPL", 0, 1000),
                                         form::integer("tWR", 0, 1000),
                                         form::integer("tWTRL", 0, 1000),
                                         form::integer("tRTRS", 0, 1000),
                                         form::integer("XAW", 1, 64),
                                         form::integer("tXAW", 0, 1000),
                                         form::integer("tREFI", 1, most_cycles),
                                         form::integer("tRFC", 0, most_cycles)};
inline constexpr std::array pim_host_form = {form::amount("reduce_ns")};
inline constexpr std::array pim_machine_form = {form::name("name"),
                                                form::word("kind", "cnm"),
                                                form::word("target", "hbm-pim"),
                                                form::list("levels", 3, 3, level_form),
                                                form::amount("clock_mhz"),
                                                form::object("pim", unit_form),
                                                form::object("dram", dram_form),
                                                form::object("host", pim_host_form),
                                                form::optional(form::object("link", link_form))};

}  // namespace nestor::check::cnm
