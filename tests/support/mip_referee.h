// MIP solvers on programs of tiny cases: CBC where NESTOR_MIP_CBC is set and HiGHS under node where
// NESTOR_MIP_HIGHS is, if they are installed. The nightly run sets both.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/mip/program.h"

namespace nestor::testing {

/// Holds programs against solvers and counts those whose optimum each proves within a minute; programs of
/// more than NESTOR_MIP_COLUMNS columns are left out.
class MipReferee {
 public:
  MipReferee();
  ~MipReferee();
  MipReferee(const MipReferee&) = delete;
  MipReferee& operator=(const MipReferee&) = delete;

  /// Fails the test where a solver proves another optimum than `expected`. `name`: of the file.
  void judge(const mip::Program& program, double expected, const std::string& name, const std::string& what);

 private:
  struct Solver {
    const char* name;
    std::string command;  ///< with MODEL and OUT
    int tried = 0;
    int proved = 0;
  };
  std::vector<Solver> solvers_;
};

}  // namespace nestor::testing
