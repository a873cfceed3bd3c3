// Tests of the conversion of convolutions to matrix products. The reference visits all points of the
// convolution, one by one.
#include "mapper/cnm/convolution.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "io/cnm/mlir.h"

namespace nestor::cnm::convolution_test {
namespace {

struct Shape {
  Int batch, channels, filters, height, width, rows, columns, stride, dilation;
  Int out(Int size, Int window) const { return (size - dilation * (window - 1) - 1) / stride + 1; }
};

std::string text_of(const Shape& s, bool depthwise) {
  const auto list = [](std::initializer_list<Int> dims) {
    return fmt::format("memref<{}xf32>", fmt::join(dims, "x"));
  };
  const auto image = list({s.batch, s.channels, s.height, s.width});
  const auto weights =
      depthwise ? list({s.channels, s.rows, s.columns}) : list({s.filters, s.channels, s.rows, s.columns});
  const auto result =
      list({s.batch, depthwise ? s.channels : s.filters, s.out(s.height, s.rows), s.out(s.width, s.columns)});
  return fmt::format(
      "func.func @f(%i: {0}, %w: {1}, %o: {2}) {{\n  linalg.{3} {{strides = dense<{4}> : vector<2xi64>, "
      "dilations = dense<{5}> : vector<2xi64>}} ins(%i, %w : {0}, {1}) outs(%o : {2})\n  return\n}}\n",
      image, weights, result, depthwise ? "depthwise_conv_2d_nchw_chw" : "conv_2d_nchw_fchw", s.stride,
      s.dilation);
}

using Element = std::vector<Int>;

Element element_of(const KernelOperand& operand, const std::vector<Int>& point) {
  Element element;
  for (const AffineExpr& expr : operand.map) {
    Int at = expr.constant;
    for (std::size_t d = 0; d < point.size(); ++d) at += expr.factors[d] * point[d];
    element.push_back(at);
  }
  return element;
}

TEST(ConvolutionProduct, HasTheRowsColumnsAndSumsOfAllPoints) {
  Random random(1);
  int grouped = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const Shape shape{random.between(1, 2), random.between(1, 3), random.between(1, 4),
                      random.between(5, 8), random.between(5, 7), random.between(1, 3),
                      random.between(1, 2), random.between(1, 2), random.between(1, 2)};
    const bool depthwise = random.chance(0.4);
    const auto kernel = io::parse_mlir(text_of(shape, depthwise), "f.mlir");
    ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
    const auto product = product_of_convolution(*kernel, {});
    ASSERT_TRUE(product.has_value());
    std::map<Element, std::set<Element>> weights_of;  // weights for each output
    std::map<Element, std::set<Element>> outputs_of;  // outputs for each set of weights
    Int points = 1;
    for (const Int extent : kernel->extents) points *= extent;
    std::vector<Int> point(kernel->dim_count());
    for (Int p = 0; p < points; ++p) {
      Int rest = p;
      for (std::size_t d = 0; d < point.size(); ++d) {
        point[d] = rest % kernel->extents[d];
        rest /= kernel->extents[d];
      }
      weights_of[element_of(kernel->operands[2], point)].insert(element_of(kernel->operands[1], point));
    }
    for (const auto& [output, weights] : weights_of) outputs_of[*weights.begin()].insert(output);
    auto extents = product->kernel.extents;
    const Int groups = extents.size() == 4 ? extents[0] : 1;
    if (extents.size() == 4) extents.erase(extents.begin());
    ASSERT_EQ(extents.size(), 3U);
    ASSERT_EQ(groups, depthwise ? shape.channels : 1);
    grouped += static_cast<int>(groups > 1);
    for (const auto& [output, weights] : weights_of)
      ASSERT_EQ(static_cast<Int>(weights.size()), extents[2]);            // number of products per sum
    ASSERT_EQ(static_cast<Int>(outputs_of.size()), groups * extents[0]);  // rows
    for (const auto& [weights, outputs] : outputs_of)
      ASSERT_EQ(static_cast<Int>(outputs.size()), extents[1]);  // columns
    EXPECT_EQ(points, groups * extents[0] * extents[1] * extents[2]);
    EXPECT_EQ(product->bytes, 4 * groups * extents[1] * extents[2]);
    const bool plain = shape.rows == 1 && shape.columns == 1 && shape.stride == 1;
    EXPECT_EQ(product->token.empty(), plain);
  }
  EXPECT_GT(grouped, 30);
}

}  // namespace
}  // namespace nestor::cnm::convolution_test
