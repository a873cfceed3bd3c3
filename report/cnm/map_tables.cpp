#include "report/cnm/map_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/csv.h"
#include "io/cnm/mapping_file.h"
#include "report/cnm/estimate_text.h"
#include "report/keys/cnm.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

std::string words(const std::vector<Int>& values) { return fmt::format("{}", fmt::join(values, " ")); }
std::string words(const std::vector<std::size_t>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

// A single map needs no name.
std::string mapping_text(const cnm::CnmMapping& mapping) {
  return mapping.size() == 1 ? io::short_text(mapping[0]) : io::short_text(mapping);
}

// Describes the set of mappings to which the status refers.
std::string searched_text(const cnm::MapResult& result) {
  const bool is_open = result.status == Status::optimal && result.ties != Status::optimal;
  return result.searched + (is_open ? ", ties not compared" : "");
}

}  // namespace

KernelRecord mapped_record(const KernelTask& task, const MappedTask& mapped, const cnm::System& system) {
  const cnm::MapResult& result = mapped.result;
  auto record =
      mapped.estimate ? estimated_record(task, *mapped.estimate, system) : unmapped_record(task, system);
  // The search rounds times to picoseconds. The bound of a proved optimum is therefore set to the exact time,
  // and any other bound is limited to it.
  double bound = result.bound_ms;
  if (record.time_ms)
    bound = result.status == Status::optimal ? *record.time_ms : std::min(bound, *record.time_ms);
  record.search = {.status = result.status,
                   .searched = result.searched,
                   .ties = result.ties,
                   .pad_percent = mapped.pad_percent,
                   .bound_ms = bound,
                   .branches = result.branches,
                   .work = result.work,
                   .estimates = result.estimates,
                   .seconds = result.seconds};
  if (mapped.asked != task.input.kernel->extents) record.search->asked = mapped.asked;
  return record;
}

std::string mapped_text(const KernelTask& task, const MappedTask& mapped) {
  std::string text;
  if (mapped.estimate) {
    text = estimate_table_text(*mapped.estimate);
    if (!mapped.estimate->note.empty()) text += mapped.estimate->note + "\n";
  }
  for (const auto& warning : task.input.warnings) text += warning + "\n";
  const cnm::MapResult& result = mapped.result;
  return text + fmt::format("{} ({}): bound {:.4f} ms, {} branches, {} expanded, {:.2f} s\n",
                            to_string(result.status), searched_text(result), result.bound_ms, result.branches,
                            result.work, result.seconds);
}

std::string network_text(const KernelWork& work, const std::vector<MappedTask>& mapped,
                         const std::vector<std::size_t>& alike) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"status", io::Align::left},
                   {"mapping", io::Align::left},
                   {"time"},
                   {"bound"},
                   {"all repeats"},
                   {"search"}});
  double total = 0;
  std::vector<bool> is_mapped;
  std::string searched;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const KernelTask& task = work.tasks[i];
    const auto& result = mapped[i].result;
    const double repeated = static_cast<double>(task.repeat) * result.time_ms;
    total += repeated;
    is_mapped.push_back(mapped[i].estimate.has_value());
    if (const auto text = searched_text(result); searched.find(text) == std::string::npos)
      searched += (searched.empty() ? "" : "; ") + text;
    table.add_row(
        {task.name, fmt::format("{}", task.repeat), std::string(to_string(result.status)),
         task.mapping.empty() ? "none found" : mapping_text(task.mapping), ms_text(result.time_ms),
         ms_text(result.bound_ms), ms_text(repeated),
         alike[i] == i ? fmt::format("{:.2f} s", result.seconds) : "as " + work.tasks[alike[i]].name});
  }
  return fmt::format("{} on {}, least time\n\n{}searched: {}\nmapped, repeats counted: {} ({})\n{}",
                     work.network, work.system.name, table.to_string(), searched, ms_text(total),
                     share_text(work_of_network(work, is_mapped)), left_out_text(work));
}

io::Pieces ranked_pieces(const cnm::Ranking& ranking, const cnm::System& system, const StopSignal& stop,
                         std::size_t& written) {
  return [&](const io::PieceSink& sink) {
    constexpr std::size_t piece = std::size_t{1} << 16U;
    std::vector<std::string> head = {"rank_in_space"};
    for (const auto& level : system.levels) head.push_back(level.name);
    const bool channels = system.target == cnm::Target::hbm_pim;
    for (const char* name : {"local", "block", "order"}) head.emplace_back(name);
    if (channels) head.emplace_back("keys");
    head.emplace_back(key::time_ms);
    std::string text = io::csv_line(head);
    std::vector<std::string> cuts(ranking.cut_count()), forms(std::max<std::size_t>(1, ranking.form_count()));
    for (written = 0; written < ranking.size() && !stop.requested(); ++written) {
      std::string& cut = cuts[ranking.cut_of(written)];
      std::string& form = forms[ranking.form_of(written)];
      if (cut.empty() || form.empty()) {
        const auto map = ranking.map_of(written);
        cut.clear();
        for (const auto& tuple : map.tuples) cut += "," + words(tuple);
        form = "," + words(map.block) + "," + words(map.order);
        if (channels) form += "," + io::short_keys_text(map.pim);
      }
      const auto picoseconds = static_cast<std::uint64_t>(ranking.cost_of(written));
      fmt::format_to(std::back_inserter(text), "{}{}{},{}.{:09}\n", written + 1, cut, form,
                     picoseconds / 1'000'000'000, picoseconds % 1'000'000'000);
      if (text.size() < piece) continue;
      if (!sink(text)) return false;
      text.clear();
    }
    return sink(text);
  };
}

std::string written_text(const std::string& file, std::size_t written, std::size_t members) {
  const auto all = io::count_text(static_cast<Int>(members));
  return written == members ? fmt::format("{}: all {} mappings, best first\n", file, all)
                            : fmt::format("{}: the best {} of {} mappings\n", file,
                                          io::count_text(static_cast<Int>(written)), all);
}

std::string ranked_text(const std::vector<cnm::RankedMap>& best) {
  io::Table table({{"rank"}, {"mapping", io::Align::left}, {"time"}});
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto& [map, time] = best[i];
    table.add_row({fmt::format("{}", i + 1), io::short_text(map), fmt::format("{:.6f} ms", time)});
  }
  return table.to_string();
}
}  // namespace nestor::report
