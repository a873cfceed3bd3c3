#include "app/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "base/parse_number.h"

namespace nestor::app {
namespace {

constexpr std::size_t unlimited = std::size_t{1} << 46U;

// Returns the number in a file of the operating system, or nothing for "max" or a missing file.
std::optional<std::size_t> number_in(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  if (!(in >> word)) return std::nullopt;
  return parse_number<std::size_t>(word);
}

// Returns MemAvailable of /proc/meminfo (given in KiB) in bytes, or else the size of the physical memory.
std::size_t available_ram() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  std::size_t kib = 0;
  for (std::string unit; in >> key >> kib; std::getline(in, unit))
    if (key == "MemAvailable:") return kib << 10U;
  const auto pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes)
                                : unlimited;
}

// Returns the lowest limit of the process's control group and its ancestors, in either version of the
// interface. In a container, the group of the container is the visible root.
std::size_t limit_of_groups() {
  std::size_t least = unlimited;
  const auto look = [&](std::string group) {
    for (;; group.erase(group.rfind('/'))) {
      for (const auto& file : {"/sys/fs/cgroup" + group + "/memory.max",
                               "/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes"})
        least = std::min(least, number_in(file).value_or(unlimited));
      if (group.empty() || group.front() != '/') return;
    }
  };
  look("");
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);)
    if (const auto colon = line.rfind(':'); colon != std::string::npos) look(line.substr(colon + 1));
  return least;
}

std::size_t left_of_address_space() {
  rlimit limit{};
  std::size_t left = unlimited;
  for (const auto kind : {RLIMIT_AS, RLIMIT_DATA})
    if (getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      left = std::min<std::size_t>(left, limit.rlim_cur);
  if (left == unlimited) return left;
  const std::size_t taken =
      number_in("/proc/self/statm").value_or(0) * static_cast<std::size_t>(getpagesize());
  return left - std::min(left, taken);
}

}  // namespace

std::size_t available_memory() {
  return std::min({available_ram(), limit_of_groups(), left_of_address_space()});
}

std::size_t memory_limit(const io::RunOptions& options) {
  constexpr std::size_t least = std::size_t{16} << 20U;
  if (options.memory_limit > 0) return static_cast<std::size_t>(options.memory_limit);
  const std::size_t available = available_memory();
  return std::max(least, available / 2);  // other processes need memory, too
}

}  // namespace nestor::app
