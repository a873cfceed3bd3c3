// Options of the pim space.
#include "io/option_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/split.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, 3> layout_words = {"sequential", "hwc", "row_aligned"};

MaybeError set_layouts(RunOptions& options, std::string_view text) {
  std::uint8_t layouts = 0;
  for (const std::string_view word : split(text, ',')) {
    const auto found = std::find(layout_words.begin(), layout_words.end(), word);
    if (found == layout_words.end())
      return usage_error(fmt::format("--layouts has '{}', expected sequential, hwc or row_aligned{}", word,
                                     suggestion(word, {layout_words.begin(), layout_words.end()})));
    layouts = static_cast<std::uint8_t>(layouts | 1U << static_cast<unsigned>(found - layout_words.begin()));
  }
  options.layouts = layouts;
  return std::nullopt;
}

std::string get_layouts(const RunOptions& options) {
  std::string text;
  for (std::size_t i = 0; i < layout_words.size(); ++i)
    if (((options.layouts >> i) & 1U) != 0) text += (text.empty() ? "" : ",") + std::string(layout_words[i]);
  return text;
}

constexpr std::array table = {
    Option{"layouts", "LIST",
           CustomValue{set_layouts, get_layouts, "sequential, hwc, row_aligned; with commas"},
           "How operands may lie in DRAM rows", VerbSet::of(Verb::map), '\0', "pim"},
    Option{"fix-bypass", "", SwitchValue{&RunOptions::fix_bypass},
           "One table of stored and bypassed memories for all layers, best for their sum",
           VerbSet::of(Verb::map), '\0', "pim"},
};

}  // namespace

std::span<const Option> pim_option_rows() { return table; }

}  // namespace nestor::io
