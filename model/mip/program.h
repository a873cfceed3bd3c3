// A mixed-integer program as plain columns and rows. Every column has a meaning and, if a solution is known
// beforehand, its value in that solution. The formulations of the papers (model/mip/cim, model/mip/pim) write
// into a Program; report/mip turns it into files.
//
//     Program program;
//     const auto x = program.add({.name = "x", .upper = 1, .integer = true}, 1);
//     program.row("limit", Sum(x) * 3, Sense::at_most, 7);
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/loopnest/dims.h"
#include "solver/simplex/linear_program.h"

namespace nestor::mip {

using simplex::Entry;
using simplex::Index;

/// Meaning of a column. Fields that do not apply keep their defaults.
struct Meaning {
  std::string_view symbol = {};  ///< symbol in the paper: "X^L", "V^S", ...
  int slot = -1;                 ///< slot of the loop nest, outermost first
  int dim = -1;
  int axis = -1;
  int operand = -1;
  int memory = -1;
  int source = -1;  ///< source memory of the transfers
  Int factor = 0;
  Extents extents{};  ///< extents of a one-hot choice of sizes; otherwise all 0
  double figure = 0;  ///< constant that the choice denotes: bits, cycles or energy
  bool doubled = false;
};

struct Column {
  std::string name;
  double lower = 0;
  double upper = simplex::infinity;
  double cost = 0;
  bool integer = false;
  Meaning meaning{};
};

/// A linear expression: terms and a constant.
class Sum {
 public:
  Sum() = default;
  Sum(double constant) : constant_(constant) {}  // NOLINT: numbers are sums
  explicit Sum(Index column, double factor = 1) { add(column, factor); }

  Sum& add(Index column, double factor) {
    terms_.push_back({column, factor});
    return *this;
  }
  Sum& operator+=(const Sum& other);
  Sum& operator-=(const Sum& other) { return *this += other * -1; }
  Sum operator*(double factor) const;
  friend Sum operator+(Sum a, const Sum& b) { return a += b; }
  friend Sum operator-(Sum a, const Sum& b) { return a -= b; }

  const std::vector<Entry>& terms() const { return terms_; }
  double constant() const { return constant_; }
  bool empty() const { return terms_.empty(); }

 private:
  std::vector<Entry> terms_;
  double constant_ = 0;
};

enum class Sense : std::uint8_t { at_most, equal, at_least };

struct Row {
  std::string name;
  Sense sense = Sense::equal;
  double right = 0;
  std::vector<Entry> terms;  ///< distinct columns, ascending
};

class Program {
 public:
  /// Adds a column. `known` is its value in the known solution.
  Index add(Column column, double known = 0);
  /// Adds the row `left` `sense` `right`. Terms of the same column are added up. A row without terms is
  /// dropped if it is satisfied.
  void row(std::string name, Sum left, Sense sense, const Sum& right);
  /// Requires the column to be at least `bound`. If the known value of the column is smaller than that of
  /// `bound`, it is raised to the latter.
  void at_least(std::string name, Index column, const Sum& bound);

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Row>& rows() const { return rows_; }
  std::size_t entries() const;
  void set_known(Index column, double value) { known_[column] = value; }
  /// Sets the costs to those of a sum. Its constant is the cost of a column `one` of value 1.
  void set_costs(const Sum& sum);

  /// Returns the values of the known solution; they are meaningless if there is none.
  const std::vector<double>& known() const { return known_; }
  double known_value(const Sum& sum) const { return value(sum, known_); }
  static double value(const Sum& sum, const std::vector<double>& values);
  double objective(const std::vector<double>& values) const;

  /// Returns the name of the first column or row that `values` violate, or an empty string. A violation
  /// exceeds a bound by more than `tolerance` times the largest term (at least 1). With `integers_only`,
  /// checks only integer columns and rows whose columns are all integer.
  std::string broken(const std::vector<double>& values, double tolerance, bool integers_only = false) const;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<double> known_;
};

}  // namespace nestor::mip
