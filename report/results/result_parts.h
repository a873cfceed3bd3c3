// What results are made of whatever the space, and the parts that are the same in all loop-nest spaces: the
// head of the run, what is said of a layer, what its search did, what binds it. A space adds what is its own,
// and what a point is: a mapping with its cost.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_words.h"
#include "base/status.h"
#include "io/checked_reader.h"
#include "io/document.h"
#include "io/files.h"
#include "model/loopnest/space/resource_report.h"
#include "model/loopnest/space/search_statistics.h"
#include "model/workload/network.h"
#include "report/keys/common.h"

namespace nestor::io {

inline constexpr std::string_view result_schema = "nestor.result/1";

/// Results of 100,000 layers are written, in 120 to 400 MB, and so are read.
inline constexpr DocumentLimits result_limits{.bytes = std::size_t{512} << 20,
                                              .nodes = std::size_t{64} << 20};

/// Is this document meant to be a result file?
bool is_result(const Document& document);

/// How a search ends.
inline constexpr auto statuses = [] {
  EnumWords<Status, 8> table{{Status::optimal, Status::gap_reached, Status::time_limit, Status::work_limit,
                              Status::memory_limit, Status::interrupted, Status::infeasible, Status::imported},
                             {}};
  for (std::size_t i = 0; i < table.values.size(); ++i) table.words[i] = to_string(table.values[i]);
  return table;
}();

namespace result_keys {
inline constexpr std::array<std::string_view, 4> input = {key::role, key::name, key::bytes, key::digest};
}  // namespace result_keys

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

struct ResultInput {
  std::string role;  ///< "architecture", "layers", "mapping", ...
  std::string name;  ///< as it was given
  Int bytes = 0;
  std::string digest;
};

/// What the run was.
struct RunHead {
  std::string version;
  std::string verb = "map";
  std::string network;
  std::string objective = "latency";
  bool complete = true;  ///< false while a run is under way
  OptionTexts options;
  std::vector<ResultInput> inputs;
};

template <typename Point>
struct LayerFindings {
  Layer layer;
  std::optional<Status> status;
  std::optional<double> lower_bound;
  std::optional<double> claimed_objective;  ///< of an imported mapping
  Point best;
  std::optional<SearchStatistics> search;
  std::vector<Point> alternatives;            ///< next best, in order
  std::vector<Point> front;                   ///< latency-energy Pareto front, by latency
  std::vector<NamedReport<Point>> resources;  ///< what binds, if it was asked
  std::optional<Int> replay_cycles;           ///< of simulate
};

Json input_to_json(const ResultInput& input);

/// `complete`, the options and the inputs.
void put_origin(Json& json, const RunHead& run);

/// What is absent stays as it is in `run`.
void read_run_head(const MapReader& top, RunHead& run, Reading& reading);

/// Nodes, labels, and what was pruned.
Json counts_to_json(const SearchCounts& counts);

/// `number` writes a figure, `put_point` what a change says of its mapping after the objective.
template <typename Point, typename Number, typename PutPoint>
Json resources_to_json(const std::vector<NamedReport<Point>>& reports, Number number, PutPoint put_point) {
  const auto change_to_json = [&](const ResourceChange<Point>& change) {
    Json json = {{key::amount, change.amount}, {key::status, to_string(change.status)}};
    if (change.lower_bound) json[key::lower_bound] = number(*change.lower_bound);
    json[key::gain] = number(change.gain);
    if (change.best.objective) json[key::objective] = number(*change.best.objective);
    put_point(json, change.best);
    return json;
  };
  Json list = Json::array();
  for (const auto& report : reports) {
    Json json = {{key::resource, resource_kinds.word(report.resource.kind)}};
    if (!report.resource.name.empty()) json[key::name] = report.resource.name;
    json[key::amount] = report.amount;
    json[key::used] = number(report.used.share);
    if (report.used.busiest) json[key::operand] = std::string(1, letter(*report.used.busiest));
    json[key::binds] = bindings.word(report.binding);
    if (report.step) json[key::step] = change_to_json(*report.step);
    if (report.most) json[key::most] = change_to_json(*report.most);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace nestor::io
