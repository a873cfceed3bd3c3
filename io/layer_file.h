// Layers without ONNX (docs/formats.md, "Layers"): a YAML or JSON file with a list of layers, each a loop
// nest. With `groups: G` the file states K and C of the whole layer; the nest is that of one group and runs G
// times as often.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/workload/network.h"

namespace nestor::io {

// The keys of the format, in the order in which they are written.
namespace layer_keys {
inline constexpr std::array<std::string_view, 4> top = {"name", "source", "layers", "unmapped"};
inline constexpr std::array<std::string_view, 2> unmapped = {"type", "count"};
inline constexpr std::array<std::string_view, 8> layer = {
    "name", "dims", "stride", "dilation", "groups", "repeat", "activation_product", "bits"};
inline constexpr std::array<std::string_view, 4> bits = {"I", "W", "O", "psum"};
}  // namespace layer_keys

struct LayerOptions {
  std::optional<BitWidths> bits;  ///< for every layer, whatever the file says
  /// Inputs processed at once: widens N, except for a layer with `activation_product: true` (the product of
  /// two activations, as in attention), whose nest is repeated instead because no weight is shared.
  Int batch = 1;
};

Result<Network> parse_layers(std::string_view text, const std::string& file,
                             const LayerOptions& options = {});

/// One layer embedded in another document; `fallback_name` if it has no name of its own.
Layer read_layer_node(const Node& node, const std::string& fallback_name, const LayerOptions& options,
                      Reading& reading);

/// The same for a map that has more keys than a layer's.
Layer read_layer_fields(const MapReader& map, const std::string& fallback_name, const LayerOptions& options,
                        Reading& reading);

/// By path, or by the name of a network that ships (find_data.h).
Result<Network> read_layers(const std::string& path_or_name, const LayerOptions& options = {});

/// "8,8,8,32" as I,W,O,psum, the form of the option --bits.
Result<BitWidths> parse_bits_option(std::string_view text);

/// In the format of the file, K and C of the whole layer.
Json layer_to_json(const Layer& layer);
Json network_to_json(const Network& network);

}  // namespace nestor::io
