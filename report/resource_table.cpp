#include "report/resource_table.h"

#include <fmt/format.h>

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
std::string gain_text(const std::optional<Gain>& change) {
  if (!change) return "-";
  const auto text = change->gain == 0 ? std::string("0") : io::percent_text(change->gain);
  return change->status == Status::optimal ? text : text + " or more";
}

std::string title(const NamedResource& resource) {
  std::string word(resource_kinds.word(resource.kind));
  if (resource.kind == Resource::Kind::compute) return word;
  return resource.kind == Resource::Kind::axis ? word + " " + resource.name : resource.name + " " + word;
}

std::string resource_table(std::span<const ResourceRow> rows, const char* step) {
  io::Table table({{"resource", io::Align::left},
                   {"now"},
                   {"used"},
                   {"binds", io::Align::left},
                   {step},
                   {"gains"},
                   {"all it can use"},
                   {"gains"}});
  for (const auto& row : rows) {
    const auto kind = row.resource.kind;
    const auto amount = [&](const auto& change) { return change ? amount_text(kind, change->amount) : "-"; };
    const auto operand = row.used.busiest ? fmt::format("{} ", letter(*row.used.busiest)) : "";
    table.add_row({title(row.resource), amount_text(kind, row.amount),
                   operand + io::percent_text(row.used.share), std::string(bindings.word(row.binding)),
                   amount(row.step), gain_text(row.step), amount(row.most), gain_text(row.most)});
  }
  return table.to_string();
}

}  // namespace

std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes) {
  if (resource.kind == Resource::Kind::compute) return {};
  return resource.kind == Resource::Kind::axis ? axes[resource.place] : memories[resource.place];
}

std::string resources_text(const std::string& layer, const std::string& objective,
                           std::span<const ResourceRow> rows, const char* step) {
  return fmt::format("\n{}: what binds its {}\n\n{}", layer, objective, resource_table(rows, step));
}

}  // namespace nestor::report
