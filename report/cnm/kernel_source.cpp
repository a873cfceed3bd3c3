#include "report/cnm/kernel_source.h"

#include <fmt/format.h>

#include "io/checked_reader.h"
#include "io/cnm/kernel_file.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/mlir.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/result_parts.h"

namespace nestor::report {
namespace {

constexpr std::array<std::string_view, 4> languages = {"mlir", "llvcnm", "stream", "program"};
constexpr auto item_kinds = enum_words<cnm::ItemKind>({{cnm::ItemKind::slots, "slots"},
                                                       {cnm::ItemKind::read, "read"},
                                                       {cnm::ItemKind::write, "write"},
                                                       {cnm::ItemKind::barrier, "barrier"},
                                                       {cnm::ItemKind::loop, "loop"},
                                                       {cnm::ItemKind::leave, "leave"}});
constexpr std::size_t most_items = 1'000'000;

io::Json program_json(const cnm::Program& program) {
  auto json = io::Json::array();
  for (const cnm::Item& item : program) {
    auto entry = io::Json::array({item_kinds.word(item.kind), item.amount});
    if (item.kind == cnm::ItemKind::loop) entry.push_back(program_json(item.body));
    json.push_back(std::move(entry));
  }
  return json;
}

cnm::Program program_from(const io::Node& node, io::Reading& reading) {
  cnm::Program program;
  for (const io::Node& entry : io::read_list(node, "program", 0, most_items, reading)) {
    const auto parts = io::read_list(entry, "item", 2, 3, reading);
    if (reading.failed()) return program;
    cnm::Item item;
    item.kind = io::read_word(parts[0], "item", item_kinds, reading);
    item.amount = io::read_integer(parts[1], "amount", {0, cnm::max_count}, reading);
    if ((item.kind == cnm::ItemKind::loop) != (parts.size() == 3))
      reading.fail(entry, "expected only the body of a loop");
    if (!reading.failed() && parts.size() == 3) item.body = program_from(parts[2], reading);
    program.push_back(std::move(item));
  }
  return program;
}

// Locates an error in embedded text: its position is that of the text in the file, and its message states the
// line within the text.
template <typename T>
io::Result<T> placed(io::Result<T> read, const io::Node& source) {
  if (read) return read;
  io::Error error = read.error();
  error.message = fmt::format("source, line {}: {}", error.where.line, error.message);
  error.where = source.where();
  return error;
}

}  // namespace

io::Json source_json(const KernelInput& input, const cnm::System& system) {
  if (input.kernel)
    return {{key::language, "mlir"},
            {key::multiply_k, input.kernel->multiply_k},
            {key::text, io::to_mlir(*input.kernel)}};
  if (input.listing)
    return {
        {key::language, "llvcnm"}, {key::tasklets, input.tasklets}, {key::text, io::to_text(*input.listing)}};
  if (input.stream)
    return {{key::language, "stream"},
            {key::text, io::to_text(io::NamedStream{input.name, *input.stream}, system)}};
  return {{key::language, "program"},
          {key::name, input.name},
          {key::tasklets, input.tasklets},
          {key::program, program_json(*input.program)}};
}

io::Result<KernelInput> kernel_from(const io::Node& source, const cnm::System& system) {
  constexpr std::array<std::string_view, 6> keys = {key::language, key::multiply_k, key::tasklets,
                                                    key::text,     key::name,       key::program};
  io::Reading reading;
  const io::MapReader reader(source, "source", keys, reading);
  const auto language = languages[reader.word(key::language, languages)];
  KernelInput input;
  input.file = source.where().file;
  input.tasklets = reader.integer(key::tasklets, {1, 64}, 1);
  const Int k = reader.integer(key::multiply_k, {0, 64}, cnm::default_multiply_k);
  const auto text = reader.text(key::text, "");
  if (language == "program") {
    input.name = reader.title(key::name);
    if (const auto program = reader.require(key::program)) input.program = program_from(*program, reading);
  }
  if (reading.failed()) return reading.error();
  if (language == "mlir") {
    auto kernel = placed(io::parse_mlir(text, input.file), source);
    if (!kernel) return kernel.error();
    input.kernel = std::move(*kernel);
    input.kernel->multiply_k = k;
    input.name = input.kernel->name;
  } else if (language == "llvcnm") {
    auto listing = placed(io::parse_llvcnm(text, input.file), source);
    if (!listing) return listing.error();
    input.listing = std::move(*listing);
    input.name = input.listing->name;
  } else if (language == "stream") {
    auto stream = placed(io::parse_stream(text, input.file, system), source);
    if (!stream) return stream.error();
    input.stream = std::move(stream->stream);
    input.name = stream->name;
  }
  return input;
}

namespace {

// Selects the mapping of this rank in the list of best mappings. With --pad, the kernel also gets the extents
// of that mapping.
io::MaybeError take_rank(const io::Node& node, Int rank, const cnm::System& system, KernelTask& task) {
  if (rank == 1) return std::nullopt;
  const auto top = node.find(key::top);
  const auto listed = top && top->is_list() ? static_cast<Int>(top->size()) : 0;
  if (rank > listed)
    return io::usage_error(fmt::format("--rank {}: {} has {} ranked mappings; use `nestor map --top {}`",
                                       rank, io::quote(task.name), listed, rank));
  auto mapping = io::cnm_map_from(top->item(static_cast<std::size_t>(rank - 1)));
  if (!mapping) return mapping.error();
  auto& extents = task.input.kernel->extents;
  const bool may_grow = node.find(key::pad_percent).has_value();
  if (may_grow && cnm::find_shape_fault(*mapping, extents.size(), system).empty())
    for (std::size_t d = 0; d < extents.size(); ++d) extents[d] = mapping->extent(d);
  task.mapping = {std::move(*mapping)};
  return std::nullopt;
}

}  // namespace

io::Result<KernelTask> read_kernel_entry(const io::Node& node, const cnm::System& system, Int rank) {
  const auto source = node.find(key::source);
  const auto maps = node.find(key::maps);
  if (!source || !maps)
    return io::input_error(node.where(), "expected keys 'source' and 'maps', as in a result");
  auto input = kernel_from(*source, system);
  if (!input) return input.error();
  KernelTask task;
  task.name = input->name;
  task.input = std::move(*input);
  if (task.input.kernel && maps->is_list() && maps->size() > 0) {
    auto mapping = io::cnm_mapping_from(node);
    if (!mapping) return mapping.error();
    task.mapping = std::move(*mapping);
    if (auto error = take_rank(node, rank, system, task)) return *error;
  }
  return task;
}

namespace {

void read_left_out(const io::Node& root, KernelWork& work, io::Reading& reading) {
  const auto left_out = root.find(key::left_out);
  if (!left_out) return;
  constexpr std::array<std::string_view, 3> keys = {key::name, key::why, key::macs};
  for (const io::Node& layer : io::read_list(*left_out, "left_out", 0, 100'000, reading)) {
    const io::MapReader reader(layer, "left_out", keys, reading);
    if (reading.failed()) return;
    work.left_out.push_back({reader.title(key::name), reader.text(key::why, ""),
                             reader.integer(key::macs, {0, cnm::max_count}, 0)});
  }
}

}  // namespace

bool is_kernel_result(const std::string& path) {
  if (io::is_kernel_file(path)) return false;
  const auto document = io::Document::head(io::read_head(path, io::head_bytes), path);
  return document.root().is_map() && document.root().find(key::space).has_value();
}

io::Result<KernelWork> read_kernel_result(const std::string& path, Int rank) {
  const auto document = io::Document::read(path, io::result_limits);
  if (!document) return document.error();
  const io::Node root = document->root();
  if (auto error = io::check_schema(root)) return *error;
  const auto architecture = root.find(key::architecture);
  if (!architecture && root.find(key::offload))
    return io::input_error(root.where(),
                           "this is the result of a program; use it with `nestor verify` or --mapping");
  if (!architecture)
    return io::input_error(root.where(), "expected key 'architecture' in the result, found none");
  auto system = io::cnm_system_from(*architecture);
  if (!system) return system.error();
  if (system->target == cnm::Target::host)
    return io::input_error(architecture->where(), "expected a system for kernels, found the host");
  KernelWork work;
  work.system = std::move(*system);
  const auto layers = root.find(key::layers);
  if (!layers) {
    auto task = read_kernel_entry(root, work.system, rank);
    if (!task) return task.error();
    work.tasks.push_back(std::move(*task));
    return work;
  }
  io::Reading reading;
  if (const auto name = root.find(key::network)) work.network = io::read_title(*name, "network", reading);
  for (const io::Node& layer : io::read_list(*layers, "layers", 1, 100'000, reading)) {
    auto task = read_kernel_entry(layer, work.system, rank);
    if (!task) return task.error();
    if (const auto name = layer.find(key::name)) task->name = io::read_title(*name, "name", reading);
    if (const auto repeat = layer.find(key::repeat))
      task->repeat = io::read_integer(*repeat, "repeat", {1, cnm::max_count}, reading);
    if (const auto macs = layer.find(key::macs))
      task->macs = io::read_integer(*macs, "macs", {0, cnm::max_count}, reading);
    work.tasks.push_back(std::move(*task));
  }
  read_left_out(root, work, reading);
  if (reading.failed()) return reading.error();
  return work;
}

}  // namespace nestor::report
