// nestor export: writes the mixed-integer program of a published mapper for each layer to a file for MIP
// solvers. A second file per layer describes every column. Further files can contain Nestor's optimum as a
// starting solution.
#include <fmt/format.h>

#include <filesystem>

#include "app/console.h"
#include "app/mip.h"
#include "app/output.h"
#include "io/files.h"
#include "io/lp/lp_model.h"
#include "report/mip/model_file.h"

namespace nestor::app {
namespace {

namespace fs = std::filesystem;

// Returns a file name for a layer. Layer names may contain slashes and other special characters.
std::string file_name(std::string_view layer) {
  std::string name;
  for (const char c : layer) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name;
}

bool is_model(const fs::path& path) { return path.extension() == ".mps" || path.extension() == ".lp"; }

io::MaybeError write_model(const io::RunOptions& options, const MipModel& model, const std::string& layer,
                           const fs::path& path) {
  const auto& program = model.program();
  if (auto error = io::write_lp_model(path, report::lp_model(program, "nestor"))) return error;
  auto sidecar = path;
  if (auto error = io::write_json(sidecar.replace_extension(".json"), sidecar_of(model))) return error;
  if (options.start)
    if (auto error = report::write_starts(path, program)) return error;
  std::string known;
  if (model.known_objective())
    known = fmt::format(", {} {}", model.is_proved() ? "optimum" : "known", *model.known_objective());
  if (!prints_tables(options)) return std::nullopt;
  print("{}: {} columns, {} rows, {} nonzeros{}: {}\n", layer, program.columns().size(),
        program.rows().size(), program.entries(), known, path.string());
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> export_models(MakeMipTask make_task, const io::RunOptions& options) {
  if (options.output.empty()) return io::usage_error("missing -o MODEL.mps, MODEL.lp or DIR/");
  auto task = make_task(options);
  if (!task) return task.error();
  const auto& layers = (*task)->layers();
  const fs::path output = options.output;
  if (is_model(output) && layers.size() != 1)
    return io::usage_error(
        fmt::format("-o is one file, but {} layers are exported: choose one with --layer, or "
                    "give a folder: -o DIR/",
                    layers.size()));
  if (!is_model(output)) {
    std::error_code failed;
    fs::create_directories(output, failed);
    if (failed || !fs::is_directory(output))
      return io::usage_error(fmt::format("-o is {}, expected a file that ends in .mps or .lp, or a folder",
                                         io::quote(options.output)));
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto model = (*task)->make(i, options.start);
    if (!model) return model.error();
    if (options.start && !(*model)->is_proved())
      return io::limit_error(fmt::format("layer '{}': the optimum was not proved", layers[i]));
    const auto path = is_model(output) ? output : output / (file_name(layers[i]) + ".mps");
    if (auto error = write_model(options, **model, layers[i], path)) return *error;
  }
  return ExitStatus::solved;
}

}  // namespace nestor::app
