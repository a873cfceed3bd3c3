// A proof of mappings onto PIM machines as text.
#pragma once

#include "report/proof_dump.h"

namespace nestor::report {

io::Result<bool> dump_pim_proof(io::ProofReader& reader, const io::Json& head, const TextSink& sink);

}  // namespace nestor::report
