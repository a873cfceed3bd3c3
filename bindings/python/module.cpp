// The extension module behind the Python package `nestor`: the option table, and one verb run on a thread of
// its own without the interpreter's lock. The calling thread looks for signals and calls back with progress;
// either may raise an exception, which stops the run. Everything else of the package is Python.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

#include "app/in_process.h"
#include "io/document.h"
#include "report/html/page.h"

namespace py = pybind11;

namespace nestor {
namespace {

// Text of inputs need not be UTF-8.
py::str text_of(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

std::optional<io::Verb> verb_named(std::string_view name) {
  for (std::size_t i = 0; i < io::verb_count; ++i)
    if (const auto verb = static_cast<io::Verb>(i); io::to_string(verb) == name) return verb;
  return std::nullopt;
}

io::Verb known_verb(const std::string& name) {
  const auto verb = verb_named(name);
  if (!verb) throw py::value_error("no verb '" + name + "'");
  return *verb;
}

std::string_view kind_of(const io::OptionValue& value) {
  constexpr std::array<std::string_view, std::variant_size_v<io::OptionValue>> words = {
      "switch", "integer", "real", "text", "output", "choice", "list", "custom"};
  return words[value.index()];
}

// The rows of the option table that a verb honours.
py::list options_of(const std::string& verb_name) {
  const auto verb = known_verb(verb_name);
  const io::RunOptions defaults;
  py::list rows;
  for (const auto& option : io::option_table()) {
    if (!option.verbs.contains(verb)) continue;
    py::list words;
    if (const auto* const choice = std::get_if<io::ChoiceValue>(&option.value))
      for (const auto word : choice->words) words.append(word);
    rows.append(py::dict(py::arg("name") = option.name, py::arg("kind") = kind_of(option.value),
                         py::arg("words") = words, py::arg("placeholder") = option.placeholder,
                         py::arg("range") = option.range(), py::arg("default") = option.get(defaults),
                         py::arg("help") = option.help, py::arg("spaces") = option.kinds));
  }
  return rows;
}

std::string_view word_of(io::ErrorKind kind) {
  switch (kind) {
    case io::ErrorKind::limit:
      return "limit";
    case io::ErrorKind::usage:
      return "usage";
    case io::ErrorKind::input:
      return "input";
    case io::ErrorKind::infeasible:
      return "infeasible";
    case io::ErrorKind::internal:
      return "internal";
    case io::ErrorKind::output:
      return "output";
  }
  return "internal";
}

py::dict fields_of(const io::Error& error) {
  return py::dict(py::arg("kind") = word_of(error.kind), py::arg("file") = text_of(error.where.file),
                  py::arg("line") = error.where.line, py::arg("column") = error.where.column,
                  py::arg("message") = text_of(error.message));
}

struct Progress {
  std::string text;
  io::ProgressFigures figures;
};

py::dict fields_of(const Progress& progress) {
  const auto& figures = progress.figures;
  return py::dict(py::arg("text") = text_of(progress.text), py::arg("part") = text_of(figures.part),
                  py::arg("finished") = figures.finished, py::arg("all") = figures.all,
                  py::arg("objective") = figures.objective, py::arg("bound") = figures.bound,
                  py::arg("work") = figures.work);
}

/// A verb on its own thread, as the calling thread sees it.
class Solve {
 public:
  Solve(io::Verb verb, const io::RunOptions& options, io::MemoryFiles files, bool reports)
      : host_{stop_, std::move(files),
              reports ? io::ProgressSink([this](const auto& text, const auto& figures) {
                note({text, figures});
              })
                      : io::ProgressSink()},
        thread_([this, verb, options] { run(verb, options); }) {}
  Solve(const Solve&) = delete;
  Solve& operator=(const Solve&) = delete;
  ~Solve() {
    stop();
    thread_.join();
  }

  void stop() { stop_.store(true); }
  /// Waits a moment for the end or for progress; true at the end.
  bool wait() {
    constexpr auto moment = std::chrono::milliseconds(20);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, moment, [this] { return result_ || !progress_.empty(); });
    return result_.has_value();
  }
  std::optional<Progress> next_progress() {
    const std::lock_guard lock(mutex_);
    if (progress_.empty()) return std::nullopt;
    auto first = std::move(progress_.front());
    progress_.pop_front();
    return first;
  }
  const app::HostedResult& result() const { return *result_; }

 private:
  void note(Progress progress) {
    const std::lock_guard lock(mutex_);
    progress_.push_back(std::move(progress));
    changed_.notify_one();
  }
  void run(io::Verb verb, const io::RunOptions& options) {
    auto result = app::run_in_process(verb, options, host_, app::shipped_spaces());
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
    changed_.notify_one();
  }

  std::atomic<bool> stop_ = false;
  app::Host host_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Progress> progress_;
  std::optional<app::HostedResult> result_;
  std::thread thread_;  // the last: it uses all of the above
};

using Words = std::vector<std::pair<std::string, std::string>>;

io::MaybeError read_words(io::RunOptions& options, io::Verb verb, const Words& words) {
  for (const auto& [name, value] : words) {
    const auto* const option = io::find_option(verb, name);
    // An unknown name: the message comes from where all of them are known.
    if (auto error =
            option != nullptr ? option->set(options, value) : io::set_option(options, verb, name, value))
      return error;
  }
  return std::nullopt;
}

py::dict outcome(const app::HostedResult& result, const py::object& raised) {
  py::object error = py::none();
  py::list remarks;
  for (const auto& remark : result.remarks) remarks.append(text_of(remark));
  int status = 0;
  if (result.end)
    status = static_cast<int>(*result.end);
  else
    error = fields_of(result.end.error());
  return py::dict(py::arg("status") = status, py::arg("error") = error,
                  py::arg("json") = text_of(result.json), py::arg("remarks") = remarks,
                  py::arg("raised") = raised);
}

// Handlers of signals and callbacks run here, in the thread that asked for the solve. The first exception of
// either stops the run, and is handed over with what was found by then.
py::dict run_verb(const std::string& verb_name, std::vector<std::string> inputs, const Words& words,
                  io::MemoryFiles files, const py::object& callback) {
  const auto verb = known_verb(verb_name);
  io::RunOptions options;
  options.inputs = std::move(inputs);
  if (auto error = read_words(options, verb, words)) return outcome({*error, {}, {}}, py::none());
  Solve solve(verb, options, std::move(files), !callback.is_none());
  py::object raised = py::none();
  const auto end_with = [&](const py::error_already_set& failure) {
    solve.stop();
    raised = failure.value();
  };
  for (bool ended = false; !ended;) {
    {
      const py::gil_scoped_release released;
      ended = solve.wait();
    }
    try {
      while (const auto progress = solve.next_progress())
        if (raised.is_none() && !ended) callback(fields_of(*progress));
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (const py::error_already_set& failure) {
      if (raised.is_none()) end_with(failure);
    }
  }
  return outcome(solve.result(), raised);
}

// The HTML page of results, each a name and its JSON; an error as a dict.
py::object html_page(const std::vector<std::pair<std::string, std::string>>& results) {
  std::vector<report::html::ReportedResult> reported;
  for (const auto& [name, text] : results) {
    const auto json = io::Json::parse(text, nullptr, false);
    auto taken = report::html::take_reported(name, json);
    if (!taken) return fields_of(taken.error());
    reported.push_back(std::move(*taken));
  }
  return py::str(report::html::page(reported));
}

}  // namespace
}  // namespace nestor

PYBIND11_MODULE(_nestor, module) {
  module.doc() = "The verbs of Nestor, run in process.";
  module.attr("version") = NESTOR_VERSION;
  module.def("options_of", &nestor::options_of);
  module.def("run_verb", &nestor::run_verb);
  module.def("html_page", &nestor::html_page);
}
