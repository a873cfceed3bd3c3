// Interface of the verbs `export`, `import` and `compare` to the mixed-integer programs of a run. The
// interface is the same for all spaces.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/checked_reader.h"
#include "io/files.h"
#include "io/options.h"
#include "model/mip/program.h"

namespace nestor::app {

enum class ExitStatus : int;

/// The evaluated mapping of a solution.
struct ImportedMapping {
  double objective = 0;
  io::Json result;  ///< an ordinary result with the status `imported`
};

/// The mixed-integer program of one layer.
class MipModel {
 public:
  virtual ~MipModel() = default;
  virtual const mip::Program& program() const = 0;
  /// Returns the data from which import rebuilds the model, except the columns.
  virtual io::Json head() const = 0;
  virtual io::Json columns() const = 0;
  /// Cost of a known mapping, if any. is_proved() is true if this cost is a proved optimum.
  virtual std::optional<double> known_objective() const = 0;
  virtual bool is_proved() const = 0;
  /// Evaluates the known mapping as import() does. Only for models with a known mapping.
  virtual io::Result<ImportedMapping> known_mapping() const = 0;
  /// Lower bound and seconds of the preceding search, if there was one.
  virtual double bound() const = 0;
  virtual double seconds() const = 0;
  /// Evaluates the mapping that the column values describe. `file` names the solution in messages; `claimed`
  /// is the objective that the solution states.
  virtual io::Result<ImportedMapping> import(const std::vector<double>& values, std::optional<double> claimed,
                                             const std::string& file) const = 0;
};

/// The layers of a run, which can be turned into models.
class MipTask {
 public:
  virtual ~MipTask() = default;
  virtual const std::vector<std::string>& layers() const = 0;
  /// Builds the model of a layer. If `prove` is true, a search maps the layer first.
  virtual io::Result<std::unique_ptr<MipModel>> make(std::size_t layer, bool prove) const = 0;
};

using MakeMipTask = io::Result<std::unique_ptr<MipTask>> (*)(const io::RunOptions& options);

/// The verbs `export` and `compare`, for the models of a space.
io::Result<ExitStatus> export_models(MakeMipTask make_task, const io::RunOptions& options);
io::Result<ExitStatus> compare_solvers(MakeMipTask make_task, const io::RunOptions& options);

/// Returns the content of MODEL.json.
io::Json sidecar_of(const MipModel& model);

/// Imports the mapping of a solution file. Columns that contradict each other are an error.
io::Result<ImportedMapping> import_solution(const MipModel& model, const std::string& text,
                                            const std::string& file,
                                            std::optional<double>* claimed = nullptr);

}  // namespace nestor::app
