#include "report/cnm/estimate_table.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "io/checked_reader.h"
#include "io/cnm/csv.h"
#include "io/cnm/kernel_template.h"
#include "model/cnm/estimate/estimate.h"

namespace nestor::report {
namespace {

using io::CsvTable;

constexpr std::array<std::string_view, 6> upmem_columns = {"kernel",     "dtype", "tasklets",
                                                           "iterations", "cols",  "buffer_elems"};
constexpr std::array<std::string_view, 3> pim_columns = {"kernel", "out_tiles", "in_tiles"};

/// Positions of the used columns in a table; `measured` can be missing.
struct Layout {
  std::vector<std::size_t> used;
  std::optional<std::size_t> measured;
  std::string_view predicted;
};

io::Result<Layout> layout_of(const CsvTable& table, cnm::Target target) {
  const bool upmem = target == cnm::Target::upmem;
  const std::span<const std::string_view> wanted = upmem ? std::span<const std::string_view>(upmem_columns)
                                                         : std::span<const std::string_view>(pim_columns);
  const std::string_view measured = upmem ? "latency_ms" : "cycles";
  Layout layout;
  layout.predicted = upmem ? "predicted_latency_ms" : "predicted_cycles";
  const std::vector<std::string_view> names(table.columns.begin(), table.columns.end());
  for (const auto column : wanted) {
    const auto at = table.find(column);
    const bool optional = column == "cols" || column == "in_tiles" || column == "dtype";
    if (at == table.columns.size() && !optional)
      return io::input_error({table.file, 1, 0}, fmt::format("expected a column '{}', found none{}", column,
                                                             io::suggestion(column, names)));
    layout.used.push_back(at);
  }
  if (const auto at = table.find(measured); at < table.columns.size()) layout.measured = at;
  return layout;
}

/// A figure, or the reason for its absence.
struct Figure {
  double value = 0;
  std::string refusal;
  std::size_t column = 0;
};

class RowReader {
 public:
  RowReader(const CsvTable& table, const CsvTable::Row& row, const Layout& layout)
      : table_(table), row_(row), layout_(layout) {}

  std::string text(std::size_t i, std::string_view fallback) const {
    const auto at = layout_.used[i];
    return at < table_.columns.size() ? row_.cells[at] : std::string(fallback);
  }
  Int number(std::size_t i, Int low, Int fallback) {
    const auto at = layout_.used[i];
    if (at >= table_.columns.size() || (low == 0 && row_.cells[at].empty())) return fallback;
    const auto value = io::to_integer(row_.cells[at]);
    if (value && *value >= low && *value <= most) return *value;
    if (refusal.empty()) {
      refusal = fmt::format("{}: expected a whole number from {} to {}, found {}", table_.columns[at], low,
                            most, io::quote(row_.cells[at]));
      column = at;
    }
    return low;
  }

  std::string refusal;
  std::size_t column = 0;

 private:
  static constexpr Int most = 1'000'000'000;
  const CsvTable& table_;
  const CsvTable::Row& row_;
  const Layout& layout_;
};

Figure upmem_figure(RowReader& row, const cnm::System& system) {
  const auto type = io::data_type_named(row.text(1, "uint32"));
  if (!type) return {0, type.error().message, 1};
  io::KernelDims dims;
  dims.type = *type;
  dims.tasklets = row.number(2, 1, 1);
  dims.iterations = row.number(3, 1, 1);
  dims.cols = row.number(4, 0, 0);
  dims.buffer_elems = row.number(5, 1, 1);
  if (!row.refusal.empty()) return {0, row.refusal, row.column};
  const auto listing = io::built_in_kernel(row.text(0, ""), dims);
  if (!listing) return {0, listing.error().to_string(), 0};
  const auto outcome = cnm::estimate_listing(system, *listing, dims.tasklets);
  if (!outcome.estimate) return {0, outcome.refusal, 0};
  return {outcome.estimate->time_ms, {}, 0};
}

// Estimates a row of the table. DRAM rows beyond those for data alias in the simulator; the estimate
// reproduces this and adds a warning.
Figure pim_figure(RowReader& row, const cnm::System& system, std::string& warning) {
  const auto name = row.text(0, "");
  const auto kind = std::find(cnm::pim_kernels.begin(), cnm::pim_kernels.end(), name);
  if (kind == cnm::pim_kernels.end()) {
    const std::vector<std::string_view> names(cnm::pim_kernels.begin(), cnm::pim_kernels.end());
    return {0, fmt::format("no kernel {}{}", io::quote(name), io::suggestion(name, names)), 0};
  }
  cnm::PimKernel kernel{static_cast<std::size_t>(kind - cnm::pim_kernels.begin()), row.number(1, 1, 1),
                        row.number(2, 1, 1)};
  if (!row.refusal.empty()) return {0, row.refusal, row.column};
  const auto stream = cnm::stream_of(kernel, system);
  if (!stream) return {0, "the number of tiles is too large", 1};
  if (const Int highest = cnm::highest_data_row(kernel, system); highest >= system.pim.reserved_row)
    warning =
        fmt::format("data reach row {}, but rows from {} on are reserved", highest, system.pim.reserved_row);
  const auto outcome = cnm::estimate_stream(system, *stream);
  if (!outcome.estimate) return {0, outcome.refusal, 0};
  return {outcome.estimate->cycles, {}, 0};
}

}  // namespace

io::Result<EstimatedTable> estimate_table(const io::CsvTable& table, const cnm::System& system) {
  const auto layout = layout_of(table, system.target);
  if (!layout) return layout.error();

  // Columns that an earlier run added are not copied; they are written anew.
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i] != layout->predicted && table.columns[i] != "error_percent") kept.push_back(i);
  const auto copy = [&](const std::vector<std::string>& cells) {
    std::vector<std::string> line;
    line.reserve(kept.size());
    for (const std::size_t i : kept) line.push_back(cells[i]);
    return line;
  };
  auto head = copy(table.columns);
  head.emplace_back(layout->predicted);
  if (layout->measured) head.emplace_back("error_percent");
  EstimatedTable estimated;
  estimated.csv = io::csv_line(head);
  const auto remark = [&](const CsvTable::Row& row, std::size_t column, std::string message) {
    estimated.remarks.push_back(io::input_error(table.where(row, column), std::move(message)));
  };
  for (const auto& row : table.rows) {
    RowReader reader(table, row, *layout);
    std::string warning;
    const Figure figure = system.target == cnm::Target::upmem ? upmem_figure(reader, system)
                                                              : pim_figure(reader, system, warning);
    if (!warning.empty()) remark(row, 0, std::move(warning));
    auto line = copy(row.cells);
    if (!figure.refusal.empty()) {
      ++estimated.failed;
      remark(row, layout->used[std::min(figure.column, layout->used.size() - 1)], figure.refusal);
    }
    const bool upmem = system.target == cnm::Target::upmem;
    line.push_back(!figure.refusal.empty() ? ""
                   : upmem                 ? fmt::format("{:.6f}", figure.value)
                                           : fmt::format("{:.0f}", figure.value));
    if (layout->measured) {
      const auto measured = io::to_number(row.cells[*layout->measured]);
      const bool known = measured && *measured > 0 && figure.refusal.empty();
      const double error = known ? 100 * (figure.value - *measured) / *measured : 0;
      line.push_back(known && std::isfinite(error) ? fmt::format("{:.4f}", error) : "");
    }
    estimated.csv += io::csv_line(line);
  }
  return estimated;
}

}  // namespace nestor::report
