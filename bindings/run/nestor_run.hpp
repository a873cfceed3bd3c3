// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line for C++17. Each verb returns one result object; errors are exceptions. Header
// only, based on the C interface of nestor_run.h.
//
//     const auto result = nestor::map("resnet18", "miredo-table4", {{"objective", "energy"}});
//     std::cout << result.status() << ' ' << result.objective() << ' ' << result.layers()[0].mapping << '\n';
//     result.save_html("resnet18.html");
//     if (!nestor::verify(result).confirmed()) return 7;
//
// docs/library.md is the guide, and docs/options.md lists the options.
#pragma once

#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nestor_run.h"

namespace nestor {

class Result;

/// The error of a failed run, with its position in the input.
struct RunError : std::runtime_error {
  RunError(const std::string& text, std::string of, std::string in, int at_line, int at_column)
      : std::runtime_error(text),
        kind(std::move(of)),
        file(std::move(in)),
        line(at_line),
        column(at_column) {}
  std::string kind;  ///< "usage", "input", "infeasible", "limit", "output" or "internal"
  std::string file;  ///< empty if the error has no position
  int line;          ///< line and column are 0 if unknown
  int column;
  std::shared_ptr<const Result> result;  ///< the result so far; may be null
};

/// An input or the value of an option: a name or a path, or a file in memory.
struct Input {
  Input(const char* text) : name(text) {}             // NOLINT(google-explicit-constructor)
  Input(std::string text) : name(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Input(const Result& result);                        // NOLINT(google-explicit-constructor)

  std::string name;
  std::map<std::string, std::string> files = {};  ///< files in memory, by name; `name` may be one of these
};

/// Returns a file in memory. Messages and results use its name, such as "<arch>.yaml"; the extension
/// determines the format: .yaml, .json, .onnx, .mlir.
inline Input in_memory(const std::string& name, std::string content) {
  Input input(name);
  input.files.emplace(name, std::move(content));
  return input;
}

/// Options with the spelling of the command line, without "--". A switch has the value "true". An option that
/// may be repeated is given once for each value.
using Options = std::vector<std::pair<std::string, Input>>;

/// Progress of a run. Missing numbers are NaN.
struct Progress {
  std::string text;  ///< the line that the command line shows
  std::string part;  ///< the current layer, kernel, netlist or network
  std::size_t finished, all;
  double objective, bound;
  std::uint64_t work;
};

/// Called about ten times a second in the thread that executes the run. If it returns false, the run stops
/// and returns the best result so far. An exception also stops the run, and propagates.
using OnProgress = std::function<bool(const Progress&)>;

/// Figures of a whole result, or of a layer, kernel or operator. Missing numbers are NaN.
struct Figures {
  std::string name;
  std::string status;  ///< "optimal", or the reason why there is no proof; empty without a search
  std::int64_t repeat = 1;
  double objective = 0, bound = 0, gap = 0;
  std::string mapping;                       ///< JSON that is valid as an input
  std::map<std::string, double> latency_by;  ///< cycles by cause
  std::map<std::string, double> energy_by;   ///< pJ by memory and operand; only in results of evaluate
};

/// The result of a verb; copies share its data.
class Result {
 public:
  const std::string& status() const { return whole_.status; }
  /// Returns the minimised value in its unit: cycles, pJ, pJ x cycles, ms or copies.
  double objective() const { return whole_.objective; }
  double bound() const { return whole_.bound; }
  double gap() const { return whole_.gap; }
  const std::string& mapping() const { return whole_.mapping; }
  const std::map<std::string, double>& latency_by() const { return whole_.latency_by; }
  const std::map<std::string, double>& energy_by() const { return whole_.energy_by; }
  const std::vector<Figures>& layers() const { return layers_; }
  /// Returns the messages of the run, such as the limit that ended it.
  const std::vector<std::string>& remarks() const { return remarks_; }
  bool stopped() const { return stopped_; }
  /// True if verify confirmed all claims.
  bool confirmed() const { return value("/confirmed") == "true"; }

  /// Returns the JSON that the command line writes (docs/formats.md).
  std::string json() const { return nestor_run_json(run_.get()); }
  /// Returns the JSON of a value by its JSON Pointer (RFC 6901), such as "/totals/energy_pj"; empty if
  /// missing.
  std::string value(const std::string& pointer) const {
    const char* const found = nestor_run_value(run_.get(), pointer.c_str());
    return found != nullptr ? found : "";
  }
  /// Returns a value as a number, or NaN if it is not a number.
  double number(const std::string& pointer) const {
    const std::string text = value(pointer);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? number : std::nan("");
  }
  void save(const std::string& path) const { write(path, json()); }
  /// Writes the HTML report of this result and others, side by side.
  void save_html(const std::string& path, const std::vector<Result>& others = {}) const;

 private:
  friend class Run;
  friend struct Input;
  struct Close {
    void operator()(nestor_run* run) const { nestor_run_close(run); }
  };

  static Figures copy(const nestor_run_figures& from) {
    Figures to{from.name,    from.status, from.repeat, from.objective, from.bound, from.gap,
               from.mapping, {},          {}};
    for (std::size_t i = 0; i < from.latency_count; ++i)
      to.latency_by[from.latency_by[i].name] = from.latency_by[i].value;
    for (std::size_t i = 0; i < from.energy_count; ++i)
      to.energy_by[from.energy_by[i].name] = from.energy_by[i].value;
    return to;
  }
  Result(std::shared_ptr<nestor_run> run, std::map<std::string, std::string> files, bool stopped)
      : run_(std::move(run)), files_(std::move(files)), stopped_(stopped) {
    if (const auto* const whole = nestor_run_whole(run_.get())) whole_ = copy(*whole);
    for (std::size_t i = 0; i < nestor_run_layer_count(run_.get()); ++i)
      layers_.push_back(copy(*nestor_run_layer(run_.get(), i)));
    for (std::size_t i = 0; const char* const remark = nestor_run_remark(run_.get(), i); ++i)
      remarks_.emplace_back(remark);
  }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush()) throw RunError(path + ": cannot be written", "output", path, 0, 0);
  }

  std::shared_ptr<nestor_run> run_;
  std::map<std::string, std::string> files_;
  bool stopped_;
  Figures whole_;
  std::vector<Figures> layers_;
  std::vector<std::string> remarks_;
};

inline Input::Input(const Result& result) : name("<result>.json"), files(result.files_) {
  files[name] = result.json();
}

inline void Result::save_html(const std::string& path, const std::vector<Result>& others) const {
  std::vector<std::string> texts{json()};
  for (const auto& other : others) texts.push_back(other.json());
  std::vector<const char*> pointers;
  for (const auto& text : texts) pointers.push_back(text.c_str());
  char message[512] = "";
  const std::unique_ptr<char, void (*)(char*)> page(
      nestor_run_page(pointers.data(), pointers.size(), message, sizeof message), nestor_run_free);
  if (page == nullptr) throw RunError(message, "input", "", 0, 0);
  write(path, page.get());
}

/// A run of any verb that other threads can stop.
///
///     nestor::Run run("map", {"vgg16"}, {{"arch", "miredo-default"}});
///     std::thread watch([&] { if (too_late()) run.stop(); });
///     const auto result = run.execute();
class Run {
 public:
  Run(const std::string& verb, const std::vector<Input>& inputs, const Options& options = {}) {
    nestor_run* opened = nullptr;
    const nestor_status status = nestor_run_open(&opened, verb.c_str());
    run_.reset(opened, nestor_run_close);
    if (status != NESTOR_RUNNING)
      throw RunError(status == NESTOR_ABI_MISMATCH ? "header and library are incompatible"
                                                   : "unknown verb '" + verb + "'",
                     "usage", "", 0, 0);
    for (const auto& input : inputs) {
      hold(input);
      check(nestor_run_add_input(opened, input.name.c_str()));
    }
    for (const auto& [name, value] : options) {
      hold(value);
      check(nestor_run_set_option(opened, name.c_str(), value.name.c_str()));
    }
  }

  /// Stops the run, which then returns the best result so far. Any thread may call it.
  void stop() { nestor_run_stop(run_.get()); }

  /// Executes the run, which is possible only once. Throws RunError on errors, and if it stops without a
  /// result.
  Result execute(const OnProgress& on_progress = nullptr) {
    Reporter reporter{&on_progress, nullptr};
    const nestor_status status =
        nestor_run_execute(run_.get(), on_progress ? &Reporter::report : nullptr, &reporter);
    if (reporter.raised) std::rethrow_exception(reporter.raised);
    if (status == NESTOR_BAD_ARGUMENT) throw RunError("a run can be executed only once", "usage", "", 0, 0);
    Result result(run_, files_, status == NESTOR_CANCELLED);
    const nestor_run_error* const failure = nestor_run_failure(run_.get());
    const bool found = nestor_run_whole(run_.get()) != nullptr;
    if (failure == nullptr && status != NESTOR_MEMORY_LIMIT) return result;
    if (failure != nullptr && result.stopped() && found) return result;
    if (failure == nullptr) throw RunError(no_memory, "limit", "", 0, 0);
    RunError error(text_of(*failure), failure->kind, failure->file, failure->line, failure->column);
    if (found) error.result = std::make_shared<const Result>(std::move(result));
    throw error;
  }

 private:
  static constexpr char no_memory[] = "the system has no more memory";

  struct Reporter {
    const OnProgress* call;
    std::exception_ptr raised;
    static int report(void* user, const nestor_run_progress* at) {
      auto& self = *static_cast<Reporter*>(user);
      try {
        return (*self.call)({at->text, at->part, at->finished, at->all, at->objective, at->bound, at->work})
                   ? 0
                   : 1;
      } catch (...) {
        self.raised = std::current_exception();
        return 1;
      }
    }
  };

  static std::string text_of(const nestor_run_error& error) {
    std::string text = error.file;
    for (const int number : {error.line, error.column})
      if (!text.empty() && number > 0) text += ":" + std::to_string(number);
    return text.empty() ? error.message : text + ": " + error.message;
  }
  static void check(nestor_status status) {
    if (status != NESTOR_RUNNING) throw RunError(no_memory, "limit", "", 0, 0);
  }
  void hold(const Input& input) {
    for (const auto& [name, content] : input.files) {
      if (const auto held = files_.find(name); held != files_.end() && held->second != content)
        throw RunError("two files in memory have the name " + name, "usage", name, 0, 0);
      files_[name] = content;
      check(nestor_run_add_file(run_.get(), name.c_str(), content.data(), content.size()));
    }
  }

  std::shared_ptr<nestor_run> run_;
  std::map<std::string, std::string> files_;
};

/// Runs any verb, with its inputs in the order of the command line.
inline Result run(const std::string& verb, const std::vector<Input>& inputs, const Options& options = {},
                  const OnProgress& on_progress = nullptr) {
  return Run(verb, inputs, options).execute(on_progress);
}

namespace detail {
inline Options with_arch(const Input& arch, Options options) {
  options.emplace_back("arch", arch);
  return options;
}
}  // namespace detail

/// Finds the best mapping of every layer of a network, or of a kernel, onto a machine, with a proof.
inline Result map(const Input& network, const Input& arch, const Options& options = {},
                  const OnProgress& on_progress = nullptr) {
  return run("map", {network}, detail::with_arch(arch, options), on_progress);
}
/// Compiles a network for a chip of crossbar cores, with a proof.
inline Result compile(const Input& network, const Input& arch, const Options& options = {},
                      const OnProgress& on_progress = nullptr) {
  return run("compile", {network}, detail::with_arch(arch, options), on_progress);
}
/// Schedules and places a netlist's gates on bit-serial arrays, with few copies.
inline Result schedule(const Input& netlist, const Options& options = {},
                       const OnProgress& on_progress = nullptr) {
  return run("schedule", {netlist}, options, on_progress);
}
/// Estimates the time of a kernel on a compute-near-memory system.
inline Result estimate(const Input& kernel, const Input& arch, const Options& options = {},
                       const OnProgress& on_progress = nullptr) {
  return run("estimate", {kernel}, detail::with_arch(arch, options), on_progress);
}
/// Evaluates the cost of the mappings of a result.
inline Result evaluate(const Input& result, const Options& options = {},
                       const OnProgress& on_progress = nullptr) {
  return run("evaluate", {result}, options, on_progress);
}
/// Replays the mappings of a result event by event.
inline Result simulate(const Input& result, const Options& options = {},
                       const OnProgress& on_progress = nullptr) {
  return run("simulate", {result}, options, on_progress);
}
/// Checks the claims of a result with code that is independent of the search; see confirmed().
inline Result verify(const Input& result, const Options& options = {},
                     const OnProgress& on_progress = nullptr) {
  return run("verify", {result}, options, on_progress);
}
/// Solves networks on many machines. A plan in memory needs the option "store", a file for its results.
inline Result sweep(const Input& plan, const Options& options = {}, const OnProgress& on_progress = nullptr) {
  return run("sweep", {plan}, options, on_progress);
}

}  // namespace nestor
