#include "report/cnm/kernel_source.h"

#include <fmt/format.h>

#include "io/cnm/kernel_file.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/mlir.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"

namespace nestor::report {
namespace {

using enum SourceLanguage;
constexpr auto languages = enum_words<SourceLanguage>(
    {{mlir, "mlir"}, {llvcnm, "llvcnm"}, {stream, "stream"}, {program, "program"}});
constexpr auto item_kinds = enum_words<cnm::ItemKind>({{cnm::ItemKind::slots, "slots"},
                                                       {cnm::ItemKind::read, "read"},
                                                       {cnm::ItemKind::write, "write"},
                                                       {cnm::ItemKind::barrier, "barrier"},
                                                       {cnm::ItemKind::loop, "loop"},
                                                       {cnm::ItemKind::leave, "leave"}});
constexpr std::size_t most_items = 1'000'000;

io::Json items_json(const cnm::Program& items) {
  auto json = io::Json::array();
  for (const cnm::Item& item : items) {
    auto entry = io::Json::array({item_kinds.word(item.kind), item.amount});
    if (item.kind == cnm::ItemKind::loop) entry.push_back(items_json(item.body));
    json.push_back(std::move(entry));
  }
  return json;
}

cnm::Program items_from(const io::Node& node, io::Reading& reading) {
  cnm::Program items;
  for (const io::Node& entry : io::read_list(node, "program", 0, most_items, reading)) {
    const auto parts = io::read_list(entry, "item", 2, 3, reading);
    if (reading.failed()) return items;
    cnm::Item item;
    item.kind = io::read_word(parts[0], "item", item_kinds, reading);
    item.amount = io::read_integer(parts[1], "amount", {0, cnm::max_count}, reading);
    if ((item.kind == cnm::ItemKind::loop) != (parts.size() == 3))
      reading.fail(entry, "expected only the body of a loop");
    if (!reading.failed() && parts.size() == 3) item.body = items_from(parts[2], reading);
    items.push_back(std::move(item));
  }
  return items;
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

KernelSource source_of(const KernelInput& input, const cnm::System& system) {
  KernelSource source;
  if (input.kernel) {
    source.language = mlir;
    source.multiply_k = input.kernel->multiply_k;
    source.text = io::to_mlir(*input.kernel);
  } else if (input.listing) {
    source.language = llvcnm;
    source.tasklets = input.tasklets;
    source.text = io::to_text(*input.listing);
  } else if (input.stream) {
    source.language = stream;
    source.text = io::to_text(io::NamedStream{input.name, *input.stream}, system);
  } else {
    source.language = program;
    source.name = input.name;
    source.tasklets = input.tasklets;
    source.program = *input.program;
  }
  return source;
}

void describe_source(io::Fields& fields, KernelSource& source) {
  fields.word(key::language, source.language, languages, io::required, "");
  const bool is_program = source.language == program;
  const io::Default<std::string> name =
      is_program ? io::Default<std::string>(io::required_here) : io::derived(std::string());
  fields.title(key::name, source.name, name, "Name of a program.");
  io::Default<Int> k = cnm::default_multiply_k, tasklets = Int{1};
  k.is_written = source.language == mlir;
  tasklets.is_written = is_program || source.language == llvcnm;
  fields.integer(key::multiply_k, source.multiply_k, {0, 64}, k,
                 "Parameter of the times of products in MLIR.");
  fields.integer(key::tasklets, source.tasklets, {1, 64}, tasklets, "");
  fields.text(key::text, source.text, "The kernel in its language.");
  const auto read = [&](const io::Node& node, const std::string& /*label*/, io::Reading& reading) {
    source.program = items_from(node, reading);
  };
  fields.field({key::program, is_program ? io::required_here : io::optional, read, [] {},
                [&] { return is_program ? items_json(source.program) : io::Json(); },
                [] { return io::list_schema(io::list_schema(io::Json())); },
                "Items as [kind, amount], or [kind, amount, body] for a loop."});
}

io::Json source_json(const KernelInput& input, const cnm::System& system) {
  auto source = source_of(input, system);
  return io::write_fields([&](io::Fields& fields) { describe_source(fields, source); });
}

io::Result<KernelInput> kernel_from(const io::Node& node, const cnm::System& system) {
  io::Reading reading;
  KernelSource source;
  io::read_fields(node, "source", reading, [&](io::Fields& fields) { describe_source(fields, source); });
  if (reading.failed()) return reading.error();
  const auto& [language, k, tasklets, text, name, items] = source;
  KernelInput input;
  input.file = node.where().file;
  input.tasklets = tasklets;
  if (language == mlir) {
    auto kernel = placed(io::parse_mlir(text, input.file), node);
    if (!kernel) return kernel.error();
    input.kernel = std::move(*kernel);
    input.kernel->multiply_k = k;
    input.name = input.kernel->name;
  } else if (language == llvcnm) {
    auto listing = placed(io::parse_llvcnm(text, input.file), node);
    if (!listing) return listing.error();
    input.listing = std::move(*listing);
    input.name = input.listing->name;
  } else if (language == stream) {
    auto read = placed(io::parse_stream(text, input.file, system), node);
    if (!read) return read.error();
    input.stream = std::move(read->stream);
    input.name = read->name;
  } else {
    input.name = name;
    input.program = items;
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

void describe_left_out(io::Fields& fields, LeftOutLayer& layer) {
  fields.title(key::name, layer.name, io::required, "");
  add_word(fields, key::why, layer.why, {}, "Reason, as a sentence.");
  fields.integer(key::macs, layer.macs, {0, cnm::max_count}, io::written(Int{0}),
                 "Number of multiplications; 0 if unknown.");
}

namespace {

void read_left_out(const io::Node& root, KernelWork& work, io::Reading& reading) {
  const auto left_out = root.find(key::left_out);
  if (!left_out) return;
  for (const io::Node& node : io::read_list(*left_out, "left_out", 0, 100'000, reading)) {
    auto& layer = work.left_out.emplace_back();
    io::read_fields(node, "left_out", reading, [&](io::Fields& fields) { describe_left_out(fields, layer); });
    if (reading.failed()) return;
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
