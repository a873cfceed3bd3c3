// nestor map --proof: what the search kept of every layer goes to a file that nestor-check replays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/workload/unique_shapes.h"
#include "report/proof/proof_file.h"
#include "report/proof/spool.h"
#include "report/results/result_parts.h"
#include "solver/engine/kept_labels.h"

namespace nestor::report {

/// The proof of a run: a part for every shape, filled while its search goes on and set aside on the disk.
class ProofWriter {
 public:
  /// What it holds at most of searches that run side by side, to be kept free of the search's memory.
  static constexpr std::size_t memory = std::size_t{8} << 20U;

  /// No path, no proof.
  ProofWriter(std::string path, std::size_t shapes);

  bool is_wanted() const { return !path_.empty(); }
  /// Of different shapes at the same time, if need be.
  void add(std::size_t shape, const KeptLabels& kept);
  /// What the search of a shape kept is complete.
  void end_layer(std::size_t shape);
  /// Writes the file, if one is wanted, in one step. `axes`: the names of the machine's, as its numbers count
  /// them.
  io::MaybeError write(const io::Json& result, const std::vector<std::string>& axes,
                       const UniqueShapes& shapes);

 private:
  std::string path_;
  std::vector<io::ProofStream> parts_;
  std::optional<io::Spool> spool_;
};

}  // namespace nestor::report
