#include "io/layer_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"
#include "base/split.h"
#include "io/find_data.h"
#include "io/vocabulary.h"

namespace nestor::io {
namespace {

constexpr IntRange extent_range = {1, Int{1} << 31};
constexpr IntRange bit_range = {1, 1024};
constexpr std::size_t most_layers = 100'000;
// Limit on the multiply-accumulates of a whole layer. The cim model has a tighter limit
// (model/cim/search/admission.h).
constexpr Int most_macs = Int{1} << 56;

Extents read_extents(const Node& node, Reading& reading) {
  const MapReader map(node, "dims", dim_words, reading);
  Extents dims = unit_extents;
  for (std::size_t d = 0; d < dim_count; ++d) dims[d] = map.integer(dim_words[d], extent_range, 1);
  return dims;
}

std::array<Int, 2> read_pair(const MapReader& map, std::string_view key, Reading& reading) {
  std::array<Int, 2> pair = {1, 1};
  const auto node = map.find(key);
  if (!node) return pair;
  const auto items = read_list(*node, key, 2, 2, reading);
  for (std::size_t i = 0; i < items.size(); ++i) pair[i] = read_integer(items[i], key, extent_range, reading);
  return pair;
}

BitWidths read_bits(const Node& node, Reading& reading) {
  const MapReader map(node, "bits", layer_keys::bits, reading);
  BitWidths bits;
  bits.input = map.integer("I", bit_range, bits.input);
  bits.weight = map.integer("W", bit_range, bits.weight);
  bits.output = map.integer("O", bit_range, bits.output);
  bits.partial_sum = map.integer("psum", bit_range, bits.partial_sum);
  return bits;
}

// Divides K and C by the number of groups, which yields the bounds of one group.
void divide_by_groups(Layer& layer, const Node& node, Reading& reading) {
  for (const auto dim : {Dim::K, Dim::C}) {
    auto& bound = layer.shape.bounds[index_of(dim)];
    if (bound % layer.groups != 0) {
      reading.fail(node, fmt::format("groups is {}, which does not divide {} = {} of layer '{}'",
                                     layer.groups, letter(dim), bound, layer.name));
      return;
    }
    bound /= layer.groups;
  }
}

bool multiply_into(Int& value, Int factor) {
  const auto product = checked_multiply(value, factor);
  value = product.value_or(value);
  return product.has_value();
}

bool fits_limit(const Layer& layer) {
  Int macs = layer.repeat;
  for (const auto bound : layer.shape.bounds)
    if (!multiply_into(macs, bound)) return false;
  return macs <= most_macs;
}

Network read_network(const Document& document, const LayerOptions& options, Reading& reading) {
  Network network;
  const MapReader top(document.root(), "file", layer_keys::top, reading);
  network.name = top.title("name", "layers");
  top.text("source", "");
  for (const auto& node : top.list("layers", 1, most_layers)) {
    const auto number = network.layers.size() + 1;
    network.layers.push_back(read_layer_node(node, fmt::format("layer{}", number), options, reading));
    if (reading.failed()) break;
  }
  if (!top.find("unmapped")) return network;
  for (const auto& node : top.list("unmapped", 0, most_layers)) {
    const MapReader op(node, "unmapped operator", layer_keys::unmapped, reading);
    network.unmapped.push_back({op.title("type"), op.integer("count", {0, most_macs})});
  }
  return network;
}

}  // namespace

Layer read_layer_node(const Node& node, const std::string& fallback_name, const LayerOptions& options,
                      Reading& reading) {
  return read_layer_fields(MapReader(node, "layer", layer_keys::layer, reading), fallback_name, options,
                           reading);
}

Layer read_layer_fields(const MapReader& map, const std::string& fallback_name, const LayerOptions& options,
                        Reading& reading) {
  Layer layer;
  layer.name = map.title("name", fallback_name);
  if (const auto dims = map.require("dims")) layer.shape.bounds = read_extents(*dims, reading);
  layer.shape.stride = read_pair(map, "stride", reading);
  layer.shape.dilation = read_pair(map, "dilation", reading);
  if (const auto bits = map.find("bits")) layer.shape.bits = read_bits(*bits, reading);
  if (options.bits) layer.shape.bits = *options.bits;
  layer.groups = map.integer("groups", extent_range, 1);
  layer.repeat = map.integer("repeat", extent_range, 1);
  layer.activation_product = map.flag("activation_product", false);
  if (reading.failed()) return layer;
  divide_by_groups(layer, map.find("groups").value_or(map.node()), reading);

  auto& batched = layer.activation_product ? layer.repeat : layer.shape.bounds[index_of(Dim::N)];
  const bool fits = multiply_into(layer.repeat, layer.groups) && multiply_into(batched, options.batch);
  if (!fits || !fits_limit(layer))
    reading.fail(map.node(),
                 fmt::format("layer '{}' is too large: more than 2^56 multiply-accumulates", layer.name));
  return layer;
}

Result<Network> parse_layers(std::string_view text, const std::string& file, const LayerOptions& options) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  auto network = read_network(*document, options, reading);
  if (reading.failed()) return reading.error();
  return network;
}

Result<Network> read_layers(const std::string& path_or_name, const LayerOptions& options) {
  const auto path = find_data(DataKind::network, path_or_name);
  if (!path) return path.error();
  const auto text = read_file(*path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_layers(*text, path->string(), options);
}

Result<BitWidths> parse_bits_option(std::string_view text) {
  std::vector<Int> values;
  for (const std::string_view piece : split(text, ','))
    if (const auto value = parse_number<Int>(piece)) values.push_back(*value);
  const auto in_range = [](Int value) { return value >= bit_range.low && value <= bit_range.high; };
  if (values.size() != 4 || std::count(text.begin(), text.end(), ',') != 3 ||
      !std::all_of(values.begin(), values.end(), in_range))
    return usage_error(fmt::format("--bits is {}, expected four whole numbers from {} to {}: I,W,O,psum",
                                   quote(text), bit_range.low, bit_range.high));
  return BitWidths{values[0], values[1], values[2], values[3]};
}

Json layer_to_json(const Layer& layer) {
  const auto& shape = layer.shape;
  // A loop nest whose repeat is not a multiple of its groups (which no file can specify) is written as a
  // single group.
  const Int groups = layer.repeat % layer.groups == 0 ? layer.groups : 1;
  Json json = {{"name", layer.name}};
  auto& dims = json["dims"] = Json::object();
  for (const auto dim : all_dims) {
    const bool is_grouped = dim == Dim::K || dim == Dim::C;
    if (dim == Dim::G && shape.bound(dim) == 1) continue;
    dims[std::string(1, letter(dim))] = shape.bound(dim) * (is_grouped ? groups : 1);
  }
  json["stride"] = shape.stride;
  json["dilation"] = shape.dilation;
  json["groups"] = groups;
  json["repeat"] = layer.repeat / groups;
  if (layer.activation_product) json["activation_product"] = true;
  json["bits"] = {{"I", shape.bits.input},
                  {"W", shape.bits.weight},
                  {"O", shape.bits.output},
                  {"psum", shape.bits.partial_sum}};
  return json;
}

Json network_to_json(const Network& network) {
  Json json = {{"name", network.name}};
  auto& layers = json["layers"] = Json::array();
  for (const auto& layer : network.layers) layers.push_back(layer_to_json(layer));
  if (network.unmapped.empty()) return json;
  auto& unmapped = json["unmapped"] = Json::array();
  for (const auto& op : network.unmapped) unmapped.push_back({{"type", op.type}, {"count", op.count}});
  return json;
}

}  // namespace nestor::io
