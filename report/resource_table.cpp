#include "report/resource_table.h"

#include <fmt/format.h>

#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

// Returns the gain in the objective. It is exact if the changed machine's optimum is proved.
std::string gain_text(const Gain& change) {
  const auto text = io::change_text(-change.gain);
  return change.status == Status::optimal ? text : text + " or more";
}

std::string title(const NamedResource& resource) {
  std::string word(resource_kinds.word(resource.kind));
  if (resource.kind == Resource::Kind::compute) return word;
  return resource.kind == Resource::Kind::axis ? word + " " + resource.name : resource.name + " " + word;
}

}  // namespace

ResourceUnit unit_of(Resource::Kind resource, Int now) {
  constexpr Int kibibyte = 8 * 1024;
  constexpr Int mebibyte = 1024 * kibibyte;
  switch (resource) {
    case Resource::Kind::compute:
    case Resource::Kind::activation:
      return {"cycles"};
    case Resource::Kind::bandwidth:
      return {"b/cycle"};
    case Resource::Kind::capacity:
      if (now < kibibyte) return {"b"};
      return now < mebibyte ? ResourceUnit{"KiB", kibibyte} : ResourceUnit{"MiB", mebibyte};
    case Resource::Kind::banks:
      return {"banks"};
    case Resource::Kind::axis:
      break;
  }
  return {"lanes"};
}

std::string amount_text(Int amount, const ResourceUnit& unit) {
  if (amount % unit.size == 0) return io::count_text(amount / unit.size);
  return io::figure_text(static_cast<double>(amount) / static_cast<double>(unit.size));
}

std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes) {
  if (resource.kind == Resource::Kind::compute) return {};
  return resource.kind == Resource::Kind::axis ? axes[resource.place] : memories[resource.place];
}

std::string resources_text(const std::string& layer, const std::string& objective,
                           std::span<const ResourceRow> rows) {
  io::Table table({{"resource", io::Align::left},
                   {"unit", io::Align::left},
                   {"now"},
                   {"used"},
                   {"binds", io::Align::left},
                   {"twice"},
                   {objective},
                   {"all it can use"},
                   {objective}});
  for (const auto& row : rows) {
    const auto unit = unit_of(row.resource.kind, row.amount);
    const auto amount = [&](const auto& change) { return change ? amount_text(change->amount, unit) : "-"; };
    const auto gain = [](const auto& change) { return change ? gain_text(*change) : "-"; };
    const auto operand = row.used.busiest ? fmt::format("{} ", letter(*row.used.busiest)) : "";
    table.add_row({title(row.resource), unit.name, amount_text(row.amount, unit),
                   operand + io::percent_text(row.used.share), std::string(bindings.word(row.binding)),
                   amount(row.step), gain(row.step), amount(row.most), gain(row.most)});
  }
  return fmt::format("\n{}: what binds its {}\n\n{}", layer, objective, table.to_string());
}

std::string network_resources_text(const std::string& objective, std::span<const NetworkRow> rows) {
  io::Table table(
      {{"resource", io::Align::left}, {"unit", io::Align::left}, {"now"}, {"twice"}, {objective}});
  for (const auto& row : rows) {
    const auto unit = unit_of(row.resource.kind, row.amount);
    const bool none = row.twice.amount == row.amount;
    table.add_row({title(row.resource), unit.name, amount_text(row.amount, unit),
                   none ? "-" : amount_text(row.twice.amount, unit), none ? "-" : gain_text(row.twice)});
  }
  return fmt::format("\nall layers, repeats counted: what binds the {}\n\n{}", objective, table.to_string());
}

}  // namespace nestor::report
