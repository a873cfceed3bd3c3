// Functions that read results for the HTML report. Each result is checked with the reader of its space, if
// there is one.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/cim/evaluate.h"
#include "model/cim/search/admission.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"
#include "report/html/figures.h"
#include "report/html/page.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/results/chip/compiled_file.h"
#include "report/results/cim/evaluation_json.h"
#include "report/results/cim/result_file.h"
#include "report/results/node_json.h"
#include "report/results/pim/result_file.h"

namespace nestor::report::html {
namespace {

using io::Json;

constexpr std::array<std::string_view, 5> spaces = {"cim", "pim", "cnm", "simd", "chip"};
constexpr std::array<std::string_view, 6> verbs = {"map",     "evaluate", "simulate",
                                                   "compile", "schedule", "estimate"};

// Returns sizes of tiles by "memory/operand", as in an evaluation, or null if the mapping is illegal.
Json tile_sizes(const io::LayerResult& layer, const NamedArchitecture& architecture) {
  const auto& machine = architecture.machine;
  if (!layer.best.mapping) return Json();
  const auto shape = layer.best.nest(layer.layer.shape);
  Mapping mapping = *layer.best.mapping;
  if (cim::admit(shape, machine) != Refusal::none || find_misplacement(machine, mapping)) return Json();
  normalise(mapping, shape, machine);
  if (find_violation(shape, machine, mapping)) return Json();
  const auto evaluation = cim::evaluate(shape, machine, mapping);
  Json sizes = Json::object();
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if (evaluation.used[m].contains(operand) && machine.home(operand) != m)
        sizes[fmt::format("{}/{}", architecture.memory_names[m], letter(operand))] =
            evaluation.size_bits[m][index_of(operand)];
  return sizes;
}

void add_tile_sizes(Json& json, const io::RunResult& run) {
  auto& layers = json[key::layers];
  for (std::size_t i = 0; i < run.layers.size() && i < layers.size(); ++i)
    if (!layers[i].contains(key::evaluation))
      if (auto sizes = tile_sizes(run.layers[i], run.architecture); !sizes.is_null())
        layers[i][key::evaluation] = {{key::sizes_bits, std::move(sizes)}};
}

io::Result<ReportedResult> read_document(const io::Document& document, const std::string& name) {
  const auto root = document.root();
  if (const auto schema = root.find(key::schema);
      schema && (schema->text() == key::sweep_schema || schema->text() == key::comparison_schema))
    return ReportedResult{name, io::node_to_json(root)};
  const auto place = root.where();
  const auto space = root.find(key::space);
  const auto verb = root.find(key::verb);
  if (!io::is_result(document) || !space || !verb)
    return io::input_error(place, "is not a nestor result: expected the keys 'schema', 'verb' and 'space'");
  if (auto error = io::check_schema(root)) return *error;
  if (std::find(verbs.begin(), verbs.end(), verb->text()) == verbs.end())
    return io::input_error(verb->where(),
                           fmt::format("verb is {}, expected a result of {}", io::quote(verb->text()),
                                       io::join_words({verbs.begin(), verbs.end()})));
  if (std::find(spaces.begin(), spaces.end(), space->text()) == spaces.end())
    return io::input_error(space->where(), fmt::format("space is {}, expected {}", io::quote(space->text()),
                                                       io::join_words({spaces.begin(), spaces.end()})));
  ReportedResult reported{name, io::node_to_json(root)};
  if (space->text() == "cim") {
    io::Reading reading;
    const auto run = io::read_result_node(root, reading);
    if (reading.failed()) return reading.error();
    add_tile_sizes(reported.json, run);
  } else if (space->text() == "chip") {
    if (const auto compiled = io::read_compiled(document, name); !compiled) return compiled.error();
  }
  return reported;
}

}  // namespace

io::Result<ReportedResult> read_reported(const std::string& path) {
  const auto document = io::Document::read(path, io::result_limits);
  if (!document) return document.error();
  auto reported = read_document(*document, path);
  if (reported && at(reported->json, key::space) == Json("pim"))
    if (const auto run = io::pim::read_run(path); !run) return run.error();
  return reported;
}

io::Result<ReportedResult> take_reported(const std::string& name, const Json& json) {
  const auto document = io::Document::parse(io::to_text(json), name + ".json", io::result_limits);
  if (!document) return document.error();
  return read_document(*document, name);
}

}  // namespace nestor::report::html
