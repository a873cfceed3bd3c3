#include "report/cnm/estimate_json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/split.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/system_file.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"
#include "report/results/result_parts.h"
#include "report/run_record.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {

std::string ms_text(double ms) {
  return ms >= 1000 ? fmt::format("{:.3f} s", ms / 1000) : fmt::format("{:.4f} ms", ms);
}

io::Json kernel_text_json(const std::string& kernel, const std::string& text) {
  return {{key::schema, "nestor.kernel/1"}, {key::space, "cnm"}, {key::kernel, kernel}, {key::text, text}};
}

void add_pim_keys(io::Json& json, const cnm::PimKeys& keys) {
  if (keys.half) json[key::half] = cnm::pim_halves.word(*keys.half);
  if (keys.half_dim) json[key::half_dim] = *keys.half_dim;
  if (keys.bank) json[key::bank] = *keys.bank;
  if (keys.grf) json[key::grf] = *keys.grf;
  if (keys.layout) json[key::layout] = cnm::pim_layouts.word(*keys.layout);
}

io::Json map_json(const cnm::CnmMap& map, const cnm::MapEstimate& e, const cnm::System& system) {
  io::Json json = {
      {key::name, map.name}, {key::tuples, map.tuples}, {key::block, map.block}, {key::order, map.order}};
  if (map.collect) json[key::collect] = *map.collect;
  add_pim_keys(json, map.pim);
  json[key::cycles] = e.cycles;
  json[key::time_ms] = e.time_ms;
  auto units = io::Json::object();
  for (std::size_t i = 0; i < system.levels.size(); ++i) units[system.levels[i].name] = map.parts(i);
  json[key::units] = std::move(units);
  auto causes = io::Json::object();
  for (const auto& cause : e.causes) causes[std::string(cause.name)] = cause.cycles;
  json[key::causes] = std::move(causes);
  json[key::host_ms] = {
      {key::launch, e.host.launch_ms}, {key::reduce, e.host.reduce_ms}, {key::transfer, e.host.transfer_ms}};
  json[key::bounds] = {
      {key::issue, e.bounds.issue}, {key::dma, e.bounds.dma}, {key::tasklet, e.bounds.tasklet}};
  json[key::wram_bytes] = e.memory.wram;
  json[key::mram_bytes] = e.memory.mram;
  json[key::iram_bytes] = e.memory.iram;
  json[key::simulated] = {
      {key::runs, e.runs}, {key::cycles, e.cycles_simulated}, {key::k, e.k}, {key::linear, e.linear}};
  return json;
}

io::Json maps_json(const cnm::KernelEstimate& estimate, const cnm::System& system) {
  auto maps = io::Json::array();
  for (const auto& map : estimate.maps) maps.push_back(map_json(map.map, map.estimate, system));
  return maps;
}

io::Json cnm_head_json(io::Verb verb, const io::RunOptions& options, std::string_view role) {
  auto head = result_head("cnm", verb, options);
  for (const std::string_view machine : split_list(options.arch, ','))
    head.inputs.push_back(describe_input("architecture", std::string(machine), io::DataKind::architecture));
  for (const auto& name : options.inputs)
    head.inputs.push_back(describe_input(role, name, io::DataKind::network));
  if (verb == io::Verb::map) head.objective.name = "time";
  return head_to_json(head);
}

namespace {

// Returns the part of a result of kernels that precedes the figures.
io::Json begin_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options) {
  const bool from_result = verb != io::Verb::map && options.arch.empty();
  auto json = cnm_head_json(verb, options,
                            from_result            ? "result"
                            : work.network.empty() ? "kernel"
                                                   : "layers");
  json[key::architecture] = io::system_to_json(work.system);
  if (work.network.empty())
    json[key::kernel] = work.tasks[0].name;
  else
    json[key::network] = work.network;
  json[key::system] = work.system.name;
  json[key::target] = cnm::targets.word(work.system.target);
  return json;
}

}  // namespace

void TimeTotals::add(std::optional<double> time_ms, std::optional<double> bound_ms) {
  const auto repeat = static_cast<double>(work_.tasks[mapped_.size()].repeat);
  mapped_.push_back(time_ms.has_value());
  time_ms_ += repeat * time_ms.value_or(0);
  bound_ms_ += repeat * bound_ms.value_or(0);
  all_bounds_ = all_bounds_ && bound_ms.has_value();
}

io::Json TimeTotals::json() const {
  const NetworkWork share = work_of_network(work_, mapped_);
  io::Json json = {{key::layers, share.layers}, {key::mapped, share.mapped_layers}, {key::time_ms, time_ms_}};
  if (!work_.network.empty()) {
    json[key::macs] = share.macs;
    json[key::mapped_macs] = share.mapped_macs;
  }
  if (!all_bounds_ || share.mapped_layers < share.layers) return json;
  json[key::objective] = time_ms_;
  json[key::lower_bound] = bound_ms_;
  json[key::gap] = gap_between(time_ms_, bound_ms_);
  return json;
}

io::Json result_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options,
                     const std::vector<io::Json>& entries) {
  auto json = begin_json(verb, work, options);
  TimeTotals totals(work);
  const auto figure = [](const io::Json& entry, const char* key) -> std::optional<double> {
    const auto found = entry.find(key);
    return found == entry.end() ? std::nullopt : std::optional(found->get<double>());
  };
  for (const auto& entry : entries)
    totals.add(figure(entry, key::time_ms), figure(entry, key::lower_bound_ms));
  if (work.network.empty()) {
    for (const auto& [key, value] : entries[0].items()) json[key] = value;
    json[key::totals] = totals.json();
    return json;
  }
  auto layers = io::Json::array();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const KernelTask& task = work.tasks[i];
    io::Json layer = {{key::name, task.name}, {key::repeat, task.repeat}, {key::macs, task.macs}};
    for (const auto& [key, value] : entries[i].items()) layer[key] = value;
    layers.push_back(std::move(layer));
  }
  json[key::layers] = std::move(layers);
  auto left_out = io::Json::array();
  for (const auto& [name, why, macs] : work.left_out)
    left_out.push_back({{key::name, name}, {key::why, why}, {key::macs, macs}});
  json[key::left_out] = std::move(left_out);
  json[key::totals] = totals.json();
  return json;
}

std::string mapping_lines(const cnm::CnmMapping& mapping) {
  std::string text;
  for (const cnm::CnmMap& map : mapping)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ",\n", map.name, io::short_text(map));
  return text + "\n";
}

std::string left_out_text(const KernelWork& work) {
  if (work.left_out.empty()) return {};
  std::string text = "not mapped:\n";
  for (const auto& [name, why, macs] : work.left_out) text += fmt::format("  {}: {}\n", name, why);
  return text;
}

std::string estimate_table_text(const cnm::KernelEstimate& estimate) {
  std::vector<io::Column> columns = {
      {"map", io::Align::left}, {"mapping", io::Align::left}, {"cycles"}, {"time"}, {"host"}};
  if (!estimate.maps.empty())
    for (const auto& cause : estimate.maps[0].estimate.causes) columns.push_back({std::string(cause.name)});
  io::Table table(columns);
  for (const auto& [map, e] : estimate.maps) {
    std::vector<std::string> cells = {map.name, io::short_text(map), io::rounded_text(e.cycles),
                                      ms_text(e.time_ms), ms_text(e.host.sum())};
    for (const auto& cause : e.causes) {
      const double share = e.cycles > 0 ? 100 * cause.cycles / e.cycles : 0.0;
      cells.push_back(fmt::format("{:.1f} %", std::abs(share) < 0.05 ? 0.0 : share));
    }
    table.add_row(std::move(cells));
  }
  return table.to_string() + fmt::format("time {}\n", ms_text(estimate.time_ms));
}

}  // namespace nestor::report
