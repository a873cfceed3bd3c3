// Reader of one linalg operation of MLIR, named or generic, or of a nest of affine loops. It adds the
// operation to the values of its function. Private to io/cnm.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_named.h"
#include "io/cnm/mlir_region.h"
#include "io/cnm/mlir_types.h"
#include "io/cnm/mlir_values.h"

namespace nestor::io {

using AffineMaps = std::map<std::string, AffineMap>;  // sorted by name for suggestions

class LinalgReader {
 public:
  LinalgReader(Lexer& lexer, const AffineMaps& aliases, MlirValues& values)
      : lexer_(lexer), aliases_(aliases), values_(values) {}

  /// Reads the text after the operation's name (`token`). `results` are the names that it defines.
  void run(const Token& token, const std::vector<std::string>& results);

  /// Reads the text after "memref.copy" (`token`), another spelling of linalg.copy.
  void run_copy(const Token& token);

 private:
  struct Argument {
    Token token;
    std::string name;
    SsaValue value;
  };

  void read_head(std::string_view word);
  void read_attribute(const std::string& key);
  std::vector<Int> numbers(Int low, Int high);
  std::vector<Argument> argument_list();
  AffineMap map_here();
  bool iterator();
  void library_call();
  std::vector<std::vector<cnm::AffineExpr>> given_maps(std::size_t operands);
  void generic();
  void named(std::string_view word);
  void fill();
  void add_operands(const std::vector<std::vector<cnm::AffineExpr>>& maps, std::string_view word);
  BlockArgument input_argument(const Argument& input, const std::vector<cnm::AffineExpr>& map, bool window);
  void add_operand(const Argument& argument, std::vector<cnm::AffineExpr> map, bool output);
  void find_extents();
  void finish(const std::vector<std::string>& results, bool fill);

  Lexer& lexer_;
  const AffineMaps& aliases_;
  MlirValues& values_;
  SourceLocation where_;
  cnm::Kernel kernel_;
  NamedAttributes attributes_;
  std::vector<AffineMap> maps_;
  std::vector<Argument> inputs_, outputs_;
  std::vector<SsaValue> used_;            // value of each input operand of the kernel
  std::vector<BlockArgument> arguments_;  // arguments of the region
  struct Shape {
    std::string name;
    std::vector<Int> dims;
    std::vector<cnm::AffineExpr> map;
  };
  std::vector<Shape> shapes_;  // shapes of the operands, which determine the extents of the dims
};

/// Reads a perfect nest of affine.for as one operation. The first "affine.for" is already consumed.
void read_affine_nest(Lexer& lexer, const Token& token, MlirValues& values);

}  // namespace nestor::io
