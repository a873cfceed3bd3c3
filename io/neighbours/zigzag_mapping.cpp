// Reader and writer of the loop ordering that ZigZag prints: the temporal loops, outermost first, with the
// memory of each operand, and the spatial loops. The axis of a spatial loop is in the first column, which
// ZigZag leaves empty. Nestor adds a section for double buffers.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/neighbours/equation.h"
#include "io/neighbours/mapping_parts.h"
#include "io/nest_file.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::array<Operand, operand_count> columns = {Operand::O, Operand::W, Operand::I};
constexpr std::string_view heading = "Loop ordering for ";
constexpr std::string_view temporal = "Temporal Loops", spatial = "Spatial Loops", doubled = "Double Buffers";
constexpr std::string_view two_tiles = "two tiles";

struct Row {
  std::string text;
  std::array<std::string, operand_count> cells;
};

class Table {
 public:
  void add(std::string text, std::array<std::string, operand_count> cells) {
    first_ = std::max(first_, text.size() + 5);
    for (const auto& cell : cells) width_ = std::max(width_, cell.size() + 5);
    rows_.push_back({std::move(text), std::move(cells)});
  }
  std::string text() const {
    std::string text;
    const std::string strong(first_ + operand_count * width_, '='),
        weak(first_ + operand_count * width_, '-');
    for (const Row& row : rows_) {
      const bool is_head = row.text == temporal || row.text == spatial || row.text == doubled;
      if (is_head) text += strong + '\n';
      std::string line = row.text + std::string(first_ - row.text.size(), ' ');
      for (const auto& cell : row.cells) line += cell + std::string(width_ - cell.size(), ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n' + (is_head ? strong : weak) + '\n';
    }
    return text;
  }

 private:
  std::vector<Row> rows_;
  std::size_t first_ = 0, width_ = 0;
};

std::string layer_text(const MappedLayer& mapped, const NamedArchitecture& architecture) {
  Table table;
  const Mapping& mapping = *mapped.mapping;
  table.add(std::string(temporal), {"O", "W", "I"});
  std::size_t indent = 0;
  for (const Loop& loop : mapping.loops) {
    std::array<std::string, operand_count> cells;
    for (std::size_t c = 0; c < columns.size(); ++c)
      cells[c] = architecture.memory_names[loop.at[index_of(columns[c])]];
    table.add(
        fmt::format("{:{}}for {} in [0, {}):", "", indent, zigzag_dims[index_of(loop.dim)], loop.factor),
        std::move(cells));
    indent += 2;
  }
  table.add(std::string(spatial), {});
  for (std::size_t a = 0; a < architecture.axis_names.size(); ++a)
    for (const Dim dim : all_dims)
      if (const Int factor = mapping.spatial[a][index_of(dim)]; factor != 1)
        table.add(fmt::format("{:{}}parfor {} in [0, {}):", "", indent, zigzag_dims[index_of(dim)], factor),
                  {architecture.axis_names[a], "", ""});
  bool any = false;
  for (std::size_t m = 0; m < architecture.memory_names.size(); ++m) {
    if (mapping.double_buffered[m].empty()) continue;
    if (!any) table.add(std::string(doubled), {});
    any = true;
    std::array<std::string, operand_count> cells;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (mapping.double_buffered[m].contains(columns[c])) cells[c] = architecture.memory_names[m];
    table.add(std::string(two_tiles), std::move(cells));
  }
  return fmt::format("{}{}\n{}\n", heading, mapped.layer->name, table.text());
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool is_rule(std::string_view line) { return line.find_first_not_of("=-") == std::string_view::npos; }

class ZigZagMappingReader {
 public:
  ZigZagMappingReader(const std::string& file, const NamedArchitecture& architecture)
      : file_(file), architecture_(architecture) {}

  Result<std::vector<Mapping>> read(std::string_view text, std::span<const Layer> layers) {
    for (number_ = 1; !text.empty() && !error_; ++number_) {
      const auto end = std::min(text.find('\n'), text.size());
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::vector<Mapping> mappings;
    for (const Layer& layer : layers) {
      const auto found = found_.find(layer.name);
      if (found == found_.end() && !error_)
        error_ = input_error({file_}, fmt::format("no loop ordering for layer {}", quote(layer.name)));
      if (error_) return *error_;
      mappings.push_back(found->second);
    }
    if (error_) return *error_;
    return mappings;
  }

 private:
  void fail(std::string message) {
    if (!error_) error_ = input_error({file_, number_}, std::move(message));
  }

  void read_line(std::string_view line) {
    const auto text = trimmed(line);
    if (text.empty() || is_rule(text)) return;
    if (text.starts_with(heading)) return start(std::string(trimmed(text.substr(heading.size()))));
    if (current_ == nullptr) return fail(fmt::format("found {}, expected '{}LAYER'", quote(text), heading));
    if (text.starts_with(temporal)) return read_columns(line);
    if (text == spatial || text == doubled) return;
    if (starts_.back() == 0) return fail("a loop before the line 'Temporal Loops'");
    // The cells of a line: the loop, then the memories of the operands in the order of `order_`.
    std::array<std::string_view, operand_count + 1> cells;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto begin = c == 0 ? 0 : starts_[c - 1], end = c == operand_count ? line.size() : starts_[c];
      if (begin < line.size()) cells[c] = trimmed(line.substr(begin, end - begin));
    }
    if (cells[0] == two_tiles) return read_double_buffers(cells);
    Scanner scanner(cells[0]);
    const auto kind = scanner.word(), dim = scanner.word();
    if ((kind != "for" && kind != "parfor") || !scanner.accept("in") || !scanner.accept("[") ||
        !scanner.accept("0") || !scanner.accept(","))
      return fail(fmt::format("found {}, expected a loop as 'for K in [0, 4):'", quote(text)));
    const auto factor = scanner.number();
    if (!factor || *factor < 1 || *factor > factor_range.high || !scanner.accept(")") ||
        !scanner.accept(":") || !scanner.at_end())
      return fail(
          fmt::format("the iterations of loop {} are not a whole number from 1 to 2^31", quote(cells[0])));
    const auto found = std::find(zigzag_dims.begin(), zigzag_dims.end(), dim);
    if (found == zigzag_dims.end())
      return fail(fmt::format("dimension {}, expected one of {}", quote(dim), fmt::join(zigzag_dims, ", ")));
    const Dim mine = all_dims[static_cast<std::size_t>(found - zigzag_dims.begin())];
    kind == "for" ? read_loop(mine, *factor, cells) : read_spatial(mine, *factor, cells[1]);
  }

  void start(const std::string& name) {
    if (!found_.emplace(name, Mapping{}).second)
      return fail(fmt::format("a second loop ordering for {}", quote(name)));
    current_ = &found_[name];
    starts_ = {};
  }

  void read_columns(std::string_view line) {
    const auto from = line.find(temporal) + temporal.size();
    OperandSet seen;
    std::size_t c = 0;
    for (std::size_t i = from; i < line.size(); ++i) {
      if (line[i] == ' ' || line[i] == '\r' || line[i] == '\t') continue;
      const std::string_view word = trimmed(line.substr(i, std::min(line.find(' ', i), line.size()) - i));
      const auto found = std::find_if(all_operands.begin(), all_operands.end(), [&](Operand operand) {
        return word.size() == 1 && letter(operand) == word[0];
      });
      if (found == all_operands.end() || c == operand_count || seen.contains(*found)) break;
      seen.insert(*found);
      order_[c] = *found;
      starts_[c++] = i;
      i += word.size();
    }
    if (c != operand_count) fail("the columns of 'Temporal Loops' are not O, W and I");
  }

  using Cells = std::array<std::string_view, operand_count + 1>;

  std::optional<std::uint8_t> memory(std::string_view name) {
    const auto& names = architecture_.memory_names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::uint8_t>(found - names.begin());
    const std::vector<std::string_view> words(names.begin(), names.end());
    fail(fmt::format("memory {}{}, expected one of {}", quote(name), suggestion(name, words),
                     join_words(words)));
    return std::nullopt;
  }

  void read_loop(Dim dim, Int factor, const Cells& cells) {
    Loop loop{dim, factor, {}};
    for (std::size_t c = 0; c < operand_count; ++c)
      if (const auto found = memory(cells[c + 1])) loop.at[index_of(order_[c])] = *found;
    if (factor == 1 || error_) return;
    if (current_->loops.full())
      return fail(fmt::format("more than {} temporal loops", current_->loops.capacity()));
    current_->loops.push_back(loop);
  }

  void read_spatial(Dim dim, Int factor, std::string_view name) {
    const auto& axes = architecture_.machine.axes;
    const auto& names = architecture_.axis_names;
    std::vector<std::size_t> able;
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (name.empty() ? axes[a].dims.contains(dim) : names[a] == name) able.push_back(a);
    if (factor == 1 && name.empty()) return;
    if (able.empty())
      return fail(name.empty()
                      ? fmt::format("no axis of the machine carries {}", letter(dim))
                      : fmt::format("axis {}, expected one of {}", quote(name), fmt::join(names, ", ")));
    if (able.size() > 1)
      return fail(fmt::format("{} may be on several axes: name one after the loop, such as '{}'", letter(dim),
                              names[able[0]]));
    if (!multiply_factor(*current_, able[0], dim, factor)) fail("a spatial factor is larger than 2^31");
  }

  void read_double_buffers(const Cells& cells) {
    for (std::size_t c = 0; c < operand_count; ++c)
      if (!cells[c + 1].empty())
        if (const auto found = memory(cells[c + 1])) current_->double_buffered[*found].insert(order_[c]);
  }

  const std::string& file_;
  const NamedArchitecture& architecture_;
  std::map<std::string, Mapping> found_;
  Mapping* current_ = nullptr;
  std::array<Operand, operand_count> order_{};
  std::array<std::size_t, operand_count> starts_{};
  int number_ = 0;
  MaybeError error_;
};

}  // namespace

std::string write_zigzag(std::span<const MappedLayer> layers, const NamedArchitecture& architecture) {
  std::string text;
  for (const MappedLayer& layer : layers) text += layer_text(layer, architecture);
  return text;
}

bool is_zigzag(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text.substr(begin).starts_with(heading);
}

Result<std::vector<Mapping>> read_zigzag(std::string_view text, const std::string& file,
                                         const NamedArchitecture& architecture,
                                         std::span<const Layer> layers) {
  return ZigZagMappingReader(file, architecture).read(text, layers);
}

}  // namespace nestor::io::neighbours
