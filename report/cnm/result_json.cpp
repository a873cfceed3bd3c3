#include "report/cnm/result_json.h"

#include <array>

#include "base/split.h"
#include "io/cnm/system_file.h"
#include "report/cnm/offload.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/run_record.h"
#include "solver/search/tolerance.h"

namespace nestor::report {

using io::Fields;
using io::Json;
using io::put;

io::ResultHead cnm_head(io::Verb verb, const io::RunOptions& options, std::string_view role) {
  auto head = result_head("cnm", verb, options);
  for (const std::string_view machine : split_list(options.arch, ','))
    head.inputs.push_back(describe_input("architecture", std::string(machine), io::DataKind::architecture));
  for (const auto& name : options.inputs)
    head.inputs.push_back(describe_input(role, name, io::DataKind::network));
  if (verb == io::Verb::map) head.objective.name = "time";
  return head;
}

void describe_cnm_head(Fields& fields, io::ResultHead& head) {
  constexpr std::array<std::string_view, 1> spaces = {"cnm"};
  constexpr std::array<std::string_view, 4> verbs = {"map", "estimate", "evaluate", "simulate"};
  io::describe_head(fields, head, spaces, verbs);
}

namespace {

// A layer of a network. The result of a single kernel contains its record without these keys.
struct KernelLayer {
  std::string name;
  Int repeat = 1;
  Int macs = 0;
  KernelRecord kernel;
};

void describe_kernel_layer(Fields& fields, const KernelLayer& layer) {
  put(fields, key::name, layer.name, "");
  put(fields, key::repeat, layer.repeat, "");
  put(fields, key::macs, layer.macs, "Number of multiplications of the layer, including repeats.");
  describe_kernel(fields, layer.kernel);
}

void describe_totals(Fields& fields, const Totals& totals) {
  const auto& [share, is_network, time_ms, bound_ms] = totals;
  put(fields, key::layers, share.layers,
      "Number of layers, except layers in left_out without multiplications.");
  put(fields, key::mapped, share.mapped_layers, "Number of layers with a mapping.");
  put(fields, key::time_ms, time_ms, "");
  put(fields, key::macs, is_network ? std::optional(share.macs) : std::nullopt,
      "Number of multiplications of all layers, including repeats.");
  put(fields, key::mapped_macs, is_network ? std::optional(share.mapped_macs) : std::nullopt,
      "Number of multiplications of the mapped layers.");
  put(fields, key::objective, bound_ms ? std::optional(time_ms) : std::nullopt,
      "Total time, if a search mapped every layer.");
  put(fields, key::lower_bound, bound_ms, "");
  put(fields, key::gap, bound_ms ? std::optional(gap_between(time_ms, *bound_ms)) : std::nullopt, "");
}

// The keys of a result of kernels up to the figures.
void describe_work(Fields& fields, io::ResultHead& head, const KernelWork& work, const char* key,
                   const std::string& name) {
  constexpr std::array<std::string_view, 2> targets = {cnm::targets.word(cnm::Target::upmem),
                                                       cnm::targets.word(cnm::Target::hbm_pim)};
  describe_cnm_head(fields, head);
  io::put_map(
      fields, key::architecture, [&] { return io::system_to_json(work.system); }, io::any_schema,
      "The whole system, in the form of its file.");
  put(fields, key, name, "");
  put(fields, key::system, work.system.name, "");
  io::put_word(fields, key::target, cnm::targets.word(work.system.target), targets, "");
}

void describe_kernel_result(Fields& fields, io::ResultHead& head, const KernelWork& work,
                            const KernelRecord& kernel, const Totals& totals) {
  describe_work(fields, head, work, key::kernel, work.tasks.front().name);
  describe_kernel(fields, kernel);
  fields.part(
      key::totals, io::always, [&](Fields& inner) { describe_totals(inner, totals); }, "");
}

void describe_network_result(Fields& fields, io::ResultHead& head, const KernelWork& work,
                             const std::vector<KernelLayer>& layers, const Totals& totals) {
  describe_work(fields, head, work, key::network, work.network);
  io::put_list(fields, key::layers, layers, describe_kernel_layer, "");
  const auto describe_one = [](Fields& inner, LeftOutLayer layer) { describe_left_out(inner, layer); };
  io::put_list(fields, key::left_out, work.left_out, describe_one,
               "Layers that no kernel of the system computes.");
  fields.part(
      key::totals, io::always, [&](Fields& inner) { describe_totals(inner, totals); }, "");
}

}  // namespace

void TimeTotals::add(std::optional<double> time_ms, std::optional<double> bound_ms) {
  const auto repeat = static_cast<double>(work_.tasks[mapped_.size()].repeat);
  mapped_.push_back(time_ms.has_value());
  time_ms_ += repeat * time_ms.value_or(0);
  bound_ms_ += repeat * bound_ms.value_or(0);
  all_bounds_ = all_bounds_ && bound_ms.has_value();
}

Totals TimeTotals::sum() const {
  const NetworkWork share = work_of_network(work_, mapped_);
  const bool has_bound = all_bounds_ && share.mapped_layers == share.layers;
  return {share, !work_.network.empty(), time_ms_, has_bound ? std::optional(bound_ms_) : std::nullopt};
}

Json TimeTotals::json() const {
  return io::write_fields([&](Fields& fields) { describe_totals(fields, sum()); });
}

Json result_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options,
                 const std::vector<KernelRecord>& records) {
  const bool from_result = verb != io::Verb::map && options.arch.empty();
  auto head = cnm_head(verb, options, from_result ? "result" : work.network.empty() ? "kernel" : "layers");
  TimeTotals totals(work);
  for (const KernelRecord& record : records)
    totals.add(record.time_ms, record.search ? std::optional(record.search->bound_ms) : std::nullopt);
  if (work.network.empty())
    return io::write_fields(
        [&](Fields& fields) { describe_kernel_result(fields, head, work, records.front(), totals.sum()); });
  std::vector<KernelLayer> layers;
  for (std::size_t i = 0; i < records.size(); ++i)
    layers.push_back({work.tasks[i].name, work.tasks[i].repeat, work.tasks[i].macs, records[i]});
  return io::write_fields(
      [&](Fields& fields) { describe_network_result(fields, head, work, layers, totals.sum()); });
}

Json cnm_result_schema() {
  io::ResultHead head;
  KernelWork work;
  work.tasks.emplace_back();
  const auto schema_of = [](io::Description describe) {
    return io::schema_of(describe, io::SchemaKind::output);
  };
  const std::pair<const char*, Json> forms[] = {
      {key::kernel, schema_of([&](Fields& fields) { describe_kernel_result(fields, head, work, {}, {}); })},
      {key::network, schema_of([&](Fields& fields) { describe_network_result(fields, head, work, {}, {}); })},
      {key::program,
       schema_of([&](Fields& fields) { describe_program_result(fields, head, OffloadRun()); })}};
  return io::schema_of_forms(forms);
}

}  // namespace nestor::report
