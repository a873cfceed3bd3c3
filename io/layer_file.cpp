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

void describe_bits(Fields& fields, BitWidths& bits) {
  const BitWidths usual;
  fields.integer("I", bits.input, bit_range, written(usual.input), "Bits of an input.");
  fields.integer("W", bits.weight, bit_range, written(usual.weight), "Bits of a weight.");
  fields.integer("O", bits.output, bit_range, written(usual.output), "Bits of a finished output.");
  fields.integer("psum", bits.partial_sum, bit_range, written(usual.partial_sum), "Bits of a partial sum.");
}

void describe_dims(Fields& fields, Extents& bounds) {
  constexpr std::array<std::string_view, dim_count> meanings = {
      "Batch.",
      "Output channels of all groups.",
      "Input channels of all groups.",
      "Output height.",
      "Output width.",
      "Kernel height.",
      "Kernel width.",
      "Groups as a separate dimension; K and C are then the channels of one group."};
  for (std::size_t d = 0; d < dim_count; ++d)
    fields.integer(dim_words[d], bounds[d], extent_range,
                   all_dims[d] == Dim::G ? Default<Int>(1) : written(Int{1}), meanings[d]);
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

}  // namespace

void describe_layer(Fields& fields, Layer& layer, const std::string& fallback_name) {
  auto name = derived(fallback_name);
  name.is_written = true;
  fields.title("name", layer.name, name, "Name of the layer; default: layer1, layer2, ...");
  fields.part(
      "dims", required, [&](Fields& dims) { describe_dims(dims, layer.shape.bounds); },
      "Bounds of the nest.");
  fields.integers("stride", layer.shape.stride, extent_range, written(Int{1}), "Stride along P and Q.");
  fields.integers("dilation", layer.shape.dilation, extent_range, written(Int{1}), "Dilation along R and S.");
  fields.integer("groups", layer.groups, extent_range, written(Int{1}),
                 "Groups of a grouped or depthwise convolution. `K` and `C` are those of the whole layer; "
                 "the nest is that of one group and runs `groups` times. If an axis of the machine lists "
                 "`G`, the nest has the bound G = groups instead.");
  fields.integer("repeat", layer.repeat, extent_range, written(Int{1}),
                 "Number of times the network runs the layer.");
  fields.flag("activation_product", layer.activation_product, false,
              "True if both factors are activations, as in attention. --batch then repeats the layer instead "
              "of widening N, since nothing is shared. If an axis of the machine lists `G`, the bound of `G` "
              "is `groups` or, without groups, the repeats.");
  fields.part(
      "bits", optional, [&](Fields& bits) { describe_bits(bits, layer.shape.bits); },
      "Widths; --bits I,W,O,psum overrides them.");
}

void accept_layer(const Node& node, Layer& layer, const LayerOptions& options, Reading& reading) {
  if (options.bits) layer.shape.bits = *options.bits;
  if (reading.failed()) return;
  divide_by_groups(layer, node.find("groups").value_or(node), reading);
  auto& batched = layer.activation_product ? layer.repeat : layer.shape.bounds[index_of(Dim::N)];
  const bool fits = multiply_into(layer.repeat, layer.groups) && multiply_into(batched, options.batch);
  if (!fits || !fits_limit(layer))
    reading.fail(node,
                 fmt::format("layer '{}' is too large: more than 2^56 multiply-accumulates", layer.name));
}

// A loop nest whose repeat is not a multiple of its groups (which no
// file can specify) becomes a single group.
Layer whole_layer(Layer layer) {
  if (layer.repeat % layer.groups != 0) layer.groups = 1;
  layer.repeat /= layer.groups;
  for (const auto dim : {Dim::K, Dim::C}) layer.shape.bounds[index_of(dim)] *= layer.groups;
  return layer;
}

namespace {

// The layers of `network` are those of the file when it is written.
void describe_network(Fields& fields, Network& network, const LayerOptions& options) {
  auto name = derived(std::string("layers"));
  name.is_written = true;
  std::string source;
  fields.title("name", network.name, name, "Name of the network; default: layers.");
  fields.text("source", source, "Origin of the shapes.");
  fields.list(
      "layers", required, {1, most_layers}, network.layers, "layer",
      [&](Fields& layer, Layer& values) {
        describe_layer(layer, values, fmt::format("layer{}", network.layers.size() + 1));
      },
      [&](const Node& node, Layer& layer, Reading& reading) { accept_layer(node, layer, options, reading); },
      "The layers, each a loop nest.");
  fields.list(
      "unmapped", optional, {0, most_layers}, network.unmapped, "unmapped operator",
      [](Fields& op, UnmappedOperator& values) {
        op.title("type", values.type, required, "Type of the operator.");
        op.integer("count", values.count, {0, most_macs}, required, "Number of such operators.");
      },
      "Operators of the imported model that are not mapped.");
}

}  // namespace

Layer read_layer_node(const Node& node, const std::string& fallback_name, const LayerOptions& options,
                      Reading& reading) {
  Layer layer;
  read_fields(node, "layer", reading, [&](Fields& fields) { describe_layer(fields, layer, fallback_name); });
  accept_layer(node, layer, options, reading);
  return layer;
}

Result<Network> parse_layers(std::string_view text, const std::string& file, const LayerOptions& options) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  Network network;
  read_fields(document->root(), "file", reading,
              [&](Fields& fields) { describe_network(fields, network, options); });
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
  Layer whole = whole_layer(layer);
  return write_fields([&](Fields& fields) { describe_layer(fields, whole, {}); });
}

Json network_to_json(const Network& network) {
  Network whole = network;
  for (Layer& layer : whole.layers) layer = whole_layer(layer);
  return write_fields([&](Fields& fields) { describe_network(fields, whole, {}); });
}

Json layers_schema() {
  Network network;
  return schema_of([&](Fields& fields) { describe_network(fields, network, {}); });
}

}  // namespace nestor::io
