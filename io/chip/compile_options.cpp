#include "io/chip/compile_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/split.h"
#include "io/chip/decisions_file.h"

namespace nestor::io {

Result<std::vector<FigureLimit>> figure_limits(const RunOptions& options) {
  std::vector<FigureLimit> limits;
  for (const std::string& text : options.figure_limits) {
    const auto equals = text.find('=');
    const std::string_view word = std::string_view(text).substr(0, equals);
    const double value = equals == std::string::npos ? -1 : to_number(text.substr(equals + 1)).value_or(-1);
    const auto& words = chip::compile_objectives.words;
    const auto figure = chip::compile_objectives.find(word);
    if (!figure || !(value >= 0 && value < 0x1p62))
      return usage_error(
          fmt::format("--limit is {}{}, expected latency=CYCLES, energy=PJ or peak-power=PJ_PER_CYCLE",
                      quote(text), suggestion(word, {words.begin(), words.end()})));
    limits.push_back({*figure, value});
  }
  return limits;
}

Result<chip::Levels> wanted_levels(const RunOptions& options, chip::Mode mode) {
  if (options.levels.empty()) return chip::offered(mode);
  chip::Levels levels;
  for (const std::string_view word : split_list(options.levels, ',')) {
    if (std::find(chip_level_words.begin(), chip_level_words.end(), word) == chip_level_words.end())
      return usage_error(fmt::format("--levels has {}{}, expected {}", quote(word),
                                     suggestion(word, {chip_level_words.begin(), chip_level_words.end()}),
                                     join_words(chip_level_words)));
    add_chip_level(word, levels);
  }
  return chip::allowed(levels, mode);
}

}  // namespace nestor::io
