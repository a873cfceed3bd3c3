#include "io/chip/network_file.h"

#include <fmt/format.h>

#include <boost/dynamic_bitset.hpp>

#include "io/chip/reference.h"
#include "model/chip/functions.h"

namespace nestor::io {
namespace {

using chip::ChipNetwork;
using chip::Operator;
using chip::OperatorInput;
using chip::OperatorKind;

constexpr IntRange side_range = {1, Int{1} << 31};
constexpr IntRange rows_range = {1, Int{1} << 20};
constexpr IntRange amount_range = {0, Int{1} << 50};
constexpr IntRange width_range = {1, 64};
constexpr IntRange slope_range = {0, Int{1} << 40};
constexpr IntRange pixel_slope_range = {0, Int{1} << 30};
constexpr IntRange offset_range = {-(Int{1} << 40), Int{1} << 40};
constexpr std::size_t most_operators = 10000;
constexpr std::size_t most_called = 16;
constexpr std::size_t most_inputs = 1000;
// Limit on the total number of rows of all operators; a schedule stores two time values per row.
constexpr Int most_rows = Int{1} << 22;

constexpr SizeRange input_count = {0, most_inputs};
constexpr SizeRange operator_count = {1, most_operators};
constexpr SizeRange output_count = {1, most_operators};
constexpr SizeRange from_count = {0, most_operators};
constexpr SizeRange call_count = {1, most_called};

// A network and what its reader needs.
struct NetworkState {
  ChipNetwork& network;
  Places tensors = {};             ///< by name: inputs and the operators read so far
  std::vector<Node> outputs = {};  ///< names, resolved after all operators are read
  Int rows = 0;                    ///< of all operators read so far

  const std::string& name_of(std::size_t tensor) const {
    return network.is_input(tensor) ? network.inputs[tensor].name
                                    : network.operators[network.producer(tensor)].name;
  }
  void add_tensor(const Node& node, const std::string& name, Reading& reading) {
    if (!tensors.emplace(name, tensors.size()).second)
      reading.fail(*node.find("name"), fmt::format("name {} is already taken", quote(name)));
  }
  std::size_t find_tensor(const Node& node, std::string_view what, Reading& reading) const {
    return read_reference(node, what, tensors, "an input or an earlier operator", reading);
  }
};

// `differs`: the writer writes all widths.
void describe_bits(Fields& fields, chip::Bits& bits, const chip::Bits& usual, bool differs) {
  const auto width = [&](std::string_view key, Int& value, Int otherwise, std::string_view meaning) {
    auto fallback = derived(otherwise);
    fallback.is_written = differs;
    fields.integer(key, value, width_range, fallback, meaning);
  };
  width("I", bits.I, usual.I, "Bits of an input element.");
  width("W", bits.W, usual.W, "Bits of a weight.");
  width("O", bits.O, usual.O, "Bits of an output element.");
}

void describe_matrix(Fields& fields, chip::Matrix& matrix) {
  fields.integer("rows", matrix.rows, side_range, required, "K.");
  fields.integer("columns", matrix.columns, side_range, required, "Columns of one group, N.");
  fields.integer("groups", matrix.groups, side_range, 1, "G.");
}

void describe_piece(Fields& fields, chip::Piece& piece) {
  fields.title("of", piece.of, required, "Name of the operator that was split.");
  fields.integer("first_group", piece.first_group, amount_range, 0, "First group of the piece.");
  fields.integer("first_column", piece.first_column, amount_range, 0, "First matrix column of the piece.");
  fields.integer("first_row", piece.first_row, amount_range, 0, "First matrix row of the piece.");
  fields.flag("adds", piece.adds, false, "True for the alu operator that adds partial sums.");
}

// Three integers a, b, c.
void describe_need(Fields& fields, std::string_view key, Presence presence, std::optional<chip::Need>& need,
                   IntRange slopes, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    const auto items = read_list(node, label, 3, 3, reading);
    if (items.size() == 3)
      need = {read_integer(items[0], "first of " + label, slopes, reading),
              read_integer(items[1], "second of " + label, offset_range, reading),
              read_integer(items[2], "third of " + label, {1, slope_range.high}, reading)};
  };
  const auto write = [&] { return need ? Json::array({need->a, need->b, need->c}) : Json(); };
  const auto schema = [] { return list_schema({3, 3}, Json{{"type", "integer"}}); };
  fields.field({key, presence, read, [] {}, write, schema, meaning});
}

// An input of an operator. The number of its taps is at most the number of rows of the operator's matrix, and
// 1 for a digital operator.
void describe_from(Fields& fields, const NetworkState& state, OperatorInput& input, Int matrix_rows) {
  const auto read_from = [&](const Node& node, const std::string& label, Reading& reading) {
    input.tensor = state.find_tensor(node, label, reading);
  };
  fields.field({"from", required, read_from, [] {}, [&] { return Json(state.name_of(input.tensor)); },
                [] {
                  return Json{{"type", "string"}};
                },
                "An input of the network or an earlier operator."});
  fields.flag("gate", input.gated, false, "True if each row waits for the whole input.");
  auto need = input.gated ? std::nullopt : std::optional(input.need);
  describe_need(fields, "need", input.gated ? optional : required_here, need, slope_range,
                "a, b, c: row r waits for row floor((a r + b) / c) of the input; required without `gate`.");
  input.need = need.value_or(chip::Need{});
  describe_need(fields, "pixels", optional, input.pixels, pixel_slope_range,
                "a, b, c: window x waits for pixel floor((a x + b) / c) of that row. Default: it waits for "
                "the whole row.");
  const auto read_taps = [&](const Node& node, const std::string& label, Reading& reading) {
    const auto items = read_list(node, label, 2, 2, reading);
    if (items.size() != 2) return;
    input.taps = read_integer(items[0], "first of taps", {1, matrix_rows}, reading);
    input.tap_step = read_integer(items[1], "second of taps", {0, rows_range.high}, reading);
  };
  const auto write_taps = [&] {
    return input.taps != 1 || input.tap_step != 0 ? Json::array({input.taps, input.tap_step}) : Json();
  };
  const auto taps_schema = [] {
    auto json = list_schema({2, 2}, integer_schema({0, side_range.high}));
    json["default"] = Json::array({1, 0});
    return json;
  };
  fields.field(
      {"taps", optional, read_taps, [] {}, write_taps, taps_schema,
       "Number of equal blocks of matrix rows, one per row of the window, and the distance between their "
       "input rows."});
}

// Returns the function that the word determines without the shapes of the operator; for any other word,
// returns a function of kind `unknown`.
chip::Function named_function(const std::string& word) {
  using chip::FunctionKind;
  constexpr std::array plain = {FunctionKind::relu,      FunctionKind::add,  FunctionKind::subtract,
                                FunctionKind::multiply,  FunctionKind::copy, FunctionKind::softmax,
                                FunctionKind::layer_norm};
  constexpr std::array<std::string_view, 12> tables = {"abs",  "clip",        "erf",       "exp",
                                                       "gelu", "hardsigmoid", "hardswish", "leakyrelu",
                                                       "neg",  "sigmoid",     "sqrt",      "tanh"};
  chip::Function function;
  const auto kind = chip::function_kinds.find(word);
  if (kind && std::find(plain.begin(), plain.end(), *kind) != plain.end()) function.kind = *kind;
  if (std::find(tables.begin(), tables.end(), word) != tables.end()) {
    function.kind = FunctionKind::table;
    function.table = word;
  }
  return function;
}

void refuse_unless_digital(const Node& node, std::string_view key, const Operator& op, Reading& reading) {
  if (op.kind != OperatorKind::alu)
    reading.fail(node, fmt::format("{} is given for an operator of kind {}, expected kind alu", key,
                                   chip::to_string(op.kind)));
}

// A function, or a word that names it. If a chip lists its functions, the list must contain this word.
void describe_function_of(Fields& fields, Operator& op) {
  const auto describe = [&](Fields& inner) { describe_chip_function(inner, op.function); };
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    if (node.is_map()) return read_fields(node, label, reading, describe);
    refuse_unless_digital(node, "the word of a function", op, reading);
    op.asked = read_text(node, label, reading);
    if (!reading.failed() && !chip::is_function_word(op.asked))
      reading.fail(node, fmt::format("function {} is neither a digital function nor an ONNX operator type",
                                     quote(op.asked)));
    op.function = named_function(chip::function_word(op.asked));
  };
  const auto write = [&] {
    if (!op.asked.empty()) return Json(op.asked);
    return op.function.kind == chip::FunctionKind::unknown ? Json() : write_fields(describe);
  };
  const auto schema = [&] {
    const Json word = {
        {"type", "string"},
        {"description", "For a digital operator: a word for which the chip must have a function."}};
    return Json{{"oneOf", Json::array({schema_of(describe), word})}};
  };
  fields.field({"function", optional, read, [] {}, write, schema,
                "Computation of the operator; costs do not depend on it."});
}

void describe_calls(Fields& fields, Operator& op) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    refuse_unless_digital(node, label, op, reading);
    for (const auto& name : read_list(node, label, call_count.low, call_count.high, reading))
      op.calls.push_back(read_name(name, "name of a function", reading));
  };
  fields.field({"calls", optional, read, [] {}, [&] { return op.calls.empty() ? Json() : Json(op.calls); },
                [] { return list_schema(call_count, name_schema()); },
                "Functions of the chip that compose a digital operator."});
}

void describe_matrix_of(Fields& fields, Operator& op) {
  const auto describe = [&](Fields& matrix) { describe_matrix(matrix, op.matrix); };
  constexpr std::string_view meaning = "Matrix of an operator of kind array or product, which requires it.";
  if (op.kind != OperatorKind::alu) return fields.part("matrix", required_here, describe, meaning);
  const auto refuse = [](const Node& node, const std::string& /*label*/, Reading& reading) {
    reading.fail(node, "an operator of kind alu cannot have a matrix");
  };
  fields.field({"matrix", optional, refuse, [] {}, [] { return Json(); }, [&] { return schema_of(describe); },
                meaning});
}

void describe_piece_of(Fields& fields, Operator& op) {
  const auto describe = [&](Fields& piece) { describe_piece(piece, op.piece); };
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    read_fields(node, label, reading, describe);
    if (op.piece.adds && op.kind != OperatorKind::alu)
      reading.fail(node, fmt::format("an operator of kind {} cannot add pieces, expected kind alu",
                                     chip::to_string(op.kind)));
  };
  fields.field({"piece", optional, read, [] {},
                [&] { return op.piece.of.empty() ? Json() : write_fields(describe); },
                [&] { return schema_of(describe); },
                "Part of an operator that was split because it was larger than the chip."});
}

void describe_operator(Fields& fields, const NetworkState& state, Operator& op) {
  fields.title("name", op.name, required, "Name of the operator and of its tensor.");
  fields.word("kind", op.kind, chip::operator_kinds, required,
              "Weights on crossbars, a digital function, or a product of two activations.");
  fields.integer("rows", op.rows, rows_range, required, "Rows of the output.");
  fields.integer("width", op.width, side_range, required, "Pixels of an output row.");
  fields.integer("channels", op.channels, side_range, required, "Elements of an output pixel.");
  fields.integer("in_channels", op.in_channels, amount_range, required, "Elements of an input pixel.");
  fields.integer("row_in", op.row_in, amount_range, required,
                 "Input elements that are new in an output row.");
  describe_matrix_of(fields, op);
  auto alu_ops = op.kind == OperatorKind::product ? Default<Int>(required_here) : Default<Int>(0);
  alu_ops.is_written = op.kind != OperatorKind::array;
  fields.integer("alu_ops", op.alu_ops, amount_range, alu_ops, "Digital operations per output row.");
  const auto& usual = state.network.bits;
  const bool differs = op.bits.I != usual.I || op.bits.W != usual.W || op.bits.O != usual.O;
  fields.part(
      "bits", optional, [&](Fields& bits) { describe_bits(bits, op.bits, usual, differs); },
      "Widths, if they differ from those of the network.");
  fields.list(
      "inputs", required, from_count, op.inputs, "input of an operator",
      [&](Fields& from, OperatorInput& input) {
        describe_from(from, state, input, std::max<Int>(1, op.matrix.rows));
      },
      "");
  describe_function_of(fields, op);
  describe_calls(fields, op);
  describe_piece_of(fields, op);
}

void accept_operator(const Node& node, NetworkState& state, const Operator& op, Reading& reading) {
  state.add_tensor(node, op.name, reading);
  state.rows += op.rows;
  if (state.rows > most_rows)
    reading.fail(node, fmt::format("the operators up to this one have {} rows in total, expected at most {}",
                                   state.rows, most_rows));
}

// The writer puts the outputs before the operators, so the reader keeps their nodes.
void describe_outputs(Fields& fields, NetworkState& state) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    state.outputs = read_list(node, label, output_count.low, output_count.high, reading);
  };
  const auto write = [&] {
    Json json = Json::array();
    for (const std::size_t output : state.network.outputs)
      json.push_back(state.network.operators[output].name);
    return json;
  };
  fields.field({"outputs", optional, read, [] {}, write,
                [] {
                  return list_schema(output_count, Json{{"type", "string"}});
                },
                "Names of operators. Default: all that no operator reads."});
}

void describe_network(Fields& fields, NetworkState& state) {
  auto& network = state.network;
  std::string source;
  fields.title("name", network.name, required, "Name of the network.");
  fields.text("source", source, "Origin of the shapes.");
  fields.constant("kind", "chip-network", optional, "Kind of file.");
  fields.part(
      "bits", optional, [&](Fields& bits) { describe_bits(bits, network.bits, {}, true); },
      "Default: 8 each.");
  fields.list(
      "inputs", required, input_count, network.inputs, "input",
      [](Fields& input, chip::NetworkInput& values) {
        input.title("name", values.name, required, "Name of the tensor.");
        input.integer("rows", values.rows, rows_range, required, "Rows.");
        input.integer("width", values.width, side_range, required, "Pixels of a row.");
        input.integer("channels", values.channels, side_range, required, "Elements of a pixel.");
      },
      [&](const Node& node, const chip::NetworkInput& input, Reading& reading) {
        state.add_tensor(node, input.name, reading);
      },
      "Inputs of the network.");
  describe_outputs(fields, state);
  fields.list(
      "operators", required, operator_count, network.operators, "operator",
      [&](Fields& op, Operator& values) { describe_operator(op, state, values); },
      [&](const Node& node, const Operator& op, Reading& reading) {
        accept_operator(node, state, op, reading);
      },
      "Operators in topological order.");
}

void resolve_outputs(NetworkState& state, Reading& reading) {
  auto& network = state.network;
  for (const Node& node : state.outputs) {
    const std::size_t tensor = state.find_tensor(node, "output", reading);
    if (reading.failed()) return;
    if (network.is_input(tensor))
      reading.fail(node, fmt::format("output {} is an input of the network, expected an operator",
                                     quote(node.text())));
    else
      network.outputs.push_back(network.producer(tensor));
  }
  if (!network.outputs.empty() || reading.failed()) return;
  boost::dynamic_bitset<> read(network.tensors());
  for (const auto& op : network.operators)
    for (const auto& input : op.inputs) read.set(input.tensor);
  for (std::size_t i = 0; i < network.operators.size(); ++i)
    if (!read[network.tensor_of(i)]) network.outputs.push_back(i);
}

}  // namespace

chip::ChipNetwork read_chip_network_node(const Node& node, Reading& reading) {
  ChipNetwork network;
  NetworkState state{network};
  read_fields(node, "network", reading, [&](Fields& fields) { describe_network(fields, state); });
  resolve_outputs(state, reading);
  return network;
}

Result<chip::ChipNetwork> parse_chip_network(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  auto network = read_chip_network_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  return network;
}

Json chip_network_to_json(ChipNetwork network) {
  NetworkState state{network};
  return write_fields([&](Fields& fields) { describe_network(fields, state); });
}

Json chip_network_schema() {
  ChipNetwork network;
  NetworkState state{network};
  return schema_of([&](Fields& fields) { describe_network(fields, state); });
}

}  // namespace nestor::io
