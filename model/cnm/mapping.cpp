#include "model/cnm/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace nestor::cnm {
namespace {

constexpr std::size_t most_maps = 256;

std::string point_text(const std::vector<Int>& point) { return fmt::format("({})", fmt::join(point, ", ")); }

Int number_in(const std::string& name) {
  Int number = 0;
  for (const char c : name)
    if (c >= '0' && c <= '9' && number < 1'000'000'000) number = number * 10 + (c - '0');
  return number;
}

bool holds(const std::vector<Int>& corner, const std::vector<Int>& size, const std::vector<Int>& point) {
  for (std::size_t d = 0; d < point.size(); ++d)
    if (point[d] < corner[d] || point[d] >= corner[d] + size[d]) return false;
  return true;
}

struct Box {
  std::vector<Int> corner, size;
};

// Finds the first free point in the lexicographic order of (d_N, ..., d_1), where the dims above `dim` are
// already fixed. Returns false if there is none. Only 0 and the ends of boxes need to be tried as
// coordinates.
bool least_free(const std::vector<Box>& boxes, const std::vector<Int>& extents, std::size_t dim,
                std::vector<Int>& point) {
  std::vector<Int> starts = {0};
  for (const Box& box : boxes) starts.push_back(box.corner[dim] + box.size[dim]);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (const Int start : starts) {
    if (start >= extents[dim]) break;
    point[dim] = start;
    std::vector<Box> here;
    for (const Box& box : boxes)
      if (box.corner[dim] <= start && start < box.corner[dim] + box.size[dim]) here.push_back(box);
    if (dim == 0 ? here.empty() : least_free(here, extents, dim - 1, point)) return true;
  }
  return false;
}

}  // namespace

Int CnmMap::parts(std::size_t level) const {
  Int product = 1;
  for (const Int factor : tuples[level]) product *= factor;
  return product;
}

Int CnmMap::extent(std::size_t dim) const {
  Int product = 1;
  for (const auto& tuple : tuples) product *= tuple[dim];
  return product;
}

std::string find_shape_fault(const CnmMap& map, std::size_t dims, const System& system) {
  if (map.tuples.size() != system.levels.size() + 1)
    return fmt::format("map {} has {} tuples, expected {}", map.name, map.tuples.size(),
                       system.levels.size() + 1);
  std::vector<Int> extents(dims, 1);
  for (std::size_t i = 0; i < map.tuples.size(); ++i) {
    if (map.tuples[i].size() != dims)
      return fmt::format("tuple {} of map {} has {} factors, expected {}", i + 1, map.name,
                         map.tuples[i].size(), dims);
    Int product = 1;
    for (std::size_t d = 0; d < dims; ++d) {
      const Int factor = map.tuples[i][d];
      const auto extent = checked_multiply(extents[d], factor);
      const auto parts = checked_multiply(product, factor);
      if (factor < 1 || !extent || *extent > max_count || !parts)
        return fmt::format("factor {} in tuple {} of map {}, expected a factor of at least 1", factor, i + 1,
                           map.name);
      extents[d] = *extent;
      product = *parts;
    }
    // On HBM-PIM, the two banks of a block may be used as two units.
    const Int banks = system.target == Target::hbm_pim && i == 1 ? 2 : 1;
    if (i < system.levels.size() && product > banks * system.levels[i].size)
      return fmt::format("tuple {} of map {} uses {} of level {}, which has {}", i + 1, map.name, product,
                         system.levels[i].name, banks * system.levels[i].size);
  }
  if (system.target == Target::upmem && map.pim.any())
    return fmt::format("map {} has keys of maps on HBM-PIM (grf, layout, half, half_dim, bank)", map.name);
  if (!map.block.empty()) {
    if (map.block.size() != dims)
      return fmt::format("block of map {} has {} factors, expected {}", map.name, map.block.size(), dims);
    for (std::size_t d = 0; d < dims; ++d)
      if (map.block[d] < 1 || map.local()[d] % map.block[d] != 0)
        return fmt::format("block {} of map {} in dim {} does not divide {}", map.block[d], map.name, d + 1,
                           map.local()[d]);
  }
  if (!map.order.empty()) {
    std::vector<bool> seen(dims, false);
    for (const std::size_t d : map.order) {
      if (d >= dims || seen[d])
        return fmt::format("order of map {} is not a permutation of {} dims", map.name, dims);
      seen[d] = true;
    }
  }
  return {};
}

Allocation allocate(const CnmMapping& mapping, const std::vector<Int>& extents) {
  Allocation result;
  if (mapping.size() > most_maps) {
    result.fault = fmt::format("found {} maps, expected at most {}", mapping.size(), most_maps);
    return result;
  }
  std::vector<Box> boxes;
  const auto fail = [&](std::string message) {
    result.fault = std::move(message);
    return result;
  };
  for (const CnmMap& map : mapping) {
    Box box{std::vector<Int>(extents.size(), 0), {}};
    for (std::size_t d = 0; d < extents.size(); ++d) box.size.push_back(map.extent(d));
    if (!least_free(boxes, extents, extents.size() - 1, box.corner))
      return fail(
          fmt::format("map {} covers no new point, expected the maps to cover each point once", map.name));
    for (std::size_t d = 0; d < extents.size(); ++d)
      if (box.corner[d] + box.size[d] > extents[d]) {
        auto outside = box.corner;
        outside[d] = extents[d];
        return fail(fmt::format("map {} at {} reaches point {}, which lies outside the iteration space {}",
                                map.name, point_text(box.corner), point_text(outside), point_text(extents)));
      }
    for (const Box& other : boxes) {
      std::vector<Int> common;
      for (std::size_t d = 0; d < extents.size(); ++d)
        common.push_back(std::max(box.corner[d], other.corner[d]));
      if (holds(box.corner, box.size, common) && holds(other.corner, other.size, common))
        return fail(fmt::format("point {} is covered twice, the second time by map {}", point_text(common),
                                map.name));
    }
    boxes.push_back(box);
    result.corners.push_back(boxes.back().corner);
  }
  std::vector<Int> missed(extents.size(), 0);
  if (least_free(boxes, extents, extents.size() - 1, missed))
    return fail(fmt::format("point {} of the iteration space {} is in no map", point_text(missed),
                            point_text(extents)));
  return result;
}

std::vector<std::size_t> execution_order(const CnmMapping& mapping) {
  std::vector<std::size_t> order(mapping.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return number_in(mapping[a].name) < number_in(mapping[b].name);
  });
  return order;
}

CnmMap single_unit(const Kernel& kernel, std::size_t levels) {
  CnmMap map;
  map.tuples.assign(levels, std::vector<Int>(kernel.dim_count(), 1));
  map.tuples.push_back(kernel.extents);
  return map;
}

}  // namespace nestor::cnm
