// A network as text: its layers, the layers that share a shape, their multiplications, and the operators that
// are not mapped.
#pragma once

#include <string>
#include <vector>

#include "model/workload/network.h"

namespace nestor::report {

std::string network_text(const Network& network);

/// Returns one line for each part of another tool's file that has no counterpart in Nestor, or an empty
/// string.
std::string untranslated_text(const std::vector<std::string>& untranslated);

/// Returns "K 64, C 3, P 112, Q 112, R 7, S 7, stride 2": bounds above 1 and values that are not defaults.
std::string shape_text(const LayerShape& shape);

/// Returns the shape that is mapped for a layer, with the bounds that are larger than the layer's: "K 8, C 3
/// (padded: K 7 to 8)".
std::string mapped_shape_text(const LayerShape& layer, const LayerShape& nest);

/// Returns "K 7 to 8, P 11 to 13": bounds of a nest that are larger than its layer's.
std::string growth_text(const LayerShape& layer, const LayerShape& nest);

/// Returns a line that names every layer with a padded mapping and its bounds, or an empty string. `layers`
/// are the layer records of a result.
template <typename Record>
std::string padded_layers_text(const std::vector<Record>& layers) {
  std::string text;
  for (const Record& record : layers)
    if (const auto growth = growth_text(record.layer.shape, record.best.nest(record.layer.shape));
        !growth.empty())
      text += (text.empty() ? "padded: " : "; ") + record.layer.name + " " + growth;
  return text.empty() ? text : text + "\n";
}

/// Returns padded_layers_text() after a blank line, for use below a table.
template <typename Record>
std::string padded_layers_note(const std::vector<Record>& layers) {
  const auto text = padded_layers_text(layers);
  return text.empty() ? text : "\n" + text;
}

}  // namespace nestor::report
