#include "report/resource_table.h"

#include <fmt/format.h>

#include "report/results/pim/result_file.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

std::string amount_text(Resource::Kind resource, Int amount) {
  const auto count_of = [&](const char* one, const char* many) {
    return io::count_text(amount) + (amount == 1 ? one : many);
  };
  switch (resource) {
    case Resource::Kind::compute:
    case Resource::Kind::activation:
      return count_of(" cycle", " cycles");
    case Resource::Kind::bandwidth:
      return io::count_text(amount) + " b/cycle";
    case Resource::Kind::capacity:
      return io::size_text(amount);
    case Resource::Kind::banks:
      return count_of(" bank", " banks");
    case Resource::Kind::axis:
      break;
  }
  return io::count_text(amount) + " lanes";
}

// Against the objective at hand: exact if the changed machine's optimum is proved.
template <typename Point>
std::string gain_text(const std::optional<ResourceChange<Point>>& change) {
  if (!change) return "-";
  const auto text = change->gain == 0 ? std::string("0") : io::percent_text(change->gain);
  return change->status == Status::optimal ? text : text + " or more";
}

std::string title(const NamedResource& resource) {
  std::string word(resource_kinds.word(resource.kind));
  if (resource.kind == Resource::Kind::compute) return word;
  return resource.kind == Resource::Kind::axis ? word + " " + resource.name : resource.name + " " + word;
}

template <typename Point>
std::string resource_table(const std::vector<NamedReport<Point>>& reports, const char* step) {
  io::Table table({{"resource", io::Align::left},
                   {"now"},
                   {"used"},
                   {"binds", io::Align::left},
                   {step},
                   {"gains"},
                   {"all it can use"},
                   {"gains"}});
  for (const auto& report : reports) {
    const auto kind = report.resource.kind;
    const auto amount = [&](const auto& change) { return change ? amount_text(kind, change->amount) : "-"; };
    const auto operand = report.used.busiest ? fmt::format("{} ", letter(*report.used.busiest)) : "";
    table.add_row({title(report.resource), amount_text(kind, report.amount),
                   operand + io::percent_text(report.used.share), std::string(bindings.word(report.binding)),
                   amount(report.step), gain_text(report.step), amount(report.most), gain_text(report.most)});
  }
  return table.to_string();
}

}  // namespace

std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes) {
  if (resource.kind == Resource::Kind::compute) return {};
  return resource.kind == Resource::Kind::axis ? axes[resource.place] : memories[resource.place];
}

template <typename Run>
std::string explanation_text(const Run& run, const char* step) {
  std::string text;
  for (const auto& record : run.layers)
    if (!record.resources.empty())
      text += fmt::format("\n{}: what binds its {}\n\n{}", record.layer.name, run.objective,
                          resource_table(record.resources, step));
  return text;
}

template std::string explanation_text(const io::RunResult& run, const char* step);
template std::string explanation_text(const io::pim::RunRecord& run, const char* step);

}  // namespace nestor::report
