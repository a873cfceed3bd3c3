// Reader and writer of layer files, for networks without ONNX (docs/formats.md, "Layers"): a list of layers
// in YAML or JSON, each a loop nest. With `groups: G`, K and C in the file are those of the whole layer. The
// loop nest describes one group, and its number of repetitions is multiplied by G.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/fields.h"
#include "model/workload/network.h"

namespace nestor::io {

struct LayerOptions {
  std::optional<BitWidths> bits;  ///< bit widths of every layer, instead of those in the file
  /// Number of inputs processed together. The batch multiplies N. A layer with `activation_product: true`
  /// (the product of two activations, as in attention) is repeated instead, because no weight is shared.
  Int batch = 1;
};

Result<Network> parse_layers(std::string_view text, const std::string& file,
                             const LayerOptions& options = {});

/// Reads a layer that is embedded in another document; `fallback_name` is used if the layer has no name.
Layer read_layer_node(const Node& node, const std::string& fallback_name, const LayerOptions& options,
                      Reading& reading);

/// The fields of a layer as in a file: K, C and `repeat` are those of the whole layer. A layer that was read
/// must be accepted, and one that is written be made whole.
void describe_layer(Fields& fields, Layer& layer, const std::string& fallback_name);
/// Converts a layer of a file, at `node`, to the loop nest of one group, and applies the options.
void accept_layer(const Node& node, Layer& layer, const LayerOptions& options, Reading& reading);
Layer whole_layer(Layer layer);

/// Reads a network by path, or by the name of a built-in one (find_data.h).
Result<Network> read_layers(const std::string& path_or_name, const LayerOptions& options = {});

/// Parses "8,8,8,32" as I,W,O,psum, the form of the option --bits.
Result<BitWidths> parse_bits_option(std::string_view text);

/// Returns the layer in the file format, with K and C of the whole layer.
Json layer_to_json(const Layer& layer);
Json network_to_json(const Network& network);
/// Returns the JSON Schema of the format.
Json layers_schema();

}  // namespace nestor::io
