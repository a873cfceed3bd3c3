// A convolution as a matrix product of weights and windows. The host forms the windows (im2col).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct ConvolutionProduct {
  Kernel kernel;                      ///< K x CRS by CRS x NPQ matrices; groups are a separate dim
  std::array<std::size_t, 3> origin;  ///< operands of the convolution that become weights, windows and output
  std::string token;  ///< "im2col:R,S,strides,dilations,pads", or empty if the windows are the input
  Int bytes = 0;      ///< bytes of all windows
};

/// Returns nothing if the kernel is not a convolution, or if its windows have too many bytes. A convolution
/// adds products of two inputs, and indexes one input by sums of an output dim and a window dim. `pads`
/// contains the padding at the beginning of each dim of the input, then the padding at the end of each dim;
/// it is empty if there is no padding.
std::optional<ConvolutionProduct> product_of_convolution(const Kernel& kernel,
                                                         const std::vector<Int>& pads = {});

}  // namespace nestor::cnm
