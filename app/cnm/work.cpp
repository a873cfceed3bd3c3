#include "app/cnm/work.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cnm/cnm.h"
#include "app/inputs.h"
#include "io/cnm/kernel_file.h"
#include "io/cnm/kernel_options.h"
#include "io/find_data.h"
#include "mapper/cnm/layer_kernel.h"
#include "report/cnm/kernel_source.h"
#include "report/keys/common.h"

namespace nestor::app::cnm_space {
namespace {

// True if the input is a network, given by name or file. Kernels are built in or have their own file
// extensions.
bool is_network(const std::string& input) {
  for (const std::string_view ending : {".onnx", ".yaml", ".yml", ".json"})
    if (input.ends_with(ending)) return true;
  const auto names = io::shipped_names(io::DataKind::network);
  if (std::find(names.begin(), names.end(), input) != names.end()) return true;
  if (io::is_kernel_file(input)) return false;
  const auto document = io::Document::head(io::read_head(input, io::head_bytes), input);
  return document.root().find(key::layers).has_value();
}

// Returns the common type of all layers if --dtype specifies one.
io::Result<std::optional<cnm::Type>> type_of(const io::RunOptions& options) {
  if (options.data_type.empty()) return std::optional<cnm::Type>();
  const auto type = io::data_type_named(options.data_type);
  if (!type) return io::usage_error("--dtype: " + type.error().message);
  return std::optional(*type);
}

io::Result<KernelWork> layers_of(const io::RunOptions& options, KernelWork work) {
  auto network = read_network(options.inputs.front(), options);
  if (!network) return network.error();
  if (auto error = keep_layers(*network, options.layer)) return *error;
  const auto type = type_of(options);
  if (!type) return type.error();
  work.network = network->name;
  for (const Layer& layer : network->layers) {
    auto found = cnm::kernel_of_layer(layer, work.system, *type);
    const Int macs = cnm::products_of_layer(layer).value_or(0);
    if (!found.fault.empty()) {
      work.left_out.push_back({layer.name, std::move(found.fault), macs});
      continue;
    }
    if (auto error = io::read_multiply_k(options, found.kernel.multiply_k)) return *error;
    KernelTask task;
    task.name = task.input.name = layer.name;
    task.input.file = options.inputs.front();
    task.repeat = found.repeat;
    task.macs = macs;
    task.input.kernel = std::move(found.kernel);
    work.tasks.push_back(std::move(task));
  }
  for (const auto& [operation, count] : network->unmapped)
    work.left_out.push_back(
        {operation, fmt::format("{} of these operators, not a matrix product", count), 0});
  if (work.tasks.empty()) {
    const auto why = work.left_out.empty()
                         ? std::string()
                         : fmt::format(" ({}: {})", work.left_out[0].name, work.left_out[0].why);
    return io::input_error({options.inputs.front()}, "no layer can be mapped" + why);
  }
  return work;
}

}  // namespace

io::Result<KernelWork> read_kernels(const io::RunOptions& options) {
  const auto system = read_system(options);
  if (!system) return system.error();
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one kernel, found {} inputs", options.inputs.size()));
  KernelWork work;
  work.system = *system;
  if (is_network(options.inputs.front())) return layers_of(options, std::move(work));
  auto input = read_kernel(options.inputs.front(), options, *system);
  if (!input) return input.error();
  KernelTask task;
  task.name = input->name;
  task.input = std::move(*input);
  work.tasks.push_back(std::move(task));
  return work;
}

io::Result<KernelWork> read_work(const io::RunOptions& options, io::Verb verb) {
  if (options.inputs.size() == 1 && report::is_kernel_result(options.inputs.front())) {
    if (auto error = io::check_result_exclusions(options, verb, "cnm")) return *error;
    auto work = report::read_kernel_result(options.inputs.front(), options.rank);
    if (!work) return work;
    const auto& whole = work->network.empty() ? options.inputs.front() : work->network;
    const auto name_of = [](const KernelTask& task) -> const std::string& { return task.name; };
    if (auto error = keep_named(work->tasks, whole, options.layer, name_of)) return *error;
    return work;
  }
  if (options.is_given("rank")) return io::usage_error("--rank requires a result of map --top");
  auto work = read_kernels(options);
  if (!work) return work;
  if (!options.mapping.empty() && work->tasks.size() > 1)
    return io::usage_error("--mapping requires a single kernel: choose one with --layer");
  const bool upmem = work->system.target == cnm::Target::upmem;
  for (KernelTask& task : work->tasks) {
    if (!task.input.kernel) {
      if (!options.mapping.empty())
        return io::usage_error(
            "--mapping cannot be used with a kernel that is already lowered: use --tasklets instead");
      if (upmem == task.input.stream.has_value())
        return io::input_error({task.input.file}, fmt::format("the kernel has another target, expected '{}'",
                                                              cnm::targets.word(work->system.target)));
      if (upmem && task.input.tasklets > work->system.levels.back().size)
        return io::usage_error(fmt::format("--tasklets: {} tasklets, expected 1 to {}", task.input.tasklets,
                                           work->system.levels.back().size));
      continue;
    }
    auto mapping = read_mapping(options, *task.input.kernel, work->system);
    if (!mapping) return mapping.error();
    task.mapping = std::move(*mapping);
  }
  return work;
}

}  // namespace nestor::app::cnm_space
