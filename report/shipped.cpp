#include "report/shipped.h"

#include "report/keys/common.h"
#include "report/tables/table.h"

namespace nestor::report {

std::string shipped_text(const std::vector<ShippedThing>& all) {
  io::Table table({{"name", io::Align::left}, {"what", io::Align::left}});
  for (const auto& [name, what] : all) table.add_row({name, what});
  return table.to_string();
}

io::Json shipped_json(const std::vector<ShippedThing>& all) {
  auto json = io::Json::array();
  for (const auto& [name, what] : all) json.push_back({{key::name, name}, {"what", what}});
  return json;
}

}  // namespace nestor::report
