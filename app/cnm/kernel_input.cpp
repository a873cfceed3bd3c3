#include "app/cnm/kernel_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/checked_reader.h"
#include "io/cnm/kernel_options.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/mapping_file.h"
#include "mapper/cnm/convolution.h"

namespace nestor::app::cnm_space {
namespace {

io::Result<KernelInput> built_in_stream(const std::string& name, const io::RunOptions& options,
                                        const cnm::System& system) {
  KernelInput input;
  input.name = input.file = name;
  const auto kind = std::find(cnm::pim_kernels.begin(), cnm::pim_kernels.end(), name);
  if (kind == cnm::pim_kernels.end())
    return io::input_error(
        {}, fmt::format("no kernel {}{}, expected {}", io::quote(name),
                        io::suggestion(name, {cnm::pim_kernels.begin(), cnm::pim_kernels.end()}),
                        io::join_words(cnm::pim_kernels)));
  cnm::PimKernel kernel{static_cast<std::size_t>(kind - cnm::pim_kernels.begin()), 1, 1};
  const std::array<io::NamedDim, 2> known = {
      {{"out_tiles", &kernel.out_tiles}, {"in_tiles", &kernel.in_tiles}}};
  if (auto error = io::read_kernel_dims(options, known)) return *error;
  input.stream = cnm::stream_of(kernel, system);
  if (!input.stream) return io::usage_error("--dims: the number of tiles is 0 or too large");
  if (const Int highest = cnm::highest_data_row(kernel, system); highest >= system.pim.reserved_row)
    return io::input_error({}, fmt::format("{}: data reach row {}, expected rows below {}", name, highest,
                                           system.pim.reserved_row));
  return input;
}

// MLIR specifies its element types. --dtype replaces them only on HBM-PIM, which computes on a single type.
io::MaybeError take_type(const io::RunOptions& options, const cnm::System& system, KernelInput& input) {
  if (options.data_type.empty()) return std::nullopt;
  const auto type = io::data_type_named(options.data_type);
  if (!type) return io::usage_error("--dtype: " + type.error().message);
  cnm::Kernel& kernel = *input.kernel;
  const auto stated = kernel.operands[0].type;
  cnm::Kernel retyped = cnm::with_elements(kernel, *type);
  if (retyped == kernel) return std::nullopt;
  if (system.target != cnm::Target::hbm_pim)
    return io::usage_error(fmt::format("--dtype: the file of {} already specifies elements of type {}",
                                       io::quote(input.file), cnm::element_types.word(stated)));
  kernel = std::move(retyped);
  input.warnings.push_back(fmt::format("elements of type {} are treated as {} (--dtype)",
                                       cnm::element_types.word(stated), cnm::element_types.word(*type)));
  return std::nullopt;
}

// A convolution is mapped as a matrix product by default. With --conv direct it keeps its own loops, which
// only UPMEM supports.
io::MaybeError take_convolution(const io::RunOptions& options, const cnm::System& system,
                                KernelInput& input) {
  auto product = cnm::product_of_convolution(*input.kernel);
  if (!product) return std::nullopt;
  if (options.convolution == cnm::ConvolutionForm::direct) return refuse_direct_form(options, system);
  *input.kernel = std::move(product->kernel);
  input.warnings.emplace_back("the convolution is computed as a product of matrices (--conv im2col)");
  return std::nullopt;
}

}  // namespace

io::Result<KernelInput> read_kernel(const std::string& path_or_name, const io::RunOptions& options,
                                    const cnm::System& system) {
  // Standard input has no file extension that specifies its language, so it is read as MLIR.
  if (io::is_kernel_file(path_or_name) || path_or_name == "-") {
    auto input = io::read_kernel_file(path_or_name, options, system);
    if (input && input->kernel) {
      if (auto error = take_type(options, system, *input)) return *error;
      if (auto error = take_convolution(options, system, *input)) return *error;
    }
    return input;
  }
  if (system.target == cnm::Target::hbm_pim) return built_in_stream(path_or_name, options, system);
  return io::read_shipped_kernel(path_or_name, options);
}

io::MaybeError refuse_direct_form(const io::RunOptions& options, const cnm::System& system) {
  if (options.convolution != cnm::ConvolutionForm::direct || system.target == cnm::Target::upmem)
    return std::nullopt;
  return io::usage_error("--conv direct requires a system of target upmem");
}

io::Result<cnm::CnmMapping> read_mapping(const io::RunOptions& options, const cnm::Kernel& kernel,
                                         const cnm::System& system) {
  if (!options.mapping.empty()) return io::read_cnm_mapping(options.mapping);
  auto map = cnm::single_unit(kernel, system.levels.size());
  if (system.target == cnm::Target::hbm_pim) {
    const std::size_t last = kernel.dim_count() - 1;
    map.tuples[1][0] = system.levels[1].size;
    map.tuples[2][last] = system.levels[2].size;
    for (std::size_t d = 0; d <= last; ++d)
      map.tuples[3][d] = ceil_divide(kernel.extents[d], map.tuples[1][d] * map.tuples[2][d]);
  }
  return cnm::CnmMapping{std::move(map)};
}

}  // namespace nestor::app::cnm_space
