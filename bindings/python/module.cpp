// The extension module of the Python package `nestor`. It provides the option table, and runs one verb on a
// separate thread without the interpreter's lock. The calling thread checks for signals and calls back with
// progress; either may raise an exception, which stops the run. All other code of the package is in Python.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <variant>

#include "app/background_run.h"
#include "io/document.h"
#include "report/html/page.h"
#include "report/results/result_figures.h"

namespace py = pybind11;

namespace nestor {
namespace {

// Returns a Python string; text from inputs need not be valid UTF-8.
py::str text_of(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

io::Verb known_verb(const std::string& name) {
  const auto verb = app::verb_named(name);
  if (!verb) throw py::value_error("unknown verb '" + name + "'");
  return *verb;
}

std::string_view kind_of(const io::OptionValue& value) {
  constexpr std::array<std::string_view, std::variant_size_v<io::OptionValue>> words = {
      "switch", "integer", "real", "text", "output", "choice", "list", "custom"};
  return words[value.index()];
}

// Returns the rows of the option table that a verb supports.
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

py::dict fields_of(const io::Error& error) {
  return py::dict(py::arg("kind") = app::word_of(error.kind), py::arg("file") = text_of(error.where.file),
                  py::arg("line") = error.where.line, py::arg("column") = error.where.column,
                  py::arg("message") = text_of(error.message));
}

py::dict fields_of(const app::Progress& progress) {
  const auto& figures = progress.figures;
  return py::dict(py::arg("text") = text_of(progress.text), py::arg("part") = text_of(figures.part),
                  py::arg("finished") = figures.finished, py::arg("all") = figures.all,
                  py::arg("objective") = figures.objective, py::arg("bound") = figures.bound,
                  py::arg("work") = figures.work);
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

// Runs a verb. Signal handlers and callbacks run in the calling thread. Their first exception stops the run
// and is returned with the result so far.
py::dict run_verb(const std::string& verb_name, std::vector<std::string> inputs,
                  const app::OptionWords& words, io::MemoryFiles files, const py::object& callback) {
  const auto verb = known_verb(verb_name);
  io::RunOptions options;
  options.inputs = std::move(inputs);
  if (auto error = app::set_options(options, verb, words)) return outcome({*error, {}, {}}, py::none());
  app::BackgroundRun solve(verb, options, std::move(files), !callback.is_none());
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

// Returns a JSON number as a Python number, and None for any other value.
py::object number_of(const io::Json& value) {
  if (value.is_number_unsigned()) return py::int_(value.get<std::uint64_t>());
  if (value.is_number_integer()) return py::int_(value.get<std::int64_t>());
  if (value.is_number()) return py::float_(value.get<double>());
  return py::none();
}

py::dict numbers_of(const io::Json& map) {
  py::dict numbers;
  for (const auto& [name, value] : map.items())
    if (value.is_number()) numbers[text_of(name)] = number_of(value);
  return numbers;
}

py::dict fields_of(const report::PartFigures& part) {
  const py::object status = part.status.empty() ? py::object(py::none()) : py::object(text_of(part.status));
  return py::dict(py::arg("name") = text_of(part.name), py::arg("status") = status,
                  py::arg("repeat") = part.repeat, py::arg("objective") = number_of(part.objective),
                  py::arg("bound") = number_of(part.bound), py::arg("gap") = number_of(part.gap),
                  py::arg("latency_by") = numbers_of(part.latency_by),
                  py::arg("energy_by") = numbers_of(part.energy_by));
}

// Returns the figures of a result's JSON: the figures of the whole result, and a list for its layers.
py::tuple figures_of(const std::string& text) {
  const auto json = io::Json::parse(text, nullptr, false);
  const auto figures = report::result_figures(json);
  py::list layers;
  for (const auto& part : figures.layers) layers.append(fields_of(part));
  return py::make_tuple(fields_of(figures.whole), layers);
}

// Returns the HTML page of results, each given as a name and JSON text. On an error, returns its fields as a
// dict.
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
  module.doc() = "Runs the verbs of Nestor in the interpreter's process.";
  module.attr("version") = NESTOR_VERSION;
  module.def("options_of", &nestor::options_of);
  module.def("run_verb", &nestor::run_verb);
  module.def("figures_of", &nestor::figures_of);
  module.def("html_page", &nestor::html_page);
}
