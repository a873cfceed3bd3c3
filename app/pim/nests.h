// Traits of PIM machines for the verbs of the loop-nest spaces (app/nest_*.h, app/mip_front.h).
#pragma once

#include "io/options.h"
#include "io/pim/machine_file.h"
#include "io/pim/mapping_file.h"
#include "mapper/pim/map_layer.h"
#include "model/pim/legality.h"
#include "model/pim/search/admission.h"
#include "report/pim/claim_check.h"
#include "report/pim/map_record.h"
#include "report/pim/result_check.h"
#include "report/results/pim/result_file.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {

struct PimNests {
  using Machine = io::pim::NamedPimMachine;
  using Run = io::pim::PimRun;
  using Request = mapper::pim::PimRequest;
  static constexpr std::string_view kind = "pim";
  static constexpr bool has_bypass_tables = true;
  static constexpr std::size_t program_memory = std::size_t{20} << 20U;

  static io::Result<Machine> read_machine(const std::string& arch, std::span<const std::string> settings) {
    return io::pim::read_machine(arch, settings);
  }
  static Machine read_machine_node(const io::Node& node, io::Reading& reading) {
    return io::pim::read_machine_node(node, reading);
  }
  static io::Json machine_to_json(const Machine& machine) { return io::pim::machine_to_json(machine); }
  static io::Result<Run> read_run(const io::Node& root) { return io::pim::read_run(root); }
  static io::Json run_to_json(const Run& run) { return io::pim::run_to_json(run); }
  static auto read_mappings(const std::string& path, const Machine& machine, std::span<const Layer> layers) {
    return io::pim::read_mappings(path, machine, layers);
  }
  static io::ResultCheck check_result(const Run& run, const io::Json& claims,
                                      const io::NetworkReader& read_network) {
    return report::check_pim_result(run, claims, read_network);
  }
  static io::ResultCheck check_mappings(const Run& run) { return report::check_pim_mappings(run); }

  static Refusal admit(const LayerShape& shape, const nestor::pim::PimMachine& machine) {
    return nestor::pim::admit(shape, machine);
  }
  static std::string violation_text(const nestor::pim::PimViolation& violation,
                                    const nestor::pim::PimMapping& mapping, const Machine& machine) {
    return io::pim::violation_text(violation, mapping, machine);
  }

  /// Returns the request without the constraints of --fix.
  static io::Result<Request> request_of(const io::RunOptions& options, const Machine& machine);
  /// Checks the claim about all layers of a run with --fix-bypass. Returns false if the new search
  /// contradicts the evaluator.
  static bool check_sum(std::span<const Layer> layers, const UniqueShapes& shapes,
                        const nestor::pim::PimMachine& machine, const Request& request,
                        const mapper::Resources& resources, std::span<const report::ClaimedOptimum> claimed,
                        io::ResultCheck& check);
  static auto point_of(const mapper::pim::MappedPimLayer& mapped, const Layer& layer, const Run& run) {
    return report::point_of(mapped, layer, run);
  }
  static void set_result(const Run& run, io::pim::PimRecord& record, const mapper::pim::PimLayerMap& map) {
    report::set_result(run, record, map);
  }
  static void explain(const Run& run, io::pim::PimRecord& record,
                      const std::vector<mapper::pim::LayerResource>& reports) {
    report::explain(run, record, reports);
  }
  static void set_latency_model(Run& /*run*/, const io::RunOptions& /*options*/) {}
};

}  // namespace nestor::app::pim_space
