#include "io/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/checked_reader.h"
#include "io/files.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, 6> plan_keys = {"name",     "verb", "networks",
                                                       "machines", "runs", "options"};
constexpr std::array<std::string_view, 3> machine_keys = {"base", "grid", "zip"};
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

class PlanReader {
 public:
  explicit PlanReader(Reading& reading) : reading_(reading) {}

  SweepPlan read(const Node& root) {
    const MapReader top(root, "plan", plan_keys, reading_);
    plan_.name = top.title("name");
    if (const auto verb = top.find("verb")) plan_.verb = read_word(*verb, "verb", swept_verbs, reading_);
    for (const auto& node : top.list("networks", 1, most_networks))
      plan_.networks.push_back(read_text(node, "network", reading_));
    read_machines(top);
    if (reading_.failed()) return plan_;
    NamedValues common;
    if (const auto options = top.find("options")) common = combinations_of_one(*options);
    if (const auto runs = top.find("runs")) {
      for (const auto& node : read_list(*runs, "runs", 1, most_runs, reading_)) read_runs(node, common);
    } else {
      plan_.runs.push_back(common);
    }
    check_networks(root);
    return std::move(plan_);
  }

 private:
  void read_machines(const MapReader& top) {
    if (plan_.verb == Verb::schedule) {
      if (const auto machines = top.find("machines"))
        reading_.fail(*machines, "schedule has no machines, expected rows or arrays among the options");
      return;
    }
    for (const auto& node : top.list("machines", 1, most_entries)) {
      read_machine(node);
      if (reading_.failed()) return;
    }
  }

  void check_networks(const Node& root) {
    if (reading_.failed()) return;
    for (std::size_t i = 0; i < plan_.networks.size(); ++i)
      if (std::find(plan_.networks.begin(), plan_.networks.begin() + static_cast<std::ptrdiff_t>(i),
                    plan_.networks[i]) != plan_.networks.begin() + static_cast<std::ptrdiff_t>(i))
        reading_.fail(*root.find("networks"),
                      fmt::format("network {} is given twice", quote(plan_.networks[i])));
  }

  // Returns the values of one parameter.
  std::vector<std::string> values(const Node& node, std::string_view what,
                                  std::string (*text_of)(const Node&) = flow_text) {
    std::vector<std::string> values;
    for (const auto& item : read_list(node, what, 1, most_entries, reading_)) values.push_back(text_of(item));
    return values;
  }

  void read_machine(const Node& node) {
    if (node.is_scalar()) return add_machine({std::string(node.text()), {}, node.where()}, node);
    const MapReader map(node, "machine", machine_keys, reading_);
    const auto base = map.require("base");
    if (!base) return;
    std::vector<SweptMachine> machines = {{read_text(*base, "base", reading_), {}, node.where()}};
    if (const auto zip = map.find("zip")) machines = zipped(machines.front(), *zip);
    if (const auto grid = map.find("grid"); grid && is_map(*grid, "grid"))
      for (std::size_t i = 0; i < grid->size() && !reading_.failed(); ++i)
        machines = with_values(machines, grid->key(i), grid->value(i));
    for (auto& machine : machines) add_machine(std::move(machine), node);
  }

  bool is_map(const Node& node, std::string_view what) {
    if (!node.is_map()) reading_.fail(node, fmt::format("{} is {}, expected a map", what, node.describe()));
    return node.is_map();
  }

  // Returns one machine with the first value of every parameter, one with the second value of every
  // parameter, and so on.
  std::vector<SweptMachine> zipped(const SweptMachine& base, const Node& zip) {
    std::vector<SweptMachine> machines;
    if (!is_map(zip, "zip")) return machines;
    for (std::size_t i = 0; i < zip.size() && !reading_.failed(); ++i) {
      const auto all = values(zip.value(i), zip.key(i).text());
      if (i == 0) machines.assign(all.size(), base);
      if (all.size() != machines.size() && !reading_.failed())
        reading_.fail(zip.value(i),
                      fmt::format("{} has {} values, expected {}, the number of values of {}",
                                  zip.key(i).text(), all.size(), machines.size(), zip.key(0).text()));
      for (std::size_t k = 0; k < std::min(all.size(), machines.size()); ++k)
        machines[k].set.emplace_back(zip.key(i).text(), all[k]);
    }
    return machines;
  }

  std::vector<SweptMachine> with_values(const std::vector<SweptMachine>& machines, const Node& key,
                                        const Node& node) {
    const auto all = values(node, key.text());
    std::vector<SweptMachine> more;
    if (machines.size() * all.size() > most_machines) {
      reading_.fail(node, fmt::format("more than {} machines", most_machines));
      return more;
    }
    for (const auto& machine : machines)
      for (const auto& value : all) {
        more.push_back(machine);
        more.back().set.emplace_back(key.text(), value);
      }
    return more;
  }

  void add_machine(SweptMachine machine, const Node& node) {
    if (plan_.machines.size() >= most_machines)
      return reading_.fail(node, fmt::format("more than {} machines", most_machines));
    plan_.machines.push_back(std::move(machine));
  }

  // Returns all combinations of option values. An option has one value or a list of values.
  std::vector<NamedValues> combinations(const Node& node) {
    std::vector<NamedValues> all = {{}};
    if (!is_map(node, "run")) return all;
    for (std::size_t i = 0; i < node.size() && !reading_.failed(); ++i) {
      std::string name(node.key(i).text());
      std::replace(name.begin(), name.end(), '_', '-');
      const auto option = node.value(i);
      const auto several = option.is_list() ? values(option, name, option_text)
                                            : std::vector<std::string>{option_text(option)};
      check_option(node.key(i), option, name, several);
      std::vector<NamedValues> more;
      for (const auto& run : all)
        for (const auto& value : several) {
          more.push_back(run);
          more.back().emplace_back(name, value);
        }
      if (more.size() > most_runs) {
        reading_.fail(option, fmt::format("more than {} runs", most_runs));
        return all;
      }
      all = std::move(more);
    }
    return all;
  }

  NamedValues combinations_of_one(const Node& node) {
    const auto all = combinations(node);
    if (all.size() > 1) reading_.fail(node, "options have one value each; use runs for lists of values");
    return all.front();
  }

  void read_runs(const Node& node, const NamedValues& common) {
    for (auto& run : combinations(node)) {
      for (const auto& option : common) {
        const auto same = [&](const auto& own) { return own.first == option.first; };
        if (std::none_of(run.begin(), run.end(), same)) run.push_back(option);
      }
      if (plan_.runs.size() >= most_runs)
        return reading_.fail(node, fmt::format("more than {} runs", most_runs));
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
                    const std::vector<std::string>& texts) {
    const auto offered = offered_options(plan_.verb);
    if (std::find(offered.begin(), offered.end(), name) == offered.end())
      return reading_.fail(key, fmt::format("unknown option {} of a plan{}, expected {}", quote(key.text()),
                                            suggestion(name, offered), join_words(offered)));
    for (const auto& text : texts) {
      RunOptions options;
      if (const auto error = set_option(options, plan_.verb, name, text))
        reading_.fail(where, error->message);
    }
  }

  Reading& reading_;
  SweepPlan plan_;
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
  auto plan = PlanReader(reading).read(document->root());
  if (reading.failed()) return reading.error();
  plan.text = text;
  return plan;
}

Result<SweepPlan> read_plan(const std::string& path) {
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_plan(*text, path);
}

}  // namespace nestor::io
