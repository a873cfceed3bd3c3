#include "report/cim/proof_dump.h"

namespace nestor::report {

io::Result<bool> dump_cim_proof(io::ProofReader& reader, const io::Json& head, const TextSink& sink) {
  return dump_nest_proof(reader, head, sink, false);
}

}  // namespace nestor::report
