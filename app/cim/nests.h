// Traits of CIM machines for the verbs of the loop-nest spaces (app/nest_*.h, app/mip_front.h).
#pragma once

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/options.h"
#include "mapper/cim/map_layer.h"
#include "mapper/cim/request.h"
#include "model/cim/search/admission.h"
#include "model/loopnest/canonical.h"
#include "report/cim/map_record.h"
#include "report/cim/verify/result_check.h"
#include "report/results/cim/result_file.h"
#include "report/results/violation_text.h"

namespace nestor::app::cim_space {

struct CimNests {
  using Machine = NamedArchitecture;
  using Run = io::CimRun;
  using Request = mapper::CimRequest;
  static constexpr std::string_view kind = "cim";
  static constexpr bool has_bypass_tables = false;  ///< true if the space has --fix-bypass
  static constexpr std::size_t program_memory = std::size_t{27} << 20U;

  static io::Result<Machine> read_machine(const std::string& arch, std::span<const std::string> settings) {
    return io::read_architecture(arch, settings);
  }
  static Machine read_machine_node(const io::Node& node, io::Reading& reading) {
    return io::read_architecture_node(node, reading);
  }
  static io::Json machine_to_json(const Machine& machine) { return io::architecture_to_json(machine); }
  static io::Result<Run> read_run(const io::Node& root) { return io::read_run(root); }
  static io::Json run_to_json(const Run& run) { return io::run_to_json(run); }
  static auto read_mappings(const std::string& path, const Machine& machine, std::span<const Layer> layers) {
    return io::read_mappings(path, machine, layers);
  }
  static io::ResultCheck check_result(const Run& run, const io::Json& claims,
                                      const io::NetworkReader& read_network) {
    return io::check_cim_result(run, claims, read_network);
  }
  static io::ResultCheck check_mappings(const Run& run) { return io::check_cim_mappings(run); }

  static Refusal admit(const LayerShape& shape, const Architecture& machine) {
    return cim::admit(shape, machine);
  }
  static std::string violation_text(const Violation& violation, const Mapping& mapping,
                                    const Machine& machine) {
    return io::violation_text(violation, mapping, machine);
  }

  /// Returns the request without the constraints of --fix.
  static io::Result<Request> request_of(const io::RunOptions& options, const Machine& machine);
  static auto point_of(const mapper::MappedCimLayer& mapped, const Layer& layer, const Run& run) {
    return report::point_of(mapped, layer, run);
  }
  static void set_result(const Run& run, io::CimRecord& record, const mapper::CimLayerMap& map) {
    report::set_result(run, record, map);
  }
  static void explain(const Run& run, io::CimRecord& record,
                      const std::vector<mapper::LayerResource>& reports) {
    report::explain(run, record, reports);
  }
  static void set_latency_model(Run& run, const io::RunOptions& options) {
    run.objective.latency_model = io::to_string(options.latency_model);
  }
};

}  // namespace nestor::app::cim_space
