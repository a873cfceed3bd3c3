#include "report/cnm/proof_writer.h"

#include "io/sha256.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/proof/proof_file.h"

namespace nestor::report {
namespace {

// Returns the head. It contains values that identify the result of the proof, and the claim.
io::Json head_of(const io::Json& result) {
  const io::Json& architecture = result.at(key::architecture);
  return {{key::space, "cnm"},
          {key::version, result.at(key::version)},
          {key::objective, result.at(key::objective).at(key::name)},
          {key::architecture, architecture.at(key::name)},
          {key::architecture_digest, io::sha256(architecture.dump())},
          {key::kernel, result.at(key::kernel)},
          {key::kernel_digest, io::sha256(result.at(key::source).dump())},
          {key::status, result.at(key::status)},
          {key::lower_bound_ms, result.at(key::lower_bound_ms)}};
}

}  // namespace

std::vector<io::Json> proof_pieces(const std::vector<cnm::FormCycles>& forms) {
  std::vector<io::Json> pieces;
  for (const auto& [map, cycles] : forms) {
    const auto& tasklets = map.tuples[map.tuples.size() - 2];
    const bool goes_on = !pieces.empty() && pieces.back().at(key::tasklets) == io::Json(tasklets) &&
                         pieces.back().at(key::local) == io::Json(map.local());
    if (!goes_on)
      pieces.push_back(
          {{key::tasklets, tasklets}, {key::local, map.local()}, {key::forms, io::Json::array()}});
    pieces.back()[key::forms].push_back({map.block, map.order, cycles});
  }
  return pieces;
}

io::MaybeError write_kernel_proof(const std::string& path, const io::Json& result,
                                  const std::vector<cnm::FormCycles>& forms) {
  if (path.empty()) return std::nullopt;
  return io::write_somewhere(path, [&](const io::PieceSink& sink) {
    io::ProofStream stream;
    stream.head(head_of(result));
    for (const io::Json& piece : proof_pieces(forms)) {
      stream.layer(piece);
      stream.end_of_layer();
      if (auto frames = stream.take(); !frames.empty() && !sink(frames)) return false;
    }
    stream.end_of_file();
    return sink(stream.flush());
  });
}

}  // namespace nestor::report
