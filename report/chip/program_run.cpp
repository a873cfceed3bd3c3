#include "report/chip/program_run.h"

#include <fmt/format.h>

#include <boost/dynamic_bitset.hpp>

#include "io/chip/machine_file.h"
#include "io/sha256.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

std::string bytes_of(const std::vector<Int>& values) {
  std::string bytes;
  for (const Int value : values)
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 0xFF);
  return bytes;
}

boost::dynamic_bitset<> read_by_others(const chip_program::Program& program) {
  boost::dynamic_bitset<> read(program.tensors.size());
  for (const auto& op : program.operators)
    for (const auto tensor : op.inputs) read[tensor] = true;
  return read;
}

// Returns the hash of every computed tensor. Adds the values of tensors that no operator reads, which are the
// outputs of the network.
io::Json tensors_json(const ProgramRun& run) {
  const auto read = read_by_others(run.program);
  io::Json json = io::Json::array();
  for (std::size_t i = 0; i < run.program.operators.size(); ++i) {
    const auto& op = run.program.operators[i];
    const auto& tensor = run.program.tensors[op.output];
    const auto& values = run.numbers->results[i];
    io::Json entry = {{key::name, tensor.name}, {key::rows, tensor.rows},
                      {"width", tensor.width},  {"channels", tensor.channels},
                      {key::bits, tensor.bits}, {key::sha256, io::sha256(bytes_of(values))}};
    if (!read[op.output]) entry["values"] = values;
    json.push_back(std::move(entry));
  }
  return json;
}

io::Json segment_json(const ProgramRun& run, const sim::chip::SegmentTime& segment, bool stream) {
  io::Json json = {{key::rewrite_cycles, segment.rewrite_cycles},
                   {key::schedule_cycles, segment.schedule_cycles},
                   {key::peak_crossbars, segment.peak_crossbars}};
  auto operators = io::Json::array();
  for (const auto& thread : segment.threads) {
    io::Json entry = {{key::name, run.program.operators[thread.op].name}};
    if (!thread.rows.empty()) {
      entry[key::start] = thread.rows.front().start;
      if (stream) entry[key::run] = thread.rows.front().run;
      entry[key::first_row] = thread.rows.front().end;
    }
    entry[key::end] = thread.end;
    entry["active"] = thread.active;
    operators.push_back(std::move(entry));
  }
  json[key::operators] = std::move(operators);
  return json;
}

}  // namespace

io::Json simulation_json(const io::ResultHead& head, const ProgramRun& run) {
  auto json = head_to_json(head);
  json[key::architecture] = io::chip_machine_to_json(run.machine);
  json[key::replay_cycles] = run.timing.cycles;
  json[key::peak_crossbars] = run.timing.peak_crossbars;
  if (run.model) json["model_cycles"] = run.model->latency_cycles;
  auto segments = io::Json::array();
  for (std::size_t s = 0; s < run.timing.segments.size(); ++s)
    segments.push_back(segment_json(run, run.timing.segments[s], run.program.segments[s].stream));
  json[key::segments] = std::move(segments);
  if (run.numbers) json["tensors"] = tensors_json(run);
  if (run.agreeing) json["equal_to_reference"] = *run.agreeing;
  if (!run.difference.empty()) json["difference"] = run.difference;
  if (run.images > 0) json["images"] = run.images;
  if (run.from_reals) json["largest_difference"] = *run.from_reals;
  return json;
}

std::string simulation_text(const ProgramRun& run) {
  io::Table table({{"operator", io::Align::left},
                   {"segment"},
                   {"rows"},
                   {"start"},
                   {"first row"},
                   {"end"},
                   {"crossbars"}});
  for (std::size_t s = 0; s < run.timing.segments.size(); ++s)
    for (const auto& thread : run.timing.segments[s].threads) {
      const bool rows = !thread.rows.empty();
      table.add_row({run.program.operators[thread.op].name, io::count_text(static_cast<Int>(s)),
                     rows ? io::count_text(static_cast<Int>(thread.rows.size())) : "block",
                     rows ? io::count_text(thread.rows.front().start) : "",
                     rows ? io::count_text(thread.rows.front().end) : "", io::count_text(thread.end),
                     io::count_text(thread.active)});
    }
  auto text = fmt::format("{}\nreplayed on {}: {} cycles, {} crossbars at once\n", table.to_string(),
                          run.program.machine, io::count_text(run.timing.cycles),
                          io::count_text(run.timing.peak_crossbars));
  if (run.model) {
    Int spills = 0;
    for (const auto& segment : run.model->segments) spills += segment.spill_cycles;
    text += fmt::format("model: {} cycles, {} of them for spilling, which programs do not do\n",
                        io::count_text(run.model->latency_cycles), io::count_text(spills));
  }
  if (run.numbers) {
    const auto read = read_by_others(run.program);
    for (std::size_t i = 0; i < run.program.operators.size(); ++i)
      if (!read[run.program.operators[i].output])
        text += fmt::format("{}: {} elements, SHA-256 {}\n", run.program.operators[i].name,
                            io::count_text(static_cast<Int>(run.numbers->results[i].size())),
                            io::sha256(bytes_of(run.numbers->results[i])));
  }
  if (run.agreeing) text += fmt::format("{} elements equal the reference\n", io::count_text(*run.agreeing));
  if (run.from_reals)
    text += fmt::format("at most {:.6g} from the float graph, over {}\n", *run.from_reals,
                        run.images == 0   ? "seeded elements"
                        : run.images == 1 ? "1 image"
                                          : fmt::format("{} images", run.images));
  if (!run.difference.empty()) text += fmt::format("differs from the reference: {}\n", run.difference);
  return text;
}

io::Json program_json(const std::string& text) {
  return {{key::schema, "nestor.chip-program/1"}, {key::version, NESTOR_VERSION}, {key::program, text}};
}

}  // namespace nestor::report
