// Rows of the option table for the pim space.
#include "io/option_rows.h"

#include <fmt/format.h>

#include "base/split.h"

namespace nestor::io {
namespace {

constexpr auto& layout_words = nestor::pim::layout_kinds.words;

MaybeError set_layouts(RunOptions& options, std::string_view text) {
  nestor::pim::LayoutSet layouts;
  for (const std::string_view word : split(text, ',')) {
    const auto kind = nestor::pim::layout_kinds.find(word);
    if (!kind)
      return usage_error(fmt::format("--layouts has '{}', expected sequential, hwc or row_aligned{}", word,
                                     suggestion(word, {layout_words.begin(), layout_words.end()})));
    layouts.insert(*kind);
  }
  options.layouts = layouts;
  return std::nullopt;
}

std::string get_layouts(const RunOptions& options) {
  std::string text;
  for (const auto kind : nestor::pim::layout_kinds.values)
    if (options.layouts.contains(kind))
      text += (text.empty() ? "" : ",") + std::string(nestor::pim::layout_kinds.word(kind));
  return text;
}

constexpr std::array pim_rows = {
    Option{"layouts", "LIST",
           CustomValue{set_layouts, get_layouts, "sequential, hwc, row_aligned; with commas"},
           "Allowed layouts of operands in DRAM rows",
           VerbSet::of(Verb::map, Verb::export_model, Verb::compare), '\0', "pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"fix-bypass", "", SwitchValue{&RunOptions::fix_bypass},
           "Use one table of stored and bypassed memories for all layers, the best for their sum",
           VerbSet::of(Verb::map), '\0', "pim"},
};

}  // namespace

std::span<const Option> pim_option_rows() { return pim_rows; }

}  // namespace nestor::io
