#include "report/cnm/estimate_text.h"

#include <fmt/format.h>

#include <cmath>

#include "io/cnm/mapping_file.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {

std::string ms_text(double ms) {
  return ms >= 1000 ? fmt::format("{:.3f} s", ms / 1000) : fmt::format("{:.4f} ms", ms);
}

namespace {

void describe_kernel_text(io::Fields& fields, const std::string& kernel, const std::string& text) {
  fields.constant(key::schema, "nestor.kernel/1", io::always, "");
  fields.constant(key::space, "cnm", io::always, "");
  io::put(fields, key::kernel, kernel, "Name of the kernel.");
  io::put(fields, key::text, text, "");
}

}  // namespace

io::Json kernel_text_json(const std::string& kernel, const std::string& text) {
  return io::write_fields([&](io::Fields& fields) { describe_kernel_text(fields, kernel, text); });
}

io::Json kernel_text_schema() {
  return io::schema_of([](io::Fields& fields) { describe_kernel_text(fields, "", ""); },
                       io::SchemaKind::output);
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
