#include "solver/simplex/generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace nestor::simplex {
namespace {

Index draw_index(Random& random, Index bound) { return static_cast<Index>(random.below(bound)); }
double draw_integer(Random& random, std::int64_t low, std::int64_t high) {
  return static_cast<double>(random.between(low, high));
}

// Parameters of a random program, drawn once per seed.
struct Recipe {
  Index rows = 0;
  Index columns = 0;
  double density = 0.5;
  bool integers = true;  // small integer data, which causes ties and degeneracy
  bool zero_right_sides = false;
  double free_share = 0;
  double fixed_share = 0;
  double boxed_share = 0;
  double upper_only_share = 0;
  double equality_share = 0;
  double range_share = 0;
  double duplicate_share = 0;
  double empty_share = 0;
  int scale_decades = 0;
  bool aim_feasible = true;
  bool aim_bounded = true;
};

Recipe draw_recipe(Random& random) {
  Recipe recipe;
  recipe.rows = draw_index(random, random.chance(0.2) ? 40 : 12);
  recipe.columns = 1 + draw_index(random, random.chance(0.2) ? 40 : 14);
  recipe.density = 0.1 + 0.9 * random.unit();
  recipe.integers = random.chance(0.6);
  recipe.zero_right_sides = random.chance(0.15);
  const auto share = [&] { return random.chance(0.4) ? random.unit() : 0.0; };
  recipe.free_share = 0.5 * share();
  recipe.fixed_share = 0.5 * share();
  recipe.boxed_share = share();
  recipe.upper_only_share = 0.5 * share();
  recipe.equality_share = share();
  recipe.range_share = 0.5 * share();
  recipe.duplicate_share = 0.5 * share();
  recipe.empty_share = 0.3 * share();
  recipe.scale_decades = random.chance(0.2) ? static_cast<int>(random.between(1, 5)) : 0;
  recipe.aim_feasible = random.chance(0.7);
  recipe.aim_bounded = random.chance(0.7);
  return recipe;
}

double draw_value(Random& random, const Recipe& recipe) {
  if (recipe.integers) {
    const double value = draw_integer(random, -5, 5);
    return value == 0 ? 1 : value;
  }
  return 10 * (random.unit() - 0.5);
}

Interval draw_column_bounds(Random& random, const Recipe& recipe) {
  const double low = recipe.integers ? draw_integer(random, -4, 4) : 8 * (random.unit() - 0.5);
  const double width = recipe.integers ? draw_integer(random, 1, 8) : 8 * random.unit();
  if (random.chance(recipe.free_share)) return {-infinity, infinity};
  if (random.chance(recipe.fixed_share)) return {low, low};
  if (random.chance(recipe.boxed_share)) return {low, low + width};
  if (random.chance(recipe.upper_only_share)) return {-infinity, low};
  return {random.chance(0.7) ? 0.0 : low, infinity};
}

double point_within(Random& random, const Interval& bounds, const Recipe& recipe) {
  const double step = recipe.integers ? draw_integer(random, 0, 3) : 3 * random.unit();
  if (bounds.lower > -infinity) return std::min(bounds.lower + step, bounds.upper);
  if (bounds.upper < infinity) return bounds.upper - step;
  return step - 1;
}

// Draws the bounds of a row. `activity` is the row's value at the hidden point. If the program should be
// feasible, the bounds admit this value.
Interval draw_row_bounds(Random& random, const Recipe& recipe, double activity) {
  double anchor = activity;
  if (!recipe.aim_feasible) anchor = draw_value(random, recipe) * 3;
  if (recipe.zero_right_sides && !recipe.aim_feasible) anchor = 0;
  const bool tight = random.chance(0.5);
  const double room = tight ? 0 : (recipe.integers ? draw_integer(random, 0, 5) : 5 * random.unit());
  if (random.chance(recipe.equality_share)) return {anchor, anchor};
  if (random.chance(recipe.range_share)) return {anchor - room, anchor + room + 1};
  if (random.chance(0.05)) return {-infinity, infinity};
  if (random.chance(0.5)) return {anchor - room, infinity};
  return {-infinity, anchor + room};
}

// Returns a power of two near a power of ten. Scaling with it keeps dependent rows exactly dependent.
double decade(Random& random, int decades) {
  return std::ldexp(1.0, static_cast<int>(random.between(-decades, decades) * 10 / 3));
}

}  // namespace

LinearProgram random_program(std::uint64_t seed) {
  Random random(seed);
  const Recipe recipe = draw_recipe(random);
  LinearProgram program;
  std::vector<double> point;
  std::vector<double> column_scale;
  std::vector<double> cost;
  for (Index j = 0; j < recipe.columns; ++j) {
    const Interval bounds = draw_column_bounds(random, recipe);
    column_scale.push_back(recipe.scale_decades > 0 ? decade(random, recipe.scale_decades) : 1.0);
    point.push_back(point_within(random, bounds, recipe));
    cost.push_back(random.chance(0.2) ? 0 : draw_value(random, recipe));
    // To keep the program bounded, the sign of the cost matches the finite bound.
    if (recipe.aim_bounded && bounds.lower > -infinity && bounds.upper == infinity)
      cost.back() = std::abs(cost.back());
    if (recipe.aim_bounded && bounds.lower == -infinity) cost.back() = -std::abs(cost.back());
    if (recipe.aim_bounded && bounds.lower == -infinity && bounds.upper == infinity) cost.back() = 0;
    const double scale = column_scale.back();
    program.add_column(cost.back() / scale, {bounds.lower * scale, bounds.upper * scale});
  }
  std::vector<std::vector<Entry>> made;
  for (Index i = 0; i < recipe.rows; ++i) {
    std::vector<Entry> entries;
    if (!random.chance(recipe.empty_share))
      for (Index j = 0; j < recipe.columns; ++j)
        if (random.chance(recipe.density)) entries.push_back({j, draw_value(random, recipe)});
    if (!made.empty() && random.chance(recipe.duplicate_share)) {
      entries = made[draw_index(random, static_cast<Index>(made.size()))];
      const double factor =
          random.chance(0.5) ? 1.0 : std::ldexp(1.0, static_cast<int>(random.between(0, 2)));
      for (Entry& entry : entries) entry.value *= factor;
    }
    made.push_back(entries);
    double activity = 0;
    for (const Entry& entry : entries) activity += entry.value * point[entry.index];
    const Interval bounds = draw_row_bounds(random, recipe, activity);
    const double scale = recipe.scale_decades > 0 ? decade(random, recipe.scale_decades) : 1.0;
    for (Entry& entry : entries) entry.value *= scale / column_scale[entry.index];
    program.add_row({bounds.lower * scale, bounds.upper * scale}, entries);
  }
  return program;
}

LinearProgram transport_program(Index sources, Index sinks, std::uint64_t seed) {
  Random random(seed);
  LinearProgram program;
  std::vector<double> supply(sources, 0.0);
  std::vector<double> demand(sinks, 0.0);
  for (Index t = 0; t < sinks; ++t) {
    demand[t] = draw_integer(random, 1, 9) * 10;
    supply[draw_index(random, sources)] += demand[t];
  }
  for (const double amount : supply) program.add_row({-infinity, amount});
  for (const double amount : demand) program.add_row({amount, infinity});
  for (Index s = 0; s < sources; ++s)
    for (Index t = 0; t < sinks; ++t) {
      const std::array<Entry, 2> entries{{{s, 1.0}, {sources + t, 1.0}}};
      program.add_column(draw_integer(random, 1, 100), {0, infinity}, entries);
    }
  return program;
}

LinearProgram staircase_program(Index periods, Index products, std::uint64_t seed) {
  Random random(seed);
  LinearProgram program;
  const Index resources = std::max<Index>(1, products / 3);
  std::vector<Index> store(products, no_index);
  for (Index t = 0; t < periods; ++t) {
    std::vector<std::vector<Entry>> resource_rows(resources);
    for (Index p = 0; p < products; ++p) {
      const Index make = program.add_column(draw_integer(random, 5, 20), {0, infinity});
      const Index lack = program.add_column(draw_integer(random, 60, 90), {0, infinity});
      const Index keep = program.add_column(draw_integer(random, 1, 4), {0, draw_integer(random, 20, 60)});
      std::vector<Entry> balance{{make, 1.0}, {lack, 1.0}, {keep, -1.0}};
      if (store[p] != no_index) balance.push_back({store[p], 1.0});
      const double demand = draw_integer(random, 5, 40);
      program.add_row({demand, demand}, balance);
      store[p] = keep;
      for (auto& row : resource_rows)
        if (random.chance(0.4)) row.push_back({make, 0.5 + random.unit()});
    }
    for (const auto& row : resource_rows) program.add_row({-infinity, 12.0 * products}, row);
  }
  return program;
}

LinearProgram multicommodity_program(Index nodes, Index arcs, Index commodities, std::uint64_t seed) {
  Random random(seed);
  LinearProgram program;
  if (nodes < 2) return program;  // an arc needs two ends
  struct Arc {
    Index from, to;
    double cost;
  };
  std::vector<Arc> network;
  for (Index a = 0; a < arcs; ++a) {
    const Index from = a < nodes ? a : draw_index(random, nodes);
    Index to = a < nodes ? (a + 1) % nodes : draw_index(random, nodes);
    if (to == from) to = (to + 1) % nodes;
    network.push_back({from, to, draw_integer(random, 1, 30)});
  }
  for (Index k = 0; k < commodities; ++k) {
    const Index source = draw_index(random, nodes);
    const Index sink = (source + 1 + draw_index(random, nodes - 1)) % nodes;
    const double amount = draw_integer(random, 1, 10);
    for (Index v = 0; v < nodes; ++v) {
      const double out = v == source ? amount : v == sink ? -amount : 0.0;
      program.add_row({out, out});
    }
  }
  const Index joint = program.rows();
  for (Index a = 0; a < arcs; ++a) program.add_row({-infinity, draw_integer(random, 5, 25)});
  for (Index k = 0; k < commodities; ++k)
    for (Index a = 0; a < arcs; ++a) {
      const std::array<Entry, 3> entries{
          {{k * nodes + network[a].from, 1.0}, {k * nodes + network[a].to, -1.0}, {joint + a, 1.0}}};
      program.add_column(network[a].cost, {0, infinity}, entries);
    }
  for (Index a = 0; a < arcs; ++a) {
    const std::array<Entry, 1> overflow{{{joint + a, -1.0}}};
    program.add_column(500, {0, infinity}, overflow);
  }
  return program;
}

LinearProgram blending_program(Index materials, Index products, std::uint64_t seed) {
  Random random(seed);
  LinearProgram program;
  for (Index m = 0; m < materials; ++m)
    for (Index p = 0; p < products; ++p) program.add_column(10 + 20 * random.unit(), {0, infinity});
  for (Index m = 0; m < materials; ++m) {
    std::vector<Entry> stock;
    stock.reserve(products);
    for (Index p = 0; p < products; ++p) stock.push_back({m * products + p, 1.0});
    program.add_row({-infinity, 50 + 50 * random.unit()}, stock);
  }
  for (Index p = 0; p < products; ++p) {
    std::vector<Entry> amount;
    amount.reserve(materials);
    for (Index m = 0; m < materials; ++m) amount.push_back({m * products + p, 1.0});
    const double demand = 20.0 * materials / products;
    program.add_row({demand, demand}, amount);
    for (int quality = 0; quality < 4; ++quality) {
      std::vector<Entry> limit;
      limit.reserve(materials);
      for (Index m = 0; m < materials; ++m) limit.push_back({m * products + p, random.unit() - 0.45});
      program.add_row({-infinity, 0}, limit);
    }
  }
  return program;
}

LinearProgram covering_program(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  LinearProgram program;
  for (Index i = 0; i < rows; ++i) program.add_row({1, infinity});
  for (Index j = 0; j < columns; ++j) {
    std::vector<Entry> entries;
    entries.reserve(6);
    for (int k = 0; k < 6; ++k) entries.push_back({draw_index(random, rows), 1.0});
    sum_duplicates(entries);
    for (Entry& entry : entries) entry.value = 1;
    program.add_column(draw_integer(random, 1, 5), {0, 1}, entries);
  }
  for (Index i = 0; i < rows; ++i) {
    const std::array<Entry, 1> rescue{{{i, 1.0}}};
    program.add_column(30, {0, infinity}, rescue);
  }
  return program;
}

LinearProgram bound_like_program(Index groups, std::uint64_t seed) {
  Random random(seed);
  LinearProgram program;
  constexpr Index places = 6;
  const Index first = 0;
  std::vector<double> weight(groups);
  for (Index g = 0; g < groups; ++g) {
    weight[g] = std::log(draw_integer(random, 2, 7));
    std::vector<Entry> sum;
    sum.reserve(places);
    for (Index p = 0; p < places; ++p) sum.push_back({program.add_column(0, {0, 1}), 1.0});
    program.add_row({1, 1}, sum);
  }
  for (Index operand = 0; operand < 3; ++operand)
    for (Index p = 1; p < places; ++p) {
      // A row that limits the logarithm of a tile at place p, and tangents as lower bounds on the transfers
      // that the tile causes.
      std::vector<Entry> tile;
      for (Index g = 0; g < groups; ++g)
        if ((g + operand) % 3 != 0)
          for (Index q = 0; q < p; ++q) tile.push_back({first + g * places + q, weight[g]});
      program.add_row({-infinity, 2.0 + 3.0 * random.unit()}, tile);
      const Index traffic = program.add_column(1 + random.unit(), {0, 1e6});
      for (int cut = 0; cut < 4; ++cut) {
        const double at = 1.5 * cut;
        std::vector<Entry> tangent{{traffic, 1.0}};
        for (Index g = 0; g < groups; ++g)
          if ((g + operand) % 3 != 0)
            for (Index q = p; q < places; ++q)
              tangent.push_back({first + g * places + q, -std::exp(at) * weight[g]});
        program.add_row({std::exp(at) * (1 - at), infinity}, tangent);
      }
    }
  return program;
}

LinearProgram klee_minty_program(Index dimension) {
  LinearProgram program;
  for (Index j = 0; j < dimension; ++j)
    program.add_column(-std::pow(2.0, static_cast<double>(dimension - 1 - j)), {0, infinity});
  for (Index i = 0; i < dimension; ++i) {
    std::vector<Entry> entries;
    entries.reserve(i + 1);
    for (Index j = 0; j < i; ++j) entries.push_back({j, std::pow(2.0, static_cast<double>(i - j + 1))});
    entries.push_back({i, 1.0});
    program.add_row({-infinity, std::pow(5.0, static_cast<double>(i + 1))}, entries);
  }
  return program;
}

}  // namespace nestor::simplex
