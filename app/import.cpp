// nestor import: checks and evaluates the mapping in a MIP solver's solution of an exported model.
#include <fmt/format.h>

#include "app/console.h"
#include "app/mip.h"
#include "app/output.h"
#include "app/verb_table.h"
#include "io/sha256.h"
#include "report/mip/sidecar.h"

namespace nestor::app {

io::Result<std::unique_ptr<MipModel>> read_model(const std::string& path, Spaces spaces) {
  const auto text = io::read_file(path, io::result_limits.bytes);
  if (!text) return text.error();
  const auto document = io::Document::parse(*text, path, io::result_limits);
  if (!document) return document.error();
  const auto root = document->root();
  const auto unchanged = [&] {
    auto json = io::Json::parse(*text, nullptr, false);
    if (!json.is_object() || !json.contains("sha256") || !json["sha256"].is_string()) return false;
    const auto said = json["sha256"].get<std::string>();
    json.erase("sha256");
    return io::sha256(json.dump(-1, ' ', false, io::Json::error_handler_t::replace)) == said;
  };
  const auto schema = root.is_map() ? root.find("schema") : std::nullopt;
  if (!schema || schema->text() != report::model_schema)
    return io::input_error(
        {path}, fmt::format("not a model of `nestor export`: expected schema: {}", report::model_schema));
  if (!unchanged())
    return io::input_error({path}, "the model has changed since it was exported: its hash differs");
  const auto word = root.find("space");
  const Space* const space = word ? find_space(spaces, word->text()) : nullptr;
  if (space == nullptr || space->read_mip_model == nullptr)
    return io::input_error(
        root.where(), fmt::format("space is {}, expected cim or pim", word ? word->describe() : "missing"));
  auto model = space->read_mip_model(root);
  if (!model) return model;
  const auto columns = root.find("columns");
  if (!columns) return io::input_error(root.where(), "model has no key 'columns'");
  if (const auto differs = report::differing_column((*model)->columns(), *columns); !differs.empty())
    return io::input_error(columns->where(), differs);
  return model;
}

io::Result<ExitStatus> import_solution(const io::RunOptions& options, Spaces spaces) {
  if (options.inputs.size() != 1) return io::usage_error("import takes one solution file");
  if (options.model.empty())
    return io::usage_error("missing --model MODEL.json, the file beside the exported model");
  const auto model = read_model(options.model, spaces);
  if (!model) return model.error();
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file);
  if (!text) return text.error();
  std::optional<double> claimed;
  const auto imported = import_solution(**model, *text, file, &claimed);
  if (!imported) return imported.error();
  if (prints_tables(options)) {
    print("objective {}", imported->objective);
    if (claimed) print(", claimed {}", *claimed);
    print("\n");
  }
  if (auto error = write_json_output(options, imported->result)) return *error;
  return ExitStatus::solved;
}

}  // namespace nestor::app
