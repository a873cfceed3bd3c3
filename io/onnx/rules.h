// Inference of the shape, type and (for small integer tensors) values of a node's outputs from its inputs. A
// table has one rule per operator. A rule leaves an output unknown if it cannot infer it, and fails on a
// contradiction. The rules only need shapes of weights, not their data.
#pragma once

#include <string_view>

#include "io/onnx/node_view.h"

namespace nestor::io::onnx_import {

using Rule = void (*)(NodeView&);

/// Returns the rule of an operator, or null.
Rule find_rule(std::string_view op);

// Defined in rules_elementwise.cpp.
void infer_same_shape(NodeView& node);
void infer_boolean_same_shape(NodeView& node);
void infer_broadcast(NodeView& node);
void infer_comparison(NodeView& node);
void infer_where(NodeView& node);
void infer_cast(NodeView& node);
void infer_quantize(NodeView& node);
void infer_dequantize(NodeView& node);
void infer_dynamic_quantize(NodeView& node);

// Defined in rules_window.cpp.
void infer_convolution(NodeView& node);
void infer_quantised_convolution(NodeView& node);
void infer_pool(NodeView& node);
void infer_global_pool(NodeView& node);
void infer_pad(NodeView& node);
void infer_resize(NodeView& node);
void infer_depth_to_space(NodeView& node);
void infer_space_to_depth(NodeView& node);

// Defined in rules_product.cpp.
void infer_matrix_product(NodeView& node);
void infer_gemm(NodeView& node);
void infer_attention(NodeView& node);

// Defined in rules_layout.cpp.
void infer_constant(NodeView& node);
void infer_shape(NodeView& node);
void infer_size(NodeView& node);
void infer_reshape(NodeView& node);
void infer_flatten(NodeView& node);
void infer_squeeze(NodeView& node);
void infer_unsqueeze(NodeView& node);
void infer_transpose(NodeView& node);
void infer_expand(NodeView& node);
void infer_tile(NodeView& node);
void infer_constant_of_shape(NodeView& node);
void infer_range(NodeView& node);

// Defined in rules_select.cpp.
void infer_concat(NodeView& node);
void infer_split(NodeView& node);
void infer_slice(NodeView& node);
void infer_gather(NodeView& node);
void infer_reduce(NodeView& node);
void infer_arg_reduce(NodeView& node);
void infer_top_k(NodeView& node);

/// Returns the broadcast shape of two operands (numpy's rule); fails if they do not match.
Shape broadcast(NodeView& node, const Shape& a, const Shape& b);

}  // namespace nestor::io::onnx_import
