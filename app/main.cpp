// Entry point of the tool: its command line (app/command_line) with all shipped spaces (app/spaces).
#include "app/command_line.h"
#include "app/console.h"
#include "built_from.h"

int main(int count, char** arguments) {
  nestor::app::prepare_streams();
  return nestor::app::run_tool({arguments, static_cast<std::size_t>(count)}, nestor::app::shipped_spaces(),
                               {NESTOR_COMMIT, NESTOR_COMPILER, NESTOR_PACKAGES});
}
