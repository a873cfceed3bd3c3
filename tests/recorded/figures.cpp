// Figures of a run: prints what the files in a directory say, without words and times, for comparison with
// the recorded results (README.md). A JSON file is one line and one line per layer; values that have no place
// there are summarised by a hash. Another file is one line with its hash. In JSON files, times, versions and
// the inputs of the run are left out.
//   recorded_figures DIRECTORY [KEPT]       also writes the JSON files without these values to the directory
//   KEPT
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::json;

std::string hash_of(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return fmt::format("{:08x}", static_cast<uint32_t>(hash ^ (hash >> 32)));
}

// Removes what varies between runs, what only repeats the command and its inputs, and messages.
void remove_words(Json& json) {
  static const std::vector<std::string_view> removed = {"architecture", "argument", "inputs", "members",
                                                        "not_checked",  "options",  "schema", "searched",
                                                        "seconds",      "version"};
  if (json.is_object()) {
    for (const std::string_view key : removed) json.erase(std::string(key));
  }
  if (json.is_structured()) std::ranges::for_each(json, remove_words);
}

// Removes the value at a path from a record. Returns null if there is none.
Json take(Json& record, const std::vector<std::string>& path) {
  Json* place = &record;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (!place->is_object() || !place->contains(path[i])) return nullptr;
    place = &place->at(path[i]);
  }
  if (!place->is_object() || !place->contains(path.back())) return nullptr;
  Json value = std::move(place->at(path.back()));
  place->erase(path.back());
  return value;
}

// Status, objective, lower bound if it differs, nodes, and hashes of the mapping and of the rest.
std::string figures_of(Json record) {
  std::string line;
  const Json status = take(record, {"status"});
  if (status.is_string()) line += " " + status.get<std::string>();
  Json objective = take(record, {"objective"});
  if (objective.is_object()) objective = take(objective, {"value"});
  if (!objective.is_null()) line += " " + objective.dump();
  const Json bound = take(record, {"lower_bound"});
  if (!bound.is_null() && bound != objective) line += " bound " + bound.dump();
  for (const char* const figure : {"latency_cycles", "energy_pj", "time_ms", "copies"}) {
    const Json value = take(record, {figure});
    if (value.is_number() && value != objective) line += fmt::format(" {} {}", figure, value.dump());
  }
  const Json nodes = take(record, {"search", "nodes"});
  if (!nodes.is_null()) line += " nodes " + nodes.dump();
  for (const char* const decision : {"mapping", "decisions", "schedule"}) {
    const Json value = take(record, {decision});
    if (!value.is_null()) line += fmt::format(" {} {}", decision, hash_of(value.dump()));
  }
  if (!record.empty()) line += " rest " + hash_of(record.dump());
  return line;
}

// Layers of larger networks have one hash together: their totals show whether a result is worse or better.
constexpr size_t max_rows = 64;

void print_json(const std::string& name, Json json) {
  std::vector<std::pair<std::string, Json>> rows;
  if (json.is_object()) {
    for (const char* const list : {"layers", "kernels"}) {
      if (!json.contains(list) || !json.at(list).is_array() || json.at(list).size() > max_rows) continue;
      for (Json& row : json.at(list)) {
        const Json row_name = take(row, {"name"});
        rows.emplace_back(row_name.is_string() ? row_name.get<std::string>() : "-", std::move(row));
      }
      json.erase(list);
    }
    for (const char* const part : {"totals", "evaluation"}) {
      if (json.contains(part) && json.at(part).is_object()) rows.emplace_back(part, take(json, {part}));
    }
  }
  fmt::print("{}{}\n", name, figures_of(std::move(json)));
  std::map<std::string, std::string> first;  // the first layer with these figures
  for (auto& [row, record] : rows) {
    const std::string figures = figures_of(std::move(record));
    const auto [place, added] = first.try_emplace(figures, row);
    fmt::print("  {}{}\n", row, added ? figures : " as " + place->second);
  }
}

void print_file(const std::filesystem::path& path, const std::filesystem::path& kept) {
  const std::string name = path.filename().string();
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (path.extension() != ".json") {
    fmt::print("{} {}\n", name, hash_of(text));
    return;
  }
  Json json = Json::parse(text);
  remove_words(json);
  if (!kept.empty()) std::ofstream(kept / name) << json.dump(1) << '\n';
  print_json(name, std::move(json));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argc > 1 ? argv[1] : ".")) {
      if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const auto& file : files) print_file(file, argc > 2 ? argv[2] : "");
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "recorded_figures: {}\n", error.what());
    return 1;
  }
}
