// The mixed-integer programs of a run, as `export`, `import` and `compare` see them, whatever the space.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/checked_reader.h"
#include "io/files.h"
#include "io/options.h"
#include "model/loopnest/mip/program.h"

namespace nestor::app {

enum class ExitStatus : int;

/// What a solution's mapping is worth.
struct ImportedMapping {
  double objective = 0;
  io::Json result;  ///< an ordinary result, with the status `imported`
};

/// One layer's program.
class MipModel {
 public:
  virtual ~MipModel() = default;
  virtual const mip::Program& program() const = 0;
  /// What import builds the same model from, but for the columns.
  virtual io::Json head() const = 0;
  virtual io::Json columns() const = 0;
  /// A mapping's cost that is known; whether it is a proved optimum.
  virtual std::optional<double> known_objective() const = 0;
  virtual bool is_proved() const = 0;
  /// Of the search before, if there was one.
  virtual double bound() const = 0;
  virtual double seconds() const = 0;
  /// The mapping that a value per column says, evaluated. `file` names the solution in messages, `claimed` is
  /// what it says of itself.
  virtual io::Result<ImportedMapping> import(const std::vector<double>& values, std::optional<double> claimed,
                                             const std::string& file) const = 0;
};

/// The layers of a run.
class MipTask {
 public:
  virtual ~MipTask() = default;
  virtual const std::vector<std::string>& layers() const = 0;
  /// `prove`: the layer is mapped by the search before.
  virtual io::Result<std::unique_ptr<MipModel>> make(std::size_t layer, bool prove) const = 0;
};

using MakeMipTask = io::Result<std::unique_ptr<MipTask>> (*)(const io::RunOptions& options);

/// The verbs `export` and `compare` of a space.
io::Result<ExitStatus> export_models(MakeMipTask make_task, const io::RunOptions& options);
io::Result<ExitStatus> compare_solvers(MakeMipTask make_task, const io::RunOptions& options);

/// MODEL.json.
io::Json sidecar_of(const MipModel& model);

/// A solution file's mapping; the first contradiction among its columns is an error.
io::Result<ImportedMapping> import_solution(const MipModel& model, const std::string& text,
                                            const std::string& file,
                                            std::optional<double>* claimed = nullptr);

}  // namespace nestor::app
