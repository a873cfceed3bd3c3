// Benchmark of the accuracy of the cnm space's estimates. It prints their errors against measured times: of
// estimates from the kernels' own listings, on rows that were used for fitting and on other rows, and of
// estimates from MLIR. It also prints the loss from choosing the tiling with the best estimate, the errors
// against the cycles of the memory vendor's simulator, and the time of an estimate.
//   cnm_accuracy UPMEM_ROWS.csv [PIM_ROWS.csv] [--svg FILE]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "io/checked_reader.h"
#include "io/cnm/csv.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "io/files.h"
#include "log_plot.h"
#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::bench {
namespace {

struct Row {
  std::string kernel, type;
  io::KernelDims dims;
  double measured = 0, predicted = 0;
  bool fitted_on = false;
  double error() const { return 100 * (predicted - measured) / measured; }
};

struct Times {
  std::vector<double> ms;
  template <typename Run>
  auto of(const Run& run) {
    const auto begin = std::clock();
    auto result = run();
    ms.push_back(1e3 * static_cast<double>(std::clock() - begin) / static_cast<double>(CLOCKS_PER_SEC));
    return result;
  }
  std::string text() {
    std::sort(ms.begin(), ms.end());
    return ms.empty() ? "none"
                      : fmt::format("median {:.2f} ms, longest {:.2f} ms", ms[ms.size() / 2], ms.back());
  }
};

struct Errors {
  int rows = 0;
  double sum = 0, largest = 0;
  void add(double error) {
    ++rows;
    sum += std::abs(error);
    largest = std::max(largest, std::abs(error));
  }
  std::string text() const {
    return rows == 0 ? fmt::format("{:>5}", 0)
                     : fmt::format("{:>5}  {:>6.2f} %  {:>6.2f} %", rows, sum / rows, largest);
  }
};

std::string cell(const io::CsvTable& table, const io::CsvTable::Row& row, std::string_view column) {
  const auto at = table.find(column);
  return at < row.cells.size() ? row.cells[at] : std::string();
}
Int number(const io::CsvTable& table, const io::CsvTable::Row& row, std::string_view column) {
  return io::to_integer(cell(table, row, column)).value_or(0);
}

// Returns the MLIR form of a measured kernel and the tiling that the measurement used; nothing for kernels
// without an MLIR form.
std::optional<std::pair<cnm::Kernel, cnm::CnmMap>> as_linalg(const Row& row) {
  const Int tasklets = row.dims.tasklets, n = row.dims.buffer_elems;
  cnm::CnmMap map;
  if (row.kernel == "gemv") {
    auto kernel =
        cnm::matrix_product("gemv", tasklets * row.dims.iterations, 1, row.dims.cols, row.dims.type);
    kernel.multiply_k = 0;
    map.tuples = {{1, 1}, {1, 1}, {tasklets, 1}, {row.dims.iterations, row.dims.cols}};
    map.block = {1, n};
    return std::pair(std::move(kernel), std::move(map));
  }
  if (row.kernel != "va") return std::nullopt;
  cnm::Kernel kernel;
  kernel.name = "va";
  kernel.extents = {tasklets * row.dims.iterations * n};
  kernel.reduction = {false};
  for (const char* name : {"a", "b", "c"})
    kernel.operands.push_back({name, row.dims.type, kernel.extents, {{{1}, 0}}, name[0] == 'c', false});
  kernel.region = {{cnm::RegionStep::Kind::operation, cnm::Op::add, row.dims.type, "addi", {0, 1}}};
  kernel.yields = {3};
  map.tuples = {{1}, {1}, {tasklets}, {row.dims.iterations * n}};
  map.block = {n};
  return std::pair(std::move(kernel), std::move(map));
}

// Prints how much slower the tiling with the best estimate is than the fastest measured tiling of the same
// work.
void print_choices(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<const Row*>> groups;
  for (const Row& row : rows) {
    const bool matrix = row.dims.cols > 0;
    const Int work = row.dims.tasklets * row.dims.iterations * (matrix ? 1 : row.dims.buffer_elems);
    groups[fmt::format("{} {} {} {}", row.kernel, row.type, work, row.dims.cols)].push_back(&row);
  }
  struct Regret {
    int choices = 0, right = 0;
    double sum = 0, worst = 0;
    void add(double regret) {
      ++choices;
      right += regret == 0 ? 1 : 0;
      sum += regret;
      worst = std::max(worst, regret);
    }
  };
  std::map<std::string, Regret> regrets;
  Regret all;
  for (const auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    const auto chosen = *std::min_element(
        group.begin(), group.end(), [](const Row* a, const Row* b) { return a->predicted < b->predicted; });
    const auto best = *std::min_element(group.begin(), group.end(),
                                        [](const Row* a, const Row* b) { return a->measured < b->measured; });
    const double regret = 100 * (chosen->measured / best->measured - 1);
    regrets[chosen->kernel].add(regret);
    all.add(regret);
  }
  if (all.choices == 0) return;
  fmt::print(
      "\nThe estimate's choice among measured cuts of the same work: how much slower it is than the best.\n");
  const auto line = [](const std::string& name, const Regret& r) {
    fmt::print("{:<10} {:>3} choices, {:>3} the best; {:.3f} % in the mean, {:.2f} % at most\n", name,
               r.choices, r.right, r.sum / r.choices, r.worst);
  };
  for (const auto& [kernel, regret] : regrets) line(kernel, regret);
  line("all", all);
}

int print_upmem(const std::string& file, const std::string& svg) {
  const auto system = io::read_cnm_system("upmem", {});
  const auto text = io::read_file(file);
  if (!system || !text) return 3;
  const auto table = io::parse_csv(*text, file);
  if (!table) return 3;
  std::vector<Row> rows;
  // Errors by kernel: on rows used for fitting, on other rows, and on other rows estimated from MLIR.
  std::map<std::string, std::array<Errors, 3>> errors;
  Times times;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const auto& line = table->rows[i];
    Row row;
    row.kernel = cell(*table, line, "kernel");
    row.type = cell(*table, line, "dtype");
    const auto type = io::data_type_named(row.type);
    if (!type) continue;
    row.dims = {*type, number(*table, line, "tasklets"), number(*table, line, "iterations"),
                number(*table, line, "cols"), number(*table, line, "buffer_elems")};
    row.measured = io::to_number(cell(*table, line, "latency_ms")).value_or(0);
    row.fitted_on = i % 2 == 0;
    const auto outcome = times.of([&] {
      const auto listing = io::built_in_kernel(row.kernel, row.dims);
      return listing ? cnm::estimate_listing(*system, *listing, row.dims.tasklets) : cnm::EstimateOutcome{};
    });
    if (!outcome.estimate || row.measured <= 0) continue;
    row.predicted = outcome.estimate->time_ms;
    errors[row.kernel][row.fitted_on ? 0 : 1].add(row.error());
    if (const auto linalg = as_linalg(row); linalg && !row.fitted_on) {
      const auto estimate = cnm::estimate_kernel(linalg->first, {linalg->second}, *system, {});
      if (estimate.refusal.empty())
        errors[row.kernel][2].add(100 * (estimate.time_ms - row.measured) / row.measured);
    }
    rows.push_back(std::move(row));
  }
  fmt::print(
      "UPMEM. Fitted: dma.read, dma.write (three figures each), dma.refresh.busy, host.launch_ms, "
      "host.launch_ms_per_tasklet,\non rows 1, 3, 5, ... of {}. Errors of latency: mean, largest.\n\n",
      table->rows.size());
  fmt::print(
      "kernel      rows not fitted on           rows fitted on               from MLIR, not fitted on\n");
  for (const auto& [kernel, e] : errors)
    fmt::print("{:<10} {:<28} {:<28} {}\n", kernel, e[1].text(), e[0].text(), e[2].text());
  print_choices(rows);
  fmt::print("\none estimate: {}\n", times.text());
  if (!svg.empty()) {
    std::vector<PlotLine> dots;
    for (const bool fitted : {false, true}) {
      PlotLine line{fitted ? "rows fitted on" : "rows not fitted on", {}};
      for (const Row& row : rows)
        if (row.fitted_on == fitted) line.points.emplace_back(row.measured, row.predicted);
      dots.push_back(std::move(line));
    }
    const LogPlot plot(-1, 5, -1, 5);
    if (io::write_file(svg, plot.scatter("measured, ms", "estimated, ms", dots))) return 6;
  }
  return rows.empty() ? 3 : 0;
}

int print_pim(const std::string& file) {
  const auto system = io::read_cnm_system("hbm-pim", {});
  const auto text = io::read_file(file);
  if (!system || !text) return 3;
  const auto table = io::parse_csv(*text, file);
  if (!table) return 3;
  std::map<std::string, Errors> errors;
  Times times;
  int equal = 0, rows = 0;
  for (const auto& line : table->rows) {
    const auto name = cell(*table, line, "kernel");
    const auto kind = std::find(cnm::pim_kernels.begin(), cnm::pim_kernels.end(), name);
    if (kind == cnm::pim_kernels.end()) continue;
    const cnm::PimKernel kernel{static_cast<std::size_t>(kind - cnm::pim_kernels.begin()),
                                number(*table, line, "out_tiles"), number(*table, line, "in_tiles")};
    const auto cycles = static_cast<double>(number(*table, line, "cycles"));
    const auto outcome =
        times.of([&] { return cnm::estimate_stream(*system, *cnm::stream_of(kernel, *system)); });
    if (!outcome.estimate || cycles <= 0) continue;
    ++rows;
    equal += outcome.estimate->cycles == cycles ? 1 : 0;
    errors[name].add(100 * (outcome.estimate->cycles - cycles) / cycles);
  }
  fmt::print("\nHBM-PIM. Nothing is fitted. {} of {} rows to the cycle.\n\n", equal, rows);
  for (const auto& [kernel, e] : errors) fmt::print("{:<10} {}\n", kernel, e.text());
  fmt::print("\none estimate: {}\n", times.text());
  return equal == rows ? 0 : 1;
}

}  // namespace
}  // namespace nestor::bench

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::string svg;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--svg" && i + 1 < argc)
      svg = argv[++i];
    else
      files.push_back(word);
  }
  if (files.empty() || files.size() > 2) {
    fmt::print(stderr, "usage: cnm_accuracy UPMEM_ROWS.csv [PIM_ROWS.csv] [--svg FILE]\n");
    return 2;
  }
  const int status = nestor::bench::print_upmem(files[0], svg);
  return status != 0 || files.size() == 1 ? status : nestor::bench::print_pim(files[1]);
}
