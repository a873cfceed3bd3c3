#include "app/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/run_command.h"

namespace nestor::app {
namespace {

using Group = io::OptionGroup;
constexpr std::array<std::string_view, 5> group_titles = {"Input", "Search", "Limits", "Output", "Expert"};

Group group_of(const io::Option& option) { return option.is_output() ? Group::output : option.help_group; }

struct Guide {
  io::Verb verb;
  std::string_view example;
  std::string_view see_also;
};

constexpr std::array guides = {
    Guide{io::Verb::map, "nestor map resnet18 --arch miredo-table4 --report resnet18.html",
          "show --list, verify, simulate, report"},
    Guide{io::Verb::compile, "nestor compile resnet18 --arch isaac-table3 --json resnet18.json",
          "verify, report"},
    Guide{io::Verb::estimate,
          "nestor estimate va --arch upmem --dims iterations=64,buffer_elems=64,tasklets=12",
          "map, simulate"},
    Guide{io::Verb::show, "nestor show miredo-table4", "map, evaluate"},
    Guide{io::Verb::evaluate, "nestor evaluate resnet18.json --layer conv1", "simulate, show"},
    Guide{io::Verb::simulate, "nestor simulate resnet18.json --layer conv1", "evaluate, verify"},
    Guide{io::Verb::verify, "nestor verify resnet18.json", "map, compile; nestor-check"},
    Guide{io::Verb::schedule, "nestor schedule adder.v --rows 64 --json adder.json", "verify, report"},
    Guide{io::Verb::export_model, "nestor export resnet18 --arch miredo-table4 --layer conv1 --output model",
          "import, compare"},
    Guide{io::Verb::import_solution, "nestor import model/conv1.sol --model model/conv1.json",
          "export, compare"},
    Guide{io::Verb::compare, "nestor compare resnet18 --arch miredo-table4 --layer conv1 --solvers highs",
          "export, import"},
    Guide{io::Verb::lp, "nestor lp problem.mps", "export"},
    Guide{io::Verb::proof, "nestor proof dump resnet18.proof", "map, compile, verify; nestor-check"},
    Guide{io::Verb::check, "nestor check resnet18.json --junit check.xml", "map, compile, schedule, verify"},
    Guide{io::Verb::report, "nestor report before.json after.json -o report.html",
          "map, compile, schedule, estimate"},
    Guide{io::Verb::sweep, "nestor sweep plan.yaml --store results.db --export table.csv", "work, map"},
    Guide{io::Verb::work, "nestor work --store results.db", "sweep, store"},
    Guide{io::Verb::store, "nestor store copy results.db postgresql://planner@server/sweeps", "sweep, work"},
};

const Guide* guide_of(io::Verb verb) {
  const auto* const found =
      std::find_if(guides.begin(), guides.end(), [&](const Guide& guide) { return guide.verb == verb; });
  return found == guides.end() ? nullptr : found;
}

// Returns a name such as "-j, --threads N".
std::string option_name(const io::Option& option) {
  std::string name = option.letter == '\0' ? "" : fmt::format("-{}, ", option.letter);
  name += fmt::format("--{}", option.name);
  if (option.placeholder.empty()) return name;
  return name + (option.value_is_optional() ? fmt::format(" [{}]", option.placeholder)
                                            : fmt::format(" {}", option.placeholder));
}

std::string option_help(const io::Option& option) {
  static const io::RunOptions defaults;
  std::string help(option.help);
  if (const auto range = option.range(); !range.empty()) help += fmt::format(": {}", range);
  const auto value = option.get(defaults);
  if (!option.is_switch() && !value.empty()) help += fmt::format(" (default {})", value);
  if (!option.kinds.empty()) help += fmt::format(" [{}]", option.kinds);
  return help;
}

// Appends the name, padded to a column, and then the help text, broken into lines of at most 100 columns.
void append_option_help(std::string& text, std::string_view option, std::string help) {
  constexpr std::size_t column = 28;
  constexpr std::size_t width = 100 - column;
  std::string line = fmt::format("  {:<{}}", option, column - 2);
  if (line.back() != ' ') line += "\n" + std::string(column, ' ');
  while (help.size() > width) {
    const auto space = help.rfind(' ', width);
    if (space == std::string::npos) break;
    line += help.substr(0, space) + "\n" + std::string(column, ' ');
    help.erase(0, space + 1);
  }
  text += line + help + "\n";
}

constexpr std::string_view exit_statuses =
    "Exit status: 0 success, 1 a limit stopped the run (its results are valid), 2 bad usage,\n"
    "3 bad input, 4 infeasible, 5 internal error, 6 output could not be written, 7 a claim is false.\n";

std::vector<const io::Option*> options_of(io::Verb verb, Group group) {
  std::vector<const io::Option*> options;
  for (const auto& option : io::option_table())
    if (option.verbs.contains(verb) && group_of(option) == group) options.push_back(&option);
  return options;
}

// Escapes text for troff, which reads a leading period or quote as a command and a hyphen as a dash.
std::string troff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
      continue;
    }
    if (c == '-') result += '\\';
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    result += c;
  }
  return result;
}

}  // namespace

std::string general_help(Spaces spaces) {
  std::string text =
      "Nestor finds provably optimal mappings of work onto machines that compute in or near memory.\n\n"
      "Usage: nestor VERB INPUT... [OPTION...]\n\nExamples:\n"
      "  nestor map resnet18 --arch miredo-table4 --report resnet18.html\n"
      "  nestor compile resnet18 --arch isaac-table3\n"
      "  nestor show --list\n\nVerbs:\n";
  for (const auto& entry : verbs())
    if (is_offered(entry, spaces))
      text += fmt::format("  {:10} {}\n", io::to_string(entry.verb), entry.summary);
  text +=
      "\n`nestor VERB --help` (-h) lists the options of a verb; `nestor --version` (-V) prints the version.\n"
      "`nestor --completion bash|zsh|fish` and `nestor --man VERB` print completions and man pages.\n";
  return text + std::string(exit_statuses);
}

std::string verb_help(const VerbEntry& entry) {
  std::string text = fmt::format("{}\n\nUsage: nestor {} {} [OPTION...]\n", entry.summary,
                                 io::to_string(entry.verb), entry.inputs);
  for (std::size_t group = 0; group < group_titles.size(); ++group) {
    const auto options = options_of(entry.verb, static_cast<Group>(group));
    if (!options.empty()) text += fmt::format("\n{}:\n", group_titles[group]);
    for (const auto* const option : options)
      append_option_help(text, option_name(*option), option_help(*option));
  }
  if (const auto* const guide = guide_of(entry.verb))
    text += fmt::format("\nExample: {}\nSee also: {}\n", guide->example, guide->see_also);
  return text;
}

std::string man_page(const VerbEntry& entry) {
  const auto verb = io::to_string(entry.verb);
  // nestor-check(1) is the page of the program nestor-check.
  const auto name = fmt::format("nestor-{}{}", verb, entry.verb == io::Verb::check ? "-verb" : "");
  std::string text = fmt::format(
      ".TH {0} 1 \"\" \"Nestor\" \"User Commands\"\n.SH NAME\n{0} \\- {1}\n.SH SYNOPSIS\n"
      ".B nestor {2}\n.I {3}\n.RI [ OPTION... ]\n",
      troff(name), troff(entry.summary), troff(verb), troff(entry.inputs));
  for (std::size_t group = 0; group < group_titles.size(); ++group) {
    const auto options = options_of(entry.verb, static_cast<Group>(group));
    if (!options.empty()) text += fmt::format(".SH \"{} OPTIONS\"\n", group_titles[group]);
    for (const auto* const option : options)
      text += fmt::format(".TP\n.B {}\n{}\n", troff(option_name(*option)), troff(option_help(*option)));
  }
  text += fmt::format(".SH \"EXIT STATUS\"\n{}", troff(exit_statuses.substr(exit_statuses.find(": ") + 2)));
  if (const auto* const guide = guide_of(entry.verb))
    text += fmt::format(".SH EXAMPLE\n.B {}\n", troff(guide->example));
  return text + ".SH \"SEE ALSO\"\n.BR nestor (1),\n.BR nestor\\-check (1)\n";
}

namespace {

std::string words_of(const VerbEntry& entry) {
  std::string words = "--help";
  for (const auto& option : io::option_table())
    if (option.verbs.contains(entry.verb)) words += fmt::format(" --{}", option.name);
  return words;
}

std::string bash_completion(Spaces spaces) {
  std::string names;
  std::string cases;
  for (const auto& entry : verbs()) {
    if (!is_offered(entry, spaces)) continue;
    const auto verb = io::to_string(entry.verb);
    names += fmt::format("{}{}", names.empty() ? "" : " ", verb);
    cases += fmt::format("    {}) words={} ;;\n", verb, shell_string(words_of(entry)));
  }
  return fmt::format(
      "_nestor() {{\n  local words= word=${{COMP_WORDS[COMP_CWORD]}}\n  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$word\"))\n    return\n  fi\n  case ${{COMP_WORDS[1]}} in\n{}  "
      "esac\n"
      "  [[ $word != -* ]] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}}\n"
      "complete -o default -F _nestor nestor\n",
      shell_string(names + " help --help --version"), cases);
}

std::string zsh_completion(Spaces spaces) {
  return "#compdef nestor\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(spaces);
}

std::string fish_completion(Spaces spaces) {
  std::string text;
  for (const auto& entry : verbs()) {
    if (!is_offered(entry, spaces)) continue;
    const auto verb = io::to_string(entry.verb);
    text += fmt::format("complete -c nestor -n __fish_use_subcommand -a {} -d {}\n", verb,
                        shell_string(entry.summary));
    for (const auto& option : io::option_table())
      if (option.verbs.contains(entry.verb))
        text += fmt::format("complete -c nestor -n '__fish_seen_subcommand_from {}' -l {}{}{} -d {}\n", verb,
                            option.name, option.letter == '\0' ? "" : fmt::format(" -s {}", option.letter),
                            option.is_switch() ? "" : " -r", shell_string(option.help));
  }
  return text;
}

}  // namespace

std::string completion(std::string_view shell, Spaces spaces) {
  if (shell == "bash") return bash_completion(spaces);
  if (shell == "zsh") return zsh_completion(spaces);
  return shell == "fish" ? fish_completion(spaces) : "";
}

}  // namespace nestor::app
