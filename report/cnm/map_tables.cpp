#include "report/cnm/map_tables.h"

#include <fmt/format.h>

#include "io/table.h"
#include "report/cnm/estimate_json.h"

namespace nestor::report {

std::string search_text(const cnm::MapResult& result) {
  return fmt::format("{}: bound {:.4f} ms, {} branches, {} expanded, {:.2f} s\n", to_string(result.status),
                     result.bound_ms, result.branches, result.work, result.seconds);
}

std::string network_text(const KernelWork& work, const std::vector<cnm::MapResult>& results,
                         const std::vector<std::size_t>& twins) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"status", io::Align::left},
                   {"tuples", io::Align::left},
                   {"time"},
                   {"bound"},
                   {"all repeats"},
                   {"search"}});
  double total = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const KernelTask& task = work.tasks[i];
    const auto& result = results[i];
    const double repeated = static_cast<double>(task.repeat) * result.time_ms;
    total += repeated;
    table.add_row(
        {task.name, fmt::format("{}", task.repeat), std::string(to_string(result.status)),
         task.mapping.empty() ? "none found" : tuples_text(task.mapping[0]), ms_text(result.time_ms),
         ms_text(result.bound_ms), ms_text(repeated),
         twins[i] == i ? fmt::format("{:.2f} s", result.seconds) : "as " + work.tasks[twins[i]].name});
  }
  return fmt::format("{} on {}, least time\n\n{}all, repeats counted: {}\n{}", work.network, work.system.name,
                     table.to_string(), ms_text(total), left_out_text(work));
}

}  // namespace nestor::report
