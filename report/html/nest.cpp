#include "report/html/nest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/html/drawing.h"
#include "report/html/markup.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

constexpr std::array<std::string_view, 3> operands = {"I", "W", "O"};
constexpr std::size_t memory_colours = 8;

std::string loop_text(const Json& loop) {
  return text_of(at(loop, key::dim)) + " " + figure_text(at(loop, key::factor), Style::count);
}

double lanes_of(const Json& factors) {
  double lanes = 1;
  for (const auto& factor : factors) lanes *= number_of(factor).value_or(1);
  return lanes;
}

std::string block_of(const Json& loop, std::string_view operand) {
  return text_of(at(at(loop, "at"), operand));
}

std::vector<std::string> memory_names(const Json& machine) {
  std::vector<std::string> names;
  for (const auto& level : at(machine, key::hierarchy))
    if (level.is_object() && level.contains(key::memory))
      names.push_back(text_of(at(at(level, key::memory), key::name)));
  return names;
}

std::string memory_style(const std::vector<std::string>& memories, const std::string& name) {
  const auto found = std::find(memories.begin(), memories.end(), name);
  return fmt::format("m{}", static_cast<std::size_t>(found - memories.begin()) % memory_colours);
}

bool is_doubled(const Json& mapping, std::string_view memory, std::string_view operand) {
  const auto& doubled = at(mapping, key::double_buffer);
  return std::any_of(doubled.begin(), doubled.end(), [&](const Json& pair) {
    return text_of(at(pair, key::memory)) == memory && text_of(at(pair, key::operand)) == operand;
  });
}

const Json& size_of(const MappedNest& nest, const std::string& memory, std::string_view operand) {
  return at(nest.sizes, fmt::format("{}/{}", memory, operand));
}

// Returns the picture's description for readers who cannot see it.
std::string nest_words(const Json& loops) {
  std::string words = "Loop nest, from the outside in:";
  for (const auto& loop : loops) {
    words += fmt::format(" {}", loop_text(loop));
    for (const auto operand : operands) words += fmt::format(" {} in {}", operand, block_of(loop, operand));
    words += ";";
  }
  return words;
}

constexpr double row_height = 24;
constexpr double nest_width = 600;
constexpr double column_width = 108;
constexpr double first_column = nest_width - 3 * column_width;

// Adds the column of an operand: one rectangle for each group of adjacent loops whose block is in the same
// memory.
void add_blocks(Drawing& drawing, const MappedNest& nest, const Json& loops, std::size_t column) {
  const auto memories = memory_names(nest.machine);
  const auto operand = operands[column];
  const double x = first_column + static_cast<double>(column) * column_width;
  for (std::size_t begin = 0, end = 0; begin < loops.size(); begin = end) {
    const auto memory = block_of(loops[begin], operand);
    while (end < loops.size() && block_of(loops[end], operand) == memory) ++end;
    const double y = row_height * static_cast<double>(begin + 1);
    const double height = row_height * static_cast<double>(end - begin);
    const auto size = figure_text(size_of(nest, memory, operand), Style::size);
    const bool doubled = is_doubled(nest.mapping, memory, operand);
    const auto tile = size.empty() ? "" : fmt::format("{}{}", doubled ? "2 x " : "", size);
    drawing.rectangle(
        {pixels(x), pixels(y), pixels(column_width - 4), pixels(height - 2)}, memory_style(memories, memory),
        fmt::format("{} of these loops is in {}{}{}", operand, memory, tile.empty() ? "" : ": ", tile));
    drawing.text(pixels(x + 6), pixels(y + 16), "on-block", shortened(memory, 14));
    if (end - begin > 1 && !tile.empty()) drawing.text(pixels(x + 6), pixels(y + 34), "on-block small", tile);
  }
}

}  // namespace

std::string factors_line(const Json& factors) {
  std::string text;
  if (!factors.is_object()) return text;
  for (const auto& [dim, factor] : factors.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", dim, figure_text(factor, Style::count));
  return text;
}

std::string loop_line(const Json& loop) {
  std::string blocks;
  for (const auto operand : operands)
    blocks += fmt::format("{}{} in {}", blocks.empty() ? "" : ", ", operand, block_of(loop, operand));
  return fmt::format("{} ({})", loop_text(loop), blocks);
}

std::string mapping_line(const Json& mapping) {
  std::string text;
  const auto& axes = at(mapping, key::spatial);
  if (axes.is_object())
    for (const auto& [axis, factors] : axes.items())
      if (const auto words = factors_line(factors); !words.empty())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis, words);
  std::string loops;
  for (const auto& loop : at(mapping, key::temporal)) loops += (loops.empty() ? "" : ", ") + loop_text(loop);
  return text + (text.empty() || loops.empty() ? "" : "; ") + loops;
}

std::string nest_picture(const MappedNest& nest) {
  const auto& loops = at(nest.mapping, key::temporal);
  const auto& axes = at(nest.mapping, key::spatial);
  const std::size_t parallel = axes.is_object() ? axes.size() : 0;
  const std::size_t count = loops.is_array() ? loops.size() : 0;
  Drawing drawing(nest_width, row_height * static_cast<double>(count + parallel + 1));
  drawing.text("0", "16", "head", "for, from the outside in");
  for (std::size_t i = 0; i < operands.size(); ++i)
    drawing.text(pixels(first_column + static_cast<double>(i) * column_width + 6), "16", "head",
                 fmt::format("{} in", operands[i]));
  constexpr std::size_t deepest = 12;
  for (std::size_t i = 0; i < count; ++i)
    drawing.text(pixels(10 * static_cast<double>(std::min(i, deepest))),
                 pixels(row_height * static_cast<double>(i + 1) + 16), "loop",
                 fmt::format("for {} in 0..{}", text_of(at(loops[i], key::dim)),
                             number_of(at(loops[i], key::factor)).value_or(1) - 1));
  for (std::size_t i = 0; i < operands.size() && count > 0; ++i) add_blocks(drawing, nest, loops, i);
  double y = row_height * static_cast<double>(count + 1) + 16;
  std::string words = count > 0 ? nest_words(loops) : "No temporal loops.";
  if (parallel > 0)
    for (const auto& [axis, factors] : axes.items()) {
      const auto line = fmt::format("in parallel on {}: {}", shortened(axis, 20),
                                    factors.empty() ? "nothing" : factors_line(factors));
      const double x = 10 * static_cast<double>(std::min(count, deepest));
      constexpr double character = 8;  // width of a character in the style "loop"
      drawing.text(pixels(x), pixels(y), "loop",
                   shortened(line, static_cast<std::size_t>((nest_width - x) / character)));
      words += " " + line + ";";
      y += row_height;
    }
  return drawing.finish(words);
}

namespace {

constexpr double machine_width = 600;
constexpr double bar_begin = 130;
constexpr double bar_width = 285;

void add_axis(Drawing& drawing, double y, const Json& axis, const Json& factors) {
  const double size = number_of(at(axis, key::size)).value_or(0);
  const double lanes = lanes_of(factors);
  constexpr double most_drawn = 64;
  if (size >= 1 && size <= most_drawn) {
    const double lane = bar_width / size;
    for (int i = 0; i < static_cast<int>(size); ++i)
      drawing.rectangle({pixels(bar_begin + i * lane), pixels(y + 4), pixels(std::max(1.0, lane - 1)), "14"},
                        i < lanes ? "lane used" : "lane");
  } else if (size > 0) {
    drawing.rectangle({pixels(bar_begin), pixels(y + 4), pixels(bar_width), "14"}, "lane");
    drawing.rectangle(
        {pixels(bar_begin), pixels(y + 4), pixels(bar_width * std::min(1.0, lanes / size)), "14"},
        "lane used");
  }
  drawing.text(pixels(bar_begin + bar_width + 10), pixels(y + 16), "note",
               fmt::format("{:.0f} of {:.0f} lanes", lanes, size));
}

void add_memory(Drawing& drawing, double y, const Json& memory, const MappedNest& nest) {
  const auto name = text_of(at(memory, key::name));
  const double capacity = number_of(at(memory, key::capacity)).value_or(0);
  drawing.rectangle({pixels(bar_begin), pixels(y + 3), pixels(bar_width), "18"}, key::memory);
  double begin = 0;
  for (const auto operand : operands) {
    const auto& size = size_of(nest, name, operand);
    const bool doubled = is_doubled(nest.mapping, name, operand);
    for (int copy = 0; copy < (doubled ? 2 : 1) && capacity > 0; ++copy) {
      const double part = std::clamp(number_of(size).value_or(0) / capacity, 0.0, 1 - begin);
      if (part <= 0) continue;
      drawing.rectangle({pixels(bar_begin + begin * bar_width), pixels(y + 3),
                         pixels(std::max(0.5, part * bar_width - 1)), "18"},
                        fmt::format("operand-{}", operand),
                        fmt::format("{}: {}{}", operand, figure_text(size, Style::size),
                                    doubled ? ", one of two buffers" : ""));
      begin += part;
    }
  }
  const auto used = figure_text(at(nest.usage, name), Style::size);
  const auto whole = figure_text(at(memory, key::capacity), Style::size);
  drawing.text(pixels(bar_begin + bar_width + 10), pixels(y + 16), "note",
               whole.empty() ? "unlimited" : fmt::format("{} of {}", used.empty() ? "0" : used, whole));
}

std::string machine_words(const MappedNest& nest) {
  std::string words = "Machine, from the outside in:";
  for (const auto& level : at(nest.machine, key::hierarchy)) {
    const auto& memory = at(level, key::memory);
    const auto& axis = at(level, key::spatial);
    if (memory.is_object()) words += fmt::format(" memory {};", text_of(at(memory, key::name)));
    if (axis.is_object())
      words += fmt::format(" axis {}, {:.0f} of {} lanes in use;", text_of(at(axis, key::name)),
                           lanes_of(at(at(nest.mapping, key::spatial), text_of(at(axis, key::name)))),
                           text_of(at(axis, key::size)));
  }
  return words;
}

}  // namespace

std::string machine_picture(const MappedNest& nest) {
  const auto& levels = at(nest.machine, key::hierarchy);
  if (!levels.is_array()) return "";
  Drawing drawing(machine_width, row_height * static_cast<double>(levels.size() + 1));
  double y = 0;
  for (const auto& level : levels) {
    const auto& memory = at(level, key::memory);
    const auto& axis = at(level, key::spatial);
    const auto& part = memory.is_object() ? memory : axis;
    drawing.text("0", pixels(y + 16), memory.is_object() ? "part" : "part axis",
                 shortened(text_of(at(part, key::name)), 17));
    if (memory.is_object())
      add_memory(drawing, y, memory, nest);
    else
      add_axis(drawing, y, axis, at(at(nest.mapping, key::spatial), text_of(at(axis, key::name))));
    y += row_height;
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const double x = bar_begin + 50 * static_cast<double>(i);
    drawing.rectangle({pixels(x), pixels(y + 6), "12", "12"}, fmt::format("operand-{}", operands[i]));
    drawing.text(pixels(x + 17), pixels(y + 17), "note", operands[i]);
  }
  return drawing.finish(machine_words(nest));
}

std::string memory_table(const MappedNest& nest) {
  HtmlTable table(
      "Memories",
      {{"memory", false}, {"tile of I"}, {"tile of W"}, {"tile of O"}, {"in use"}, {"capacity"}, {"full"}});
  for (const auto& level : at(nest.machine, key::hierarchy)) {
    const auto& memory = at(level, key::memory);
    if (!memory.is_object()) continue;
    const auto name = text_of(at(memory, key::name));
    std::vector<std::string> cells = {escaped(name)};
    for (const auto operand : operands) {
      const auto tile = figure(size_of(nest, name, operand), Style::size);
      cells.push_back((is_doubled(nest.mapping, name, operand) && !tile.empty() ? "2 x " : "") + tile);
    }
    const auto& capacity = at(memory, key::capacity);
    const auto& used = at(nest.usage, name);
    cells.push_back(figure(used, Style::size));
    cells.push_back(figure(capacity, Style::size));
    const auto whole = number_of(capacity);
    const auto part = number_of(used);
    cells.push_back(whole && part && *whole > 0 ? escaped(io::percent_text(*part / *whole)) : "");
    table.add_row(cells);
  }
  return table.empty() ? "" : table.to_string();
}

}  // namespace nestor::report::html
