// Conversion of a graph with known shapes to chip operators, node by node. A tensor of the graph is a
// constant, or an activation with a Source, which specifies its position in an input of the network or in the
// output of a chip operator. Private to io/onnx/chip.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/onnx/chip/constants.h"
#include "io/onnx/chip/source.h"
#include "io/onnx/import.h"
#include "io/onnx/node_view.h"
#include "io/onnx/numbered_names.h"
#include "io/onnx/product.h"
#include "model/chip/functions.h"

namespace nestor::io::chip_onnx {

using chip::FunctionKind;
using onnx_import::Graph;
using onnx_import::NodeView;
using onnx_import::Shape;
using onnx_import::TensorId;

/// Limits on the elements of a tensor and on the sizes of a window, so that products of strides and needs
/// cannot overflow.
inline constexpr Int largest_tensor = Int{1} << 40;
inline constexpr Int largest_window = Int{1} << 20;

/// The function of a sliding window, with the rows that a window needs and the number of new rows per step.
struct SlidingNeed {
  chip::Function function;
  chip::Need need;
  chip::Need pixels;  ///< pixels that a window needs in a row
  Int new_rows = 1;
};
std::optional<SlidingNeed> sliding(NodeView& node, const Shape& input, std::vector<Int> kernel);

class Extractor {
 public:
  Extractor(Graph& graph, const chip::ChipMachine& machine, const OnnxOptions& options)
      : graph_(graph),
        machine_(machine),
        bits_(options.bits),
        unknown_(options.unknown),
        sources_(graph.tensors.size()),
        arrays_(graph.tensors.size()) {}

  Result<chip::ChipNetwork> run();
  /// Converts the graph and fills `model` with the weights, scales and constants of its operators. These are
  /// empty if the file contains only the shapes of its weights.
  Result<chip::ChipNetwork> run(chip::RealModel& model);

 private:
  using Rule = void (Extractor::*)(NodeView&);
  static Rule rule_of(std::string_view op);

  // Defined in extractor.cpp.
  void take_inputs();
  void take_input(TensorId id);
  bool is_lookup(const onnx_import::Node& node) const;
  void extract(NodeView& node);
  void find_outputs();
  const Source* source(const NodeView& node, std::size_t input) const;
  /// Returns the first activation among the inputs. Every node that becomes an operator has one.
  const Source& first_source(const NodeView& node) const;
  std::size_t activations(const NodeView& node) const;
  const Shape* known_shape(NodeView& node, std::size_t input);
  const Shape* output_shape(NodeView& node, std::size_t output = 0);
  Int operations(std::string_view op, Int fallback) const;
  /// Sets the number of operations per row: `usual` or, if the chip lists its functions, the operations of
  /// the functions that perform `work`.
  void charge(NodeView& node, chip::Operator& op, std::string_view type, Int usual,
              const chip::DigitalWork& work) const;
  /// begin() starts an operator. read() adds an input, whose need is `outer` composed with the need of its
  /// source.
  chip::Operator begin(const NodeView& node, const std::string& name, chip::OperatorKind kind) const;
  void read(chip::Operator& op, const Source& from, const chip::Need& outer, bool gated = false);
  /// Adds the need per pixel if the source keeps its pixels in order: window x reads up to pixel `outer`(x)
  /// of its rows (docs/models/chip.md, section 5, "Streams").
  static void read_pixels(chip::Operator& op, const Source& from, const chip::Need& outer);
  void finish(NodeView& node, chip::Operator op, std::size_t output, const std::vector<Along>& along,
              const Shape& shape);
  void set_source(const NodeView& node, std::size_t output, Source made);
  bool folded_into_array(const NodeView& node, std::size_t activation) const;

  // Defined in product_nodes.cpp.
  void convolution(NodeView& node) { convolve(node, 0, 1); }
  void quantised_convolution(NodeView& node) { convolve(node, 0, 3); }
  void matrix_product(NodeView& node) { multiply(node, 0, 1); }
  void quantised_matrix_product(NodeView& node) { multiply(node, 0, 3); }
  void gemm(NodeView& node);
  void attention(NodeView& node);
  void convolve(NodeView& node, std::size_t input, std::size_t weight);
  void multiply(NodeView& node, std::size_t left, std::size_t right);
  void by_constant(NodeView& node, const Source& left, Int depth, Int columns, TensorId weight);
  void by_activation(NodeView& node, const Source& left, const Source& right,
                     const onnx_import::Product& product);
  chip::Operator product_of(NodeView& node, const std::string& name, Int rows, const chip::Matrix& matrix);

  // Defined in digital_nodes.cpp.
  void elementwise(NodeView& node);
  void pool(NodeView& node);
  void global_pool(NodeView& node);
  void along_channels(NodeView& node);
  void concat(NodeView& node);
  void normalisation(NodeView& node);
  void anything(NodeView& node);
  void unknown(NodeView& node);
  void whole(NodeView& node, std::optional<Int> each);
  void describe_elementwise(const NodeView& node, chip::Operator& op) const;

  // Defined in layout_nodes.cpp.
  void copy(NodeView& node);
  void reshape(NodeView& node);
  void transpose(NodeView& node);
  void slice(NodeView& node);
  void gather(NodeView& node);
  void split(NodeView& node);

  // Defined in numbers.cpp. Unless numbers are requested, these functions have no effect or are not called.
  void convolution_numbers(NodeView& node, chip::Operator& op, TensorId weight);
  void product_numbers(NodeView& node, const chip::Operator& op, const Source& left, TensorId weight,
                       bool whole);
  void weight_scales(const Constants::Weights& weights, std::size_t channel_axis);
  void bias_numbers(const Source& of, TensorId bias);
  void normalisation_numbers(NodeView& node, const Source& of);
  void unary_numbers(NodeView& node);
  void constant_operand(NodeView& node, chip::Operator& op);
  void pool_numbers(NodeView& node);
  void run_numbers(NodeView& node, Int run);
  void row_numbers(const NodeView& node);
  void stated_formats(NodeView& node);
  void state_format(const Source& of, TensorId scale, TensorId zero, std::int32_t type);
  void finish_numbers();
  std::optional<chip::TensorLayout> layout_of(TensorId id) const;

  Graph& graph_;
  const chip::ChipMachine& machine_;
  const std::optional<BitWidths>& bits_;
  std::optional<Int> unknown_;  ///< operations per element of operators without a rule
  chip::ChipNetwork network_;
  std::vector<std::optional<Source>> sources_;
  boost::dynamic_bitset<> arrays_;  ///< true for tensors that are unchanged outputs of array operators
  onnx_import::NumberedNames names_;
  std::optional<Constants> constants_;  ///< set if numbers are requested
  chip::RealModel model_;
  chip::RealOperator numbers_;  ///< numbers of the current operator
};

}  // namespace nestor::io::chip_onnx
