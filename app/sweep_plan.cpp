// Expansion of a sweep plan to its points and rows: plan_work() of app/sweep.h.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "app/inputs.h"
#include "app/sweep.h"
#include "app/sweep_space.h"
#include "app/sweep_whole.h"
#include "base/tables/hash_table.h"
#include "io/layer_file.h"
#include "io/sha256.h"

namespace nestor::app {
namespace {

/// Version of the results. It must be increased if older versions may have stored another result for the same
/// inputs and options.
constexpr int result_version = 1;

// True for options that only affect how a network is read. The shapes of its layers already reflect them.
bool is_of_layers(std::string_view option) {
  return option == "bits" || option == "batch" || option == "dim";
}

io::Result<io::RunOptions> options_of(io::Verb verb, const io::NamedValues& run) {
  io::RunOptions options;
  for (const auto& [name, text] : run)
    if (auto error = io::set_option(options, verb, name, text)) return *error;
  if (options.pareto)
    return io::usage_error(
        "objective pareto has no single result for a row: sweep latency, energy, edp or blended");
  if (auto error = io::check_exclusions(options, verb)) return *error;
  return options;
}

// Returns the options as on the command line, in the order of the table. Options at their defaults and those
// of is_of_layers() are left out.
io::Json canonical_options(io::Verb verb, const io::RunOptions& options) {
  const io::RunOptions defaults;
  io::Json json = io::Json::object();
  for (const auto& option : io::option_table())
    if (option.verbs.contains(verb) && options.is_given(option.name) && !is_of_layers(option.name) &&
        option.get(options) != option.get(defaults))
      json[option.name] = option.get(options);
  return json;
}

// Returns the parts of a layer that its mapping depends on.
io::Json canonical_layer(Layer layer) {
  layer.name.clear();
  layer.groups = 1;
  layer.repeat = 1;
  layer.activation_product = false;
  auto json = io::layer_to_json(layer);
  json.erase("name");
  return json;
}

io::Json object_of(const io::NamedValues& values) {
  io::Json json = io::Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

// Returns the first part of a machine that has no area, if any.
std::optional<std::string> part_without_area(const io::Json& machine) {
  for (const io::Json& entry : machine["hierarchy"])
    if (entry.contains("memory") && !entry["memory"].contains("area"))
      return fmt::format("memory '{}'", entry["memory"]["name"].get<std::string>());
  if (!machine["compute"].contains("area")) return std::string("compute");
  return std::nullopt;
}

class Planner {
 public:
  Planner(const io::SweepPlan& plan, Spaces spaces, bool needs_area)
      : plan_(plan), spaces_(spaces), needs_area_(needs_area) {}

  io::Result<PlannedWork> run() {
    std::vector<io::RunOptions> runs;
    for (const auto& run : plan_.runs) {
      auto options = options_of(plan_.verb, run);
      if (!options) return options.error();
      runs.push_back(std::move(*options));
    }
    // Calls add(network, run, options) for every combination.
    const auto each = [&](auto add) -> io::MaybeError {
      for (const auto& network : plan_.networks)
        for (std::size_t r = 0; r < runs.size(); ++r)
          if (auto error = add(network, plan_.runs[r], runs[r])) return error;
      return std::nullopt;
    };
    const auto add_wholes = [&](const io::SweptMachine* machine) {
      return each([&](const auto& network, const auto& run, const auto& options) {
        return add_whole(machine, network, run, options);
      });
    };
    if (plan_.machines.empty())
      if (auto error = add_wholes(nullptr)) return *error;
    for (const auto& machine : plan_.machines) {
      const auto space = space_of_machine(machine);
      if (!space) return space.error();
      if (plan_.verb != io::Verb::map || (*space)->sweep == nullptr) {
        if (auto error = add_wholes(&machine)) return *error;
        continue;
      }
      const auto json = read_machine(machine, **space);
      if (!json) return json.error();
      if (auto error = each([&](const auto& network, const auto& run, const auto& options) {
            return add(machine, *json, network, run, options);
          }))
        return *error;
    }
    return std::move(work_);
  }

 private:
  // Returns the function of a space for the verb of a plan.
  static SpaceVerb does(const Space& space, io::Verb verb) {
    if (verb == io::Verb::compile) return space.compile;
    return verb == io::Verb::estimate ? space.estimate : space.map;
  }

  io::Result<const Space*> space_of_machine(const io::SweptMachine& machine) {
    const auto path = io::find_data(io::DataKind::architecture, machine.base);
    if (!path) return located(path.error(), machine);
    const auto said = space_of_file(spaces_, path->string());
    if (!said) return said.error();
    const Space* const space = *said != nullptr ? *said : &spaces_.front();
    if (does(*space, plan_.verb) == nullptr)
      return io::input_error(machine.where,
                             fmt::format("{} are not swept by {}", space->title, io::to_string(plan_.verb)));
    if (needs_area_ && space->sweep == nullptr)
      return io::input_error(machine.where, fmt::format("the area of {} is unknown", space->title));
    return space;
  }

  io::Result<io::Json> read_machine(const io::SweptMachine& machine, const Space& space) {
    auto json = space.sweep->machine(machine.base, machine.settings());
    if (!json) return located(json.error(), machine);
    if (const auto part = needs_area_ ? part_without_area(*json) : std::nullopt)
      return io::input_error(
          machine.where, fmt::format("the area of '{}' is unknown: {} has none (a number of mm^2, or auto "
                                     "for a memory)",
                                     machine.label(), *part));
    (*json)["kind"] = space.kind;
    return json;
  }

  // Reports an error of a machine at the entry of the plan that names it.
  static io::Error located(const io::Error& error, const io::SweptMachine& machine) {
    return io::input_error(machine.where, error.to_string());
  }

  const io::Result<Network>& network(const std::string& name, const io::NamedValues& run,
                                     const io::RunOptions& options) {
    std::string key = name;
    for (const auto& [option, text] : run)
      if (is_of_layers(option)) key += '\n' + option + '=' + text;
    const auto found = std::find_if(networks_.begin(), networks_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found != networks_.end()) return found->second;
    return networks_.emplace_back(key, read_network(name, options)).second;
  }

  io::MaybeError add(const io::SweptMachine& machine, const io::Json& machine_json, const std::string& name,
                     const io::NamedValues& run, const io::RunOptions& options) {
    const auto& read = network(name, run, options);
    if (!read) return read.error();
    const auto canonical = canonical_options(io::Verb::map, options);
    const auto label = machine.label();
    const auto parameters = object_of(machine.set).dump();
    const auto run_json = object_of(run).dump();
    for (const Layer& layer : read->layers) {
      const io::Json inputs = {{point_machine, machine_json}, {point_layer, canonical_layer(layer)}};
      add_row({{}, label, parameters, name, run_json, layer.name, layer.repeat}, inputs, canonical);
    }
    return std::nullopt;
  }

  io::MaybeError add_whole(const io::SweptMachine* machine, const std::string& input,
                           const io::NamedValues& run, const io::RunOptions& options) {
    const auto& file = described(input, false);
    if (!file) return file.error();
    io::Json inputs = {{whole_input, *file}};
    io::PlanRow row{.point_key = {},
                    .machine = {},
                    .parameters = "{}",
                    .network = input,
                    .run = object_of(run).dump(),
                    .layer = {}};
    if (machine != nullptr) {
      const auto& machine_file = described(machine->base, true);
      if (!machine_file) return located(machine_file.error(), *machine);
      inputs[point_machine] = *machine_file;
      inputs[point_machine][whole_settings] = machine->settings();
      row.machine = machine->label();
      row.parameters = object_of(machine->set).dump();
    }
    add_row(std::move(row), inputs, canonical_options(plan_.verb, options));
    return std::nullopt;
  }

  // Describes a file. Each file is read only once.
  const io::Result<io::Json>& described(const std::string& name, bool is_machine) {
    const auto found = std::find_if(files_.begin(), files_.end(), [&](const auto& entry) {
      return entry.first == std::pair(name, is_machine);
    });
    if (found != files_.end()) return found->second;
    return files_.emplace_back(std::pair(name, is_machine), describe_whole(name, is_machine, spaces_)).second;
  }

  void add_row(io::PlanRow row, const io::Json& inputs, const io::Json& options) {
    const std::string verb(io::to_string(plan_.verb));
    const io::Json key = {
        {"version", result_version}, {"verb", verb}, {"inputs", inputs}, {"options", options}};
    io::NewPoint point{io::sha256(key.dump()), verb, inputs.dump(), options.dump()};
    row.point_key = point.key;
    work_.rows.push_back(std::move(row));
    if (known_.insert(point.key).second) work_.points.push_back(std::move(point));
  }

  const io::SweepPlan& plan_;
  Spaces spaces_;
  bool needs_area_;
  PlannedWork work_;
  HashSet<std::string> known_;
  std::deque<std::pair<std::string, io::Result<Network>>> networks_;
  std::deque<std::pair<std::pair<std::string, bool>, io::Result<io::Json>>> files_;  // descriptions by name
};

}  // namespace

io::Result<PlannedWork> plan_work(const io::SweepPlan& plan, Spaces spaces, bool needs_area) {
  return Planner(plan, spaces, needs_area).run();
}

}  // namespace nestor::app
