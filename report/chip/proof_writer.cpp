#include "report/chip/proof_writer.h"

#include "io/sha256.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/proof/proof_file.h"

namespace nestor::report {
namespace {

// Returns the head. It contains values that identify the result of the proof. Bounds on cycles are integers.
io::Json head_of(const CompileRun& run, const io::Json& result) {
  const io::Json& architecture = result.at(key::architecture);
  return {{key::space, "chip"},
          {key::version, result.at(key::version)},
          {key::objective, result.at(key::objective).at(key::name)},
          {key::levels, result.at(key::decisions).at(key::levels)},
          {key::architecture, architecture.at(key::name)},
          {key::architecture_digest, io::sha256(architecture.dump())},
          {key::network, result.at(key::network).at(key::name)},
          {key::status, result.at(key::status)},
          {key::lower_bound, static_cast<Int>(run.result.outcome.bound)}};
}

// Returns a path, in which operators are identified by their position in the run.
io::Json path_json(const chip::SegmentPath& path) {
  auto json = io::Json::array();
  for (std::size_t k = 0; k < path.rows.size(); ++k) {
    if (path.rows[k] == 0) continue;
    json.push_back(k);
    json.push_back(path.rows[k]);
    json.push_back(path.gated[k]);
  }
  return json;
}

io::Json step_json(const chip::SegmentProof::Step& step) {
  io::Json json = io::Json::object();
  for (const auto& [path, share] : step.mix) {
    json[key::mix].push_back(path);
    json[key::mix].push_back(share);
  }
  if (step.split) {
    const auto& [op, figure, most] = *step.split;
    json[key::split] = {op, chip::option_figures.word(figure), most};
    json[key::then] = step.children;
  }
  return json;
}

}  // namespace

io::Json proof_run_json(const chip::SegmentProof& proof, const chip::ChipNetwork& network) {
  io::Json json = {{key::from, network.operators[proof.first].name},
                   {key::to, network.operators[proof.last].name},
                   {key::bound, proof.bound},
                   {key::paths, io::Json::array()},
                   {key::steps, io::Json::array()}};
  for (const auto& path : proof.paths) json[key::paths].push_back(path_json(path));
  for (const auto& step : proof.steps) json[key::steps].push_back(step_json(step));
  return json;
}

io::MaybeError write_compile_proof(const CompileRun& run) {
  if (run.options.proof.empty()) return std::nullopt;
  return io::write_somewhere(run.options.proof, [&](const io::PieceSink& sink) {
    io::ProofStream stream;
    stream.head(head_of(run, compile_json(run)));
    for (const auto& proof : run.result.outcome.proof) {
      stream.layer(proof_run_json(proof, run.compiled.network));
      stream.end_of_layer();
      if (!sink(stream.flush())) return false;
    }
    stream.end_of_file();
    return sink(stream.flush());
  });
}

}  // namespace nestor::report
