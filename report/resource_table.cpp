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
std::string gain_text(const std::optional<ResourceRow::Change>& change) {
  if (!change) return "-";
  const auto text = change->gain == 0 ? std::string("0") : io::percent_text(change->gain);
  return change->status == Status::optimal ? text : text + " or more";
}

std::string title(const ResourceRow& row) {
  std::string word(resource_kinds.word(row.resource));
  if (row.resource == Resource::Kind::compute) return word;
  return row.resource == Resource::Kind::axis ? word + " " + row.name : row.name + " " + word;
}

std::string resource_table(const std::vector<ResourceRow>& rows, const char* step) {
  io::Table table({{"resource", io::Align::left},
                   {"now"},
                   {"used"},
                   {"binds", io::Align::left},
                   {step},
                   {"gains"},
                   {"all it can use"},
                   {"gains"}});
  for (const auto& row : rows) {
    const auto amount = [&](const std::optional<ResourceRow::Change>& change) {
      return change ? amount_text(row.resource, change->amount) : "-";
    };
    const auto operand = row.operand ? fmt::format("{} ", letter(*row.operand)) : "";
    table.add_row({title(row), amount_text(row.resource, row.amount), operand + io::percent_text(row.used),
                   std::string(bindings.word(row.binds)), amount(row.step), gain_text(row.step),
                   amount(row.most), gain_text(row.most)});
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
                           const std::vector<ResourceRow>& rows, const char* step) {
  return fmt::format("\n{}: what binds its {}\n\n{}", layer, objective, resource_table(rows, step));
}

}  // namespace nestor::report
