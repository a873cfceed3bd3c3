#include "heuristics/simd/sweep_coordinates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nestor::simd {

std::vector<double> sweep_coordinates(const ScheduleProblem& problem, Random& random, const Stop& stop) {
  const std::uint32_t count = problem.value_count();
  std::vector<double> x(count), y(count), degree(count, 0.0);
  const auto each_edge = [&](auto&& visit) {
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
      for (const Value value : problem.fanins(gate))
        if (value != no_value)
          visit(value, problem.value_of_gate(gate), 1.0 / static_cast<double>(problem.readers(value).size()));
  };
  for (double& coordinate : x) coordinate = random.unit() - 0.5;
  each_edge([&](Value a, Value b, double weight) {
    degree[a] += weight;
    degree[b] += weight;
  });
  // Power iteration on the lazy random walk, without its constant eigenvector.
  const int rounds =
      static_cast<int>(std::clamp<std::uint64_t>(20'000'000 / (std::uint64_t{count} + 1), 10, 800));
  for (int round = 0; round < rounds && !should_stop(stop); ++round) {
    double mean = 0, mass = 0, norm = 0;
    for (Value v = 0; v < count; ++v) {
      mean += x[v] * degree[v];
      mass += degree[v];
    }
    mean /= std::max(mass, 1e-300);
    for (Value v = 0; v < count; ++v) {
      x[v] -= mean;
      norm += x[v] * x[v] * degree[v];
    }
    const double scale = 1.0 / std::sqrt(norm + 1e-300);
    std::fill(y.begin(), y.end(), 0.0);
    for (double& coordinate : x) coordinate *= scale;
    each_edge([&](Value a, Value b, double weight) {
      y[a] += weight * x[b];
      y[b] += weight * x[a];
    });
    for (Value v = 0; v < count; ++v)
      if (degree[v] > 0) x[v] = 0.5 * (x[v] + y[v] / degree[v]);
  }
  return x;
}

Order coordinate_order(const ScheduleProblem& problem, Random& random, const Stop& stop) {
  const std::vector<double> x = sweep_coordinates(problem, random, stop);
  Order order(problem.gate_count());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double left = x[problem.value_of_gate(a)], right = x[problem.value_of_gate(b)];
    return left != right ? left < right : a < b;
  });
  return order;
}

}  // namespace nestor::simd
