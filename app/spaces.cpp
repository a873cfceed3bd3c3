// Table of spaces, with one row for each space.
#include <array>

#include "app/chip/chip.h"
#include "app/chip/programs.h"
#include "app/cim/cim.h"
#include "app/cnm/cnm.h"
#include "app/pim/pim.h"
#include "app/simd/simd.h"
#include "app/space.h"
#include "io/chip/network_file.h"
#include "report/chip/proof_dump.h"
#include "report/cim/proof_dump.h"
#include "report/cnm/proof_dump.h"
#include "report/pim/proof_dump.h"

namespace nestor::app {
namespace {

constexpr std::array every_space = {
    Space{.kind = "cim",
          .title = "compute-in-memory accelerators",
          .map = cim_space::map,
          .sweep = &cim_space::sweep,
          .evaluate = cim_space::evaluate,
          .simulate = cim_space::simulate,
          .verify = cim_space::verify,
          .export_model = cim_space::export_model,
          .compare = cim_space::compare,
          .read_mip_model = cim_space::read_mip_model,
          .show_architecture = cim_space::show_architecture,
          .show_solutions = cim_space::show_solutions,
          .dump_proof = report::dump_cim_proof},
    Space{.kind = "pim",
          .title = "processing-in-memory machines",
          .map = pim_space::map,
          .sweep = &pim_space::sweep,
          .evaluate = pim_space::evaluate,
          .simulate = pim_space::simulate,
          .verify = pim_space::verify,
          .export_model = pim_space::export_model,
          .compare = pim_space::compare,
          .read_mip_model = pim_space::read_mip_model,
          .show_architecture = pim_space::show_architecture,
          .show_solutions = pim_space::show_solutions,
          .dump_proof = report::dump_pim_proof},
    Space{.kind = "simd",
          .title = "bit-serial arrays",
          .verify = simd_space::verify,
          .schedule = simd_space::schedule,
          .show_file = simd_space::show_schedule,
          .show_solutions = simd_space::show_solutions,
          .owns = simd_space::owns},
    Space{.kind = "chip",
          .title = "crossbar chips",
          .evaluate = chip_space::evaluate,
          .simulate = chip_space::simulate,
          .verify = chip_space::verify,
          .compile = chip_space::compile,
          .show_architecture = chip_space::show_architecture,
          .show_file = chip_space::show_file,
          .show_solutions = chip_space::show_solutions,
          .networks = ShippedNetworks{io::chip_networks, "network of chip operators"},
          .dump_proof = report::dump_compile_proof,
          .proof_of = "a compiled network",
          .owns = chip_space::is_program},
    Space{.kind = "cnm",
          .title = "compute-near-memory systems",
          .map = cnm_space::map,
          .evaluate = cnm_space::evaluate,
          .simulate = cnm_space::simulate,
          .verify = cnm_space::verify,
          .estimate = cnm_space::estimate,
          .show_architecture = cnm_space::show_architecture,
          .show_file = cnm_space::show_file,
          .show_solutions = cnm_space::show_solutions,
          .dump_proof = report::dump_kernel_proof,
          .owns = cnm_space::owns},
};

}  // namespace

Spaces shipped_spaces() { return every_space; }

}  // namespace nestor::app
