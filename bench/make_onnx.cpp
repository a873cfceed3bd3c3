// nestor_make_onnx: writes the networks of data/networks as small ONNX models without weights, for tests,
// demonstrations and as seeds of the fuzzer.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>

#include "bench/onnx/example_models.h"
#include "io/files.h"

int main(int argc, char** argv) {
  using namespace nestor;
  CLI::App app("Writes the shipped networks as ONNX models without weights", "nestor_make_onnx");
  std::string folder;
  std::vector<std::string> names;
  bench::ModelOptions options;
  const std::map<std::string, bench::WeightStorage> storages = {
      {"described", bench::WeightStorage::described},
      {"external", bench::WeightStorage::external},
      {"listed", bench::WeightStorage::listed},
      {"inputs", bench::WeightStorage::inputs}};
  app.add_option("folder", folder, "where to write NAME.onnx")->required();
  app.add_option("names", names, "which networks (all if none is named)");
  app.add_option("--opset", options.opset, "version of the operators")->check(CLI::Range(11, 23));
  app.add_flag("--symbolic-batch", options.symbolic_batch, "leave the batch open");
  app.add_flag("--qdq", options.quantised, "quantise and dequantise around every layer");
  app.add_option("--weights", options.weights, "how weights without data are stated")
      ->transform(CLI::CheckedTransformer(storages));
  CLI11_PARSE(app, argc, argv);

  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  for (const auto& example : bench::example_models()) {
    const std::string name(example.name);
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    const auto path = std::filesystem::path(folder) / (name + ".onnx");
    if (const auto error = io::write_file(path, bench::make_model(example, options))) {
      std::fprintf(stderr, "%s\n", error->to_string().c_str());
      return static_cast<int>(error->kind);
    }
    std::printf("%s\n", path.c_str());
  }
  return 0;
}
