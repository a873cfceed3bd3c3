// A convolution as a product of matrices, weights times windows, which the host forms (im2col).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct ConvolutionProduct {
  Kernel kernel;                      ///< K x CRS by CRS x NPQ matrices; groups are a dim of their own
  std::array<std::size_t, 3> origin;  ///< by operand of the product (weights, windows, output): the kernel's
  std::string token;  ///< of the windows: "im2col:R,S,strides,dilations,pads"; empty: the input itself
  Int bytes = 0;      ///< of the windows
};

/// Nothing if the kernel is no convolution: products of two inputs are added, one of them reached through
/// sums of an output's dim and a dim of the window.
/// `pads`: of the input, begins and then ends; empty: none.
std::optional<ConvolutionProduct> product_of_convolution(const Kernel& kernel,
                                                         const std::vector<Int>& pads = {});

}  // namespace nestor::cnm
