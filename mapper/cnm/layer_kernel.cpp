#include "mapper/cnm/layer_kernel.h"

#include "base/checked.h"

namespace nestor::cnm {
namespace {

std::string kernel_name(const std::string& layer) {
  std::string name = layer;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!plain) c = '_';
  }
  const bool letter = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  return letter ? name : "layer_" + name;
}

struct Product {
  Int m = 1, n = 1, k = 1;
  std::string_view fault{};  // why it is none
};
Product product_of(const Layer& layer) {
  const LayerShape& shape = layer.shape;
  Product product{shape.bound(Dim::K), 1, shape.bound(Dim::C)};
  if (shape.bound(Dim::R) != 1 || shape.bound(Dim::S) != 1)
    product.fault = "a convolution, only matrix products are mapped";
  for (const Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    const auto places = checked_multiply(product.n, shape.bound(dim));
    if (!places || *places > max_count) product.fault = "more iterations than can be counted";
    product.n = places.value_or(1);
  }
  const auto runs = checked_multiply(product.n, layer.repeat);
  if (!runs || *runs > max_count) product.fault = "more iterations than can be counted";
  return product;
}

}  // namespace

LayerKernel kernel_of_layer(const Layer& layer, const System& system, Type type) {
  LayerKernel found;
  const Product product = product_of(layer);
  found.fault = product.fault;
  if (!found.fault.empty()) return found;
  found.repeat = layer.repeat;
  Int columns = product.n;
  if (system.target == Target::hbm_pim) {  // a column after the other
    found.repeat *= columns;
    columns = 1;
  }
  found.kernel = matrix_product(kernel_name(layer.name), product.m, columns, product.k, type);
  found.fault = find_fault(found.kernel);
  return found;
}

}  // namespace nestor::cnm
