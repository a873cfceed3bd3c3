#include "io/cnm/system_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "io/checked_reader.h"
#include "model/cnm/dpu_machine.h"

namespace nestor::io {
namespace {

using cnm::System;
using cnm::Target;

// A field with an integer (optionally with the unit B, KiB, MiB or GiB) or a real value.
struct Field {
  std::string_view path;
  Target target;
  Int& (*whole)(System&) = nullptr;
  double& (*real)(System&) = nullptr;
  double low = 0;
  double high = 0;
  bool both = false;  ///< exists for upmem and hbm_pim
  double least = 0;   ///< smallest value other than 0; it keeps quotients finite
};

constexpr double most_cycles = 1e6;
constexpr double most_bytes = 1e12;
constexpr double least_clock = 1e-3;
constexpr double least_rate = 1e-6;  // 1 kB/s, in GB/s

#define NESTOR_WHOLE(path, target, member, low, high)                                    \
  Field {                                                                                \
    path, Target::target, [](System& s) -> Int& { return s.member; }, nullptr, low, high \
  }
#define NESTOR_RATE(path, target, member, high)                                                              \
  Field {                                                                                                    \
    path, Target::target, nullptr, [](System& s) -> double& { return s.member; }, 0, high, false, least_rate \
  }
#define NESTOR_REAL(path, target, member, low, high)                                        \
  Field {                                                                                   \
    path, Target::target, nullptr, [](System& s) -> double& { return s.member; }, low, high \
  }

constexpr auto fields = std::to_array<Field>({
    {"clock_mhz", Target::upmem, nullptr, [](System& s) -> double& { return s.clock_mhz; }, least_clock, 1e6,
     true},
    NESTOR_WHOLE("pipeline.gap", upmem, gap, 1, 1000),
    NESTOR_WHOLE("wram.capacity", upmem, wram.capacity, 1, most_bytes),
    NESTOR_WHOLE("wram.reserved", upmem, wram.reserved, 0, most_bytes),
    NESTOR_WHOLE("wram.stack", upmem, wram.stack, 0, most_bytes),
    NESTOR_WHOLE("iram.capacity", upmem, iram_capacity, 1, most_bytes),
    NESTOR_WHOLE("iram.instruction", upmem, iram_instruction, 1, 1024),
    NESTOR_WHOLE("mram.capacity", upmem, mram_capacity, 1, most_bytes),
    NESTOR_WHOLE("dma.ports", upmem, dma.ports, 0, cnm::max_tasklets),
    NESTOR_WHOLE("dma.min", upmem, dma.min_bytes, 1, most_bytes),
    NESTOR_WHOLE("dma.max", upmem, dma.max_bytes, 1, most_bytes),
    NESTOR_WHOLE("dma.align", upmem, dma.align, 1, 4096),
    NESTOR_REAL("dma.read.setup", upmem, dma.read.setup, 0, most_cycles),
    NESTOR_REAL("dma.read.per_byte", upmem, dma.read.per_byte, 0, 1000),
    NESTOR_REAL("dma.read.return", upmem, dma.read.back, 0, most_cycles),
    NESTOR_REAL("dma.write.setup", upmem, dma.write.setup, 0, most_cycles),
    NESTOR_REAL("dma.write.per_byte", upmem, dma.write.per_byte, 0, 1000),
    NESTOR_REAL("dma.write.return", upmem, dma.write.back, 0, most_cycles),
    NESTOR_WHOLE("dma.refresh.every", upmem, dma.refresh.every, 0, most_cycles),
    NESTOR_WHOLE("dma.refresh.busy", upmem, dma.refresh.busy, 0, most_cycles),
    NESTOR_WHOLE("pim.burst", hbm_pim, pim.burst_bytes, 1, 4096),
    NESTOR_WHOLE("pim.grf", hbm_pim, pim.grf, 1, 4096),
    NESTOR_WHOLE("pim.crf", hbm_pim, pim.crf, 1, 4096),
    NESTOR_WHOLE("pim.instructions_per_burst", hbm_pim, pim.instructions_per_burst, 1, 4096),
    NESTOR_WHOLE("pim.row_bursts", hbm_pim, pim.row_bursts, 1, 4096),
    NESTOR_WHOLE("pim.reserved_row", hbm_pim, pim.reserved_row, 1, most_cycles),
    NESTOR_WHOLE("dram.ranks", hbm_pim, dram.ranks, 1, 64),
    NESTOR_WHOLE("dram.banks", hbm_pim, dram.banks, 1, 32),
    NESTOR_WHOLE("dram.groups", hbm_pim, dram.groups, 1, 32),
    NESTOR_WHOLE("dram.queue", hbm_pim, dram.queue, 1, 1024),
    NESTOR_WHOLE("dram.BL", hbm_pim, dram.BL, 1, 1000),
    NESTOR_WHOLE("dram.RL", hbm_pim, dram.RL, 0, 1000),
    NESTOR_WHOLE("dram.WL", hbm_pim, dram.WL, 0, 1000),
    NESTOR_WHOLE("dram.tCCDS", hbm_pim, dram.tCCDS, 0, 1000),
    NESTOR_WHOLE("dram.tCCDL", hbm_pim, dram.tCCDL, 0, 1000),
    NESTOR_WHOLE("dram.tRCDRD", hbm_pim, dram.tRCDRD, 0, 1000),
    NESTOR_WHOLE("dram.tRCDWR", hbm_pim, dram.tRCDWR, 0, 1000),
    NESTOR_WHOLE("dram.tRAS", hbm_pim, dram.tRAS, 0, 1000),
    NESTOR_WHOLE("dram.tRP", hbm_pim, dram.tRP, 0, 1000),
    NESTOR_WHOLE("dram.tRC", hbm_pim, dram.tRC, 0, 1000),
    NESTOR_WHOLE("dram.tRRDS", hbm_pim, dram.tRRDS, 0, 1000),
    NESTOR_WHOLE("dram.tRRDL", hbm_pim, dram.tRRDL, 0, 1000),
    NESTOR_WHOLE("dram.tRTPL", hbm_pim, dram.tRTPL, 0, 1000),
    NESTOR_WHOLE("dram.tWR", hbm_pim, dram.tWR, 0, 1000),
    NESTOR_WHOLE("dram.tWTRL", hbm_pim, dram.tWTRL, 0, 1000),
    NESTOR_WHOLE("dram.tRTRS", hbm_pim, dram.tRTRS, 0, 1000),
    NESTOR_WHOLE("dram.XAW", hbm_pim, dram.XAW, 1, 64),
    NESTOR_WHOLE("dram.tXAW", hbm_pim, dram.tXAW, 0, 1000),
    NESTOR_WHOLE("dram.tREFI", hbm_pim, dram.tREFI, 1, most_cycles),
    NESTOR_WHOLE("dram.tRFC", hbm_pim, dram.tRFC, 0, most_cycles),
    NESTOR_REAL("host.launch_ms", upmem, host.launch_ms, 0, 1e6),
    NESTOR_REAL("host.launch_ms_per_tasklet", upmem, host.launch_ms_per_tasklet, 0, 1e6),
    {"host.reduce_ns", Target::upmem, nullptr, [](System& s) -> double& { return s.host.reduce_ns; }, 0, 1e9,
     true},
    NESTOR_RATE("host.to_gbs", upmem, host.to_gbs, 1e6),
    NESTOR_RATE("host.from_gbs", upmem, host.from_gbs, 1e6),
    {"link.to_gbs", Target::upmem, nullptr, [](System& s) -> double& { return s.link.to_gbs; }, 0, 1e6, true,
     least_rate},
    {"link.from_gbs", Target::upmem, nullptr, [](System& s) -> double& { return s.link.from_gbs; }, 0, 1e6,
     true, least_rate},
    {"link.us", Target::upmem, nullptr, [](System& s) -> double& { return s.link.us; }, 0, 1e9, true},
    NESTOR_REAL("launch_ms", host, processor.launch_ms, 0, 1e6),
    NESTOR_REAL("bandwidth_gbs", host, processor.bandwidth_gbs, least_rate, 1e6),
    NESTOR_REAL("engine.alpha", upmem, engine.alpha, 0, 1),
    NESTOR_WHOLE("engine.k", upmem, engine.k, 1, 64),
    NESTOR_WHOLE("engine.k_max", upmem, engine.k_max, 1, 64),
    NESTOR_WHOLE("engine.whole", upmem, engine.whole, 0, 10000),
});
#undef NESTOR_WHOLE
#undef NESTOR_RATE
#undef NESTOR_REAL

bool applies(const Field& field, const System& system) {
  return (field.both && system.target != Target::host) || field.target == system.target;
}

const Field* find_field(const System& system, std::string_view path) {
  for (const Field& field : fields)
    if (field.path == path && applies(field, system)) return &field;
  return nullptr;
}

std::optional<Int> whole_number(std::string_view text) {
  Int factor = 1;
  for (const auto& [suffix, value] :
       {std::pair<std::string_view, Int>{"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"B", 1}}) {
    if (text.size() <= suffix.size() || text.substr(text.size() - suffix.size()) != suffix) continue;
    text.remove_suffix(suffix.size());
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    factor = value;
    break;
  }
  const auto number = to_integer(text);
  return number ? checked_multiply(*number, factor) : std::nullopt;
}

Error invalid_field(std::string_view path, std::string_view what, std::string_view found) {
  return input_error({}, fmt::format("{}: expected {}, found {}", path, what, quote(found)));
}

MaybeError set_field(const Field& field, System& system, std::string_view text) {
  if (field.whole != nullptr) {
    const auto value = whole_number(text);
    if (!value || static_cast<double>(*value) < field.low || static_cast<double>(*value) > field.high)
      return invalid_field(field.path,
                           fmt::format("a whole number from {:.0f} to {:.0f}", field.low, field.high), text);
    field.whole(system) = *value;
    return std::nullopt;
  }
  const auto value = to_number(text);
  const bool in_range = value && *value >= field.low && *value <= field.high;
  if (field.least > 0 && (!in_range || (*value > 0 && *value < field.least)))
    return invalid_field(field.path, fmt::format("0 or a number from {:g} to {:g}", field.least, field.high),
                         text);
  if (!in_range)
    return invalid_field(field.path, fmt::format("a number from {:g} to {:g}", field.low, field.high), text);
  field.real(system) = *value;
  return std::nullopt;
}

// Sets a value whose path contains a free name: "ops.mul.i32", "calls.memset", "barrier.8", "levels.dpu".
// Clears `known` for any other path.
MaybeError set_open(System& system, std::string_view path, std::string_view text, bool& known) {
  const auto dot = path.find('.');
  const auto section = path.substr(0, dot);
  const auto rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  known = true;
  if (section == "levels") {
    for (cnm::Level& level : system.levels) {
      if (level.name != rest) continue;
      const auto value = to_integer(text);
      if (!value || *value < 1 || *value > 1'000'000)
        return invalid_field(path, "a whole number from 1 to 1000000", text);
      if (system.target == Target::upmem && &level == &system.levels.back() && *value > cnm::max_tasklets)
        return invalid_field(path, fmt::format("a whole number from 1 to {}", cnm::max_tasklets), text);
      level.size = *value;
      return std::nullopt;
    }
  }
  if (system.target == Target::host && section == "peak_gops") {
    if (const auto type = cnm::element_types.find(rest)) {
      const auto value = to_number(text);
      if (!value || *value < least_rate || *value > 1e6)
        return invalid_field(path, fmt::format("a number from {:g} to 1e+06", least_rate), text);
      system.processor.peak_gops[static_cast<std::size_t>(*type)] = *value;
      return std::nullopt;
    }
  }
  if (system.target == Target::upmem && section == "barrier") {
    const auto tasklets = to_integer(rest);
    const auto cycles = to_number(text);
    if (tasklets && *tasklets >= 1 && *tasklets <= 1000) {
      if (!cycles || !(*cycles >= 0 && *cycles <= most_cycles))
        return invalid_field(path, fmt::format("a number from 0 to {:.0f}", most_cycles), text);
      system.barrier[*tasklets] = *cycles;
      return std::nullopt;
    }
  }
  if (system.target == Target::upmem && (section == "ops" || section == "calls") && !rest.empty()) {
    cnm::SlotCost* cost = nullptr;
    if (section == "calls") {
      const bool named = rest.size() <= 64 && rest.find('.') == std::string_view::npos;
      if (named) cost = &system.calls[std::string(rest)];
    } else if (const auto between = rest.find('.'); between != std::string_view::npos) {
      const auto op = cnm::operations.find(rest.substr(0, between));
      const auto type = cnm::element_types.find(rest.substr(between + 1));
      if (op && type) cost = &system.cost(*op, *type);
    }
    if (cost != nullptr) {
      const auto parsed = parse_slot_cost(text);
      if (!parsed) return invalid_field(path, "slots such as 4, 8 + k or 16 + bytes/4", text);
      *cost = *parsed;
      return std::nullopt;
    }
  }
  known = false;
  return std::nullopt;
}

std::string plain(double value) { return fmt::format("{}", value); }

}  // namespace

std::string to_text(const cnm::SlotCost& cost) {
  if (cost.is_barrier) return "barrier";
  std::string text = fmt::format("{}", cost.base);
  if (cost.plus_k) text += " + k";
  if (cost.bytes_per_slot > 0) text += fmt::format(" + bytes/{}", cost.bytes_per_slot);
  return text;
}

Result<cnm::SlotCost> parse_slot_cost(std::string_view text) {
  cnm::SlotCost cost;
  if (text == "barrier") {
    cost.is_barrier = true;
    return cost;
  }
  std::string packed;
  for (const char c : text)
    if (c != ' ') packed += c;
  bool first = true;
  std::string_view rest = packed;
  while (first || !rest.empty()) {
    const auto plus = rest.find('+');
    const auto term = rest.substr(0, plus);
    rest = plus == std::string_view::npos ? std::string_view() : rest.substr(plus + 1);
    const auto bad = input_error({}, "no slots");
    if (first) {
      const auto base = to_integer(term);
      if (!base || *base < 0 || *base > 1'000'000) return bad;
      cost.base = *base;
      first = false;
    } else if (term == "k" && !cost.plus_k) {
      cost.plus_k = true;
    } else if (term.substr(0, 6) == "bytes/" && cost.bytes_per_slot == 0) {
      const auto per = to_integer(term.substr(6));
      if (!per || *per < 1 || *per > 4096) return bad;
      cost.bytes_per_slot = *per;
    } else {
      return bad;
    }
  }
  return cost;
}

std::vector<std::string> system_paths(const cnm::System& system) {
  std::vector<std::string> paths;
  for (const cnm::Level& level : system.levels) paths.push_back("levels." + level.name);
  for (const Field& field : fields)
    if (applies(field, system)) paths.emplace_back(field.path);
  for (const auto& [tasklets, cycles] : system.barrier) paths.push_back(fmt::format("barrier.{}", tasklets));
  for (const cnm::Op op : cnm::operations.values)
    for (const cnm::Type type : cnm::element_types.values)
      if (system.cost(op, type).known())
        paths.push_back(fmt::format("ops.{}.{}", cnm::operations.word(op), cnm::element_types.word(type)));
  for (const auto& [name, cost] : system.calls) paths.push_back("calls." + name);
  if (system.target == Target::host)
    for (const cnm::Type type : cnm::element_types.values)
      paths.push_back(fmt::format("peak_gops.{}", cnm::element_types.word(type)));
  return paths;
}

std::string system_value(const cnm::System& system, std::string_view path) {
  auto copy = system;
  if (const Field* field = find_field(system, path))
    return field->whole != nullptr ? fmt::format("{}", field->whole(copy)) : plain(field->real(copy));
  const auto dot = path.find('.');
  const auto section = path.substr(0, dot);
  const auto rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  if (section == "levels")
    for (const auto& level : system.levels)
      if (level.name == rest) return fmt::format("{}", level.size);
  if (section == "barrier")
    if (const auto entry = system.barrier.find(to_integer(rest).value_or(0)); entry != system.barrier.end())
      return plain(entry->second);
  if (section == "calls")
    if (const auto entry = system.calls.find(rest); entry != system.calls.end())
      return to_text(entry->second);
  if (section == "peak_gops")
    if (const auto type = cnm::element_types.find(rest))
      return plain(system.processor.peak_gops[static_cast<std::size_t>(*type)]);
  if (const auto between = rest.find('.'); section == "ops" && between != std::string_view::npos) {
    const auto op = cnm::operations.find(rest.substr(0, between));
    const auto type = cnm::element_types.find(rest.substr(between + 1));
    if (op && type) return to_text(system.cost(*op, *type));
  }
  return {};
}

MaybeError set_system_value(cnm::System& system, std::string_view path, std::string_view text) {
  if (const Field* field = find_field(system, path)) return set_field(*field, system, text);
  bool known = false;
  auto error = set_open(system, path, text, known);
  if (known) return error;
  const auto paths = system_paths(system);
  const std::vector<std::string_view> candidates(paths.begin(), paths.end());
  return input_error({}, fmt::format("no value {} in a system of target {}{}", quote(path),
                                     cnm::targets.word(system.target), suggestion(path, candidates)));
}

}  // namespace nestor::io
