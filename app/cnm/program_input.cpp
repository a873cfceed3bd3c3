#include "app/cnm/program_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/inputs.h"
#include "base/split.h"
#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/cnm/csv.h"
#include "io/cnm/kernel_file.h"
#include "io/cnm/kernel_options.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "io/onnx/import_program.h"

namespace nestor::app::cnm_space {
namespace {

constexpr double most_ms = 1e9;
constexpr std::uintmax_t largest_times_file = std::uintmax_t{64} << 20;

bool is_mlir(const std::string& path) { return path.ends_with(".mlir") || path == "-"; }

bool is_program_json(const std::string& path) {
  if (!path.ends_with(".json")) return false;
  const auto document = io::Document::head(io::read_head(path, io::head_bytes), path);
  return document.root().is_map() && document.root().find("ops").has_value();
}

// Reads the operations of a network and sets `multiply_k` of their kernels.
io::Result<cnm::KernelProgram> read_network_program(const std::string& path, const io::RunOptions& options) {
  std::optional<cnm::Type> elements;
  if (!options.data_type.empty()) {
    const auto named = io::data_type_named(options.data_type);
    if (!named) return io::usage_error("--dtype: " + named.error().message);
    elements = *named;
  }
  auto program = io::import_onnx_program(path, onnx_options(options), elements);
  if (!program) return program;
  for (auto& operation : program->operations)
    if (operation.kernel)
      if (auto error = io::read_multiply_k(options, operation.kernel->multiply_k)) return *error;
  return program;
}

}  // namespace

bool is_program(const io::RunOptions& options) {
  if (options.inputs.size() != 1) return false;
  const auto& path = options.inputs.front();
  if (is_program_json(path)) return true;
  if (!is_mlir(path)) return false;
  const auto file = io::read_mlir_file(path, options);
  return file && (file->programs.size() > 1 || file->programs[0].operations.size() > 1);
}

io::MaybeError refuse_program_options(const io::RunOptions& options) {
  for (const std::string_view word : {"transfers", "weights"})
    if (options.is_given(word))
      return io::usage_error(fmt::format("--{} requires a program of several operations", word));
  return std::nullopt;
}

io::Result<std::vector<cnm::System>> read_systems(const io::RunOptions& options) {
  std::vector<std::string> names;
  for (const auto name : split_list(options.arch, ',')) names.emplace_back(name);
  std::vector<std::vector<std::string>> settings(names.size());
  for (const std::string& setting : options.settings) {
    const auto colon = setting.find(':');
    const auto owner = std::find(names.begin(), names.end(), setting.substr(0, colon));
    if (colon != std::string::npos && colon < setting.find('=') && owner != names.end()) {
      settings[static_cast<std::size_t>(owner - names.begin())].push_back(setting.substr(colon + 1));
      continue;
    }
    bool taken = false;
    std::optional<io::Error> refusal;
    for (std::size_t s = 0; s < names.size(); ++s) {
      const auto with = io::read_cnm_system(names[s], std::span(&setting, 1));
      if (with)
        settings[s].push_back(setting);
      else if (!refusal)
        refusal = with.error();
      taken = taken || with.ok();
    }
    if (!taken && refusal) return *refusal;
  }
  std::vector<cnm::System> systems;
  for (std::size_t s = 0; s < names.size(); ++s) {
    auto system = io::read_cnm_system(names[s], settings[s]);
    if (!system) return system.error();
    for (const auto& other : systems)
      if (other.name == system->name)
        return io::usage_error(fmt::format("--arch names system {} twice", io::quote(system->name)));
    systems.push_back(std::move(*system));
  }
  return systems;
}

io::Result<cnm::KernelProgram> read_program(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one program, found {} inputs", options.inputs.size()));
  const auto& path = options.inputs.front();
  if (path.ends_with(".json")) return io::read_program_file(path);
  if (path.ends_with(".onnx")) return read_network_program(path, options);
  if (!is_mlir(path))
    return io::usage_error("a placement requires a program: expected MLIR, ONNX or a program's JSON");
  auto file = io::read_mlir_file(path, options);
  if (!file) return file.error();
  auto program = cnm::joined(std::move(file->programs));
  for (auto& operation : program.operations)
    if (operation.kernel)
      if (auto error = io::read_multiply_k(options, operation.kernel->multiply_k)) return *error;
  return program;
}

io::MaybeError read_times(const io::RunOptions& options, const std::vector<cnm::System>& systems,
                          cnm::KernelProgram& program) {
  if (options.times.empty()) return std::nullopt;
  const auto text = io::read_file(options.times, largest_times_file);
  if (!text) return text.error();
  const auto table = io::parse_csv(*text, options.times);
  if (!table) return table.error();
  constexpr std::array<std::string_view, 3> columns = {"op", "system", "time_ms"};
  std::array<std::size_t, 3> at{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    at[c] = table->find(columns[c]);
    if (at[c] == table->columns.size())
      return io::input_error({options.times, 1, 1},
                             fmt::format("no column '{}', expected {}", columns[c], io::join_words(columns)));
  }
  HashMap<std::string, std::size_t> operations;
  for (std::size_t i = 0; i < program.operations.size(); ++i)
    operations.emplace(program.operations[i].name, i);
  for (const auto& row : table->rows) {
    const auto operation = operations.find(row.cells[at[0]]);
    if (operation == operations.end())
      return io::input_error(table->where(row, at[0]),
                             fmt::format("no operation {} in the program", io::quote(row.cells[at[0]])));
    const auto& name = row.cells[at[1]];
    if (std::none_of(systems.begin(), systems.end(),
                     [&](const cnm::System& system) { return system.name == name; }))
      return io::input_error(table->where(row, at[1]),
                             fmt::format("system {} is not one of --arch", io::quote(name)));
    const auto ms = io::to_number(row.cells[at[2]]);
    if (!ms || !(*ms >= 0 && *ms <= most_ms))
      return io::input_error(table->where(row, at[2]),
                             fmt::format("time_ms is {}, expected a number from 0 to {:.0f}",
                                         io::quote(row.cells[at[2]]), most_ms));
    program.operations[operation->second].time_ms[name] = *ms;
  }
  return std::nullopt;
}

SystemKernel kernel_on(const cnm::ProgramOperation& operation, const cnm::System& system,
                       const io::RunOptions& options) {
  SystemKernel found{*operation.kernel, std::nullopt};
  if (options.convolution != cnm::ConvolutionForm::direct)
    found.product = cnm::product_of_convolution(*operation.kernel, operation.pads);
  if (found.product) found.kernel = found.product->kernel;
  // --dtype replaces the element types if the system computes on one type only.
  if (const auto named = io::data_type_named(options.data_type);
      named && system.target == cnm::Target::hbm_pim)
    found.kernel = cnm::with_elements(found.kernel, *named);
  return found;
}

}  // namespace nestor::app::cnm_space
