#include "io/neighbours/neighbours.h"

#include <algorithm>
#include <filesystem>

#include "io/neighbours/readers.h"

namespace nestor::io::neighbours {
namespace {

using ReadFile = Json (*)(const Node& root, Notes& notes, Reading& reading);

ReadFile machine_reader(const Node& root) {
  if (root.find("memories") && (root.find("operational_array") || root.find("multipliers")))
    return read_zigzag_machine;
  if (root.find("architecture") && !root.find("schema")) return read_timeloop_machine;
  if (root.find("arch")) return read_accelforge_machine;
  return nullptr;
}

ReadFile network_reader(const Node& root) {
  if (root.is_list() && root.size() > 0 && root.item(0).find("loop_dims")) return read_zigzag_network;
  if (root.find("problem")) return read_timeloop_network;
  if (root.find("workload")) return read_accelforge_network;
  return nullptr;
}

std::optional<Result<Translated>> translated(ReadFile read, const Node& root) {
  if (read == nullptr) return std::nullopt;
  Notes notes;
  Reading reading;
  auto json = read(root, notes, reading);
  if (reading.failed()) return reading.error();
  return Translated{std::move(json), notes.take()};
}

}  // namespace

std::string name_after(const Node& root) {
  constexpr std::size_t longest = 64;
  const auto stem = std::filesystem::path(root.where().file).stem().string().substr(0, longest);
  const bool plain = std::all_of(stem.begin(), stem.end(), [](char c) { return c > ' ' && c < 0x7f; });
  return stem.empty() || !plain ? "machine" : stem;
}

Json network_json(Json layers, const std::map<std::string, Int>& unmapped) {
  Json json = {{"layers", std::move(layers)}};
  for (const auto& [type, count] : unmapped) json["unmapped"].push_back({{"type", type}, {"count", count}});
  return json;
}

bool is_machine(const Node& root) { return machine_reader(root) != nullptr; }
bool is_network(const Node& root) { return network_reader(root) != nullptr; }

std::optional<Result<Translated>> translate_machine(const Node& root) {
  return translated(machine_reader(root), root);
}

std::optional<Result<Network>> parse_network(std::string_view text, const std::string& file,
                                             const LayerOptions& options) {
  if (!is_network(Document::head(text, file).root())) return std::nullopt;
  const auto document = Document::parse(text, file, {.foreign = true});
  if (!document) return document.error();
  const auto translated = neighbours::translated(network_reader(document->root()), document->root());
  if (!translated) return std::nullopt;
  if (!*translated) return translated->error();
  auto json = (*translated)->json;
  json["name"] = name_after(document->root());
  auto network = parse_layers(json.dump(), file + ".json", options);
  if (!network) return input_error({file}, network.error().message);
  network->untranslated = (*translated)->untranslated;
  return network;
}

Result<Network> read_network(const std::string& path_or_name, const LayerOptions& options) {
  const auto& path = path_or_name;  // built-in networks never have these formats
  if (path == "-" || !is_network(Document::head(read_head(path, head_bytes), path).root()))
    return read_layers(path, options);
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  auto network = parse_network(*text, path, options);
  return network ? std::move(*network) : read_layers(path, options);
}

}  // namespace nestor::io::neighbours
