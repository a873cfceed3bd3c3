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

class NetworkReader {
 public:
  explicit NetworkReader(Reading& reading) : reading_(reading) {}

  ChipNetwork read(const Node& node) {
    const MapReader top(node, "network", chip_network_keys::top, reading_);
    constexpr std::array<std::string_view, 1> kinds = {"chip-network"};
    if (top.find("kind")) top.word("kind", kinds);
    network_.name = top.title("name");
    if (const auto bits = top.find("bits")) network_.bits = read_bits(*bits, {});
    for (const auto& input : top.list("inputs", 0, most_inputs)) read_input(input);
    Int rows = 0;
    for (const auto& item : top.list("operators", 1, most_operators)) {
      read_operator(item);
      if (reading_.failed()) return network_;
      rows += network_.operators.back().rows;
      if (rows > most_rows)
        reading_.fail(
            item, fmt::format("the operators up to this one have {} rows in total, expected at most {}", rows,
                              most_rows));
    }
    if (const auto outputs = top.find("outputs"))
      for (const auto& item : read_list(*outputs, "outputs", 1, most_operators, reading_)) read_output(item);
    if (network_.outputs.empty()) add_unread();
    return std::move(network_);
  }

 private:
  chip::Bits read_bits(const Node& node, chip::Bits fallback) {
    const MapReader map(node, "bits", chip_network_keys::bits, reading_);
    return {map.integer("I", width_range, fallback.I), map.integer("W", width_range, fallback.W),
            map.integer("O", width_range, fallback.O)};
  }

  void name_tensor(const MapReader& map, const std::string& name) {
    if (!reading_.failed() && !tensors_.emplace(name, tensors_.size()).second)
      reading_.fail(*map.find("name"), fmt::format("name {} is already taken", quote(name)));
  }

  void read_input(const Node& node) {
    const MapReader map(node, "input", chip_network_keys::input, reading_);
    const chip::NetworkInput input{map.title("name"), map.integer("rows", rows_range),
                                   map.integer("width", side_range), map.integer("channels", side_range)};
    name_tensor(map, input.name);
    network_.inputs.push_back(input);
  }

  void read_operator(const Node& node) {
    const MapReader map(node, "operator", chip_network_keys::op, reading_);
    Operator op;
    op.name = map.title("name");
    op.kind = map.word("kind", chip::operator_kinds);
    op.rows = map.integer("rows", rows_range);
    op.width = map.integer("width", side_range);
    op.channels = map.integer("channels", side_range);
    op.in_channels = map.integer("in_channels", amount_range);
    op.row_in = map.integer("row_in", amount_range);
    op.alu_ops = op.kind == OperatorKind::product ? map.integer("alu_ops", amount_range)
                                                  : map.integer("alu_ops", amount_range, 0);
    if (op.kind != OperatorKind::alu) {
      if (const auto matrix = map.require("matrix")) op.matrix = read_matrix(*matrix);
    } else if (const auto matrix = map.find("matrix")) {
      reading_.fail(*matrix, "an operator of kind alu cannot have a matrix");
    }
    op.bits = network_.bits;
    if (const auto bits = map.find("bits")) op.bits = read_bits(*bits, network_.bits);
    for (const auto& item : map.list("inputs", 0, most_operators))
      op.inputs.push_back(read_from(item, std::max<Int>(1, op.matrix.rows)));
    if (const auto function = map.find("function")) read_function(*function, op);
    if (const auto calls = map.find("calls")) {
      digital_only(*calls, "calls", op);
      for (const auto& name : read_list(*calls, "calls", 1, most_called, reading_))
        op.calls.push_back(read_name(name, "name of a function", reading_));
    }
    if (const auto piece = map.find("piece")) {
      op.piece = read_piece(*piece);
      if (op.piece.adds && op.kind != OperatorKind::alu)
        reading_.fail(*piece, fmt::format("an operator of kind {} cannot add pieces, expected kind alu",
                                          chip::to_string(op.kind)));
    }
    name_tensor(map, op.name);
    network_.operators.push_back(std::move(op));
  }

  void digital_only(const Node& node, std::string_view key, const Operator& op) {
    if (op.kind != OperatorKind::alu)
      reading_.fail(node, fmt::format("{} is given for an operator of kind {}, expected kind alu", key,
                                      chip::to_string(op.kind)));
  }

  // Reads the function of an operator, or a word that names it. If a chip lists its functions, the list must
  // contain this word.
  void read_function(const Node& node, Operator& op) {
    if (node.is_map()) {
      op.function = read_chip_function(node, reading_);
      return;
    }
    digital_only(node, "the word of a function", op);
    op.asked = read_text(node, "function", reading_);
    if (!reading_.failed() && !chip::is_function_word(op.asked))
      reading_.fail(node, fmt::format("function {} is neither a digital function nor an ONNX operator type",
                                      quote(op.asked)));
    op.function = named_function(chip::function_word(op.asked));
  }

  // Returns the function that the word determines without the shapes of the operator; for any other word,
  // returns a function of kind `unknown`.
  static chip::Function named_function(const std::string& word) {
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

  chip::Piece read_piece(const Node& node) {
    const MapReader map(node, "piece", chip_network_keys::piece, reading_);
    return {map.title("of"), map.integer("first_group", amount_range, 0),
            map.integer("first_column", amount_range, 0), map.integer("first_row", amount_range, 0),
            map.flag("adds", false)};
  }

  chip::Matrix read_matrix(const Node& node) {
    const MapReader map(node, "matrix", chip_network_keys::matrix, reading_);
    return {map.integer("rows", side_range), map.integer("columns", side_range),
            map.integer("groups", side_range, 1)};
  }

  // Reads an input of an operator. The number of its taps is at most the number of rows of the operator's
  // matrix, and 1 for a digital operator.
  OperatorInput read_from(const Node& node, Int matrix_rows) {
    const MapReader map(node, "input of an operator", chip_network_keys::from, reading_);
    OperatorInput input;
    if (const auto from = map.require("from")) input.tensor = find_tensor(*from, "from");
    input.gated = map.flag("gate", false);
    const auto need = input.gated ? map.find("need") : map.require("need");
    if (need) input.need = read_need(*need, "need", slope_range);
    if (const auto pixels = map.find("pixels"))
      input.pixels = read_need(*pixels, "pixels", pixel_slope_range);
    if (const auto taps = map.find("taps")) {
      const auto items = read_list(*taps, "taps", 2, 2, reading_);
      if (items.size() != 2) return input;
      input.taps = read_integer(items[0], "first of taps", {1, matrix_rows}, reading_);
      input.tap_step = read_integer(items[1], "second of taps", {0, rows_range.high}, reading_);
    }
    return input;
  }

  chip::Need read_need(const Node& node, const std::string& what, IntRange slopes) {
    const auto items = read_list(node, what, 3, 3, reading_);
    if (items.size() != 3) return {};
    return {read_integer(items[0], "first of " + what, slopes, reading_),
            read_integer(items[1], "second of " + what, offset_range, reading_),
            read_integer(items[2], "third of " + what, {1, slope_range.high}, reading_)};
  }

  std::size_t find_tensor(const Node& node, std::string_view what) {
    return read_reference(node, what, tensors_, "an input or an earlier operator", reading_);
  }

  void read_output(const Node& node) {
    const std::size_t tensor = find_tensor(node, "output");
    if (reading_.failed()) return;
    if (network_.is_input(tensor))
      reading_.fail(node, fmt::format("output {} is an input of the network, expected an operator",
                                      quote(node.text())));
    else
      network_.outputs.push_back(network_.producer(tensor));
  }

  void add_unread() {
    if (reading_.failed()) return;
    boost::dynamic_bitset<> read(network_.inputs.size() + network_.operators.size());
    for (const auto& op : network_.operators)
      for (const auto& input : op.inputs) read.set(input.tensor);
    for (std::size_t i = 0; i < network_.operators.size(); ++i)
      if (!read[network_.tensor_of(i)]) network_.outputs.push_back(i);
  }

  Reading& reading_;
  ChipNetwork network_;
  Places tensors_;
};

Json bits_to_json(const chip::Bits& bits) { return {{"I", bits.I}, {"W", bits.W}, {"O", bits.O}}; }

const std::string& tensor_name(const ChipNetwork& network, std::size_t tensor) {
  return network.is_input(tensor) ? network.inputs[tensor].name
                                  : network.operators[network.producer(tensor)].name;
}

Json piece_to_json(const chip::Piece& piece) {
  Json json = {{"of", piece.of}};
  if (piece.first_group != 0) json["first_group"] = piece.first_group;
  if (piece.first_column != 0) json["first_column"] = piece.first_column;
  if (piece.first_row != 0) json["first_row"] = piece.first_row;
  if (piece.adds) json["adds"] = true;
  return json;
}

Json operator_to_json(const ChipNetwork& network, const Operator& op) {
  Json json = {{"name", op.name},    {"kind", chip::to_string(op.kind)}, {"rows", op.rows},
               {"width", op.width},  {"channels", op.channels},          {"in_channels", op.in_channels},
               {"row_in", op.row_in}};
  if (op.kind != OperatorKind::alu) {
    json["matrix"] = {{"rows", op.matrix.rows}, {"columns", op.matrix.columns}};
    if (op.matrix.groups != 1) json["matrix"]["groups"] = op.matrix.groups;
  }
  if (op.kind != OperatorKind::array) json["alu_ops"] = op.alu_ops;
  if (op.bits.I != network.bits.I || op.bits.W != network.bits.W || op.bits.O != network.bits.O)
    json["bits"] = bits_to_json(op.bits);
  auto& inputs = json["inputs"] = Json::array();
  for (const auto& input : op.inputs) {
    Json from = {{"from", tensor_name(network, input.tensor)}};
    if (input.gated)
      from["gate"] = true;
    else
      from["need"] = {input.need.a, input.need.b, input.need.c};
    if (input.pixels) from["pixels"] = {input.pixels->a, input.pixels->b, input.pixels->c};
    if (input.taps != 1 || input.tap_step != 0) from["taps"] = {input.taps, input.tap_step};
    inputs.push_back(std::move(from));
  }
  if (!op.asked.empty())
    json["function"] = op.asked;
  else if (op.function.kind != chip::FunctionKind::unknown)
    json["function"] = chip_function_to_json(op.function);
  if (!op.calls.empty()) json["calls"] = op.calls;
  if (!op.piece.of.empty()) json["piece"] = piece_to_json(op.piece);
  return json;
}

}  // namespace

chip::ChipNetwork read_chip_network_node(const Node& node, Reading& reading) {
  return NetworkReader(reading).read(node);
}

Result<chip::ChipNetwork> parse_chip_network(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  auto network = read_chip_network_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  return network;
}

Json chip_network_to_json(const ChipNetwork& network) {
  Json json = {{"name", network.name}, {"kind", "chip-network"}, {"bits", bits_to_json(network.bits)}};
  auto& inputs = json["inputs"] = Json::array();
  for (const auto& input : network.inputs)
    inputs.push_back(
        {{"name", input.name}, {"rows", input.rows}, {"width", input.width}, {"channels", input.channels}});
  auto& outputs = json["outputs"] = Json::array();
  for (const std::size_t output : network.outputs) outputs.push_back(network.operators[output].name);
  auto& operators = json["operators"] = Json::array();
  for (const auto& op : network.operators) operators.push_back(operator_to_json(network, op));
  return json;
}

}  // namespace nestor::io
