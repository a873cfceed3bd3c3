#include "report/mip/sidecar.h"

#include <fmt/format.h>

#include "io/vocabulary.h"
#include "model/loopnest/factor_set.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"
#include "report/results/node_json.h"

namespace nestor::report {
namespace {

std::string word(Dim dim) { return {letter(dim)}; }

io::Json extents_to_json(const Extents& extents) {
  io::Json json = io::Json::object();
  for (const Dim dim : all_dims)
    if (extents[index_of(dim)] != 1) json[word(dim)] = extents[index_of(dim)];
  return json;
}

io::Json column_to_json(const mip::Column& column, const HierarchyNames& names) {
  const mip::Meaning& meaning = column.meaning;
  io::Json json = {{key::name, column.name}, {"symbol", meaning.symbol}};
  if (meaning.operand >= 0)
    json[key::operand] = std::string(1, letter(all_operands[static_cast<std::size_t>(meaning.operand)]));
  if (meaning.source >= 0) json[key::from] = names.memory_names[static_cast<std::size_t>(meaning.source)];
  if (meaning.memory >= 0) json[key::memory] = names.memory_names[static_cast<std::size_t>(meaning.memory)];
  if (meaning.axis >= 0 && static_cast<std::size_t>(meaning.axis) < names.axis_names.size())
    json["axis"] = names.axis_names[static_cast<std::size_t>(meaning.axis)];
  if (meaning.slot >= 0) json["slot"] = meaning.slot;
  if (meaning.dim >= 0) json[key::dim] = word(all_dims[static_cast<std::size_t>(meaning.dim)]);
  if (meaning.factor > 0) json[key::factor] = meaning.factor;
  if (meaning.extents != Extents{}) json["extents"] = extents_to_json(meaning.extents);
  if (meaning.figure != 0) json["figure"] = meaning.figure;
  if (meaning.doubled) json[key::double_buffer] = true;
  return json;
}

}  // namespace

io::Json columns_to_json(const mip::Program& program, const HierarchyNames& names) {
  io::Json list = io::Json::array();
  for (const mip::Column& column : program.columns()) list.push_back(column_to_json(column, names));
  return list;
}

io::Json factors_to_json(const FactorSets& factors) {
  io::Json json = io::Json::object();
  for (const Dim dim : all_dims) {
    io::Json list = io::Json::array();
    for (const auto& factor : factors[index_of(dim)].factors)
      for (int i = 0; i < factor.count; ++i) list.push_back(factor.value);
    if (!list.empty()) json[word(dim)] = std::move(list);
  }
  return json;
}

FactorSets read_factors(const io::Node& node, const LayerShape& layer, io::Reading& reading) {
  FactorSets sets;
  const io::MapReader map(node, "factors", io::dim_words, reading);
  for (const Dim dim : all_dims) {
    FactorSet& set = sets[index_of(dim)];
    Int product = 1;
    const auto list = map.find(word(dim));
    if (list)
      for (const auto& item : io::read_list(*list, "factors", 0, max_loops, reading)) {
        const Int value = io::read_integer(item, key::factor, {2, Int{1} << 31}, reading);
        product = checked_multiply(product, value).value_or(0);
        if (reading.failed() || product == 0 || !set.add(value)) break;
      }
    if (!reading.failed() && product != layer.bound(dim))
      reading.fail(list ? *list : node, fmt::format("the factors of {} do not multiply to its bound, {}",
                                                    letter(dim), layer.bound(dim)));
  }
  return sets;
}

std::string differing_column(const io::Json& columns, const io::Node& file) {
  if (!file.is_list() || file.size() != columns.size())
    return fmt::format("columns are {}, expected a list of {}", file.describe(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto found = io::node_to_json(file.item(j));
    if (found != columns[j])
      return fmt::format("column {} is {}, expected {}", j + 1, io::quote(found.dump()), columns[j].dump());
  }
  return {};
}

}  // namespace nestor::report
