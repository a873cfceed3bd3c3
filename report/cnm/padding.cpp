#include "report/cnm/padding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/checked.h"
#include "base/parse_number.h"
#include "report/keys/cnm.h"

namespace nestor::report {

std::string padding_note(const std::vector<Int>& asked, const std::vector<Int>& mapped) {
  return fmt::format("padded from {} to {}", fmt::join(asked, " x "), fmt::join(mapped, " x "));
}

std::vector<Int> extents_asked(const io::Json& entry, const cnm::Kernel& kernel) {
  const auto note = entry.find(key::note);
  if (note == entry.end() || !note->is_string()) return kernel.extents;
  // Whatever is read from it counts only if it is how the note would be written.
  auto text = note->get<std::string>();
  constexpr std::string_view begin = "padded from ";
  if (!text.starts_with(begin)) return kernel.extents;
  std::vector<Int> asked;
  text = text.substr(begin.size());
  for (std::size_t d = 0; d < kernel.dim_count(); ++d) {
    const auto end = std::min(text.find(' '), text.size());
    const auto extent = parse_number<Int>(text.substr(0, end));
    if (!extent || *extent < 1 || *extent > kernel.extents[d]) return kernel.extents;
    asked.push_back(*extent);
    text = text.substr(std::min(text.size(), end + 3));
  }
  return padding_note(asked, kernel.extents) == note->get<std::string>() ? asked : kernel.extents;
}

Int growth_of(const io::Json& entry, const cnm::Kernel& asked) {
  Int most = 0;
  const auto top = entry.find(key::top);
  if (top == entry.end() || !top->is_array()) return most;
  for (const auto& member : *top) {
    const auto tuples = member.find(key::tuples);
    if (tuples == member.end() || !tuples->is_array()) continue;
    for (std::size_t d = 0; d < asked.dim_count(); ++d) {
      std::optional<Int> extent = 1;
      for (const auto& tuple : *tuples)
        extent = extent && tuple.is_array() && d < tuple.size() && tuple[d].is_number_integer()
                     ? checked_multiply(*extent, tuple[d].get<Int>())
                     : std::nullopt;
      if (extent) most = std::max(most, *extent - asked.extents[d]);
    }
  }
  return most;
}

}  // namespace nestor::report
