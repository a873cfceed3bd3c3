#include "app/cnm/work.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cnm/cnm.h"
#include "app/inputs.h"
#include "io/find_data.h"
#include "mapper/cnm/pim_kernel.h"
#include "report/cnm/kernel_source.h"

namespace nestor::app::cnm_space {
namespace {

// Layers of a network by name or file; kernels have endings of their own, or are built in.
bool is_network(const std::string& input) {
  for (const std::string_view ending : {".onnx", ".yaml", ".yml", ".json"})
    if (input.ends_with(ending)) return true;
  const auto names = io::shipped_names(io::DataKind::network);
  return std::find(names.begin(), names.end(), input) != names.end();
}

std::string kernel_name(const std::string& layer) {
  std::string name = layer;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!plain) c = '_';
  }
  const bool letter = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  return letter ? name : "layer_" + name;
}

// Weights times activations: M outputs, N places (tokens, pixels, images), K summed over.
struct Product {
  Int m = 1, n = 1, k = 1;
  std::string_view fault{};  // why it is none
};
Product product_of(const Layer& layer) {
  const LayerShape& shape = layer.shape;
  Product product{shape.bound(Dim::K), 1, shape.bound(Dim::C)};
  if (shape.bound(Dim::R) != 1 || shape.bound(Dim::S) != 1)
    product.fault = "a convolution, only matrix products are mapped";
  for (const Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    const auto places = checked_multiply(product.n, shape.bound(dim));
    if (!places || *places > cnm::max_count) product.fault = "more iterations than can be counted";
    product.n = places.value_or(1);
  }
  const auto runs = checked_multiply(product.n, layer.repeat);
  if (!runs || *runs > cnm::max_count) product.fault = "more iterations than can be counted";
  return product;
}

io::Result<cnm::Type> type_of(const io::RunOptions& options, const cnm::System& system) {
  if (options.data_type.empty())
    return system.target == cnm::Target::hbm_pim ? cnm::Type::f16 : cnm::Type::i32;
  auto type = io::data_type_named(options.data_type);
  if (!type) return io::usage_error("--dtype: " + type.error().message);
  return type;
}

io::Result<KernelWork> layers_of(const io::RunOptions& options, KernelWork work) {
  auto network = read_network(options.inputs.front(), options);
  if (!network) return network.error();
  if (auto error = keep_layers(*network, options.layer)) return *error;
  const auto type = type_of(options, work.system);
  if (!type) return type.error();
  work.network = network->name;
  for (const Layer& layer : network->layers) {
    const Product product = product_of(layer);
    if (!product.fault.empty()) {
      work.left_out.push_back({layer.name, std::string(product.fault)});
      continue;
    }
    KernelTask task;
    task.name = task.input.name = layer.name;
    task.input.file = options.inputs.front();
    task.repeat = layer.repeat;
    Int columns = product.n;
    if (work.system.target == cnm::Target::hbm_pim) {  // a column after the other
      task.repeat *= columns;
      columns = 1;
    }
    task.input.kernel = cnm::matrix_product(kernel_name(layer.name), product.m, columns, product.k, *type);
    if (const auto fault = cnm::find_fault(*task.input.kernel); !fault.empty()) {
      work.left_out.push_back({layer.name, fault});
      continue;
    }
    work.tasks.push_back(std::move(task));
  }
  for (const auto& [operation, count] : network->unmapped)
    work.left_out.push_back({operation, fmt::format("{} of them, not a matrix product", count)});
  if (work.tasks.empty()) return io::input_error({options.inputs.front()}, "no layer is a matrix product");
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

io::Result<KernelWork> read_work(const io::RunOptions& options) {
  if (options.inputs.size() == 1 && report::is_kernel_result(options.inputs.front())) {
    for (const auto* const name : {"arch", "mapping", "set", "dims", "tasklets", "values", "dtype"})
      if (options.is_given(name))
        return io::usage_error(fmt::format("--{} does not go with a result file, which has its own", name));
    return report::read_kernel_result(options.inputs.front());
  }
  auto work = read_kernels(options);
  if (!work) return work;
  if (!options.mapping.empty() && work->tasks.size() > 1)
    return io::usage_error("--mapping goes with one kernel: expected --layer");
  const bool upmem = work->system.target == cnm::Target::upmem;
  for (KernelTask& task : work->tasks) {
    if (!task.input.kernel) {
      if (!options.mapping.empty())
        return io::usage_error(
            "--mapping does not go with a kernel that is lowered already: expected --tasklets");
      if (upmem == task.input.stream.has_value())
        return io::input_error({task.input.file},
                               fmt::format("a kernel of another target than '{}'",
                                           cnm::target_names[static_cast<std::size_t>(work->system.target)]));
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

TaskEstimate estimate_task(const KernelTask& task, const cnm::System& system) {
  const KernelInput& input = task.input;
  if (input.kernel)
    return {cnm::estimate_kernel(*input.kernel, task.mapping, system, report::shipped_library()), 0, 0};
  auto outcome = input.program   ? cnm::estimate_known_program(system, *input.program, input.tasklets, {})
                 : input.listing ? cnm::estimate_listing(system, *input.listing, input.tasklets)
                                 : cnm::estimate_stream(system, *input.stream);
  TaskEstimate result;
  if (!outcome.estimate) {
    result.estimate.refusal = outcome.refusal;
    result.line = outcome.line;
    result.column = outcome.column;
    return result;
  }
  cnm::CnmMap one;
  one.tuples.assign(system.levels.size(), {1});
  if (system.target == cnm::Target::upmem) one.tuples.back() = {input.tasklets};
  result.estimate.time_ms = outcome.estimate->time_ms;
  result.estimate.cycles = outcome.estimate->cycles;
  result.estimate.maps.push_back({std::move(one), std::move(*outcome.estimate)});
  return result;
}

}  // namespace nestor::app::cnm_space
