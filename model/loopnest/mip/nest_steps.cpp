// The product of all loops as a one-hot choice.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "model/loopnest/factor_set.h"
#include "model/loopnest/mip/nest_figures.h"

namespace nestor::mip {

// V^N chooses the product of all loops by its primes: cycles at `each` a step, of at most `most`.
Sum NestFigures::steps(double each, double most) {
  std::map<Int, std::vector<std::pair<Index, double>>> loops;  // per prime, exponents in the loops' columns
  for (std::size_t i = 0; i < nest_.slots(); ++i)
    for (const LoopChoice& choice : nest_.loops(i))
      for (const auto& factor :
           prime_factors(nest_.lattices()[choice.dim].nodes()[choice.node].value).factors)
        loops[factor.value].emplace_back(choice.column, factor.count);
  struct Product {
    double value = 1;
    std::vector<double> exponents;
  };
  double lanes = 1;
  for (const Axis& axis : machine_.axes) lanes *= static_cast<double>(axis.size);
  const double macs = product_of<double>(layer_.bounds);
  std::vector<Product> products = {{}};
  const Extents& bounds = layer_.bounds;
  for (const auto& [prime, columns] : loops) {
    int exponent = 0;
    for (std::size_t d = 0; d < dim_count; ++d)
      for (const auto& factor : prime_factors(bounds[d]).factors)
        if (factor.value == prime) exponent += factor.count;
    std::vector<Product> longer;
    for (const Product& product : products) {
      Product next = product;
      for (int e = 0; e <= exponent; ++e, next.value *= static_cast<double>(prime)) {
        longer.push_back(next);
        longer.back().exponents.push_back(e);
      }
    }
    products = std::move(longer);
  }
  std::vector<double> known;
  for (const auto& [prime, columns] : loops) {
    double exponent = 0;
    for (const auto& [column, times] : columns) exponent += times * program_.known()[column];
    known.push_back(exponent);
  }
  Sum one;
  Sum cycles;
  std::vector<Sum> exponents(loops.size());
  for (const Product& product : products) {
    if (product.value * each > most || product.value * lanes < macs * (1 - 1e-9)) continue;
    const Index column = program_.add({.name = fmt::format("VN_{}", one.terms().size()),
                                       .upper = 1,
                                       .integer = true,
                                       .meaning = {.symbol = "V^N", .figure = product.value * each}},
                                      nest_.knows() && product.exponents == known);
    one.add(column, 1);
    cycles.add(column, product.value * each);
    for (std::size_t p = 0; p < exponents.size(); ++p)
      if (product.exponents[p] != 0) exponents[p].add(column, product.exponents[p]);
  }
  program_.row("steps_one", one, Sense::equal, 1);
  std::size_t p = 0;
  for (const auto& [prime, columns] : loops) {
    Sum actual;
    for (const auto& [column, times] : columns) actual.add(column, times);
    program_.row(fmt::format("steps_{}", prime), exponents[p++], Sense::equal, actual);
  }
  return cycles;
}

}  // namespace nestor::mip
