#include "app/sweep_whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/in_process.h"
#include "app/sweep_space.h"
#include "io/find_data.h"
#include "io/sha256.h"
#include "report/keys/common.h"
#include "report/results/result_parts.h"

namespace nestor::app {
namespace {

constexpr std::string_view no_longer = "has changed since the plan was made";

// Returns the files that a name can refer to, or none if the name is built in. Several spaces can ship a
// network of the same name.
std::vector<std::string> files_of(const std::string& name, bool is_machine, Spaces spaces) {
  std::vector<io::DataKind> kinds = {is_machine ? io::DataKind::architecture : io::DataKind::network};
  for (const Space& space : spaces)
    if (!is_machine && space.networks) kinds.push_back(space.networks->kind);
  std::vector<std::string> files;
  for (const auto& kind : kinds)
    if (const auto path = io::find_data(kind, name);
        path && std::find(files.begin(), files.end(), path->string()) == files.end())
      files.push_back(path->string());
  return files;
}

// Key of the SHA-256 of a file. Stores of sweeps contain it.
constexpr char digest_key[] = "digest";

io::Result<std::string> digest_of(const std::string& name, bool is_machine, Spaces spaces) {
  std::string content;
  for (const auto& file : files_of(name, is_machine, spaces)) {
    const auto text = io::read_file(file, io::result_limits.bytes);
    if (!text) return text.error();
    content += *text;
  }
  return content.empty() ? std::string() : io::sha256(content);
}

// Returns a name that workers in other folders can resolve.
std::string name_for_workers(const std::string& name) {
  return std::filesystem::exists(name) ? std::filesystem::absolute(name).lexically_normal().string() : name;
}

std::optional<double> number(const io::Json& json, std::initializer_list<std::string_view> path) {
  const io::Json* at = &json;
  for (const auto key : path) {
    const auto found = at->find(std::string(key));
    if (!at->is_object() || found == at->end()) return std::nullopt;
    at = &*found;
  }
  return at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::optional<double> first_of(const io::Json& json,
                               std::initializer_list<std::initializer_list<std::string_view>> paths) {
  for (const auto path : paths)
    if (const auto value = number(json, path)) return value;
  return std::nullopt;
}

// Reads the figures of a row. Results of the spaces use different keys.
void read_figures(const io::Json& json, io::PointResult& found) {
  const auto status = json.find(key::status);
  found.status = status != json.end() && status->is_string() ? status->get<std::string>() : "estimated";
  found.latency =
      first_of(json, {{"evaluation", "latency_cycles"}, {"totals", "latency_cycles"}, {"cycles"}});
  found.energy = first_of(json, {{"evaluation", "energy_pj"}, {"totals", "energy_pj"}});
  found.objective = first_of(json, {{"objective", "value"}, {"time_ms"}, {"totals", "time_ms"}});
  found.lower_bound = first_of(json, {{"lower_bound"}, {"lower_bound_ms"}, {"lower_bound", "copies"}});
}

}  // namespace

io::Result<io::Json> describe_whole(const std::string& name, bool is_machine, Spaces spaces) {
  const auto digest = digest_of(name, is_machine, spaces);
  if (!digest) return digest.error();
  return io::Json{{key::name, name_for_workers(name)}, {digest_key, *digest}};
}

io::PointResult solve_whole(io::Verb verb, const io::Node& inputs, io::RunOptions options,
                            const std::atomic<bool>& stop, Spaces spaces) {
  io::PointResult found;
  const auto read = [&](const char* part, bool is_machine) -> std::string {
    const auto node = inputs.find(part);
    const auto given_name = node ? node->find(key::name) : std::nullopt;
    const auto digest = node ? node->find(digest_key) : std::nullopt;
    const std::string name(given_name ? given_name->text() : "");
    const auto now = digest_of(name, is_machine, spaces);
    if (!digest || !now || *now != digest->text())
      found.error = fmt::format("{} {}", io::quote(name), no_longer);
    return name;
  };
  options.inputs = {read(whole_input, false)};
  if (const auto machine = inputs.find(point_machine)) {
    options.arch = read(point_machine, true);
    if (const auto set = machine->find(whole_settings))
      for (std::size_t i = 0; i < set->size(); ++i) options.settings.emplace_back(set->item(i).text());
  }
  if (!found.error.empty()) return found;
  options.threads = 1;
  options.no_times = true;
  const auto begin = std::chrono::steady_clock::now();
  const auto run = run_in_process(verb, options, {stop}, spaces);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!run.end) {
    found.error = run.end.error().message;
    return found;
  }
  const auto json = io::Json::parse(run.json, nullptr, false);
  if (!json.is_object()) {
    found.error = "the run has no result";
    return found;
  }
  read_figures(json, found);
  found.result = json.dump();
  return found;
}

}  // namespace nestor::app
