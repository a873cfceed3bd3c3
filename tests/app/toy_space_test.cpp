// A space of its own, from nothing, in one file: what ARCHITECTURE.md's recipe says, step by step. The toy is
// a matrix-vector product (K by C) on two memories: an endless outer one and a buffer, which holds one tile
// of the weights with its inputs and outputs. A tile may have any factors of K and C; loops run over C inside
// K. Going through map, evaluate, simulate, verify, show and JSON needs the functions below and one row
// (`toy_row`).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/command_line.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/checked_reader.h"
#include "io/find_data.h"
#include "report/tables/table.h"

namespace nestor::app {
namespace {

// Step 1, model/: the machine, what may be decided, what it costs.
struct Machine {
  std::string name;
  Int buffer = 0;     ///< elements
  Int bandwidth = 1;  ///< elements per cycle
};
struct Tile {
  Int k = 1;
  Int c = 1;
};
struct Task {
  std::string name;
  Int k = 1;
  Int c = 1;
  Tile tile;
  Int cycles = 0;  ///< as claimed
};
bool fits(const Machine& machine, Tile tile) { return tile.k * tile.c + tile.k + tile.c <= machine.buffer; }
Int cycles_of(Int elements, const Machine& machine) {
  return (elements + machine.bandwidth - 1) / machine.bandwidth;
}

// Weights cross once, inputs once for every tile of K, outputs once.
Int evaluate(const Machine& machine, const Task& task) {
  return cycles_of(task.k * task.c + task.k / task.tile.k * task.c + task.k, machine);
}

// Step 2, sim/: every step on its own, no formula.
Int replay(const Machine& machine, const Task& task) {
  Int crossing = 0;
  for (Int k = 0; k < task.k; k += task.tile.k) {
    for (Int c = 0; c < task.c; c += task.tile.c) crossing += task.tile.k * task.tile.c + task.tile.c;
    crossing += task.tile.k;
  }
  return cycles_of(crossing, machine);
}

// Step 3, mapper/: the best tile, proved by looking at all of them.
bool map_task(const Machine& machine, Task& task) {
  bool found = false;
  for (Int k = 1; k <= task.k; ++k)
    for (Int c = 1; c <= task.c; ++c) {
      Task candidate = task;
      candidate.tile = {k, c};
      if (task.k % k != 0 || task.c % c != 0 || !fits(machine, candidate.tile)) continue;
      candidate.cycles = evaluate(machine, candidate);
      if (found && candidate.cycles >= task.cycles) continue;
      task = candidate;
      found = true;
    }
  return found;
}

// Step 4, io/ and report/: its files in and out.
struct Run {
  Machine machine;
  std::vector<Task> tasks;
};
constexpr std::array<std::string_view, 4> machine_keys = {"name", "kind", "buffer", "bandwidth"};
constexpr std::array<std::string_view, 4> top_keys = {"schema", "space", "machine", "layers"};
constexpr std::array<std::string_view, 6> task_keys = {"name", "K", "C", "tile_K", "tile_C", "cycles"};
constexpr io::IntRange positive = {1, 1 << 20};

Machine read_machine(const io::Node& node, io::Reading& reading) {
  const io::MapReader map(node, "toy machine", machine_keys, reading);
  Machine machine;
  machine.name = map.name("name");
  machine.buffer = map.integer("buffer", positive);
  machine.bandwidth = map.integer("bandwidth", positive);
  return machine;
}

io::Result<Machine> read_machine_file(const std::string& file) {
  const auto path = io::find_data(io::DataKind::architecture, file);
  if (!path) return path.error();
  const auto document = io::Document::read(path->string());
  if (!document) return document.error();
  io::Reading reading;
  auto machine = read_machine(document->root(), reading);
  if (reading.failed()) return reading.error();
  return machine;
}

io::Json to_json(const Machine& machine) {
  return {
      {"name", machine.name}, {"kind", "toy"}, {"buffer", machine.buffer}, {"bandwidth", machine.bandwidth}};
}

io::Json to_json(const Run& run) {
  io::Json json = {{"schema", "nestor.toy/1"}, {"space", "toy"}, {"machine", to_json(run.machine)}};
  auto& layers = json["layers"] = io::Json::array();
  for (const Task& task : run.tasks)
    layers.push_back({{"name", task.name},
                      {"K", task.k},
                      {"C", task.c},
                      {"tile_K", task.tile.k},
                      {"tile_C", task.tile.c},
                      {"cycles", task.cycles}});
  return json;
}

io::Result<Run> read_run(const io::RunOptions& options) {
  const auto document = io::Document::read(options.inputs.front());
  if (!document) return document.error();
  io::Reading reading;
  const io::MapReader top(document->root(), "toy result", top_keys, reading);
  Run run;
  if (const auto machine = top.require("machine")) run.machine = read_machine(*machine, reading);
  for (const auto& node : top.list("layers", 1, 1000)) {
    const io::MapReader map(node, "layer", task_keys, reading);
    const auto number = [&](std::string_view key) { return map.integer(key, positive); };
    run.tasks.push_back({map.title("name"),
                         number("K"),
                         number("C"),
                         {number("tile_K"), number("tile_C")},
                         number("cycles")});
  }
  if (reading.failed()) return reading.error();
  return run;
}

std::string table_of(const Run& run) {
  io::Table table({{"layer", io::Align::left}, {"tile"}, {"cycles"}});
  for (const Task& task : run.tasks)
    table.add_row(
        {task.name, fmt::format("{} x {}", task.tile.k, task.tile.c), fmt::format("{}", task.cycles)});
  return table.to_string();
}

// Step 5, app/SPACE/: its verbs.
io::Result<Outcome> finish(const Run& run, const io::RunOptions& options) {
  if (prints_tables(options)) print_text(table_of(run));
  if (auto error = write_json_output(options, to_json(run))) return *error;
  return Outcome::solved;
}

io::Result<Outcome> map(const io::RunOptions& options) {
  if (options.inputs.size() != 1) return io::usage_error("toy maps one network");
  auto machine = read_machine_file(options.arch);
  if (!machine) return machine.error();
  const auto network = read_network(options.inputs.front(), options);
  if (!network) return network.error();
  Run run{*machine, {}};
  for (const Layer& layer : network->layers) {
    run.tasks.push_back({layer.name, layer.shape.bound(Dim::K), layer.shape.bound(Dim::C), {}, 0});
    if (map_task(run.machine, run.tasks.back())) continue;
    auto error = io::usage_error(fmt::format("layer '{}' has no tile that fits", layer.name));
    error.kind = io::ErrorKind::infeasible;
    return error;
  }
  return finish(run, options);
}

template <Int (*Count)(const Machine&, const Task&)>
io::Result<Outcome> count_again(const io::RunOptions& options) {
  auto run = read_run(options);
  if (!run) return run.error();
  for (Task& task : run->tasks) task.cycles = Count(run->machine, task);
  return finish(*run, options);
}

io::Result<Outcome> verify(const io::RunOptions& options) {
  const auto run = read_run(options);
  if (!run) return run.error();
  const bool is_true = std::all_of(run->tasks.begin(), run->tasks.end(), [&](const Task& task) {
    return task.k % task.tile.k == 0 && task.c % task.tile.c == 0 && fits(run->machine, task.tile) &&
           replay(run->machine, task) == task.cycles;
  });
  print_text(is_true ? "confirmed\n" : "NOT confirmed\n");
  return is_true ? Outcome::solved : Outcome::limited;
}

io::Result<Shown> show_machine(const std::string& file, const io::RunOptions& /*options*/) {
  const auto machine = read_machine_file(file);
  if (!machine) return machine.error();
  return Shown{fmt::format("{}: a buffer of {} elements\n", machine->name, machine->buffer),
               to_json(*machine)};
}

io::Result<Shown> show_run(const io::RunOptions& options) {
  const auto run = read_run(options);
  if (!run) return run.error();
  return Shown{table_of(*run), to_json(*run)};
}

// Step 6: the row.
constexpr Space toy_row{.kind = "toy",
                        .title = "two memories",
                        .map = map,
                        .evaluate = count_again<evaluate>,
                        .simulate = count_again<replay>,
                        .verify = verify,
                        .show_architecture = show_machine,
                        .show_solutions = show_run};

class ToySpace : public ::testing::Test {
 protected:
  ToySpace()
      : folder_(std::filesystem::temp_directory_path() / ("nestor-toy-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    write("machine.yaml", "name: tiny\nkind: toy\nbuffer: 40\nbandwidth: 2\n");
    write("layers.yaml",
          "name: two\nlayers:\n  - {name: a, dims: {K: 12, C: 10}}\n  - {name: b, dims: {K: 7, C: 3}}\n");
    spaces_.assign(shipped_spaces().begin(), shipped_spaces().end());
    spaces_.push_back(toy_row);
  }
  ~ToySpace() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  /// What the tool prints, and its exit status.
  std::pair<std::string, int> run(std::vector<std::string> words) const {
    words.insert(words.begin(), "nestor");
    std::vector<const char*> arguments;
    for (const auto& word : words) arguments.push_back(word.c_str());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = run_tool(arguments, spaces_);
    return {::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr(), status};
  }

 private:
  std::filesystem::path folder_;
  std::vector<Space> spaces_;
};

using ::testing::HasSubstr;
using ::testing::Pair;

TEST_F(ToySpace, GoesThroughEveryVerbByItsRow) {
  const auto mapped =
      run({"map", file("layers.yaml"), "--arch", file("machine.yaml"), "--json", file("result.json")});
  EXPECT_THAT(mapped, Pair(HasSubstr("12 x 1"), 0));  // one tile of K: inputs cross once
  for (const auto* verb : {"evaluate", "simulate", "show"})
    EXPECT_EQ(run({verb, file("result.json")}), mapped) << verb;
  EXPECT_THAT(run({"verify", file("result.json")}), Pair("confirmed\n", 0));
  EXPECT_THAT(run({"show", file("machine.yaml")}), Pair("tiny: a buffer of 40 elements\n", 0));
  EXPECT_THAT(run({"show", file("result.json"), "--json"}), Pair(HasSubstr("\"tile_K\": 12"), 0));
}

TEST_F(ToySpace, IsRefusedWhereItHasNoVerbAndNoOptions) {
  EXPECT_THAT(run({"map", file("layers.yaml"), "--arch", "miredo-table4", "--threads", "1"}),
              Pair(HasSubstr("miredo-table4"), 0));
  write("forged.json",
        R"({"schema": "nestor.toy/1", "space": "toy", "machine": {"name": "t", "buffer": 40, "bandwidth": 2},
    "layers": [{"name": "a", "K": 12, "C": 10, "tile_K": 12, "tile_C": 2, "cycles": 70}]})");
  EXPECT_THAT(run({"verify", file("forged.json")}), Pair("NOT confirmed\n", 1));
  write("other.yaml", "kind: tory\n");
  EXPECT_THAT(run({"map", "x", "--arch", file("other.yaml")}), Pair(HasSubstr("did you mean 'toy'?"), 3));
  EXPECT_THAT(run({"schedule", "x", "--rows", "4"}), Pair(HasSubstr("no such file"), 3));
}

}  // namespace
}  // namespace nestor::app
