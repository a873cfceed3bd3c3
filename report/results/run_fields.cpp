#include "report/results/run_fields.h"

#include <fmt/format.h>

namespace nestor::io {

std::vector<std::pair<std::string, std::string>> read_run_options(const MapReader& top, Reading& reading) {
  constexpr std::size_t most = 1000;
  std::vector<std::pair<std::string, std::string>> options;
  const auto node = top.find(key::options);
  if (!node) return options;
  if (!node->is_map())
    reading.fail(*node, fmt::format("options is {}, expected a map", node->describe()));
  else if (node->size() > most)
    reading.fail(*node, fmt::format("options has {} keys, expected at most {}", node->size(), most));
  for (std::size_t i = 0; i < node->size() && !reading.failed(); ++i)
    options.emplace_back(node->key(i).text(), read_text(node->value(i), "option", reading));
  return options;
}

std::vector<ResultInput> read_run_inputs(const MapReader& top, Reading& reading) {
  constexpr std::size_t most = 1'000'000;
  std::vector<ResultInput> inputs;
  const auto node = top.find(key::inputs);
  if (!node) return inputs;
  for (const auto& entry : read_list(*node, key::inputs, 0, most, reading)) {
    const MapReader map(entry, "input", result_keys::input, reading);
    inputs.push_back({map.text(key::role, ""), map.text(key::name, ""), map.integer(key::bytes, {0}, 0),
                      map.text(key::digest, "")});
  }
  return inputs;
}

}  // namespace nestor::io
