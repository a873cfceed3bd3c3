// Products of loops as one-hot choices, constrained by their prime exponents.
#include <fmt/format.h>

#include <cmath>

#include "model/loopnest/factor_set.h"
#include "model/mip/nest_figures.h"

namespace nestor::mip {

void NestFigures::add_primes(std::map<Int, Sum>& exponents, std::size_t dim,
                             const std::function<Sum(std::size_t)>& count) const {
  const FactorSet& set = nest_.lattices()[dim].factors();
  for (std::size_t k = 0; k < set.factors.size(); ++k) {
    const Sum times = count(k);
    for (const auto& prime : prime_factors(set.factors[k].value).factors)
      exponents[prime.value] += times * prime.count;
  }
}

std::vector<NestFigures::Product> NestFigures::choose_product(const ProductQuery& query) {
  struct Made {
    double value = 1;
    std::vector<int> exponents;
  };
  std::vector<Made> all = {{}};
  std::vector<int> known;
  for (const auto& [prime, sum] : query.exponents) {
    int most = 0;
    for (const Int bound : layer_.bounds)
      for (const auto& factor : prime_factors(bound).factors)
        if (factor.value == prime) most += factor.count;
    std::vector<Made> longer;
    for (const Made& made : all) {
      Made next = made;
      for (int e = 0; e <= most; ++e, next.value *= static_cast<double>(prime)) {
        longer.push_back(next);
        longer.back().exponents.push_back(e);
      }
    }
    all = std::move(longer);
    known.push_back(static_cast<int>(std::lround(program_.known_value(sum))));
  }
  const bool is_made = nest_.knows() && program_.known_value(query.selected) > 0.5;
  std::vector<Product> products;
  Sum one;
  std::vector<Sum> chosen(known.size());
  for (const Made& made : all) {
    if (query.allows && !query.allows(made.value)) continue;
    Meaning meaning = query.meaning;
    meaning.figure = made.value;
    const Index column = program_.add({.name = fmt::format("{}_{}", query.name, products.size()),
                                       .upper = 1,
                                       .integer = true,
                                       .meaning = meaning},
                                      is_made && made.exponents == known);
    products.push_back({made.value, column});
    one.add(column, 1);
    for (std::size_t p = 0; p < chosen.size(); ++p)
      if (made.exponents[p] != 0) chosen[p].add(column, made.exponents[p]);
  }
  program_.row(query.name + "_one", one, Sense::equal, query.selected);
  std::size_t p = 0;
  for (const auto& [prime, sum] : query.exponents) {
    const auto label = fmt::format("{}_{}", query.name, prime);
    if (query.selected.empty()) {
      program_.row(label, chosen[p++], Sense::equal, sum);
      continue;
    }
    double most = 0;
    for (const Int bound : layer_.bounds)
      for (const auto& factor : prime_factors(bound).factors)
        if (factor.value == prime) most += factor.count;
    const Sum absent = (query.selected - 1) * (-most);
    program_.row(label + "_a", chosen[p], Sense::at_most, sum + absent);
    program_.row(label + "_b", chosen[p++], Sense::at_least, sum - absent);
  }
  return products;
}

Sum NestFigures::steps(double each, double most) {
  ProductQuery query{.name = "VN", .meaning = {.symbol = "V^N"}, .exponents = {}};
  for (std::size_t d = 0; d < dim_count; ++d)
    add_primes(query.exponents, d, [&](std::size_t k) {
      Sum loops;
      for (std::size_t i = 0; i < nest_.slots(); ++i) loops += nest_.in_slot(i, d, k);
      return loops;
    });
  double lanes = 1;
  for (const Axis& axis : machine_.axes) lanes *= static_cast<double>(axis.size);
  const double macs = product_of<double>(layer_.bounds);
  query.allows = [&](double value) { return value * each <= most && value * lanes >= macs * (1 - 1e-9); };
  Sum cycles;
  for (const Product& product : choose_product(query)) cycles.add(product.column, product.value * each);
  return cycles;
}

}  // namespace nestor::mip
