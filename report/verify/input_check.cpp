#include "report/verify/input_check.h"

#include <algorithm>
#include <filesystem>

#include "io/find_data.h"
#include "io/memory_files.h"
#include "io/sha256.h"
#include "model/workload/groups.h"
#include "model/workload/layer_parts.h"
#include "report/keys/common.h"
#include "report/verify/sentence.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, 6> roles = {"architecture", "layers", "mapping",
                                                   "constraints",  "result", "solution"};

std::optional<std::filesystem::path> path_of(const ResultInput& input) {
  std::filesystem::path path = input.name;
  if (input.role == "architecture" || input.role == "layers") {
    const auto kind = input.role == "layers" ? DataKind::network : DataKind::architecture;
    const auto found = find_data(kind, input.name);
    if (!found) return std::nullopt;
    path = *found;
  }
  // Only regular files are read, because a result can contain any name.
  return is_stored_file(path) ? std::optional(path) : std::nullopt;
}

std::string text_option(const RunClaims& run, std::string_view name) {
  for (const auto& [key, text] : run.head.options)
    if (key == name) return text;
  return {};
}

// Keeps the layers of --layer, which can be given several times.
void keep_chosen(Network& network, const std::string& chosen) {
  if (chosen.empty()) return;
  const auto names = split_words(chosen);
  std::erase_if(network.layers, [&](const Layer& layer) {
    return std::find(names.begin(), names.end(), layer.name) == names.end();
  });
}

}  // namespace

// True if the input is available and unchanged. A changed file is not the one that the result refers to.
bool InputCheck::is_available(std::size_t index) {
  const ResultInput& input = run_.head.inputs[index];
  const auto path = path_of(input);
  const auto content = path ? read_file(*path) : Result<std::string>(usage_error("not available"));
  if (!content) {
    check_.not_checked.push_back(sentence("inputs[", index, "] ('", input.name, "' is not available)"));
    return false;
  }
  claims_.compared();
  const auto found = sha256(*content);
  if (found != input.sha256)
    claims_.finding(
        sentence("sha256 of input '", input.name, "' is claimed as '", input.sha256, "', found ", found));
  return found == input.sha256;
}

void InputCheck::layers(const Network& network) {
  claims_.compared();
  if (network.name != run_.head.network)
    claims_.finding(sentence("network is claimed as '", run_.head.network, "', found '", network.name, "'"));
  if (run_.unmapped != nullptr && network.unmapped != *run_.unmapped)
    claims_.finding("unmapped differs from that of the network");
  std::size_t at = 0;
  const auto& expected = network.layers;
  const bool may_be_cut = !text_option(run_, "remainder").empty();
  for (std::size_t i = 0; i < run_.layers.size(); ++i) {
    const Layer* const layer = run_.layers[i];
    if (may_be_cut && at < expected.size() && i + 1 < run_.layers.size() &&
        are_parts(expected[at], *layer, *run_.layers[i + 1])) {
      claims_.compared();
      ++at;
      ++i;
      continue;
    }
    const auto same = std::find(expected.begin() + static_cast<std::ptrdiff_t>(std::min(at, expected.size())),
                                expected.end(), *layer);
    claims_.compared();
    if (same == expected.end()) {
      claims_.finding(
          sentence("layer '", layer->name, "' is not in the network, or not in the network's order"));
      continue;
    }
    const auto found = static_cast<std::size_t>(same - expected.begin());
    if (run_.head.complete && found != at)
      claims_.finding(sentence("layer '", expected[at].name, "' of the network is missing"));
    at = found + 1;
  }
  if (run_.head.complete && at < network.layers.size())
    claims_.finding(sentence("layer '", network.layers[at].name, "' of the network is missing"));
  if (!run_.head.complete && !may_be_cut && run_.layers.size() == network.layers.size())
    claims_.finding("complete is false, but no layer is missing");
}

void InputCheck::run() {
  Network network;
  bool has_network = false;
  bool has_architecture = false;
  bool all_networks = true;
  for (std::size_t i = 0; i < run_.head.inputs.size(); ++i) {
    const ResultInput& input = run_.head.inputs[i];
    if (std::find(roles.begin(), roles.end(), input.role) == roles.end())
      claims_.finding(sentence("inputs[", i, "] has the unknown role '", input.role, "'"));
    for (std::size_t j = 0; j < i; ++j)
      if (run_.head.inputs[j].role == input.role && run_.head.inputs[j].name == input.name)
        claims_.finding(sentence("inputs[", i, "] repeats inputs[", j, "]"));
    const bool available = is_available(i);
    if (available && input.role == "architecture") {
      has_architecture = true;
      claims_.compared();
      if (!is_machine_(input.name, split_words(text_option(run_, "set"))))
        claims_.finding(sentence("the architecture differs from '", input.name, "'"));
    }
    if (input.role != "layers") continue;
    has_network = true;
    auto part = available ? read_network_(input.name, run_.head.options)
                          : Result<Network>(usage_error("not available"));
    all_networks = all_networks && part;
    if (!part) continue;
    network.name += (network.name.empty() ? "" : " + ") + part->name;
    network.layers.insert(network.layers.end(), part->layers.begin(), part->layers.end());
    network.unmapped.insert(network.unmapped.end(), part->unmapped.begin(), part->unmapped.end());
  }
  if (!has_architecture) check_.not_checked.emplace_back("architecture (its file is not available)");
  if (has_network && all_networks) {
    if (run_.machine != nullptr) groups_to_dimension(network.layers, *run_.machine);
    keep_chosen(network, text_option(run_, "layer"));
    layers(network);
    return;
  }
  for (const auto* const key : {key::network, key::complete}) check_.not_checked.emplace_back(key);
  if (run_.unmapped != nullptr) check_.not_checked.emplace_back("unmapped");
  check_.not_checked.emplace_back("layers (whether they are those of the network)");
}

}  // namespace nestor::io
