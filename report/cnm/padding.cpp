#include "report/cnm/padding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/keys/cnm.h"

namespace nestor::report {

std::string padding_note(const std::vector<Int>& asked, const std::vector<Int>& mapped) {
  return fmt::format("padded from {} to {}", fmt::join(asked, " x "), fmt::join(mapped, " x "));
}

std::vector<Int> extents_asked(const io::Json& entry, const cnm::Kernel& kernel) {
  const auto found = entry.find(key::asked_extents);
  if (found == entry.end() || !found->is_array() || found->size() != kernel.dim_count())
    return kernel.extents;
  std::vector<Int> asked;
  for (const io::Json& extent : *found) {
    if (!extent.is_number_integer() || extent < 1 || extent > kernel.extents[asked.size()])
      return kernel.extents;
    asked.push_back(extent.get<Int>());
  }
  return asked;
}

double pad_of(const io::Json& entry) {
  const auto found = entry.find(key::pad_percent);
  const double percent = found != entry.end() && found->is_number() ? found->get<double>() : 0;
  return percent >= 0 && percent <= 100 ? percent : 0;
}

}  // namespace nestor::report
