#include "report/chip/program_run.h"

#include <fmt/format.h>

#include <array>
#include <boost/dynamic_bitset.hpp>

#include "io/chip/machine_file.h"
#include "io/sha256.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::put;
using io::put_json;
using io::put_list;

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

// The result of an operator. Tensors that no operator reads are the outputs of the network and have values.
struct TensorRecord {
  chip_program::Tensor tensor;
  std::vector<Int> values;
  bool is_output = false;
};

std::vector<TensorRecord> tensors_of(const ProgramRun& run) {
  const auto read = read_by_others(run.program);
  std::vector<TensorRecord> tensors;
  for (std::size_t i = 0; i < run.program.operators.size(); ++i) {
    const auto output = run.program.operators[i].output;
    tensors.push_back({run.program.tensors[output], run.numbers->results[i], !read[output]});
  }
  return tensors;
}

void describe_tensor(Fields& fields, const TensorRecord& record) {
  const auto& tensor = record.tensor;
  put(fields, key::name, tensor.name, "");
  put(fields, key::rows, tensor.rows, "");
  put(fields, "width", tensor.width, "");
  put(fields, "channels", tensor.channels, "");
  put(fields, key::bits, tensor.bits, "");
  put(fields, key::sha256, io::sha256(bytes_of(record.values)), "Of the values as 32-bit integers.");
  put_json(
      fields, "values", io::optional, [&] { return record.is_output ? io::Json(record.values) : io::Json(); },
      [] { return io::list_schema(io::integer_schema({})); }, "Present if no operator reads the tensor.");
}

struct ThreadRecord {
  std::string name;
  sim::chip::ThreadTime time;
  bool is_streamed = false;
};

void describe_thread(Fields& fields, const ThreadRecord& thread) {
  const auto& rows = thread.time.rows;
  const auto of_first = [&](Int sim::chip::RowTime::*time, bool is_given = true) {
    return rows.empty() || !is_given ? std::nullopt : std::optional(rows.front().*time);
  };
  put(fields, key::name, thread.name, "");
  put(fields, key::start, of_first(&sim::chip::RowTime::start), "Absent if the operator runs in blocks.");
  put(fields, key::run, of_first(&sim::chip::RowTime::run, thread.is_streamed),
      "In a stream: start of the steps after the first one, in the first row.");
  put(fields, key::first_row, of_first(&sim::chip::RowTime::end), "End of the first row.");
  put(fields, key::end, thread.time.end, "");
  put(fields, "active", thread.time.active, "Number of crossbars that are active at the same time in a row.");
}

struct SegmentRun {
  sim::chip::SegmentTime time;
  std::vector<ThreadRecord> threads;
};

std::vector<SegmentRun> segments_of(const ProgramRun& run) {
  std::vector<SegmentRun> segments;
  for (std::size_t s = 0; s < run.timing.segments.size(); ++s) {
    auto& segment = segments.emplace_back(SegmentRun{run.timing.segments[s], {}});
    for (const auto& thread : segment.time.threads)
      segment.threads.push_back(
          {run.program.operators[thread.op].name, thread, run.program.segments[s].stream});
  }
  return segments;
}

void describe_segment_run(Fields& fields, const SegmentRun& segment) {
  put(fields, key::rewrite_cycles, segment.time.rewrite_cycles, "");
  put(fields, key::schedule_cycles, segment.time.schedule_cycles, "");
  put(fields, key::peak_crossbars, segment.time.peak_crossbars, "");
  put_list(fields, key::operators, segment.threads, describe_thread, "");
}

void describe_simulation(Fields& fields, io::ResultHead& head, const ProgramRun& run) {
  constexpr std::array<std::string_view, 1> spaces = {"chip"}, verbs = {"simulate"};
  describe_head(fields, head, spaces, verbs);
  io::put_map(
      fields, key::architecture, [&] { return io::chip_machine_to_json(run.machine); }, io::any_schema,
      "The whole machine, in the form of its file.");
  put(fields, key::replay_cycles, run.timing.cycles,
      "Cycles of the replay, without spilling, which programs do not contain.");
  put(fields, key::peak_crossbars, run.timing.peak_crossbars, "");
  put(fields, "model_cycles", run.model ? std::optional(run.model->latency_cycles) : std::nullopt,
      "Cycles according to the model, as in the result.");
  put_list(fields, key::segments, segments_of(run), describe_segment_run, "");
  put_list(fields, "tensors", run.numbers ? std::optional(tensors_of(run)) : std::nullopt, describe_tensor,
           "With --functional: the result of every operator.");
  put(fields, "equal_to_reference", run.agreeing, "Number of elements that equal the reference.");
  put_text(fields, "difference", run.difference, "The first element that differs from the reference.");
  put(fields, "images", run.images > 0 ? std::optional(run.images) : std::nullopt,
      "Number of images that the program processed.");
  put(fields, "largest_difference", run.from_reals,
      "Largest difference between the dequantised output and the output of the float graph.");
}

}  // namespace

io::Json simulation_json(io::ResultHead head, const ProgramRun& run) {
  return io::write_fields([&](Fields& fields) { describe_simulation(fields, head, run); });
}

io::Json simulation_schema() {
  io::ResultHead head;
  return io::schema_of([&](Fields& fields) { describe_simulation(fields, head, ProgramRun()); },
                       io::SchemaKind::output);
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

namespace {

void describe_program(Fields& fields, const std::string& text) {
  fields.constant(key::schema, "nestor.chip-program/1", io::always, "");
  put(fields, key::version, std::string_view(NESTOR_VERSION), "");
  put(fields, key::program, text, "");
}

}  // namespace

io::Json program_json(const std::string& text) {
  return io::write_fields([&](Fields& fields) { describe_program(fields, text); });
}

io::Json program_schema() {
  return io::schema_of([](Fields& fields) { describe_program(fields, ""); }, io::SchemaKind::output);
}

}  // namespace nestor::report
