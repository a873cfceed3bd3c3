// nestor map --checkpoint and --resume: layers that are finished are kept in a file while the run goes on,
// and taken from it by a later run of the same problem, which searches the others. A layer's search is
// deterministic, so the later run finds what the first would have found: its result is the same but for
// times.
#pragma once

#include <chrono>
#include <optional>

#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"
#include "report/results/result_file.h"

namespace nestor::report {

/// What is known of each shape from the checkpoint; nothing of any where the path is empty. `run` has the
/// head of this run, which the checkpoint must be of, and every mapping is checked and costed afresh.
io::Result<std::vector<std::optional<mapper::LayerMap>>> resumed_maps(const std::string& path,
                                                                      const io::RunResult& run,
                                                                      const UniqueShapes& shapes,
                                                                      const mapper::Request& request);

/// Writes the checkpoint of a run: at most every so many seconds, and at its end.
class CheckpointWriter {
 public:
  /// An empty path: no checkpoint is asked for.
  CheckpointWriter(std::string path, std::chrono::duration<double> interval)
      : path_(std::move(path)), interval_(interval) {}

  /// Whether it is given to a file that can be replaced.
  io::MaybeError check() const;
  /// A layer of `run` has been finished since.
  void note() { behind_ = true; }
  /// To be called now and then, and at the end. Of what fails, the first is reported by every later call.
  io::MaybeError catch_up(const io::RunResult& run, bool at_end = false);

 private:
  using Clock = std::chrono::steady_clock;

  std::string path_;
  std::chrono::duration<double> interval_;
  Clock::time_point next_write_ = Clock::now();
  bool behind_ = true;  // that nothing is finished yet is worth a file, too
  io::MaybeError failure_;
};

}  // namespace nestor::report
