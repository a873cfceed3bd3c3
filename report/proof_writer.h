// nestor map --proof: writes the recorded nodes of every layer's search to a file that nestor-check verifies.
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

/// The proof of a run: one part for every shape, which is filled during its search and stored on disk.
class ProofWriter {
 public:
  /// Maximum memory of the writer for simultaneous searches. The searches must leave it free.
  static constexpr std::size_t memory = std::size_t{8} << 20U;

  /// An empty path means no proof.
  ProofWriter(std::string path, std::size_t shapes);

  bool is_wanted() const { return !path_.empty(); }
  /// Adds recorded nodes of a search. It can be called for different shapes at the same time.
  void add(std::size_t shape, const KeptLabels& kept);
  /// Completes the records of a shape's search.
  void end_layer(std::size_t shape);
  /// Writes the file atomically, if one is requested. `axes` are the names of the machine's axes, by number.
  io::MaybeError write(const io::Json& result, const std::vector<std::string>& axes,
                       const UniqueShapes& shapes);

 private:
  std::string path_;
  std::vector<io::ProofStream> parts_;
  std::optional<io::Spool> spool_;
};

}  // namespace nestor::report
