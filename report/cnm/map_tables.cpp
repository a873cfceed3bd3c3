#include "report/cnm/map_tables.h"

#include <fmt/format.h>

#include "io/cnm/csv.h"
#include "io/table.h"
#include "report/cnm/estimate_json.h"

namespace nestor::report {
namespace {

std::string words(const std::vector<Int>& values) { return fmt::format("{}", fmt::join(values, " ")); }
std::string words(const std::vector<std::size_t>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

}  // namespace

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

std::string ranked_csv(const cnm::Ranking& ranking, const cnm::System& system) {
  std::vector<std::string> head = {"rank_in_space"};
  for (const auto& level : system.levels) head.push_back(level.name);
  for (const char* name : {"local", "block", "order", "time_ms"}) head.emplace_back(name);
  std::string text = io::csv_line(head);
  std::vector<std::string> cuts(ranking.cut_count()), forms(std::max<std::size_t>(1, ranking.form_count()));
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    std::string& cut = cuts[ranking.cut_of(i)];
    std::string& form = forms[ranking.form_of(i)];
    if (cut.empty() || form.empty()) {
      const auto map = ranking.map_of(i);
      cut.clear();
      for (const auto& tuple : map.tuples) cut += "," + words(tuple);
      form = "," + words(map.block) + "," + words(map.order);
    }
    const auto picoseconds = static_cast<std::uint64_t>(ranking.cost_of(i));
    fmt::format_to(std::back_inserter(text), "{}{}{},{}.{:09}\n", i + 1, cut, form,
                   picoseconds / 1'000'000'000, picoseconds % 1'000'000'000);
  }
  return text;
}

io::Json ranked_json(const std::vector<cnm::RankedMap>& best) {
  auto json = io::Json::array();
  for (const auto& [map, time] : best)
    json.push_back({{"tuples", map.tuples}, {"block", map.block}, {"order", map.order}, {"time_ms", time}});
  return json;
}

std::string ranked_text(const std::vector<cnm::RankedMap>& best) {
  io::Table table({{"place"},
                   {"tuples", io::Align::left},
                   {"block", io::Align::left},
                   {"order", io::Align::left},
                   {"time"}});
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto& [map, time] = best[i];
    table.add_row({fmt::format("{}", i + 1), tuples_text(map), words(map.block), words(map.order),
                   fmt::format("{:.6f} ms", time)});
  }
  return table.to_string();
}
}  // namespace nestor::report
