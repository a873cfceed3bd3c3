// A linear or mixed-integer program with the names and the objective sense of its file, and the readers and
// writers of the two common file formats: MPS (free and fixed) and CPLEX's LP. Both may be gzipped.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "solver/simplex/options.h"

namespace nestor::io {

struct LpModel {
  std::string name;
  std::string objective_name = "obj";
  bool maximize = false;
  simplex::LinearProgram program;  ///< costs and offset as in the file, for either sense
  std::vector<std::string> column_names;
  std::vector<std::string> row_names;
  std::vector<bool> integer;  ///< true for the integer columns

  bool has_integers() const;
  /// Returns the program to minimise; its costs are negated if the file maximises.
  simplex::LinearProgram minimisation() const;
  /// Converts a solution of minimisation() to the sense of the file.
  void restore_sense(simplex::LpSolution& solution) const;
};

enum class LpFormat { mps, lp };

/// Files express infinity with numbers of at least this size.
inline constexpr double infinite_in_files = 1e30;

/// Parse the text; `file` is only a name for messages.
Result<LpModel> parse_mps(std::string_view text, const std::string& file);
Result<LpModel> parse_lp(std::string_view text, const std::string& file);

/// Reads a file. The format is that of its extension (.mps or .lp, optionally with .gz) or, for any other
/// extension, that of its first word.
Result<LpModel> read_lp_model(const std::filesystem::path& path);

/// Return the model as text. Reading the text restores every number exactly. If the format cannot express all
/// names of columns (or of rows), all of them are replaced by C1, C2, ... (or R1, R2, ...).
std::string mps_text(const LpModel& model);
std::string lp_text(const LpModel& model);
/// Returns " (did you mean 'x1'?)" if one of the first columns is close to the unknown word; otherwise
/// nothing.
std::string nearest_column(const LpModel& model, std::string_view word);

/// Writes a file in the format of its extension, gzipped if the name ends in .gz.
MaybeError write_lp_model(const std::filesystem::path& path, const LpModel& model);

}  // namespace nestor::io
