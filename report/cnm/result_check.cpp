#include "report/cnm/result_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/checked.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/system_file.h"
#include "io/document_edit.h"
#include "io/find_data.h"
#include "io/memory_files.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "model/cnm/search/map_space.h"
#include "report/cnm/kernel_contract.h"
#include "report/cnm/padding.h"
#include "report/cnm/result_json.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/run_record.h"
#include "report/verify/claims.h"

namespace nestor::report {
namespace {

using io::Comparison;
using io::is_how_a_search_ends;
using io::number_or;
using io::value_or_null;

// Checks bound and status of a search. Only another search could confirm them.
void check_search(Comparison& comparison, const io::Json& claims, double time_ms, const std::string& path,
                  const std::string& keys, io::Json& expected) {
  const auto status = claims.value(key::status, io::Json());
  if (!is_how_a_search_ends(status))
    return comparison.find(
        fmt::format("{}status is {}, expected the final status of a search", path, status.dump()));
  expected[key::status] = status;
  if (status != "optimal") comparison.leave(keys + "status (why a search ended)");
  const double bound = number_or(claims, key::lower_bound_ms, -1);
  if (bound < 0) return comparison.find(path + "lower_bound_ms is not a time");
  expected[key::lower_bound_ms] = status == "optimal" ? time_ms : bound;
}

// Checks ties. Once the shortest time is proved, the documented order decides among mappings of this time.
void check_ties(Comparison& comparison, const io::Json& claims, const std::string& path,
                const std::string& keys, io::Json& expected) {
  if (claims.value(key::status, io::Json()) != "optimal") return;
  const auto ties = claims.value(key::tie_break, io::Json::object());
  const auto status = ties.is_object() ? ties.value(key::status, io::Json()) : io::Json();
  if (!is_how_a_search_ends(status))
    return comparison.find(
        fmt::format("{}tie_break.status is {}, expected the final status of a search", path, status.dump()));
  expected[key::tie_break] = {{key::objective, tie_order}, {key::status, status}};
  comparison.leave(keys + "tie_break.status (whether the mapping is the first in order)");
}

// Checks the list of best mappings, each of which is estimated again.
void check_top(Comparison& comparison, const io::Json& claims, const KernelTask& task,
               const KernelParts& parts, const std::vector<Int>& asked, const std::vector<Int>& most,
               const std::string& path) {
  const auto& top = claims[key::top];
  if (!top.is_array() || !task.input.kernel) return comparison.find(path + "top is not a list of mappings");
  auto expected = io::Json::array();
  std::vector<cnm::CnmMapping> seen;
  for (const auto& entry : top) {
    io::Json wrapped = {{key::maps, io::Json::array({entry})}};
    const auto document = io::Document::parse(wrapped.dump(), "top.json");
    auto mapping =
        document ? io::cnm_mapping_from(document->root()) : io::Result<cnm::CnmMapping>(document.error());
    if (!mapping) return comparison.find(path + "top: " + mapping.error().message);
    KernelTask one = task;
    one.mapping = std::move(*mapping);
    if (std::find(seen.begin(), seen.end(), one.mapping) != seen.end())
      return comparison.find(path + "top contains the same mapping twice");
    seen.push_back(one.mapping);
    // With --pad, each listed mapping has its own extents, between the requested ones and the largest
    // allowed.
    const auto& map = one.mapping.front();
    if (parts.system.target == cnm::Target::upmem &&
        cnm::find_shape_fault(map, asked.size(), parts.system).empty())
      for (std::size_t d = 0; d < asked.size(); ++d)
        if (map.extent(d) >= asked[d] && map.extent(d) <= most[d])
          one.input.kernel->extents[d] = map.extent(d);
    auto maps = io::Json::array({entry});
    maps[0][key::name] = map.name;
    const auto contract =
        contract_of(one, parts.architecture, value_or_null(claims, key::source), maps, parts.verb);
    if (!contract.faults.empty()) return comparison.find(path + "top: " + contract.faults[0]);
    const auto& found = contract.figures[key::maps][0];
    expected.emplace_back();
    for (const char* key : {key::tuples, key::block, key::order, key::time_ms})
      expected.back()[key] = found[key];
    expected.back().update(pim_keys_json(map.pim));
  }
  // Times in the list are whole picoseconds.
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double claimed = number_or(top[i], key::time_ms, -1);
    if (std::abs(claimed - expected[i][key::time_ms].get<double>()) <= 1.0e-9)
      expected[i][key::time_ms] = claimed;
  }
  comparison.compare(top, expected, path + "top.", "top.");
}

}  // namespace

std::optional<double> check_kernel(Comparison& comparison, const io::Json& claims, const KernelTask& task,
                                   const KernelParts& parts, const std::string& path, const std::string& keys,
                                   io::Json expected) {
  if (!claims.is_object()) {
    comparison.find(path + " is not the result of a kernel");
    return std::nullopt;
  }
  const auto contract = contract_of(task, parts.architecture, value_or_null(claims, key::source),
                                    value_or_null(claims, key::maps), parts.verb);
  if (!contract.faults.empty()) {
    comparison.find(path + contract.faults[0]);
    return std::nullopt;
  }
  for (const auto& key : contract.open) comparison.leave(keys + key);
  expected.update(contract.figures);
  const bool is_upmem = parts.system.target == cnm::Target::upmem;
  if (task.input.kernel && !is_upmem && !task.mapping.empty())
    if (auto note = cnm::channel_note(*task.input.kernel, contract.padded); !note.empty())
      expected[key::note] = std::move(note);
  comparison.leave(keys + "source (taken as given)");
  comparison.leave(keys + "source");
  if (task.input.kernel) comparison.leave(keys + "maps[].name (a label)");
  if (parts.verb == "map") {
    check_search(comparison, claims, number_or(expected, key::time_ms, 0), path, keys, expected);
    const auto asked = task.input.kernel ? extents_asked(claims, *task.input.kernel) : std::vector<Int>();
    const auto most = cnm::grown_extents(asked, pad_of(claims));
    if (pad_of(claims) > 0) {
      expected[key::pad_percent] = pad_of(claims);
      comparison.leave(keys + "pad_percent (taken as given)");
    }
    if (task.input.kernel && is_upmem && asked != task.input.kernel->extents) {
      expected[key::note] = padding_note(asked, task.input.kernel->extents);
      expected[key::asked_extents] = asked;
      comparison.leave(keys + "asked_extents (taken as given)");
      for (std::size_t d = 0; d < asked.size(); ++d)
        if (task.input.kernel->extents[d] > most[d])
          comparison.find(fmt::format("{}an extent of {} was padded to {}, expected at most {}", path,
                                      asked[d], task.input.kernel->extents[d], most[d]));
    }
    comparison.leave(keys + key::searched);
    check_ties(comparison, claims, path, keys, expected);
    comparison.leave(keys + key::search);
    comparison.leave(keys + "top (how many were requested)");
    if (claims.contains(key::explanation)) comparison.leave(keys + key::explanation);
    comparison.leave(std::string(keys.empty() ? unproved_time : unproved_layer_times));
    if (claims.contains(key::top)) {
      check_top(comparison, claims, task, parts, asked, most, path);
      comparison.leave(std::string(keys.empty() ? unproved_top : unproved_layer_top));
      comparison.leave(keys + "top");
    }
  }
  // Claims without a second figure are already listed as not checked.
  comparison.compare(claims, expected, path, keys);
  const double time_ms = number_or(expected, key::time_ms, -1);
  return time_ms < 0 ? std::nullopt : std::optional(time_ms);
}

namespace {

// Returns the number of iteration points of the kernel before padding, times its repeats.
io::Json macs_again(const io::Json& claims, const KernelTask& task) {
  std::optional<Int> macs = task.repeat;
  if (!task.input.kernel || !claims.is_object()) return macs.value_or(0);
  for (const Int extent : extents_asked(claims, *task.input.kernel))
    macs = macs ? checked_multiply(*macs, extent) : std::nullopt;
  return macs ? io::Json(*macs) : io::Json();
}

// True if the system already has the value of this setting.
bool has_value(const cnm::System& system, const std::string& setting) {
  const auto changed = io::with_settings(system, std::span(&setting, 1));
  return changed && io::system_to_json(*changed) == io::system_to_json(system);
}

io::Json expected_head(const io::Json& claims, const KernelWork& work) {
  io::Json head = {{key::schema, io::result_schema}, {key::space, "cnm"}};
  if (claims.value(key::verb, io::Json()) == "map") head[key::objective] = {{key::name, "time"}};
  head[key::system] = work.system.name;
  head[key::target] = cnm::targets.word(work.system.target);
  head[key::architecture] = io::system_to_json(work.system);
  if (work.network.empty()) head[key::kernel] = work.tasks[0].input.name;
  return head;
}

// Checks that available inputs have the claimed hashes, and that the architecture equals that of its file and
// has the values of --set.
void check_inputs(const io::Json& claims, const cnm::System& system, io::Verb verb, Comparison& comparison) {
  std::vector<std::string> findings;
  const auto asked = options_of_result(value_or_null(claims, key::options), verb, "cnm", findings);
  for (auto& finding : findings) comparison.find(std::move(finding));
  const auto inputs = claims.find(key::inputs);
  for (const auto& setting : asked.settings)
    if (!has_value(system, setting))
      comparison.find(fmt::format("options.set: {} differs from the architecture", setting));
  const std::size_t expected = asked.arch.empty() ? 1 : 2;  // without --arch, a result is the only input
  if (inputs == claims.end() || !inputs->is_array() || inputs->size() != expected)
    return comparison.find("inputs does not list the files that were read");
  constexpr std::array<std::string_view, 4> roles = {"architecture", "kernel", "layers", "result"};
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < inputs->size(); ++i) {
    const auto& input = (*inputs)[i];
    const auto text = [&](const char* name) {
      const auto at = input.is_object() ? input.find(name) : input.end();
      return input.is_object() && at != input.end() && at->is_string() ? at->get<std::string>()
                                                                       : std::string();
    };
    const auto role = text(key::role), name = text(key::name);
    if (std::find(roles.begin(), roles.end(), role) == roles.end() || name.empty() ||
        std::find(seen.begin(), seen.end(), role + name) != seen.end())
      return comparison.find(
          fmt::format("inputs[{}] has an unknown role or no name, or repeats an earlier entry", i));
    seen.push_back(role + name);
    const bool is_machine = role == "architecture";
    const auto path = io::find_data(is_machine ? io::DataKind::architecture : io::DataKind::network, name);
    const auto content =
        path && io::is_stored_file(*path) ? io::read_file(*path) : io::Result<std::string>(io::Error());
    if (!content || !input.contains(key::sha256)) {
      comparison.leave(fmt::format("inputs[{}] ('{}' is not available)", i, name));
      continue;
    }
    const auto found = describe_text(role, name, *content);
    comparison.compare(input, io::input_to_json(found), fmt::format("inputs[{}].", i), "inputs[].");
    if (!is_machine || text(key::sha256) != found.sha256) continue;
    const auto read = io::read_cnm_system(name, asked.settings);
    comparison.compared();
    if (!read || io::system_to_json(*read) != io::system_to_json(system))
      comparison.find(fmt::format("the architecture differs from '{}'", name));
    comparison.take_up("architecture (taken as given)");
  }
}

// Adds the claims of one task, whose own figures are checked separately.
void add_claimed(TimeTotals& totals, const io::Json& task) {
  const auto figure = [&](const char* key) -> std::optional<double> {
    const double number = number_or(task, key, -1);
    return number < 0 ? std::nullopt : std::optional(number);
  };
  totals.add(figure(key::time_ms), figure(key::lower_bound_ms));
}

void check(Comparison& comparison, const io::Json& claims, const KernelWork& work) {
  constexpr std::array verbs = {io::Verb::estimate, io::Verb::evaluate, io::Verb::simulate, io::Verb::map};
  const auto& verb = value_or_null(claims, key::verb);
  const auto* const found =
      std::find_if(verbs.begin(), verbs.end(), [&](io::Verb each) { return verb == io::to_string(each); });
  if (found == verbs.end())
    return comparison.find(fmt::format("verb is {}, expected a verb that writes such results", verb.dump()));
  const KernelParts parts{work.system, value_or_null(claims, key::architecture), io::to_string(*found)};
  comparison.leave(key::version);
  comparison.leave("architecture (taken as given)");
  comparison.leave("options (except whether the verb has them)");
  comparison.pass(key::options);
  comparison.pass(key::inputs);
  check_inputs(claims, work.system, *found, comparison);
  auto head = expected_head(claims, work);
  head[key::verb] = verb;
  if (work.network.empty()) {
    TimeTotals totals(work);
    add_claimed(totals, claims);
    head[key::totals] = totals.json();
    check_kernel(comparison, claims, work.tasks[0], parts, "", "", std::move(head));
    return;
  }
  for (const char* key : {key::network, key::left_out}) comparison.leave(key);
  comparison.leave("layers[].name, layers[].repeat (taken as given)");
  TimeTotals totals(work);
  const auto& layers = claims[key::layers];
  for (std::size_t i = 0; i < work.tasks.size(); ++i) {
    const KernelTask& task = work.tasks[i];
    check_kernel(
        comparison, layers[i], task, parts, fmt::format("layers[{}].", i), "layers[].",
        {{key::name, task.name}, {key::repeat, task.repeat}, {key::macs, macs_again(layers[i], task)}});
    add_claimed(totals, layers[i]);
  }
  head[key::totals] = totals.json();
  comparison.leave(key::layers);
  comparison.compare(claims, head, "", "");
  comparison.take_up(key::layers);
}

}  // namespace

io::ResultCheck check_kernel_result(const KernelWork& work, const io::Json& claims) {
  io::ResultCheck result;
  io::check_claim(claims, result);
  Comparison comparison(result);
  check(comparison, claims, work);
  std::erase_if(result.not_checked,
                [](const std::string& key) { return key.ends_with("source") || key == "top"; });
  result.mappings = static_cast<Int>(work.tasks.size());
  if (claims.value(key::verb, io::Json()) == "map") result.optimality = io::Optimality::not_checked;
  return result;
}

}  // namespace nestor::report
