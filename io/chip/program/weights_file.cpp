#include "io/chip/program/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/chip/program/program_file.h"
#include "io/files.h"
#include "model/chip/program/numbers.h"

namespace nestor::io {
namespace {

using namespace chip_program;

constexpr std::string_view first_line = "nestor-weights 1\n";
constexpr std::string_view words[] = {"matrix", "bias",   "mul",   "shift",
                                      "zero",   "limits", "table", "constant"};
constexpr std::string_view entry_keys[] = {"operator", "what",   "bits", "shape",
                                           "offset",   "scales", "in",   "out"};
constexpr std::string_view layout_keys[] = {"dims", "axes", "first", "limits"};
constexpr Int most_weights = Int{1} << 31;
constexpr Int largest_extent = Int{1} << 40;

bool fits(const std::vector<Int>& values, Int bits) {
  const Int most = bits >= 64 ? std::numeric_limits<Int>::max() : (Int{1} << (bits - 1)) - 1;
  return std::all_of(values.begin(), values.end(), [&](Int v) { return v <= most && v >= -most - 1; });
}

// Returns the usual width of a list, or the next larger width of whole bytes that fits all its values.
Int bits_of(const ProgramOperator& op, std::string_view what, const std::vector<Int>& values) {
  const auto [in, weight, out] = op.keys.bits;
  Int bits = what == "bias" || what == "mul"       ? 32
             : what == "table" || what == "limits" ? out
             : what == "constant"                  ? in
                                                   : 8;
  while (bits < 64 && !fits(values, bits)) bits = (bits / 8 + 1) * 8;
  return bits;
}

template <typename Values>
void append_integers(const Values& values, Int bits, std::string& data) {
  for (const Int value : values)
    for (Int shift = 0; shift < bits; shift += 8)
      data += static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 255);
}

Json layout_json(const chip::TensorLayout& layout) {
  auto axes = Json::array();
  for (const auto& axis : layout.axes) axes.push_back({axis.extent, axis.stride});
  return {{"dims", layout.dims}, {"axes", axes}, {"first", layout.first}, {"limits", layout.limits}};
}

class ListReader {
 public:
  ListReader(std::string_view data, const std::string& file, Program& program)
      : data_(data), file_(file), program_(program) {
    for (std::size_t i = 0; i < program.operators.size(); ++i) known_.emplace(program.operators[i].name, i);
    numbers_.operators.resize(program.operators.size());
  }

  MaybeError run(const Node& root) {
    for (const Node& entry : read_list(root, "the list of weights", 0, most_entries, reading_)) {
      if (reading_.failed()) break;
      read_entry(entry);
    }
    if (reading_.failed()) return reading_.error();
    program_.numbers = std::make_shared<const ProgramNumbers>(std::move(numbers_));
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_entries = std::size_t{1} << 20;

  void read_entry(const Node& node) {
    const MapReader entry(node, "an entry", entry_keys, reading_);
    const auto name = entry.title("operator");
    const auto what = words[entry.word("what", words)];
    const Int bits = entry.integer("bits", {1, 64});
    const Int offset = entry.integer("offset", {0, largest_extent});
    std::vector<Int> shape;
    std::optional<Int> count = 1;
    for (const Node& extent : entry.list("shape", 0, 8)) {
      shape.push_back(read_integer(extent, "an extent", {0, largest_extent}, reading_));
      if (count) count = checked_multiply(*count, shape.back());
    }
    if (reading_.failed()) return;
    const auto found = known_.find(std::string_view(name));
    if (found == known_.end())
      return reading_.fail(node, fmt::format("the program has no operator {}", quote(name)));
    const Int bytes = ceil_divide(bits, 8);
    const auto size = static_cast<Int>(data_.size());
    if (!count || *count > most_weights || offset > size || *count > (size - offset) / bytes)
      return reading_.fail(node, fmt::format("the {} of {} ends beyond the file", what, quote(name)));
    OperatorNumbers& numbers = numbers_.operators[found->second];
    if (what == "matrix") {
      if (shape.size() != 3 || bits > 32)
        return reading_.fail(node, "expected a matrix [G, K, N] of at most 32 bits");
      std::copy(shape.begin(), shape.end(), numbers.extents.begin());
      take(offset, *count, bytes, numbers.matrix);
    }
    for (const auto& list : number_lists)
      if (list.what == what) take(offset, *count, bytes, numbers.*list.values);
    if (entry.find("scales"))
      for (const Node& scale : entry.list("scales", 0, 1 << 16))
        numbers.scales.push_back(read_number(scale, "a scale", 0, reading_));
    if (const auto in = entry.find("in")) numbers.in = layout(*in, found->second, true);
    if (const auto out = entry.find("out")) numbers.out = layout(*out, found->second, false);
  }

  template <typename Value>
  void take(Int offset, Int count, Int bytes, std::vector<Value>& values) {
    values.clear();
    values.reserve(static_cast<std::size_t>(count));
    const auto unused = static_cast<unsigned>(64 - 8 * bytes);
    for (Int i = 0; i < count; ++i) {
      std::uint64_t value = 0;
      for (Int b = 0; b < bytes; ++b)
        value |= static_cast<std::uint64_t>(
                     static_cast<unsigned char>(data_[static_cast<std::size_t>(offset + i * bytes + b)]))
                 << (8 * b);
      values.push_back(static_cast<Value>(static_cast<Int>(value << unused) >> unused));
    }
  }

  chip::TensorLayout layout(const Node& node, std::size_t op, bool in) {
    const MapReader map(node, "a layout", layout_keys, reading_);
    chip::TensorLayout made;
    const auto& inputs = program_.operators[op].inputs;
    made.tensor = in ? (inputs.empty() ? 0 : inputs.front()) : program_.operators[op].output;
    made.first = map.integer("first", {0, largest_extent});
    const auto limits = map.list("limits", 2, 2);
    for (std::size_t i = 0; i < limits.size(); ++i)
      made.limits[i] = read_integer(limits[i], "a limit", {-largest_extent, largest_extent}, reading_);
    if (made.limits[0] > made.limits[1]) reading_.fail(node, "the lower limit exceeds the upper limit");
    std::optional<Int> elements = 1;
    for (const Node& extent : map.list("dims", 0, 16)) {
      made.dims.push_back(read_integer(extent, "an extent", {1, most_weights}, reading_));
      if (elements) elements = checked_multiply(*elements, made.dims.back());
    }
    std::optional<Int> places = 1;
    for (const Node& axis : map.list("axes", 0, 16)) {
      const auto pair = read_list(axis, "an axis", 2, 2, reading_);
      if (reading_.failed()) return made;
      made.axes.push_back({read_integer(pair[0], "an extent", {1, most_weights}, reading_),
                           read_integer(pair[1], "a stride", {0, largest_extent}, reading_)});
      if (places) places = checked_multiply(*places, made.axes.back().extent);
    }
    if (!elements || elements != places || *elements > most_weights)
      reading_.fail(node, "the extents of its axes do not multiply to the elements of its dims");
    return made;
  }

  std::string_view data_;
  std::string file_;
  Program& program_;
  Reading reading_;
  HashMap<std::string_view, std::size_t> known_;
  ProgramNumbers numbers_;
};

}  // namespace

bool is_weights_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.size() <= 255 &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

std::string weights_bytes(const Program& program) {
  auto entries = Json::array();
  std::string data;
  const auto add = [&](const ProgramOperator& op, std::string_view what, Int bits, const Json& shape,
                       const auto& values) {
    entries.push_back(
        {{"operator", op.name}, {"what", what}, {"bits", bits}, {"shape", shape}, {"offset", data.size()}});
    append_integers(values, ceil_divide(bits, 8) * 8, data);
  };
  for (std::size_t i = 0; i < program.operators.size(); ++i) {
    const auto& op = program.operators[i];
    const OperatorNumbers& numbers = program.numbers->operators[i];
    if (!numbers.matrix.empty()) add(op, "matrix", op.keys.bits[1], numbers.extents, numbers.matrix);
    for (const auto& list : number_lists) {
      const auto& values = numbers.*list.values;
      if (values.empty()) continue;
      add(op, list.what, bits_of(op, list.what, values), {values.size()}, values);
      if (list.what != "zero") continue;
      auto& entry = entries.back();
      if (!numbers.scales.empty()) entry["scales"] = numbers.scales;
      if (numbers.in) entry["in"] = layout_json(*numbers.in);
      if (numbers.out) entry["out"] = layout_json(*numbers.out);
    }
  }
  return std::string(first_line) + entries.dump() + "\n" + data;
}

MaybeError parse_weights(std::string_view bytes, const std::string& file, Program& program) {
  if (!bytes.starts_with(first_line))
    return input_error({file}, "not a weights file; expected 'nestor-weights 1' in the first line");
  const auto end = bytes.find('\n', first_line.size());
  if (end == std::string_view::npos)
    return input_error({file}, "truncated: its list of weights does not end");
  const auto document = Document::parse(bytes.substr(first_line.size(), end - first_line.size()), file);
  if (!document) return document.error();
  return ListReader(bytes.substr(end + 1), file, program).run(document->root());
}

Result<chip_program::Program> parse_program(std::string_view bytes, const std::string& file) {
  return is_binary_program(bytes) ? parse_program_binary(bytes, file) : parse_program_text(bytes, file);
}

Result<chip_program::Program> read_program(const std::string& path) {
  constexpr std::uintmax_t largest_program = std::uintmax_t{256} << 20;
  auto bytes = read_file(path, largest_program);
  if (!bytes) return bytes.error();
  auto program = parse_program(*bytes, path);
  if (!program || program->weights.empty() || program->numbers) return program;
  if (!is_weights_name(program->weights))
    return input_error({path}, fmt::format("the weights are in {}; expected a file next to the program",
                                           quote(program->weights)));
  const auto beside = std::filesystem::path(path).parent_path() / program->weights;
  const auto weights = read_file(beside);
  if (!weights) return weights.error();
  if (auto error = parse_weights(*weights, beside.string(), *program)) return *error;
  return program;
}

}  // namespace nestor::io
