// nestor check: repeats the runs of results and compares the outcomes, for continuous integration.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/console.h"
#include "app/in_process.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/verb_table.h"
#include "io/output_file.h"
#include "io/printable.h"
#include "report/html/markup.h"
#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/results/node_json.h"
#include "report/results/result_parts.h"
#include "report/tables/progress.h"
#include "report/verify/baseline.h"

namespace nestor::app {
namespace {

using io::BaselineCase;

struct Baseline : io::BaselineRun {
  io::RunOptions asked = {};
  io::Json json = {};

  std::string run() const { return fmt::format("{} {}", io::to_string(verb), space); }
};

// Adds the names of the inputs that a result lists. The machine is not added, because it is given by an
// option.
io::MaybeError read_inputs(const io::Node& root, io::RunOptions& asked) {
  const auto add = [&](const io::Node& named, const char* key) -> io::MaybeError {
    const auto name = named.find(key);
    if (!name || !name->is_scalar() || name->text().empty()) return std::nullopt;
    if (name->text() == "-")
      return io::input_error(name->where(), "was read from standard input, which cannot be read again");
    asked.inputs.emplace_back(name->text());
    return std::nullopt;
  };
  const auto inputs = root.find(key::inputs);
  for (std::size_t i = 0; inputs && inputs->is_list() && i < inputs->size(); ++i) {
    if (!inputs->item(i).is_map()) continue;
    const auto role = inputs->item(i).find(key::role);
    const bool is_asked =
        role && (role->text() == "layers" || role->text() == "network" || role->text() == "kernel" ||
                 role->text() == "program" || role->text() == key::netlist);
    if (!is_asked) continue;
    if (auto error = add(inputs->item(i), key::name)) return error;
  }
  if (asked.inputs.empty()) return io::input_error(root.where(), "does not list its inputs ('inputs')");
  return std::nullopt;
}

io::Result<Baseline> read_baseline(const std::string& file) {
  const auto document = io::Document::read(file, io::result_limits);
  if (!document) return document.error();
  const auto root = document->root();
  const auto verb = root.find(key::verb);
  const auto space = root.find(key::space);
  if (!io::is_result(*document) || !verb || !space)
    return io::input_error(
        root.where(), "is not a result: expected a file written by map, compile or schedule with --json");
  if (auto error = io::check_schema(root)) return *error;
  Baseline baseline;
  baseline.file = file;
  baseline.space = space->text();
  bool is_search = false;
  for (const io::Verb each : {io::Verb::map, io::Verb::compile, io::Verb::schedule}) {
    if (io::to_string(each) != verb->text()) continue;
    is_search = true;
    baseline.verb = each;
  }
  if (!is_search)
    return io::input_error(
        verb->where(), fmt::format("verb is {}, expected map, compile or schedule", io::quote(verb->text())));
  if (const auto given = root.find(key::options); given && given->is_map()) {
    for (std::size_t i = 0; i < given->size(); ++i)
      if (auto error =
              io::set_option(baseline.asked, baseline.verb, given->key(i).text(), given->value(i).text()))
        return io::input_error(given->value(i).where(), error->message);
  }
  if (auto error = read_inputs(root, baseline.asked)) return *error;
  baseline.json = io::node_to_json(root);
  return baseline;
}

// Reports inputs that have changed since the baseline was made, because they can explain other changes.
void remark_inputs(const Baseline& baseline, const io::Json& now) {
  const auto inputs_of = [](const io::Json& result) {
    std::vector<std::array<std::string, 3>> named;
    for (const auto& input : result.value(key::inputs, io::Json::array()))
      if (input.is_object() && input.contains(key::name) && input.contains(key::sha256))
        named.push_back(
            {input.value(key::role, io::Json()).dump(), input[key::name].dump(), input[key::sha256].dump()});
    return named;
  };
  const auto before = inputs_of(baseline.json);
  for (const auto& [role, name, hash] : inputs_of(now))
    for (const auto& [role_then, name_then, hash_then] : before)
      if (role == role_then && name == name_then && hash != hash_then)
        print_remark(fmt::format("{}: {} has changed since this result was written", baseline.file, name));
}

// Repeats the run of a baseline. Returns false if a signal ended the run.
bool run_again(Baseline& baseline, const io::RunOptions& options, Spaces spaces) {
  auto asked = baseline.asked;
  if (options.is_given("threads")) asked.threads = options.threads;
  asked.no_times = true;
  const auto& stop = watch_signals();
  io::ProgressLine line;
  const auto show = [&](const std::string& text, const io::ProgressFigures&) {
    if (line.due()) line.show(baseline.file + ": " + text);
  };
  const auto run = run_in_process(baseline.verb, asked, {.stop = stop, .progress = show}, spaces);
  line.clear();
  if (stop) return false;
  const auto now = io::Json::parse(run.json, nullptr, false);
  if (!now.is_object()) {
    baseline.cases = {
        {"run", {run.end ? "the run has no result" : "the run failed: " + run.end.error().to_string()}}};
    return true;
  }
  remark_inputs(baseline, now);
  baseline.cases = io::compare_with_baseline(baseline.json, now);
  return true;
}

// Escapes a value of a GitHub workflow command. A line break ends the command; a colon or a comma also ends a
// property.
std::string command_value(std::string_view text, bool is_property) {
  std::string escaped;
  for (const char c : io::printable(text)) {
    if (c == '%' || c == '\n' || c == '\r' || (is_property && (c == ':' || c == ',')))
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      escaped += c;
  }
  return escaped;
}

// Returns JUnit XML with one suite for each baseline.
std::string junit_text(const std::vector<Baseline>& baselines) {
  using report::html::element;
  std::string suites;
  for (const Baseline& baseline : baselines) {
    std::string cases;
    std::size_t failures = 0;
    std::size_t skipped = 0;
    for (const BaselineCase& each : baseline.cases) {
      std::string content;
      if (!each.changes.empty()) {
        ++failures;
        content = report::html::text_element("failure", {{"message", each.changes.front()}},
                                             fmt::format("{}", fmt::join(each.changes, "\n")));
      } else if (!each.not_compared.empty()) {
        ++skipped;
        content = element("skipped", {{"message", each.not_compared}}, "");
      }
      cases += element("testcase", {{"classname", baseline.run()}, {"name", each.name}}, content) + "\n";
    }
    suites += element("testsuite",
                      {{"name", baseline.file},
                       {"tests", std::to_string(baseline.cases.size())},
                       {"failures", std::to_string(failures)},
                       {"skipped", std::to_string(skipped)}},
                      "\n" + cases) +
              "\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         element("testsuites", {{"name", "nestor check"}}, "\n" + suites) + "\n";
}

// Returns one GitHub workflow command for each part that changed.
std::string annotations_text(const std::vector<Baseline>& baselines) {
  std::string text;
  for (const Baseline& baseline : baselines)
    for (const BaselineCase& each : baseline.cases)
      if (!each.changes.empty())
        text += fmt::format(
            "::error file={},title=nestor check::{}\n", command_value(baseline.file, true),
            command_value(fmt::format("{}: {}", each.name, fmt::join(each.changes, "\n")), false));
  return text;
}

bool has_changed(const Baseline& baseline) {
  return std::any_of(baseline.cases.begin(), baseline.cases.end(),
                     [](const BaselineCase& each) { return !each.changes.empty(); });
}

std::string baseline_text(const Baseline& baseline) {
  const auto count = [&](std::string_view outcome) {
    return std::count_if(baseline.cases.begin(), baseline.cases.end(),
                         [&](const BaselineCase& each) { return outcome_of(each) == outcome; });
  };
  std::string text = fmt::format("{} ({}): {} unchanged, {} changed", baseline.file, baseline.run(),
                                 count("same"), count("changed"));
  if (const auto open = count("not compared"); open > 0) text += fmt::format(", {} not compared", open);
  text += '\n';
  for (const BaselineCase& each : baseline.cases) {
    for (const auto& change : each.changes) text += fmt::format("  {}: {}\n", each.name, change);
    if (!each.not_compared.empty()) text += fmt::format("  {}: {}\n", each.name, each.not_compared);
  }
  return text;
}

}  // namespace

io::Result<ExitStatus> check(const io::RunOptions& options, Spaces spaces) {
  if (options.inputs.empty())
    return io::usage_error("nothing to check: expected results to compare with (BASELINE.json)");
  std::vector<Baseline> baselines;
  for (const auto& file : options.inputs) {
    auto baseline = read_baseline(file);
    if (!baseline) return baseline.error();
    baselines.push_back(std::move(*baseline));
  }
  std::size_t checked = 0;
  for (; checked < baselines.size() && run_again(baselines[checked], options, spaces); ++checked)
    if (prints_tables(options)) print_text(baseline_text(baselines[checked]));
  const bool stopped = checked < baselines.size();
  baselines.resize(checked);
  if (options.annotations) print_text(annotations_text(baselines));
  Outputs outputs;
  if (!options.junit.empty()) outputs.add(io::write_somewhere(options.junit, junit_text(baselines)));
  outputs.add(write_json_output(options, io::baselines_json({baselines.begin(), baselines.end()})));
  const auto changed = std::count_if(baselines.begin(), baselines.end(), has_changed);
  if (changed > 0) {
    print_remark(fmt::format("{} of {} baselines changed", changed, baselines.size()));
    return outputs.end(ExitStatus::failed);
  }
  return outputs.end(stopped ? limited_by(to_string(Status::interrupted)) : ExitStatus::solved);
}

}  // namespace nestor::app
