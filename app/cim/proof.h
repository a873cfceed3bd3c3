// nestor map --proof: what the search kept of every layer goes to a file that nestor-check replays.
#pragma once

#include <vector>

#include "io/options.h"
#include "io/proof/proof_file.h"
#include "io/result_file.h"
#include "model/workload/unique_shapes.h"
#include "solver/engine/kept_labels.h"

namespace nestor::app::cim_space {

/// The proof of a run: a part for every shape, filled while its search goes on.
class ProofWriter {
 public:
  ProofWriter(const io::RunOptions& options, std::size_t shapes);

  bool is_wanted() const { return !path_.empty(); }
  /// Of different shapes at the same time, if need be.
  void add(std::size_t shape, const KeptLabels& kept);
  /// Writes the file, if one is wanted, in one step.
  io::MaybeError write(const io::RunResult& run, const UniqueShapes& shapes);

 private:
  std::string path_;
  std::vector<io::ProofStream> parts_;
};

}  // namespace nestor::app::cim_space
