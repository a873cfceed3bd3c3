#include "io/cnm/system_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/slot_costs.h"
#include "io/document_edit.h"
#include "io/fields.h"
#include "model/cnm/dpu_machine.h"

namespace nestor::io {
namespace {

using cnm::System;
using cnm::Target;

constexpr IntRange bytes_range = {1, 1'000'000'000'000};
constexpr IntRange timing_range = {0, 1000};
constexpr IntRange count_range = {1, 4096};
constexpr IntRange level_range = {1, 1'000'000};
constexpr NumberRange cycles_range = {0, 1e6};
constexpr NumberRange time_range = {0, 1e6};
constexpr NumberRange link_range = {0, 1e9};
constexpr double least_rate = 1e-6;  // 1 kB/s, in GB/s; it keeps quotients finite
constexpr NumberRange rate_range = {least_rate, 1e6};
constexpr NumberRange free_rate_range = {0, 1e6, least_rate};
constexpr Unit byte_units[] = {{"B", 1}, {"KiB", Int{1} << 10}, {"MiB", Int{1} << 20}, {"GiB", Int{1} << 30}};

constexpr std::string_view free_rate_meaning = "GB/s; 0: transfers take no time.";

void describe_level(Fields& fields, cnm::Level& level) {
  fields.name("name", level.name, "Name of the level.");
  fields.integer("size", level.size, level_range, required,
                 "Number of units in a unit of the level outside.");
}

void describe_levels(Fields& fields, System& system) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    for (const Node& item : read_list(node, label, 3, 3, reading)) {
      cnm::Level level;
      read_fields(item, "level", reading, [&](Fields& inner) { describe_level(inner, level); });
      const auto same = [&](const cnm::Level& other) { return other.name == level.name; };
      if (std::any_of(system.levels.begin(), system.levels.end(), same))
        reading.fail(item, fmt::format("level {} is given twice", quote(level.name)));
      system.levels.push_back(level);
    }
    if (!reading.failed() && system.target == Target::upmem && system.levels.back().size > cnm::max_tasklets)
      reading.fail(*node.item(2).find("size"), fmt::format("size is {}, expected at most {} tasklets",
                                                           system.levels.back().size, cnm::max_tasklets));
  };
  const auto write = [&] {
    Json list;
    for (auto& level : system.levels)
      list.push_back(write_fields([&](Fields& inner) { describe_level(inner, level); }));
    return list;
  };
  const auto schema = [] {
    cnm::Level level;
    return list_schema({3, 3}, schema_of([&](Fields& inner) { describe_level(inner, level); }));
  };
  fields.field(
      {"levels", required, read, [] {}, write, schema, "The three levels of units, outermost first."});
}

void describe_barrier(Fields& fields, System& system) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    if (!node.is_map() || node.size() == 0)
      return reading.fail(node, fmt::format("{} is {}, expected cycles for at least one number of tasklets",
                                            label, node.describe()));
    for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i) {
      const auto tasklets = to_integer(node.key(i).text()).value_or(0);
      if (tasklets < 1 || tasklets > 1000)
        reading.fail(node.key(i),
                     fmt::format("{} has the key {}, expected a number of tasklets from 1 to 1000", label,
                                 quote(node.key(i).text())));
      system.barrier[tasklets] =
          read_number(node.value(i), fmt::format("{}.{}", label, tasklets), cycles_range, reading);
    }
  };
  const auto write = [&] {
    Json json;
    for (const auto& [tasklets, cycles] : system.barrier) json[std::to_string(tasklets)] = cycles;
    return json;
  };
  fields.field({"barrier", required, read, [] {}, write,
                [] { return map_schema({}, number_schema(cycles_range)); },
                "Cycles of a barrier by number of tasklets; interpolated between them."});
}

void describe_transfer(Fields& fields, cnm::TransferTime& time) {
  fields.number("setup", time.setup, cycles_range, required, "Cycles of the engine for each transfer.");
  fields.number("per_byte", time.per_byte, {0, 1000}, required, "Cycles of the engine for each byte.");
  fields.number("return", time.back, cycles_range, required, "Cycles until the tasklet continues.");
}

void describe_dma(Fields& fields, cnm::Dma& dma) {
  fields.integer("ports", dma.ports, {0, cnm::max_tasklets}, written(Int{1}),
                 "Number of simultaneous transfers; 0: one per tasklet.");
  fields.quantity("min", dma.min_bytes, byte_units, bytes_range, required, "Bytes of the smallest transfer.");
  fields.quantity("max", dma.max_bytes, byte_units, bytes_range, required, "Bytes of the largest transfer.");
  fields.quantity("align", dma.align, byte_units, {1, 4096}, required,
                  "Addresses and sizes are multiples of it.");
  fields.part(
      "read", required, [&](Fields& time) { describe_transfer(time, dma.read); }, "From MRAM to WRAM.");
  fields.part(
      "write", required, [&](Fields& time) { describe_transfer(time, dma.write); }, "From WRAM to MRAM.");
  fields.part(
      "refresh", required,
      [&](Fields& refresh) {
        refresh.integer("every", dma.refresh.every, {0, 1'000'000}, required,
                        "Cycles between refreshes; 0: none.");
        refresh.integer("busy", dma.refresh.busy, {0, 1'000'000}, required, "Cycles of a refresh.");
      },
      "");
}

void describe_host_of_dpus(Fields& fields, cnm::Host& host) {
  fields.number("launch_ms", host.launch_ms, time_range, written(0.0), "Time of a launch.");
  fields.number("launch_ms_per_tasklet", host.launch_ms_per_tasklet, time_range, written(0.0),
                "Time of a launch that grows with the tasklets.");
}

void describe_reduction(Fields& fields, cnm::Host& host) {
  fields.number("reduce_ns", host.reduce_ns, link_range, written(0.0),
                "Time for each value that the host reduces.");
}

void describe_dpus(Fields& fields, System& system) {
  fields.part(
      "pipeline", required,
      [&](Fields& pipeline) {
        pipeline.integer("gap", system.gap, {1, 1000}, required, "Cycles between two slots of a tasklet.");
      },
      "");
  fields.part(
      "wram", required,
      [&](Fields& wram) {
        constexpr IntRange from_0 = {0, bytes_range.high};
        wram.quantity("capacity", system.wram.capacity, byte_units, bytes_range, required, "Bytes of a DPU.");
        wram.quantity("reserved", system.wram.reserved, byte_units, from_0, required,
                      "Bytes that kernels cannot use.");
        wram.quantity("stack", system.wram.stack, byte_units, from_0, required,
                      "Bytes of the stack of a tasklet.");
      },
      "Scratchpad of a DPU.");
  fields.part(
      "iram", required,
      [&](Fields& iram) {
        iram.quantity("capacity", system.iram_capacity, byte_units, bytes_range, required, "Bytes of a DPU.");
        iram.quantity("instruction", system.iram_instruction, byte_units, {1, 1024}, required,
                      "Bytes of an instruction.");
      },
      "Memory of instructions.");
  fields.part(
      "mram", required,
      [&](Fields& mram) {
        mram.quantity("capacity", system.mram_capacity, byte_units, bytes_range, required, "Bytes of a DPU.");
      },
      "DRAM bank of a DPU.");
  fields.part(
      "dma", required, [&](Fields& dma) { describe_dma(dma, system.dma); },
      "Engine that copies between MRAM and WRAM.");
}

void describe_pim(Fields& fields, cnm::PimUnits& pim) {
  fields.quantity(
      "burst", pim.burst_bytes, byte_units, count_range, required,
      "Bytes of a burst. No figure depends on it: a vector is a burst with one element per lane.");
  fields.integer("grf", pim.grf, count_range, required, "Registers of a block for each bank.");
  fields.integer("crf", pim.crf, count_range, required, "Instructions of a microprogram.");
  fields.integer("instructions_per_burst", pim.instructions_per_burst, count_range, required,
                 "Instructions that a burst loads.");
  fields.integer("row_bursts", pim.row_bursts, count_range, required, "Bursts of a row.");
  fields.integer("reserved_row", pim.reserved_row, {1, 1'000'000}, required,
                 "First row that data cannot use.");
}

void describe_dram(Fields& fields, cnm::Dram& dram) {
  const auto timing = [&](std::string_view key, Int& value, std::string_view meaning) {
    fields.integer(key, value, timing_range, required, meaning);
  };
  fields.integer("ranks", dram.ranks, {1, 64}, required, "Ranks of a channel.");
  fields.integer("banks", dram.banks, {1, 32}, required, "Banks of a rank, at least 10.");
  fields.integer("groups", dram.groups, {1, 32}, required, "Groups of banks, a divisor of the banks.");
  fields.integer("queue", dram.queue, {1, 1024}, required, "Entries of the queue of commands.");
  fields.integer("BL", dram.BL, {1, 1000}, required, "Burst length.");
  timing("RL", dram.RL, "Cycles from a read to its data.");
  timing("WL", dram.WL, "Cycles from a write to its data.");
  timing("tCCDS", dram.tCCDS, "Cycles between columns of different groups.");
  timing("tCCDL", dram.tCCDL, "Cycles between columns of one group.");
  timing("tRCDRD", dram.tRCDRD, "Cycles from opening a row to reading it.");
  timing("tRCDWR", dram.tRCDWR, "Cycles from opening a row to writing it.");
  timing("tRAS", dram.tRAS, "Cycles from opening a row to closing it.");
  timing("tRP", dram.tRP, "Cycles to close a row.");
  timing("tRC", dram.tRC, "Cycles from opening a row to opening the next one of the bank.");
  timing("tRRDS", dram.tRRDS, "Cycles between opening rows of different groups.");
  timing("tRRDL", dram.tRRDL, "Cycles between opening rows of one group.");
  timing("tRTPL", dram.tRTPL, "Cycles from a read to closing the row.");
  timing("tWR", dram.tWR, "Cycles from written data to closing the row.");
  timing("tWTRL", dram.tWTRL, "Cycles from written data to a read.");
  timing("tRTRS", dram.tRTRS, "Cycles added when reads turn to writes.");
  fields.integer("XAW", dram.XAW, {1, 64}, required, "Rows that may be opened in tXAW cycles.");
  timing("tXAW", dram.tXAW, "Window of XAW, in cycles.");
  fields.integer("tREFI", dram.tREFI, {1, 1'000'000}, required,
                 "Cycles between refreshes, at least 4 for each rank.");
  fields.integer("tRFC", dram.tRFC, {0, 1'000'000}, required, "Cycles of a refresh.");
}

void describe_link(Fields& fields, cnm::Link& link) {
  fields.number("to_gbs", link.to_gbs, free_rate_range, written(0.0), free_rate_meaning);
  fields.number("from_gbs", link.from_gbs, free_rate_range, written(0.0), free_rate_meaning);
  fields.number("us", link.us, link_range, written(0.0), "Latency of each transfer.");
}

void describe_engine(Fields& fields, cnm::EngineSettings& engine) {
  const cnm::EngineSettings usual;
  fields.number("alpha", engine.alpha, {0, 1}, written(usual.alpha), "Largest deviation from linear growth.");
  fields.integer("k", engine.k, {1, 64}, written(usual.k), "Trips of a loop that are simulated first.");
  fields.integer("k_max", engine.k_max, {1, 64}, written(usual.k_max), "Largest number of simulated trips.");
  fields.integer("whole", engine.whole, {0, 10000}, written(usual.whole),
                 "Programs whose innermost loops run at most this many times are simulated completely.");
}

void describe_processor(Fields& fields, cnm::Processor& processor) {
  fields.number("launch_ms", processor.launch_ms, time_range, required, "Time of each operation.");
  fields.number("bandwidth_gbs", processor.bandwidth_gbs, rate_range, required, "GB/s of the memory.");
  fields.part(
      "peak_gops", required,
      [&](Fields& peaks) {
        for (std::size_t t = 0; t < processor.peak_gops.size(); ++t)
          peaks.number(cnm::element_types.words[t], processor.peak_gops[t], rate_range, required, "");
      },
      "10^9 operations per second, by element type.");
}

// The target of `system` decides which fields there are.
void describe_system(Fields& fields, System& system) {
  fields.name("name", system.name, "Name of the system.");
  fields.constant("kind", "cnm", required, "Kind of machine.");
  fields.constant("target", cnm::targets.word(system.target), required, "Kind of units.");
  if (system.target == Target::host) return describe_processor(fields, system.processor);
  const bool has_dpus = system.target == Target::upmem;
  describe_levels(fields, system);
  fields.number("clock_mhz", system.clock_mhz, {1e-3, 1e6}, required, "Clock in MHz.");
  if (has_dpus) {
    describe_dpus(fields, system);
  } else {
    fields.part(
        "pim", required, [&](Fields& pim) { describe_pim(pim, system.pim); }, "The PIM blocks of a channel.");
    fields.part(
        "dram", required, [&](Fields& dram) { describe_dram(dram, system.dram); },
        "The DRAM of a channel; times in cycles.");
  }
  fields.part(
      "host", optional,
      [&](Fields& host) {
        if (has_dpus) describe_host_of_dpus(host, system.host);
        describe_reduction(host, system.host);
        if (!has_dpus) return;
        host.number("to_gbs", system.host.to_gbs, free_rate_range, written(0.0), free_rate_meaning);
        host.number("from_gbs", system.host.from_gbs, free_rate_range, written(0.0), free_rate_meaning);
      },
      "Costs of the host.");
  fields.part(
      "link", optional, [&](Fields& link) { describe_link(link, system.link); },
      "Transfers between the host and the system, for programs that are placed over several systems.");
  if (!has_dpus) return;
  fields.part(
      "engine", optional, [&](Fields& engine) { describe_engine(engine, system.engine); },
      "Parameters of the simulations before extrapolation.");
  describe_barrier(fields, system);
  describe_operations(fields, system);
  describe_calls(fields, system);
}

// Largest factor by which refresh may slow the engine down; beyond it, cycles could overflow.
constexpr Int most_stretch = 512;

// Checks the conditions between values. Returns a message if one is violated.
std::string find_conflict(const System& system) {
  if (system.target == Target::host) return {};
  if (system.target == Target::upmem) {
    const auto& [every, busy] = system.dma.refresh;
    if (every > 0 && every > most_stretch * (every - busy))
      return fmt::format("dma.refresh.busy: expected less than every ({}) by at least 1/{}, found {}", every,
                         most_stretch, busy);
    if (system.dma.min_bytes > system.dma.max_bytes)
      return fmt::format("dma.min: expected at most dma.max ({}), found {}", system.dma.max_bytes,
                         system.dma.min_bytes);
    return {};
  }
  if (system.dram.banks % system.dram.groups != 0)
    return fmt::format("dram.groups: expected a divisor of dram.banks ({}), found {}", system.dram.banks,
                       system.dram.groups);
  if (system.dram.banks < 10)
    return fmt::format("dram.banks: expected at least 10, found {}", system.dram.banks);
  if (system.dram.tREFI < 4 * system.dram.ranks)
    return fmt::format("dram.tREFI: expected at least 4 for each rank, found {}", system.dram.tREFI);
  return {};
}

}  // namespace

Result<cnm::System> cnm_system_from(const Node& root) {
  Reading reading;
  if (!root.is_map()) return input_error(root.where(), "expected a system, found " + root.describe());
  System system;
  const auto target = root.find("target");
  if (!target) return input_error(root.where(), "system has no key 'target'");
  system.target = read_word(*target, "target", cnm::targets, reading);
  if (!reading.failed())
    read_fields(root, "system", reading, [&](Fields& fields) { describe_system(fields, system); });
  if (reading.failed()) return reading.error();
  if (const auto conflict = find_conflict(system); !conflict.empty())
    return input_error(root.where(), conflict);
  return system;
}

Result<cnm::System> read_cnm_system(const std::string& path_or_name, std::span<const std::string> settings) {
  return read_machine_file(path_or_name, settings, cnm_system_from);
}

Result<cnm::System> with_settings(const cnm::System& system, std::span<const std::string> settings) {
  auto document = Document::parse(system_to_json(system).dump(), system.name);
  if (!document) return document.error();
  if (auto error = set_values(*document, settings)) return *error;
  return cnm_system_from(document->root());
}

Json system_to_json(cnm::System system) {
  return write_fields([&](Fields& fields) { describe_system(fields, system); });
}

Json cnm_system_schema() {
  Json schema = {{"oneOf", Json::array()}, {"$defs", Json::object()}};
  for (const Target target : cnm::targets.values) {
    System system;
    system.target = target;
    const std::string name(cnm::targets.word(target));
    schema["oneOf"].push_back({{"$ref", "#/$defs/" + name}});
    schema["$defs"][name] = schema_of([&](Fields& fields) { describe_system(fields, system); });
  }
  return schema;
}

namespace {

std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

void add_yaml(const Json& json, std::size_t depth, std::string& text) {
  for (const auto& [key, value] : json.items()) {
    text += std::string(2 * depth, ' ') + key + ":";
    if (value.is_object()) {
      text += "\n";
      add_yaml(value, depth + 1, text);
    } else if (value.is_array()) {
      text += "\n";
      for (const Json& level : value)
        text += fmt::format("  - {{name: {}, size: {}}}\n", scalar_text(level["name"]),
                            scalar_text(level["size"]));
    } else {
      text += " " + scalar_text(value) + "\n";
    }
  }
}

}  // namespace

std::string to_text(const cnm::System& system) {
  std::string text;
  add_yaml(system_to_json(system), 0, text);
  return text;
}

}  // namespace nestor::io
