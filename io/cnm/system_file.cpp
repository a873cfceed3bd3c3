#include "io/cnm/system_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/cnm/system_fields.h"
#include "io/document_edit.h"

namespace nestor::io {
namespace {

using cnm::System;
using cnm::Target;

constexpr std::array<std::string_view, 4> head_keys = {"name", "kind", "target", "levels"};
constexpr std::array<std::string_view, 1> cnm_kinds = {"cnm"};

void read_levels(const Node& node, System& system, Reading& reading) {
  for (const Node& item : read_list(node, "levels", 3, 3, reading)) {
    constexpr std::array<std::string_view, 2> keys = {"name", "size"};
    const MapReader level(item, "level", keys, reading);
    system.levels.push_back({level.name("name"), 1});
    const auto size = level.require("size");
    if (reading.failed()) return;
    const auto& name = system.levels.back().name;
    const auto same = std::count_if(system.levels.begin(), system.levels.end(),
                                    [&](const cnm::Level& other) { return other.name == name; });
    if (same > 1) return reading.fail(item, fmt::format("level {} is given twice", quote(name)));
    if (auto error = set_system_value(system, "levels." + name, size->text()))
      reading.fail(*size, error->message);
  }
}

// For each scalar below `node`, sets the value of the system at the path of this scalar.
void read_values(const Node& node, const std::string& path, System& system, HashSet<std::string>& seen,
                 Reading& reading) {
  if (reading.failed()) return;
  if (node.is_scalar()) {
    seen.insert(path);
    if (auto error = set_system_value(system, path, node.text())) reading.fail(node, error->message);
    return;
  }
  if (!node.is_map())
    return reading.fail(node, fmt::format("{}: expected a value or a map, found {}", path, node.describe()));
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string key(node.key(i).text());
    const auto inner = path.empty() ? key : path + "." + key;
    if (path.empty() && std::find(head_keys.begin(), head_keys.end(), key) != head_keys.end()) continue;
    read_values(node.value(i), inner, system, seen, reading);
  }
}

// True for optional values: costs of the host and the link, which are free by default, and settings of the
// estimate.
bool is_optional(std::string_view path) {
  constexpr std::array<std::string_view, 12> open = {
      "host.to_gbs",    "host.from_gbs", "host.launch_ms", "host.launch_ms_per_tasklet",
      "host.reduce_ns", "engine.alpha",  "engine.k",       "engine.k_max",
      "engine.whole",   "link.to_gbs",   "link.from_gbs",  "link.us"};
  return std::find(open.begin(), open.end(), path) != open.end();
}

// Largest factor by which refresh may slow the engine down; beyond it, cycles could overflow.
constexpr Int most_stretch = 512;

// Checks the conditions between values. Returns a message if one is violated.
std::string find_conflict(const System& system) {
  if (system.target == Target::host) return {};
  if (system.target == Target::upmem) {
    if (system.barrier.empty()) return "barrier: expected cycles for at least one number of tasklets";
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
  const bool host = target && target->text() == cnm::targets.word(Target::host);
  for (const auto key : head_keys)
    if (!root.find(key) && !(host && key == "levels"))
      return input_error(root.where(), fmt::format("expected key {} in the system, found none", quote(key)));
  system.name = read_name(*root.find("name"), "name", reading);
  read_word(*root.find("kind"), "kind", cnm_kinds, reading);
  system.target = read_word(*root.find("target"), "target", cnm::targets, reading);
  if (reading.failed()) return reading.error();
  if (!host) read_levels(*root.find("levels"), system, reading);
  HashSet<std::string> seen;
  read_values(root, "", system, seen, reading);
  if (reading.failed()) return reading.error();
  for (const auto& path : system_paths(system))
    if (!is_optional(path) && path.substr(0, 7) != "levels." && !seen.contains(path))
      return input_error(root.where(), fmt::format("expected a value for {}, found none", quote(path)));
  if (const auto conflict = find_conflict(system); !conflict.empty())
    return input_error(root.where(), conflict);
  return system;
}

Result<cnm::System> read_cnm_system(const std::string& path_or_name, std::span<const std::string> settings) {
  return read_machine_file(path_or_name, settings, cnm_system_from);
}

std::string to_text(const cnm::System& system) {
  std::string text =
      fmt::format("name: {}\nkind: cnm\ntarget: {}\n", system.name, cnm::targets.word(system.target));
  if (!system.levels.empty()) text += "levels:\n";
  for (const auto& level : system.levels)
    text += fmt::format("  - {{name: {}, size: {}}}\n", level.name, level.size);
  std::vector<std::string> open;  // keys of the maps that enclose the last line
  for (const auto& path : system_paths(system)) {
    if (path.substr(0, 7) == "levels.") continue;
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
      const auto end = std::min(path.find('.', begin), path.size());
      parts.push_back(path.substr(begin, end - begin));
      begin = end + 1;
    }
    std::size_t same = 0;
    while (same + 1 < parts.size() && same < open.size() && open[same] == parts[same]) ++same;
    for (std::size_t depth = same; depth < parts.size(); ++depth) {
      text += std::string(2 * depth, ' ') + parts[depth] + ":";
      text += depth + 1 < parts.size() ? "\n" : " " + system_value(system, path) + "\n";
    }
    open.assign(parts.begin(), parts.end() - 1);
  }
  return text;
}

}  // namespace nestor::io
