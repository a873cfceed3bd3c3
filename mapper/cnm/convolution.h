// A convolution as a matrix product of weights and windows. The host forms the windows (im2col).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct ConvolutionProduct {
  Kernel kernel;                      ///< K x CRS by CRS x NPQ matrices; groups are a separate dim
  std::array<std::size_t, 3> origin;  ///< operands of the kernel that become weights, windows and output
  std::string token;  ///< "im2col:R,S,strides,dilations,pads", or empty if the windows are the input
  Int bytes = 0;      ///< size of the windows
};

/// Returns nothing if the kernel is not a convolution. A convolution adds products of two inputs, and indexes
/// one input by sums of an output dim and a window dim. `pads` is the padding of the input, first at the
/// beginning and then at the end of each dim; empty if there is none.
std::optional<ConvolutionProduct> product_of_convolution(const Kernel& kernel,
                                                         const std::vector<Int>& pads = {});

}  // namespace nestor::cnm
