// Uses one header of each kind of room, so that linking needs the private dependencies of the static
// libraries.
#include <cstdio>

#include "model/loopnest/mapping.h"
#include "report/tables/table.h"
#include "solver/engine/executor.h"

int main() {
  int calls = 0;
  nestor::make_executor(nestor::ExecutorKind::serial, 1)->run(3, [&](std::size_t) { ++calls; });
  nestor::io::Table table({{"what"}, {"count"}});
  table.add_row({"tasks", std::to_string(calls)});
  table.add_row({"loops of an empty mapping", std::to_string(nestor::Mapping{}.loops.size())});
  std::fputs(table.to_string().c_str(), stdout);
  return calls == 3 ? 0 : 1;
}
