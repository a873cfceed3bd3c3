// A linear (or mixed-integer) program with the names and the sense it has in a file, and the door to the two
// file formats everybody reads: MPS (free and fixed) and CPLEX's LP. Both may be gzipped.
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
  simplex::LinearProgram program;  ///< costs and offset as in the file, whatever the sense
  std::vector<std::string> column_names;
  std::vector<std::string> row_names;
  std::vector<bool> integer;  ///< by column

  bool has_integers() const;
  /// The program to minimise: costs negated if the file says maximise.
  simplex::LinearProgram minimisation() const;
  /// What solved minimisation(), with the signs of the file.
  void restore_sense(simplex::LpSolution& solution) const;
};

enum class LpFormat { mps, lp };

/// Files say "infinite" with numbers from this on.
inline constexpr double infinite_in_files = 1e30;

/// `file` only names the text in messages.
Result<LpModel> parse_mps(std::string_view text, const std::string& file);
Result<LpModel> parse_lp(std::string_view text, const std::string& file);

/// Reads by ending (.mps, .lp, either with .gz) or, failing that, by the first word.
Result<LpModel> read_lp_model(const std::filesystem::path& path);

/// Numbers are written so that they read back exactly; names that the format cannot hold are replaced by
/// C1, C2, ... and R1, R2, ... throughout.
std::string mps_text(const LpModel& model);
std::string lp_text(const LpModel& model);
/// " (did you mean 'x1'?)" if one of the first columns is close to a word that names none; else nothing.
std::string nearest_column(const LpModel& model, std::string_view word);

/// By ending, gzipped if it ends in .gz.
MaybeError write_lp_model(const std::filesystem::path& path, const LpModel& model);

}  // namespace nestor::io
