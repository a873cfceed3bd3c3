#include "report/chip/compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/results/chip/evaluation_json.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

std::string segments_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation) {
  io::Table table({{"segment", io::Align::left},
                   {"to", io::Align::left},
                   {"runs", io::Align::left},
                   {"cycles"},
                   {"rewrite"},
                   {"schedule"},
                   {"spill"},
                   {"cores"},
                   {"crossbars"},
                   {"L0 bytes"}});
  for (const auto& segment : evaluation.segments)
    table.add_row({compiled.network.operators[segment.decision.first].name,
                   compiled.network.operators[segment.decision.last].name,
                   segment.decision.stream     ? "as a stream"
                   : segment.decision.pipeline ? "pipelined"
                                               : "one by one",
                   io::count_text(segment.latency_cycles), io::count_text(segment.rewrite_cycles),
                   io::count_text(segment.schedule_cycles), io::count_text(segment.spill_cycles),
                   io::count_text(segment.cores), io::count_text(segment.crossbars),
                   io::count_text(segment.l0_bytes)});
  return table.to_string();
}

// Returns a bar of fixed width that shows when an operator runs within its segment.
std::string bar(const chip::OperatorFigures& figures, Int schedule) {
  constexpr Int width = 40;
  const Int whole = std::max<Int>(1, schedule);
  const auto at = [&](Int time) { return std::clamp<Int>(time * width / whole, 0, width - 1); };
  std::string text(static_cast<std::size_t>(width), '.');
  for (Int i = at(figures.start); i <= at(figures.end); ++i) text[static_cast<std::size_t>(i)] = '#';
  return text;
}

std::string operators_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation) {
  io::Table table({{"operator", io::Align::left},
                   {"on", io::Align::left},
                   {"copies"},
                   {"parts"},
                   {"phases"},
                   {"cores"},
                   {"from"},
                   {"row cycles"},
                   {"rows at once"},
                   {"start"},
                   {"end"},
                   {"schedule", io::Align::left}});
  for (const auto& segment : evaluation.segments) {
    for (std::size_t i = segment.decision.first; i <= segment.decision.last; ++i) {
      const auto& figures = evaluation.operators[i];
      const bool array = figures.on_array;
      table.add_row({compiled.network.operators[i].name, array ? "array" : "alu",
                     array ? io::count_text(figures.copies) : "", array ? io::count_text(figures.parts) : "",
                     array ? io::count_text(figures.phases) : "", array ? io::count_text(figures.cores) : "",
                     figures.first_core ? io::count_text(*figures.first_core) : "",
                     io::count_text(figures.row_cycles), io::count_text(figures.rows_at_once),
                     io::count_text(figures.start), io::count_text(figures.end),
                     bar(figures, segment.schedule_cycles)});
    }
  }
  return table.to_string();
}

}  // namespace

std::string compiled_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation) {
  std::string text = operators_text(compiled, evaluation) + "\n" + segments_text(compiled, evaluation);
  text += fmt::format("\nlatency {} cycles, energy {}, peak {} per cycle, {} crossbars at once, {} cores\n",
                      io::count_text(evaluation.latency_cycles), io::energy_text(evaluation.energy_pj),
                      io::energy_text(evaluation.peak_power), io::count_text(evaluation.peak_crossbars),
                      io::count_text(evaluation.cores));
  text += fmt::format("of a batch, one image in {} cycles\n", io::count_text(evaluation.interval_cycles));
  if (compiled.machine.clock > 0)
    text += fmt::format("at {:.4g} MHz: {:.4g} ms, {:.4g} W at the peak\n", compiled.machine.clock / 1e6,
                        static_cast<double>(evaluation.latency_cycles) / compiled.machine.clock * 1e3,
                        evaluation.peak_power * compiled.machine.clock * 1e-12);
  if (evaluation.images_per_second > 0)
    text += fmt::format("of a batch, {:.6g} images per second\n", evaluation.images_per_second);
  return text;
}

void describe_compiled(io::Fields& fields, io::ResultHead& head, io::Verb verb,
                       const CompiledNetwork& compiled) {
  constexpr std::array<std::string_view, 1> spaces = {"chip"};
  const std::array<std::string_view, 1> verbs = {io::to_string(verb)};
  describe_head(fields, head, spaces, verbs);
  io::put_map(
      fields, key::architecture, [&] { return io::chip_machine_to_json(compiled.machine); }, io::any_schema,
      "The whole machine, in the form of its file.");
  io::put_map(
      fields, key::network, [&] { return io::chip_network_to_json(compiled.network); }, io::any_schema,
      "The network after splitting operators that are larger than the chip.");
}

void describe_schedule(io::Fields& fields, const CompiledNetwork& compiled,
                       const chip::ChipEvaluation& evaluation, std::optional<double> objective,
                       std::optional<double> lower_bound) {
  const auto decisions = [&] { return io::chip_decisions_to_json(compiled.decisions, compiled.network); };
  put_json(
      fields, key::decisions, io::always, decisions, [] { return io::chip_decisions_schema(); }, "");
  fields.part(
      key::evaluation, io::always,
      [&](io::Fields& inner) { describe_evaluation(inner, evaluation, compiled.network); }, "");
  fields.part(
      key::throughput, io::always, [&](io::Fields& inner) { describe_throughput(inner, evaluation); }, "");
  const auto totals = [&] {
    return io::chip_totals_to_json(compiled.network, evaluation.latency_cycles, evaluation.energy_pj,
                                   objective, lower_bound);
  };
  put_json(
      fields, key::totals, io::always, totals, [] { return io::totals_schema(); },
      "The keys of all spaces; layers are operators.");
}

namespace {

void describe_evaluated(io::Fields& fields, io::ResultHead& head, const CompiledNetwork& compiled,
                        const chip::ChipEvaluation& evaluation) {
  describe_compiled(fields, head, io::Verb::evaluate, compiled);
  describe_schedule(fields, compiled, evaluation);
}

}  // namespace

io::Json evaluation_json(io::ResultHead head, const CompiledNetwork& compiled,
                         const chip::ChipEvaluation& evaluation) {
  return io::write_fields(
      [&](io::Fields& fields) { describe_evaluated(fields, head, compiled, evaluation); });
}

io::Json evaluation_schema() {
  io::ResultHead head;
  return io::schema_of(
      [&](io::Fields& fields) { describe_evaluated(fields, head, {}, chip::ChipEvaluation()); },
      io::SchemaKind::output);
}

}  // namespace nestor::report
