#include "io/plan_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "io/files.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_networks = 1000;
constexpr std::size_t most_entries = 10'000;
constexpr std::size_t most_machines = 1'000'000;
constexpr std::size_t most_runs = 10'000;

// Returns a value as a user would type it after --set.
std::string flow_text(const Node& node) {
  if (node.is_scalar())
    return node.is_quoted() ? Json(std::string(node.text())).dump() : std::string(node.text());
  std::string text = node.is_list() ? "[" : "{";
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (i > 0) text += ", ";
    if (node.is_list())
      text += flow_text(node.item(i));
    else
      text += flow_text(node.key(i)) + ": " + flow_text(node.value(i));
  }
  return text + (node.is_list() ? "]" : "}");
}

// Returns a value as a user would type it after an option.
std::string option_text(const Node& node) {
  return node.is_scalar() ? std::string(node.text()) : flow_text(node);
}

constexpr auto no_default = [] {};

// The fields of a plan, which is only read.
class PlanFields {
 public:
  explicit PlanFields(SweepPlan& plan) : plan_(plan) {}

  void describe(Fields& fields) {
    fields.title("name", plan_.name, required, "Name of the plan, and of its columns in comparisons.");
    fields.word("verb", plan_.verb, swept_verbs, Verb::map, "The verb that solves the points.");
    add(
        fields, "networks", required,
        [&](const Node& node, Reading& reading) { read_networks(node, reading); },
        [] {
          return list_schema({1, most_networks}, text_schema());
        },
        "Inputs of the verb: networks, layer files, ONNX models, kernels or netlists.");
    add(
        fields, "machines", plan_.verb == Verb::schedule ? optional : required_here,
        [&](const Node& node, Reading& reading) { read_machines(node, reading); },
        [&] {
          SweptMachine machine;
          std::vector<SweptMachine> all;
          const auto whole = schema_of([&](Fields& inner) { describe_machine(inner, machine, all); });
          return list_schema({1, most_entries}, {{"oneOf", Json::array({text_schema(), whole})}});
        },
        "Built-in names or files of machines, or grids of their values; required, but for schedule.");
    NamedValues common;
    add(
        fields, "options", optional,
        [&](const Node& node, Reading& reading) { common = combinations_of_one(node, reading); },
        [] { return map_schema({}, {}); },
        "Options of the verb for all runs that do not set them, each with one value.");
    add(
        fields, "runs", optional,
        [&](const Node& node, Reading& reading) {
          for (const Node& run : read_list(node, "runs", 1, most_runs, reading))
            read_runs(run, common, reading);
        },
        [] {
          return list_schema({1, most_runs}, map_schema({}, {}));
        },
        "Options of the verb for each run, with one value or a list of values; every combination is solved "
        "with every machine and network. Default: one run with `options`.",
        [&] { plan_.runs = {common}; });
  }

 private:
  void add(Fields& fields, std::string_view key, Presence presence,
           FunctionRef<void(const Node&, Reading&)> read, FunctionRef<Json()> schema,
           std::string_view meaning, FunctionRef<void()> omit = no_default) {
    const auto read_here = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
      read(node, reading);
    };
    fields.field({key, presence, read_here, omit, [] { return Json(); }, schema, meaning});
  }

  void read_networks(const Node& networks, Reading& reading) {
    for (const auto& node : read_list(networks, "networks", 1, most_networks, reading)) {
      plan_.networks.push_back(read_text(node, "network", reading));
      const auto last = plan_.networks.end() - 1;
      if (!reading.failed() && std::find(plan_.networks.begin(), last, *last) != last)
        reading.fail(networks, fmt::format("network {} is given twice", quote(*last)));
    }
  }

  void read_machines(const Node& machines, Reading& reading) {
    if (plan_.verb == Verb::schedule)
      return reading.fail(machines, "schedule has no machines, expected rows or arrays among the options");
    for (const auto& node : read_list(machines, "machines", 1, most_entries, reading)) {
      read_machine(node, reading);
      if (reading.failed()) return;
    }
  }

  // Returns the values of one parameter.
  std::vector<std::string> values(const Node& node, std::string_view what, Reading& reading,
                                  std::string (*text_of)(const Node&) = flow_text) {
    std::vector<std::string> values;
    for (const auto& item : read_list(node, what, 1, most_entries, reading)) values.push_back(text_of(item));
    return values;
  }

  // Describes the record of a base machine. Reading it fills `all`.
  void describe_machine(Fields& fields, SweptMachine& base, std::vector<SweptMachine>& all) {
    add(
        fields, "base", required,
        [&](const Node& node, Reading& reading) {
          base.base = read_text(node, "base", reading);
          all = {base};
        },
        [] { return text_schema(); }, "A built-in name, or a file.");
    add(
        fields, "zip", optional,
        [&](const Node& node, Reading& reading) { all = zipped(base, node, reading); },
        [] { return parameters_schema(); },
        "Lists of values by --set path, of equal length: the first machine has the first value of each, and "
        "so on.");
    add(
        fields, "grid", optional,
        [&](const Node& node, Reading& reading) {
          if (!is_map(node, "grid", reading)) return;
          for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i)
            all = with_values(all, node.key(i), node.value(i), reading);
        },
        [] { return parameters_schema(); },
        "Lists of values by --set path: every combination is a machine, with every entry of `zip`.");
  }

  static Json parameters_schema() { return map_schema({}, list_schema(Json())); }

  void read_machine(const Node& node, Reading& reading) {
    if (node.is_scalar()) return add_machine({std::string(node.text()), {}, node.where()}, node, reading);
    SweptMachine base{{}, {}, node.where()};
    std::vector<SweptMachine> all;
    read_fields(node, "machine", reading, [&](Fields& fields) { describe_machine(fields, base, all); });
    if (reading.failed()) return;
    for (auto& machine : all) add_machine(std::move(machine), node, reading);
  }

  bool is_map(const Node& node, std::string_view what, Reading& reading) {
    if (!node.is_map()) reading.fail(node, fmt::format("{} is {}, expected a map", what, node.describe()));
    return node.is_map();
  }

  // Returns one machine with the first value of every parameter, one with the second value of every
  // parameter, and so on.
  std::vector<SweptMachine> zipped(const SweptMachine& base, const Node& zip, Reading& reading) {
    std::vector<SweptMachine> machines;
    if (!is_map(zip, "zip", reading)) return machines;
    for (std::size_t i = 0; i < zip.size() && !reading.failed(); ++i) {
      const auto all = values(zip.value(i), zip.key(i).text(), reading);
      if (i == 0) machines.assign(all.size(), base);
      if (all.size() != machines.size() && !reading.failed())
        reading.fail(zip.value(i),
                     fmt::format("{} has {} values, expected {}, the number of values of {}",
                                 zip.key(i).text(), all.size(), machines.size(), zip.key(0).text()));
      for (std::size_t k = 0; k < std::min(all.size(), machines.size()); ++k)
        machines[k].set.emplace_back(zip.key(i).text(), all[k]);
    }
    return machines;
  }

  std::vector<SweptMachine> with_values(const std::vector<SweptMachine>& machines, const Node& key,
                                        const Node& node, Reading& reading) {
    const auto all = values(node, key.text(), reading);
    std::vector<SweptMachine> more;
    if (machines.size() * all.size() > most_machines) {
      reading.fail(node, fmt::format("more than {} machines", most_machines));
      return more;
    }
    for (const auto& machine : machines)
      for (const auto& value : all) {
        more.push_back(machine);
        more.back().set.emplace_back(key.text(), value);
      }
    return more;
  }

  void add_machine(SweptMachine machine, const Node& node, Reading& reading) {
    if (plan_.machines.size() >= most_machines)
      return reading.fail(node, fmt::format("more than {} machines", most_machines));
    plan_.machines.push_back(std::move(machine));
  }

  // Returns all combinations of option values. An option has one value or a list of values.
  std::vector<NamedValues> combinations(const Node& node, Reading& reading) {
    std::vector<NamedValues> all = {{}};
    if (!is_map(node, "run", reading)) return all;
    for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i) {
      std::string name(node.key(i).text());
      std::replace(name.begin(), name.end(), '_', '-');
      const auto option = node.value(i);
      const auto several = option.is_list() ? values(option, name, reading, option_text)
                                            : std::vector<std::string>{option_text(option)};
      check_option(node.key(i), option, name, several, reading);
      std::vector<NamedValues> more;
      for (const auto& run : all)
        for (const auto& value : several) {
          more.push_back(run);
          more.back().emplace_back(name, value);
        }
      if (more.size() > most_runs) {
        reading.fail(option, fmt::format("more than {} runs", most_runs));
        return all;
      }
      all = std::move(more);
    }
    return all;
  }

  NamedValues combinations_of_one(const Node& node, Reading& reading) {
    const auto all = combinations(node, reading);
    if (all.size() > 1) reading.fail(node, "options have one value each; use runs for lists of values");
    return all.front();
  }

  void read_runs(const Node& node, const NamedValues& common, Reading& reading) {
    for (auto& run : combinations(node, reading)) {
      for (const auto& option : common) {
        const auto same = [&](const auto& own) { return own.first == option.first; };
        if (std::none_of(run.begin(), run.end(), same)) run.push_back(option);
      }
      if (plan_.runs.size() >= most_runs)
        return reading.fail(node, fmt::format("more than {} runs", most_runs));
      plan_.runs.push_back(std::move(run));
    }
  }

  // Returns the options that a plan may set for the verb. The sweep itself determines machines, networks and
  // outputs.
  static std::vector<std::string_view> offered_options(Verb verb) {
    std::vector<std::string_view> names;
    for (const auto& option : option_table())
      if (option.plan_verbs.contains(verb)) names.push_back(option.name);
    return names;
  }

  void check_option(const Node& key, const Node& where, const std::string& name,
                    const std::vector<std::string>& texts, Reading& reading) {
    const auto offered = offered_options(plan_.verb);
    if (std::find(offered.begin(), offered.end(), name) == offered.end())
      return reading.fail(key, fmt::format("unknown option {} of a plan{}, expected {}", quote(key.text()),
                                           suggestion(name, offered), join_words(offered)));
    for (const auto& text : texts) {
      RunOptions options;
      if (const auto error = set_option(options, plan_.verb, name, text)) reading.fail(where, error->message);
    }
  }

  SweepPlan& plan_;
};

}  // namespace

std::string SweptMachine::label() const {
  auto text = base;
  for (const auto& [path, value] : set) text += fmt::format(" {}={}", path, value);
  return text;
}

std::vector<std::string> SweptMachine::settings() const {
  std::vector<std::string> settings;
  for (const auto& [path, value] : set) settings.push_back(path + "=" + value);
  return settings;
}

std::string to_text(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

Result<SweepPlan> parse_plan(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  SweepPlan plan;
  read_fields(document->root(), "plan", reading, [&](Fields& fields) { PlanFields(plan).describe(fields); });
  if (reading.failed()) return reading.error();
  plan.text = text;
  return plan;
}

Json plan_schema() {
  SweepPlan plan;
  return schema_of([&](Fields& fields) { PlanFields(plan).describe(fields); });
}

Result<SweepPlan> read_plan(const std::string& path) {
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_plan(*text, path);
}

}  // namespace nestor::io
