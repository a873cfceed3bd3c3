// nestor show for the cnm space: systems, results, and kernels lowered to the requested form.
#include <fmt/format.h>

#include <algorithm>

#include "app/cnm/cnm.h"
#include "app/cnm/kernel_input.h"
#include "app/cnm/work.h"
#include "io/checked_reader.h"
#include "io/cnm/cnm_ir.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/mlir.h"
#include "io/cnm/program_file.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "report/cnm/estimate_run.h"
#include "report/cnm/estimate_text.h"
#include "report/cnm/result_json.h"

namespace nestor::app::cnm_space {

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options) {
  const auto system = io::read_cnm_system(path_or_name, options.settings);
  if (!system) return system.error();
  return Shown{io::to_text(*system), io::system_to_json(*system)};
}

namespace {

Shown shown(const std::string& kernel, const std::string& text) {
  return {text, report::kernel_text_json(kernel, text), {.has_forms = true}};
}

// Shows the functions of a file as one program or as a list of programs. The text output is the JSON itself.
Shown shown(const io::MlirFile& file) {
  auto json = io::Json::array();
  for (const auto& program : file.programs) json.push_back(io::to_json(program));
  if (json.size() == 1) json = io::Json(json[0]);
  return {io::to_text(json), json, {.has_forms = true}};
}

}  // namespace

io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options) {
  const bool as_program = options.show_as == io::ShownForm::program;
  if ((!options.show_as || as_program) && path.ends_with(".mlir")) {
    const auto file = io::read_mlir_file(path, options);
    if (!file) return file.error();
    const auto& programs = file->programs;
    const bool kernel = programs.size() == 1 && programs[0].operations.size() == 1;
    if (!kernel || as_program) return shown(*file);
  }
  const auto system = io::read_cnm_system(options.arch.empty() ? "upmem" : options.arch, options.settings);
  if (!system) return system.error();
  if (system->target == cnm::Target::host)
    return io::usage_error("--arch: nothing is lowered for the host, expected another system");
  const auto input = read_kernel(path, options, *system);
  if (!input) return input.error();
  using io::ShownForm;
  const auto as = options.show_as;
  const auto refused = [&](std::string_view why) { return io::input_error({path}, std::string(why)); };
  std::string text;
  if (input->kernel && (!as || as == ShownForm::mlir)) {
    text = io::to_mlir(*input->kernel);
  } else if (input->kernel) {
    const auto mapping = read_mapping(options, *input->kernel, *system);
    if (!mapping) return mapping.error();
    if (mapping->size() != 1)
      return io::usage_error(fmt::format("--mapping: found {} maps, expected one", mapping->size()));
    if (auto fault = cnm::find_shape_fault(mapping->front(), input->kernel->dim_count(), *system);
        !fault.empty())
      return refused(fault);
    if (system->target == cnm::Target::hbm_pim) {
      if (as != ShownForm::llvcnm) return refused("a kernel has no CNM IR on HBM-PIM, only llvcnm");
      auto work = cnm::channel_work(*input->kernel, mapping->front(), true, *system);
      if (!work.stream) return refused(work.refusal);
      return shown(input->name, io::to_text(io::NamedStream{input->name, std::move(*work.stream)}, *system));
    }
    const auto map = cnm::complete(mapping->front(), *input->kernel, *system, report::shipped_library());
    if (as == ShownForm::cnm) {
      if (!input->kernel->library_call.empty()) return refused("a library call has no CNM IR, only llvcnm");
      const auto ir = cnm::lower_to_ir(*input->kernel, map, *system);
      if (!ir.fault.empty()) return refused(ir.fault);
      text = io::to_text(ir.value);
    } else {
      const auto listing = cnm::listing_of(*input->kernel, map, *system, report::shipped_library());
      if (!listing.fault.empty()) return refused(listing.fault);
      text = io::to_text(listing.listing);
    }
  } else if (input->ir && (!as || as == ShownForm::cnm)) {
    text = io::to_text(*input->ir);
  } else if (input->listing && (!as || as == ShownForm::llvcnm)) {
    text = io::to_text(*input->listing);
  } else if (input->stream && (!as || as == ShownForm::llvcnm)) {
    text = io::to_text(io::NamedStream{input->name, *input->stream}, *system);
  } else {
    return refused(fmt::format("this kernel cannot be shown as {}", as ? io::shown_forms.word(*as) : "text"));
  }
  return shown(input->name, text);
}

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  auto work = read_work(options, io::Verb::show);
  if (!work) return work.error();
  Shown shown;
  shown.with.layers = true;
  report::EstimateRun run(*work);
  for (const KernelTask& task : work->tasks) {
    if (task.input.kernel && task.mapping.empty()) {
      run.add_unmapped(task);
      continue;
    }
    const auto estimate = report::estimate_task(task, work->system).estimate;
    if (!estimate.refusal.empty())
      return io::input_error({task.input.file}, task.name + ": " + estimate.refusal);
    run.add(task, estimate);
    const auto shape = task.input.kernel ? fmt::format("{}", fmt::join(task.input.kernel->extents, " x "))
                                         : std::string("already lowered");
    shown.add_layer(task.name, work->system.name, shape,
                    (task.input.kernel ? report::mapping_lines(task.mapping) : std::string()) +
                        fmt::format("time {}\n", report::ms_text(estimate.time_ms)));
  }
  shown.json = report::result_json(io::Verb::evaluate, *work, options, run.records());
  return shown;
}

bool owns(std::string_view path, std::string_view head) {
  const std::string name(path);
  const auto is_kernel = [&] {
    return io::is_built_in_kernel(name) ||
           std::find(cnm::pim_kernels.begin(), cnm::pim_kernels.end(), path) != cnm::pim_kernels.end();
  };
  return (head.empty() && is_kernel()) || path.ends_with(".llvcnm") || path.ends_with(".mlir") ||
         path.ends_with(".cnm") || path.ends_with(".s");
}

}  // namespace nestor::app::cnm_space
