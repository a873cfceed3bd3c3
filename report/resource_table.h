// The table of --explain: what a layer's resources are used for, and what more of each would gain.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/loopnest/space/resource_report.h"

namespace nestor::report {

/// What the table says of a change, whatever the mapping is.
struct Gain {
  Int amount = 0;
  Status status = Status::optimal;
  double gain = 0;
};
using ResourceRow = ResourceReport<NamedResource, Gain>;

/// The name of the memory or axis that a resource is of; none for compute.
std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes);

/// `step` heads the column of the smaller change.
std::string resources_text(const std::string& layer, const std::string& objective,
                           std::span<const ResourceRow> rows, const char* step);

/// Every explained layer of a run.
template <typename Run>
std::string explanation_text(const Run& run, const char* step) {
  const auto gain_of = [](const auto& change) {
    return change ? std::optional(Gain{change->amount, change->status, change->gain}) : std::nullopt;
  };
  std::string text;
  for (const auto& record : run.layers) {
    std::vector<ResourceRow> rows;
    for (const auto& report : record.resources)
      rows.push_back({report.resource, report.amount, report.used, gain_of(report.step), gain_of(report.most),
                      report.binding});
    if (!rows.empty()) text += resources_text(record.layer.name, run.objective, rows, step);
  }
  return text;
}

}  // namespace nestor::report
