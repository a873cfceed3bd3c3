// Comparison of the integer programs of tiny cases with MIP solvers. NESTOR_MIP_CBC enables CBC and
// NESTOR_MIP_HIGHS enables HiGHS under Node.js, if they are installed. The nightly run sets both.
#pragma once

#include <string>
#include <vector>

#include "model/mip/program.h"

namespace nestor::tests {

/// Compares programs with solvers and counts the programs whose optimum each solver proves within a minute.
/// Prints the counts at the end. Skips programs with more than NESTOR_MIP_COLUMNS columns.
class MipReferee {
 public:
  MipReferee();
  ~MipReferee();
  MipReferee(const MipReferee&) = delete;
  MipReferee& operator=(const MipReferee&) = delete;

  /// Fails the test if a solver proves an optimum other than `expected`, or reports that there is no
  /// solution. `name` is the name of the file without its extension.
  void judge(const mip::Program& program, double expected, const std::string& name, const std::string& what);

 private:
  struct Solver {
    const char* name;
    std::string command;  ///< contains the placeholders MODEL and OUT
    int tried = 0;
    int proved = 0;
  };
  std::vector<Solver> solvers_;
};

}  // namespace nestor::tests
