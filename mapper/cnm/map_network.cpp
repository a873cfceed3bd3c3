#include "mapper/cnm/map_network.h"

#include <algorithm>

#include "solver/engine/stop_source.h"

namespace nestor::cnm {

std::vector<std::size_t> first_alike(std::span<const Kernel> kernels) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    std::size_t like = 0;
    for (; like < i; ++like) {
      Kernel named = kernels[like];
      named.name = kernels[i].name;
      if (named == kernels[i]) break;
    }
    first.push_back(like);
  }
  return first;
}

std::vector<MapResult> map_network(std::span<const Kernel> kernels, std::span<const std::size_t> alike,
                                   const System& system, const Library& library, MapRequest request,
                                   double time_limit, FunctionRef<void(std::size_t kernel)> begins) {
  const auto begin = StopSource::Clock::now();
  const double kernel_limit = request.time_limit;
  std::vector<MapResult> maps;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    begins(i);
    if (alike[i] < i) {
      maps.push_back(MapResult(maps[alike[i]]));
      maps.back().kernel.name = kernels[i].name;
      continue;
    }
    request.time_limit = std::min(kernel_limit, std::max(0.0, time_limit - seconds_since(begin)));
    maps.push_back(map_kernel(kernels[i], system, library, request));
  }
  return maps;
}

}  // namespace nestor::cnm
