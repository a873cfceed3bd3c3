// Request and resources of a chip search, taken from the options of `compile`, for compile and for verify
// --recheck.
#pragma once

#include "app/space.h"
#include "mapper/chip/compile_network.h"
#include "report/map_progress.h"
#include "report/tables/progress.h"

namespace nestor::app::chip_space {

/// Returns the request that --method, --objective, --limit, --levels, --gap and --work-limit specify.
io::Result<chip::NetworkRequest> request_of(const io::RunOptions& options, chip::Mode mode);

/// Applies --threads, --time-limit and signals to a run, and shows a progress line with the network's name.
/// The time limit starts at program_start().
class SearchSetup final : public EngineObserver {
 public:
  explicit SearchSetup(const io::RunOptions& options);
  void set_network(std::string name) { network_ = std::move(name); }

  const chip::SearchResources& resources() const { return resources_; }
  void round_ended(const EngineProgress& progress) override;
  void clear_line() { line_.clear(); }
  void log_end(Status status, double objective) { report::log_end(line_, network_, status, objective); }

 private:
  std::string network_;
  std::unique_ptr<Executor> executor_;
  StopSource stop_;
  io::ProgressLine line_;
  chip::SearchResources resources_;
};

}  // namespace nestor::app::chip_space
