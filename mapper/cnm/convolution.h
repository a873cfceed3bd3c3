// A convolution as a matrix product of weights and windows, which the host forms (im2col).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct ConvolutionProduct {
  Kernel kernel;                      ///< K x CRS by CRS x NPQ matrices; groups are a separate dim
  std::array<std::size_t, 3> origin;  ///< operands of the kernel that are weights, windows, output
  std::string token;  ///< "im2col:R,S,strides,dilations,pads", or empty if the windows are the input
  Int bytes = 0;      ///< size of the windows
};

/// Returns nothing if the kernel is not a convolution. In a convolution, products of two inputs are added,
/// and one input is indexed by sums of an output's dim and a dim of the window. `pads` are those of the
/// input, begins and then ends; empty if there are none.
std::optional<ConvolutionProduct> product_of_convolution(const Kernel& kernel,
                                                         const std::vector<Int>& pads = {});

}  // namespace nestor::cnm
