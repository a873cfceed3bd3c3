// nestor compare: runs MIP solvers on the exported models and compares them with Nestor's own proof. No claim
// of a solver is trusted: its solution is imported, checked and evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/console.h"
#include "app/mip.h"
#include "app/mip_solvers.h"
#include "app/output.h"
#include "app/run_command.h"
#include "base/split.h"
#include "io/lp/lp_model.h"
#include "io/lp/solution_file.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/mip/model_file.h"
#include "report/run_record.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::app {
namespace {

namespace fs = std::filesystem;
constexpr double tolerance = 1e-6;  // relative tolerance, as solvers apply it to rows

// A solver with its command and options in this run.
struct Called {
  std::string name;
  std::string command;
  std::string options;
  bool installed = true;
};

// The outcome of one solver on one layer.
struct Outcome {
  std::string layer;
  std::string solver;
  std::string state{};   ///< outcome in one word
  std::string remark{};  ///< reason for the state
  double seconds = 0;
  std::optional<double> primal{};     ///< objective that the solver claims
  std::optional<double> bound{};      ///< bound that the solver claims
  std::optional<double> evaluated{};  ///< objective that Nestor computes
  std::optional<double> ours{};
  io::Json evaluated_layer{};  ///< layer of the result that contains the evaluated mapping
  bool refutes = false;
};

bool exceeds(double a, double b) { return a > b + tolerance * std::max(1.0, std::abs(b)); }

// A temporary folder that is removed at the end.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "nestor-compare-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

io::Result<std::vector<Called>> called_solvers(const io::RunOptions& options) {
  std::vector<Called> called;
  std::vector<std::string_view> known;
  for (const MipSolver& solver : mip_solvers()) known.push_back(solver.name);
  const auto chosen = [&](std::string_view name) {
    if (options.solvers.empty()) return true;
    for (const std::string_view word : split_list(options.solvers, ','))
      if (word == name) return true;
    return false;
  };
  std::vector<std::pair<std::string, std::string>> given;
  for (const std::string& text : options.solver_commands) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return io::usage_error(fmt::format("--solver-command is '{}', expected NAME=COMMAND", text));
    given.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const std::string_view word : split_list(options.solvers, ',')) {
    const auto is_word = [&](const auto& pair) { return pair.first == word; };
    if (std::find(known.begin(), known.end(), word) == known.end() &&
        std::none_of(given.begin(), given.end(), is_word))
      return io::usage_error(
          fmt::format("--solvers has '{}', expected gurobi, highs, scip, cbc or glpk, or a name of "
                      "--solver-command{}",
                      word, io::suggestion(word, known)));
  }
  for (const MipSolver& solver : mip_solvers()) {
    if (!chosen(solver.name)) continue;
    const auto own =
        std::find_if(given.begin(), given.end(), [&](const auto& g) { return g.first == solver.name; });
    const bool is_own = own != given.end();
    called.push_back({std::string(solver.name), is_own ? own->second : std::string(solver.command),
                      std::string(solver.options), is_own || is_installed(std::string(solver.program))});
  }
  for (const auto& [name, command] : given)
    if (std::find(known.begin(), known.end(), name) == known.end() && chosen(name))
      called.push_back({name, command, "", true});
  return called;
}

void judge_solution(Outcome& outcome, const MipModel& model, const fs::path& solution,
                    const LogFindings& log) {
  const auto text = io::read_file(solution);
  if (!text) {
    outcome.state = "unreadable";
    outcome.remark = text.error().message;
    return;
  }
  if (const auto read = io::parse_solution(*text, solution.string()); !read) {
    outcome.state = "unreadable";
    outcome.remark = read.error().message;
    return;
  }
  const auto imported = import_solution(model, *text, solution.string(), &outcome.primal);
  if (!imported) {
    const bool none = imported.error().message.starts_with("there is no solution");
    if (none) outcome.primal.reset();  // the value belongs to the relaxation
    outcome.state = none ? (log.time_limit ? "no solution" : "failed") : "refused";
    outcome.remark = imported.error().message;
    return;
  }
  outcome.evaluated = imported->objective;
  outcome.evaluated_layer = imported->result[key::layers][0];
  outcome.state = log.optimal ? "optimal" : "feasible";
  if (outcome.primal && exceeds(*outcome.evaluated, *outcome.primal)) {
    outcome.state = "false claim";
    outcome.remark = "its solution costs more than it claims";
  }
}

// Compares the claims of a solver with Nestor's own proof.
void judge_claims(Outcome& outcome, const MipModel& model) {
  if (!model.is_proved()) return;
  const double ours = *model.known_objective();
  const auto refute = [&](std::string remark) {
    outcome.state = "false claim";
    outcome.remark = std::move(remark);
  };
  if (outcome.evaluated && exceeds(ours, *outcome.evaluated)) {
    outcome.refutes = true;
    outcome.state = "refutes Nestor";
    outcome.remark = "a legal mapping costs less than Nestor's proved optimum";
  } else if (outcome.state == "infeasible") {
    refute("it claims that no solution exists");
  } else if (outcome.state == "optimal" && exceeds(*outcome.evaluated, ours)) {
    refute("it claims an optimum above Nestor's");
  } else if (outcome.bound && exceeds(*outcome.bound, ours)) {
    refute("its bound exceeds Nestor's optimum");
  }
}

Outcome run_solver(const Called& solver, const MipModel& model, const std::string& layer,
                   const fs::path& folder, const io::RunOptions& options) {
  Outcome outcome{.layer = layer, .solver = solver.name, .ours = model.known_objective()};
  if (!solver.installed) {
    outcome.state = "missing";
    outcome.remark = "not installed";
    return outcome;
  }
  CommandPlaces places;
  const auto file = [&](const char* ending) { return (folder / ("model" + std::string(ending))).string(); };
  places.model = file(".mps");
  places.solution = (folder / (solver.name + ".solution")).string();
  places.start = file(".start");
  places.options = (folder / (solver.name + ".options")).string();
  places.seconds = static_cast<int>(std::min(options.time_limit, 1e9));
  places.threads = std::max(1, static_cast<int>(options.threads));
  const fs::path log_path = folder / (solver.name + ".log");
  if (auto error = io::write_file(places.options, solver.options)) {
    outcome.state = "failed";
    outcome.remark = error->message;
    return outcome;
  }
  std::error_code ignored;
  fs::remove(places.solution, ignored);
  constexpr double grace = 10;  // seconds to read the model and write the solution
  const auto run = run_command(filled(solver.command, places), log_path, options.time_limit * 1.1 + grace);
  outcome.seconds = run.seconds;
  const auto log_text = io::read_file(log_path);
  const LogFindings log = read_log(solver.name, log_text ? *log_text : std::string());
  outcome.bound = log.bound;
  if (!run.started) {
    outcome.state = "failed";
    outcome.remark = "could not be started";
  } else if (fs::exists(places.solution) && fs::file_size(places.solution, ignored) > 0 && !log.infeasible) {
    judge_solution(outcome, model, places.solution, log);
    if (run.signal != 0 && !run.timed_out) outcome.remark += fmt::format(" (ended by signal {})", run.signal);
  } else if (run.timed_out) {
    outcome.state = "time-out";
    outcome.remark = "killed: it exceeded its time limit";
  } else if (run.signal != 0) {
    outcome.state = "failed";
    outcome.remark = fmt::format("ended by signal {}", run.signal);
  } else if (log.infeasible) {
    outcome.state = "infeasible";
  } else if (log.time_limit) {
    outcome.state = "no solution";
    outcome.remark = "none within the time limit";
  } else {
    outcome.state = "failed";
    outcome.remark =
        run.status == 127 ? "no such command" : fmt::format("exit status {}, no solution", run.status);
  }
  if (outcome.state == "optimal" && !outcome.bound) outcome.bound = outcome.primal;
  judge_claims(outcome, model);
  return outcome;
}

std::string text_of(const std::optional<double>& number) {
  if (!number || !std::isfinite(*number)) return "-";
  const bool is_integer = std::abs(*number) < 1e15 && *number == std::trunc(*number);
  return is_integer ? io::rounded_text(*number) : fmt::format("{:.10g}", *number);
}

// Returns the gap between the solution and the claimed bound. It is computed here, because solvers define
// their gaps differently.
std::optional<double> gap_of(const Outcome& outcome) {
  const auto value = outcome.evaluated ? outcome.evaluated : outcome.primal;
  if (!value || !outcome.bound || *value == 0) return std::nullopt;
  return std::max(0.0, (*value - *outcome.bound) / std::abs(*value));
}

std::optional<double> ratio_of(const Outcome& outcome) {
  if (!outcome.evaluated || !outcome.ours || *outcome.ours == 0) return std::nullopt;
  return *outcome.evaluated / *outcome.ours;
}

std::vector<std::string> cells_of(const Outcome& outcome) {
  const auto gap = gap_of(outcome);
  const auto ratio = ratio_of(outcome);
  return {outcome.layer,
          outcome.solver,
          outcome.state,
          fmt::format("{:.2f}", outcome.seconds),
          text_of(outcome.primal),
          text_of(outcome.bound),
          gap ? fmt::format("{:.2f} %", *gap * 100) : "-",
          text_of(outcome.evaluated),
          ratio ? fmt::format("{:.4f}", *ratio) : "-",
          outcome.remark};
}

io::Json json_of(const Outcome& outcome) {
  io::Json json = {{key::layer, outcome.layer}, {key::solver, outcome.solver}, {key::state, outcome.state}};
  if (!outcome.remark.empty()) json[key::remark] = outcome.remark;
  json[key::seconds] = outcome.seconds;
  const auto put = [&](const char* key, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) json[key] = *value;
  };
  put(key::primal, outcome.primal);
  put(key::dual_bound, outcome.bound);
  put(key::gap, gap_of(outcome));
  put(key::evaluated, outcome.evaluated);
  put(key::ratio, ratio_of(outcome));
  for (const char* const key :
       {key::latency_cycles, key::energy_pj, key::edp, key::mapping, key::usage_bits, key::evaluation})
    if (const auto found = outcome.evaluated_layer.find(key); found != outcome.evaluated_layer.end())
      json[key] = *found;
  return json;
}

std::string csv_of(const std::vector<Outcome>& outcomes) {
  std::string text = "layer,solver,state,seconds,primal,dual_bound,gap,evaluated,ratio,remark\n";
  const auto quoted = [](const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string out = "\"";
    for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
  };
  for (const Outcome& outcome : outcomes) {
    const auto number = [](const std::optional<double>& value) {
      return value ? fmt::format("{}", *value) : "";
    };
    text += fmt::format("{},{},{},{:.3f},{},{},{},{},{},{}\n", quoted(outcome.layer), outcome.solver,
                        outcome.state, outcome.seconds, number(outcome.primal), number(outcome.bound),
                        number(gap_of(outcome)), number(outcome.evaluated), number(ratio_of(outcome)),
                        quoted(outcome.remark));
  }
  return text;
}

Outcome our_outcome(const MipModel& model, const std::string& layer) {
  Outcome ours{.layer = layer, .solver = "nestor", .state = model.is_proved() ? "optimal" : "feasible"};
  ours.seconds = model.seconds();
  ours.primal = ours.evaluated = ours.ours = model.known_objective();
  if (std::isfinite(model.bound()) && model.bound() > no_bound) ours.bound = model.bound();
  if (const auto known = model.known_mapping()) ours.evaluated_layer = known->result[key::layers][0];
  return ours;
}

}  // namespace

io::Result<ExitStatus> compare_solvers(MakeMipTask make_task, const io::RunOptions& options) {
  const auto called = called_solvers(options);
  if (!called) return called.error();
  auto own = options;
  own.layer_time_limit = options.time_limit;  // Nestor gets the time limit of the solvers
  const auto task = make_task(own);
  if (!task) return task.error();
  const WorkFolder folder;
  if (folder.path().empty()) return io::internal_error("cannot create a folder for temporary files");
  std::vector<Outcome> outcomes;
  io::Json json = {{key::schema, key::comparison_schema},
                   {key::version, NESTOR_VERSION},
                   {key::network, options.inputs.front()},
                   {key::options, io::Json::object()}};
  for (const auto& [name, text] : report::given_options(options, io::Verb::compare))
    json[key::options][name] = text;
  const auto objective = io::find_option(io::Verb::compare, "objective")->get(options);
  json[key::objective] = {{key::name, objective}};
  const auto& layers = (*task)->layers();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto model = (*task)->make(i, true);
    if (!model) return model.error();
    if (i == 0) json[key::architecture] = (*model)->head()[key::architecture];
    outcomes.push_back(our_outcome(**model, layers[i]));
    if (auto error =
            io::write_lp_model(folder.path() / "model.mps", report::lp_model((*model)->program(), "nestor")))
      return *error;
    if (auto error = report::write_starts(folder.path() / "model.mps", (*model)->program())) return *error;
    for (const Called& solver : *called)
      outcomes.push_back(run_solver(solver, **model, layers[i], folder.path(), options));
  }
  if (prints_tables(options)) {
    io::Table table({{"layer", io::Align::left},
                     {"solver", io::Align::left},
                     {"state", io::Align::left},
                     {"seconds"},
                     {"primal"},
                     {"bound"},
                     {"gap"},
                     {"evaluated"},
                     {"ratio"},
                     {"remark", io::Align::left}});
    for (const Outcome& outcome : outcomes) {
      if (outcome.solver == "nestor" && &outcome != &outcomes.front()) table.add_rule();
      table.add_row(cells_of(outcome));
    }
    print_text(table.to_string());
  }
  if (!options.csv.empty())
    if (auto error = io::write_file(options.csv, csv_of(outcomes))) return *error;
  auto& rows = json[key::rows] = io::Json::array();
  for (const Outcome& outcome : outcomes) rows.push_back(json_of(outcome));
  if (auto error = write_json_output(options, json)) return *error;
  const bool refuted = std::any_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.refutes; });
  return refuted ? ExitStatus::limited : ExitStatus::solved;
}

}  // namespace nestor::app
