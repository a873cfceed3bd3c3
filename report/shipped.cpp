#include "report/shipped.h"

#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/tables/table.h"

namespace nestor::report {

std::string shipped_text(const std::vector<ShippedThing>& all) {
  io::Table table({{"name", io::Align::left}, {"what", io::Align::left}});
  for (const auto& [name, what] : all) table.add_row({name, what});
  return table.to_string();
}

namespace {

void describe_thing(io::Fields& fields, const ShippedThing& thing) {
  io::put(fields, key::name, thing.name, "");
  io::put(fields, "what", thing.what, "Kind of the entry: \"architecture, cim\", \"network\", ...");
}

}  // namespace

io::Json shipped_json(const std::vector<ShippedThing>& all) {
  auto json = io::Json::array();
  for (const auto& thing : all)
    json.push_back(io::write_fields([&](io::Fields& fields) { describe_thing(fields, thing); }));
  return json;
}

io::Json shipped_schema() {
  return io::list_schema(
      io::schema_of([](io::Fields& fields) { describe_thing(fields, {}); }, io::SchemaKind::output));
}

}  // namespace nestor::report
