#include "app/cnm/kernel_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/split.h"
#include "io/checked_reader.h"
#include "io/cnm/assembly.h"
#include "io/cnm/cnm_ir.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/mlir.h"
#include "io/cnm/stream_text.h"

namespace nestor::app::cnm_space {
namespace {

constexpr std::uintmax_t largest_kernel = std::uintmax_t{16} << 20;

// "NAME=VALUE,..." of --dims: a value for each name that the kernel knows.
io::MaybeError read_dims(const std::string& text, std::span<const std::pair<std::string_view, Int*>> known) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : known) names.push_back(name);
  for (const std::string_view binding : split_list(text, ',')) {
    const auto equals = binding.find('=');
    const auto name = binding.substr(0, equals);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      return io::usage_error(fmt::format("--dims: no dimension {}{}, expected {}", io::quote(name),
                                         io::suggestion(name, names), io::join_words(names)));
    const auto value =
        equals == std::string_view::npos ? std::nullopt : io::to_integer(binding.substr(equals + 1));
    if (!value || *value < 0 || *value > 1'000'000'000)
      return io::usage_error(fmt::format("--dims: expected {}=N with N from 0 to 1000000000, found {}", name,
                                         io::quote(binding)));
    *known[static_cast<std::size_t>(at - names.begin())].second = *value;
  }
  return std::nullopt;
}

io::Result<KernelInput> built_in(const std::string& name, const io::RunOptions& options,
                                 const cnm::System& system) {
  KernelInput input;
  input.name = input.file = name;
  if (system.target == cnm::Target::hbm_pim) {
    const auto kind = std::find(cnm::pim_kernels.begin(), cnm::pim_kernels.end(), name);
    if (kind == cnm::pim_kernels.end())
      return io::input_error(
          {}, fmt::format("no kernel {}{}, expected {}", io::quote(name),
                          io::suggestion(name, {cnm::pim_kernels.begin(), cnm::pim_kernels.end()}),
                          io::join_words(cnm::pim_kernels)));
    cnm::PimKernel kernel{static_cast<std::size_t>(kind - cnm::pim_kernels.begin()), 1, 1};
    const std::array<std::pair<std::string_view, Int*>, 2> known = {
        {{"out_tiles", &kernel.out_tiles}, {"in_tiles", &kernel.in_tiles}}};
    if (auto error = read_dims(options.kernel_dims, known)) return *error;
    input.stream = cnm::stream_of(kernel, system);
    if (!input.stream)
      return io::usage_error("--dims: expected at least one tile, and no more than can be counted");
    if (const Int highest = cnm::highest_data_row(kernel, system); highest >= system.pim.reserved_row)
      return io::input_error({}, fmt::format("{}: data up to row {}, expected below {}", name, highest,
                                             system.pim.reserved_row));
    return input;
  }
  io::KernelDims dims;
  dims.tasklets = options.tasklets;
  const std::array<std::pair<std::string_view, Int*>, 4> known = {{{"tasklets", &dims.tasklets},
                                                                   {"iterations", &dims.iterations},
                                                                   {"cols", &dims.cols},
                                                                   {"buffer_elems", &dims.buffer_elems}}};
  if (auto error = read_dims(options.kernel_dims, known)) return *error;
  if (!options.data_type.empty()) {
    const auto type = io::data_type_named(options.data_type);
    if (!type) return io::usage_error("--dtype: " + type.error().message);
    dims.type = *type;
  }
  if (dims.buffer_elems < 1) return io::usage_error("--dims: expected buffer_elems from 1, found 0");
  auto listing = io::built_in_kernel(name, dims);
  if (!listing) return listing.error();
  input.listing = std::move(*listing);
  input.tasklets = dims.tasklets;
  return input;
}

io::MaybeError read_values(const io::RunOptions& options, Int& k) {
  if (options.values.empty()) return std::nullopt;
  const std::string_view text = options.values;
  const auto value = text.starts_with("mul=") ? io::to_integer(text.substr(4)) : std::nullopt;
  if (!value || *value < 0 || *value > 64)
    return io::usage_error(
        fmt::format("--values: expected mul=K with K from 0 to 64, found {}", io::quote(text)));
  k = *value;
  return std::nullopt;
}

// "NAME=VALUE" of the options that tell what an assembly file does not say.
io::MaybeError split_binding(std::string_view option, std::string_view text, std::string& name,
                             std::string& value) {
  const auto equals = text.find('=');
  name = std::string(text.substr(0, equals));
  value = equals == std::string_view::npos ? std::string() : std::string(text.substr(equals + 1));
  if (!name.empty() && !value.empty()) return std::nullopt;
  return io::usage_error(fmt::format("--{}: expected NAME=VALUE, found {}", option, io::quote(text)));
}

io::MaybeError read_facts(const io::RunOptions& options, io::AssemblyFacts& facts) {
  constexpr Int largest = Int{1} << 32;
  const auto number = [&](std::string_view option, std::string_view text, Int low,
                          Int& value) -> io::MaybeError {
    const auto read = io::to_integer(text);
    if (!read || *read < low || *read > largest)
      return io::usage_error(fmt::format("--{}: expected a whole number from {} to {}, found {}", option, low,
                                         largest, io::quote(text)));
    value = *read;
    return std::nullopt;
  };
  facts.arguments_symbol = options.arguments_symbol;
  std::string name, value;
  for (const std::string_view word : split_list(options.arguments, ',')) {
    Int argument = 0;
    if (auto error = number("args", word, 0, argument)) return error;
    facts.arguments.push_back(argument);
  }
  for (const std::string_view binding : split_list(options.registers, ',')) {
    if (auto error = split_binding("regs", binding, name, value)) return error;
    if (auto error = number("regs", value, 0, facts.registers[name])) return error;
  }
  for (const auto& text : options.trips) {
    if (auto error = split_binding("trips", text, name, value)) return error;
    if (auto error = number("trips", value, 1, facts.trips[name])) return error;
  }
  for (const auto& text : options.branches) {
    if (auto error = split_binding("branch", text, name, value)) return error;
    const auto share = io::to_number(value);
    const bool in_range = share && *share >= 0 && *share <= 1;
    if (!in_range)
      return io::usage_error(
          fmt::format("--branch: expected a share from 0 to 1, found {}", io::quote(value)));
    facts.shares[name] = *share;
  }
  return read_values(options, facts.multiply_k);
}

}  // namespace

io::Result<KernelInput> read_kernel(const std::string& path, const io::RunOptions& options,
                                    const cnm::System& system) {
  const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
  if (!ends(".mlir") && !ends(".cnm") && !ends(".llvcnm") && !ends(".s")) {
    auto input = built_in(path, options, system);
    if (input && input->listing)
      if (auto error = read_values(options, input->listing->multiply_k)) return *error;
    return input;
  }
  const auto text = io::read_file(path, largest_kernel);
  if (!text) return text.error();
  KernelInput input;
  input.name = input.file = path;
  input.tasklets = options.tasklets;
  if (ends(".mlir")) {
    auto kernel = io::parse_mlir(*text, path);
    if (!kernel) return kernel.error();
    input.kernel = std::move(*kernel);
    input.name = input.kernel->name;
    // What a compiler knows of the values: those of the shipped histogram are 9 bits wide.
    if (input.kernel->library_call == "hst") input.kernel->multiply_k = 8;
    if (auto error = read_values(options, input.kernel->multiply_k)) return *error;
  } else if (ends(".cnm")) {
    auto kernel = io::parse_cnm_ir(*text, path);
    if (!kernel) return kernel.error();
    input.ir = std::move(*kernel);
    input.name = input.ir->name;
    Int k = cnm::default_multiply_k;
    if (auto error = read_values(options, k)) return *error;
    auto lowered = cnm::lower_to_listing(*input.ir, k);
    if (!lowered.fault.empty()) return io::input_error({path}, lowered.fault);
    input.listing = std::move(lowered.value);
  } else if (ends(".s")) {
    io::AssemblyFacts facts;
    if (auto error = read_facts(options, facts)) return *error;
    auto kernel = io::read_assembly(*text, path, facts, system);
    if (!kernel) return kernel.error();
    input.program = std::move(kernel->program);
    input.warnings = std::move(kernel->warnings);
    input.name = std::move(kernel->name);
  } else if (system.target == cnm::Target::hbm_pim) {
    auto stream = io::parse_stream(*text, path, system);
    if (!stream) return stream.error();
    input.stream = std::move(stream->stream);
    input.name = stream->name;
  } else {
    auto listing = io::parse_llvcnm(*text, path);
    if (!listing) return listing.error();
    input.listing = std::move(*listing);
    input.name = input.listing->name;
  }
  if (input.listing && !ends(".cnm"))
    if (auto error = read_values(options, input.listing->multiply_k)) return *error;
  return input;
}

io::Result<cnm::Mapping> read_mapping(const io::RunOptions& options, const cnm::Kernel& kernel,
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
  return cnm::Mapping{std::move(map)};
}

}  // namespace nestor::app::cnm_space
