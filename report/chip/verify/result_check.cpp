#include "report/chip/verify/result_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/chip/contract.h"
#include "heuristics/chip/baselines.h"
#include "io/chip/compile_options.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/find_data.h"
#include "io/memory_files.h"
#include "io/sha256.h"
#include "model/chip/program/generate.h"
#include "report/chip/compile_run.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/results/chip/evaluation_json.h"
#include "report/run_record.h"
#include "report/verify/claims.h"
#include "report/verify/comparison.h"
#include "sim/chip/timing.h"

namespace nestor::io {
namespace {

class CompileChecker {
 public:
  CompileChecker(const Json& result, const CompiledNetwork& compiled, const CompileInputs& inputs,
                 CompileCheck& check)
      : result_(result),
        machine_(compiled.machine),
        network_(compiled.network),
        decisions_(compiled.decisions),
        inputs_(inputs),
        check_(check),
        comparison_(check),
        given_(check.options) {}

  void run() {
    check_claim(result_, check_);
    // A result of evaluate claims only figures, because nothing was searched.
    const bool searched = word(result_, key::verb) != "evaluate";
    if (searched) {
      keys();
      words();
      options();
    } else {
      evaluated_keys();
    }
    written_as_they_are();
    const auto contract = contract_of(at(key::decisions));
    for (const auto& fault : contract.faults) finding(fault);
    if (!contract.faults.empty()) return;
    ++check_.mappings;
    evaluation_ = contract.figures[key::evaluation];
    compare(key::evaluation, evaluation_);
    compare(key::throughput, contract.figures[key::throughput]);
    const auto goal = searched ? std::optional(figure(chip::to_string(given_.chip_objective))) : std::nullopt;
    compare(key::totals, chip_totals_to_json(network_, evaluation_[key::latency_cycles],
                                             evaluation_[key::energy_pj], goal, number(key::lower_bound)));
    check_.not_checked.emplace_back("version");
    replay();
    if (!searched) {
      for (const char* key : {key::options, key::inputs}) check_.not_checked.emplace_back(key);
      return;
    }
    objective();
    limits();
    baselines();
    inputs();
    check_.not_checked.emplace_back("options (except arch, mode, levels, objective, method and limits)");
    check_.not_checked.emplace_back("search");
  }

 private:
  void finding(std::string text) { check_.findings.push_back(std::move(text)); }
  // Returns null for a missing key, which is a separate finding.
  const Json& at(const char* key) const { return value_or_null(result_, key); }
  static std::string word(const Json& holder, const char* key) {
    const auto found = holder.is_object() ? holder.find(key) : holder.end();
    return found != holder.end() && found->is_string() ? found->get<std::string>() : std::string();
  }
  // True for a baseline method, which searches nothing. The options of the result determine the method.
  bool is_baseline() const { return given_.chip_method != chip::CompileMethod::optimal; }

  // Checks the keys of a searched result. Only some runs have keys that are not required.
  void keys() {
    const Json schema = report::compile_schema();
    unknown_keys("result", schema);
    for (const auto& key : schema["required"])
      if (!result_.contains(key)) finding(fmt::format("the result has no key '{}'", key.get<std::string>()));
    const auto search = result_.find(key::search);
    if (search == result_.end()) return;
    const auto& counts = properties_of(properties_of(schema)[key::search]);
    for (const auto& [key, count] : counts.items())
      if (!search->is_object() || !search->contains(key) || !(*search)[key].is_number_unsigned())
        finding(fmt::format("search.{} is not a count", key));
    if (search->is_object() && search->size() != counts.size()) finding("search has an unknown key");
  }

  void evaluated_keys() {
    unknown_keys("evaluation", report::evaluation_schema());
    if (result_.contains(key::objective)) finding("an evaluation has no objective");
    if (word(result_, key::space) != "chip") finding("space is not chip");
    check_.optimality = Optimality::none_claimed;
  }

  void unknown_keys(std::string_view what, const Json& schema) {
    for (const auto& [key, value] : result_.items())
      if (!properties_of(schema).contains(key))
        finding(fmt::format("the {} has the unknown key '{}'", what, key));
  }

  void words() {
    if (word(result_, key::verb) != "compile") finding("verb is not compile");
    if (word(result_, key::space) != "chip") finding("space is not chip");
    status_ = word(result_, key::status);
    if (!is_how_a_search_ends(status_)) finding(fmt::format("status '{}' is unknown", status_));
  }

  // Checks that options are known and agree with the rest of the result.
  void options() {
    if (result_.contains(key::model_weights)) check_.not_checked.emplace_back(key::model_weights);
    if (result_.contains(key::resources)) check_.not_checked.emplace_back("resources");
    given_ = report::options_of_result(at(key::options), Verb::compile, "chip", check_.findings);
    if (given_.explain != result_.contains(key::resources))
      finding("resources and the option explain require each other");
    if (status_ == "time_limit" && !given_.is_given("time-limit"))
      finding("status is time_limit without --time-limit");
    if (given_.chip_mode && *given_.chip_mode != machine_.mode)
      finding(fmt::format("the architecture's mode differs from --mode {}", to_string(*given_.chip_mode)));
    const auto levels = wanted_levels(given_, machine_.mode);
    if (!levels) return finding("options: " + levels.error().message);
    if ((decisions_.levels.mvm && !levels->mvm) || (decisions_.levels.vvm && !levels->vvm) ||
        (decisions_.levels.stream && !levels->stream))
      finding("decisions use a level that is not allowed by --levels");
  }

  // Checks that architecture, network and decisions are written exactly as nestor writes them.
  void written_as_they_are() {
    compare(key::architecture, chip_machine_to_json(machine_));
    compare(key::network, chip_network_to_json(network_));
    compare(key::decisions, chip_decisions_to_json(decisions_, network_));
  }

  void compare(const char* key, const Json& found) { comparison_.compare(at(key), found, key); }

  std::optional<double> number(const char* key) const {
    const auto found = result_.find(key);
    if (found == result_.end() || !found->is_number()) return std::nullopt;
    return found->get<double>();
  }
  check::Contract contract_of(const Json& decisions) const {
    return check::chip::contract_of(at(key::architecture), at(key::network), decisions);
  }
  double figure(std::string_view kind) const {
    return evaluation_[kind == "latency"  ? key::latency_cycles
                       : kind == "energy" ? key::energy_pj
                                          : key::peak_power];
  }

  void objective() {
    const std::string_view kind = chip::to_string(given_.chip_objective);
    const double value = figure(kind);
    compare(key::objective, {{key::name, kind}, {key::value, value}});
    const auto bound = number(key::lower_bound);
    if (is_baseline()) return;
    check_.optimality = Optimality::not_checked;
    if (!bound) return finding("the result has no number 'lower_bound'");
    check_.not_checked.emplace_back(unproved_compilation);
    if (status_ != "optimal") check_.not_checked.emplace_back("status (why the search ended)");
    check_.lower_bound = *bound;
    if (!number(key::gap)) finding("the result has no number 'gap'");
    tie_break();
    // A known schedule below the bound refutes the bound.
    for (const auto& [name, cycles] : at(key::baseline_cycles).items())
      if (name != key::interval_cycles && kind == "latency" && cycles.is_number() &&
          given_.figure_limits.empty() && cycles.get<double>() < *bound &&
          !nearly_equal(cycles.get<double>(), *bound))
        finding(fmt::format("lower_bound {} exceeds the {} cycles of {}", *bound, cycles.dump(), name));
  }

  void tie_break() {
    const auto other = chip::to_string(chip::tie_breaker(given_.chip_objective));
    const Json& claimed = at(key::tie_break);
    if ((status_ == "optimal") != claimed.is_object())
      return finding("tie_break and a proved optimum require each other");
    if (!claimed.is_object()) return;
    const auto part = [&](const char* key) { return claimed.value(key, Json()); };
    const bool proved = part(key::status) == "optimal";
    compare(key::tie_break, {{key::objective, other},
                             {key::status, part(key::status)},
                             {key::lower_bound, proved ? Json(figure(other)) : part(key::lower_bound)},
                             {key::nodes, part(key::nodes)}});
    if (!part(key::nodes).is_number_unsigned()) finding("tie_break.nodes is not a count");
    check_.not_checked.emplace_back("tie_break.nodes");
    check_.not_checked.emplace_back(
        "tie_break.status, tie_break.lower_bound (whether the other cost is minimal)");
  }

  void limits() {
    const auto limits = figure_limits(given_);
    if (!limits) return finding("options: " + limits.error().message);
    for (const auto& limit : *limits) {
      const double value = figure(to_string(limit.figure));
      ++check_.figures;
      if (!is_baseline() && value > limit.most && !nearly_equal(value, limit.most))
        finding(fmt::format("{} is {}, but --limit allows at most {}", to_string(limit.figure), value,
                            limit.most));
    }
  }

  // True if the run may have been stopped by time, memory or a signal before all baselines were done. A run
  // by `--method` has the status "heuristic" in both cases.
  bool may_lack_baselines() const {
    return status_ == "time_limit" || status_ == "memory_limit" || status_ == "interrupted" ||
           status_ == "heuristic";
  }

  // Builds the baselines again and takes their figures from the contract.
  void baselines() {
    const auto problem = chip::make_problem(machine_, network_);
    const auto levels = wanted_levels(given_, machine_.mode);
    if (!levels) return;
    auto found = Json::object();
    for (const auto baseline : chip::all_baselines) {
      const auto decisions = chip::run_baseline(problem, baseline, *levels);
      if (!decisions) continue;
      const Json json = chip_decisions_to_json(*decisions, network_);
      const auto contract = contract_of(json);
      if (!contract.faults.empty()) continue;
      found[std::string(chip::to_string(baseline))] = contract.figures[key::evaluation][key::latency_cycles];
      if (baseline == chip::CompileMethod::poly_schedule)
        found[key::interval_cycles] = contract.figures[key::throughput][key::interval_cycles];
      const bool asked = given_.chip_method == baseline;
      if (asked && json != chip_decisions_to_json(decisions_, network_))
        finding(fmt::format("decisions differ from those of --method {}", chip::to_string(baseline)));
    }
    const Json& claimed = at(key::baseline_cycles);
    if (claimed.is_object() && may_lack_baselines()) {
      const Json all = found;
      for (const auto& [name, cycles] : all.items()) {
        if (claimed.contains(name)) continue;
        check_.not_checked.push_back(fmt::format("baseline_cycles.{} (missing, as in a stopped run)", name));
        found.erase(name);
      }
    }
    compare(key::baseline_cycles, found);
  }

  // Executes the program that follows from the decisions. The execution shares no recurrence with the model
  // or with the contract.
  void replay() {
    const auto problem = chip::make_problem(machine_, network_);
    const auto program = chip_program::generate(problem, decisions_, read_placements(evaluation_));
    constexpr sim::chip::WalkLimits most = {.operations = Int{1} << 29, .group = std::size_t{1} << 22};
    const auto run = sim::chip::simulate_timing(program, machine_, most);
    if (const auto* fault = std::get_if<sim::chip::Fault>(&run)) {
      if (fault->too_soon) return finding(fault->message);
      check_.not_checked.push_back(fmt::format("evaluation (not replayed: {})", fault->message));
      return;
    }
    const auto& timing = std::get<sim::chip::Timing>(run);
    const auto same = [&](const std::string& what, const Json& claimed, Int found) {
      ++check_.figures;
      if (claimed != found)
        finding(fmt::format("{} is {}, but the program takes {}", what, claimed.dump(), found));
    };
    for (std::size_t s = 0; s < timing.segments.size(); ++s) {
      const Json& segment = evaluation_[key::segments][s];
      same(fmt::format("schedule_cycles of segment {}", s), segment[key::schedule_cycles],
           timing.segments[s].schedule_cycles);
      for (const auto& thread : timing.segments[s].threads) {
        const Json& figures = segment[key::operators][thread.op - decisions_.segments[s].first];
        const auto& name = network_.operators[thread.op].name;
        same("start of " + name, figures[key::start], thread.rows.front().start);
        same("run of " + name, figures.value(key::run, figures[key::start]), thread.rows.front().run);
        same("first_row of " + name, figures[key::first_row], thread.rows.front().end);
        same("end of " + name, figures[key::end], thread.end);
      }
    }
    same("peak_crossbars", evaluation_[key::peak_crossbars], timing.peak_crossbars);
  }

  // Checks, for each role, that the file has the digest and the content that the result contains.
  void inputs() {
    const auto& claimed = at(key::inputs);
    if (!claimed.is_array()) return finding("inputs is not a list");
    std::set<std::string> roles;
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      const auto role = word(claimed[i], key::role);
      if (role != "architecture" && role != "network")
        finding(fmt::format("inputs[{}] has the unknown role '{}'", i, role));
      if (!roles.insert(role).second) finding(fmt::format("inputs[{}] repeats the role '{}'", i, role));
      input(i, claimed[i], role);
    }
    for (const auto* role : {"architecture", "network"})
      if (!roles.contains(role)) finding(fmt::format("inputs: no entry has the role '{}'", role));
    if (given_.arch != name_of(claimed, "architecture"))
      finding("the architecture among the inputs differs from --arch");
  }

  static std::string name_of(const Json& inputs, std::string_view role) {
    for (const auto& each : inputs)
      if (word(each, key::role) == role) return word(each, key::name);
    return {};
  }

  void input(std::size_t index, const Json& claimed, const std::string& role) {
    const bool is_machine = role == "architecture";
    const auto name = word(claimed, key::name);
    const auto path = find_data(is_machine ? DataKind::architecture : chip_networks, name);
    const auto content =
        path && is_stored_file(*path) ? read_file(*path) : Result<std::string>(usage_error("not available"));
    if (!content) {
      check_.not_checked.push_back(fmt::format("inputs[{}] ('{}' is not available)", index, name));
      check_.not_checked.push_back(is_machine ? "architecture (its file is not available)"
                                              : "network (its file is not available)");
      return;
    }
    comparison_.compare(claimed, input_to_json({role, name, sha256(*content)}),
                        fmt::format("inputs[{}]", index));
    ++check_.figures;
    if (is_machine) {
      const auto machine = inputs_.machine(name, given_);
      if (!machine || chip_machine_to_json(*machine) != chip_machine_to_json(machine_))
        finding(fmt::format("the architecture differs from '{}'", name));
      return;
    }
    const auto network = inputs_.network(name, machine_, given_);
    if (!network || chip_network_to_json(*network) != chip_network_to_json(network_))
      finding(fmt::format("the network differs from '{}'", name));
  }

  const Json& result_;
  const chip::ChipMachine& machine_;
  const chip::ChipNetwork& network_;
  const chip::Decisions& decisions_;
  const CompileInputs& inputs_;
  CompileCheck& check_;
  Comparison comparison_;
  RunOptions& given_;
  std::string status_;
  Json evaluation_;  ///< of the contract
};

}  // namespace

Result<CompileCheck> check_compile_result(std::string_view text, const std::string& file,
                                          const CompileInputs& inputs) {
  const auto document = Document::parse(text, file, result_limits);
  if (!document) return document.error();
  auto compiled = read_compiled(*document, file);
  if (!compiled) return compiled.error();
  const auto claims = Json::parse(text, nullptr, false);
  if (claims.is_discarded()) return input_error({file}, "expected a result of compile, in JSON");
  CompileCheck check;
  check.compiled = std::move(*compiled);
  CompileChecker(claims, check.compiled, inputs, check).run();
  return check;
}

}  // namespace nestor::io
