/* Maps MLPerf Tiny's networks on the device itself and prints the mappings; the status says whether all were
 * proved and the stack stayed small. On a desktop (without NESTOR_DEVICE) it prints the same lines, but for those
 * that begin with "#": what the device itself has to say. */
#include "nestor.h"
#include "report.h"
#include "tables.h"

#if defined(NESTOR_DEVICE)
#include "board.h"
#else
#include <stdio.h>
static void put_text(const char* text) { fputs(text, stdout); }
static void start_count(void) {}
static uint64_t instructions_since_start(void) { return 0; }
static size_t stack_bytes_used(void) { return 0; }
#endif

#ifndef WORKSPACE_BYTES
#define WORKSPACE_BYTES (48 * 1024)
#endif
#ifndef STATE_BYTES
#define STATE_BYTES (32 * 1024)
#endif

static unsigned char arena[STATE_BYTES + WORKSPACE_BYTES];

static void put_figure(const char* name, uint64_t figure) {
  put_text("# ");
  put_text(name);
  put_text(" ");
  report_number(put_text, (int64_t)figure);
  put_text("\n");
}

int main(void) {
  static const nestor_options options = {.workspace_bytes = WORKSPACE_BYTES};
  int failures = 0;
  uint64_t most_instructions = 0;
  size_t most_bytes = 0;
  for (unsigned n = 0; n < network_count; ++n) {
    put_text("network ");
    put_text(networks[n].name);
    put_text("\n");
    for (unsigned i = 0; i < networks[n].layer_count; ++i) {
      nestor_problem* problem = NULL;
      start_count();
      nestor_status status =
          nestor_create(&problem, arena, sizeof arena, &machine, &networks[n].layers[i].layer, &options);
      while (status == NESTOR_RUNNING) status = nestor_step(problem, 64);
      const uint64_t instructions = instructions_since_start();
      report_layer(put_text, networks[n].layers[i].name, problem, status);
      failures += status != NESTOR_OPTIMAL;
      if (instructions > most_instructions) most_instructions = instructions;
      if (nestor_peak_bytes(problem) > most_bytes) most_bytes = nestor_peak_bytes(problem);
    }
  }
  put_figure("instructions of the longest layer", most_instructions);
  put_figure("bytes of the arena in use", most_bytes);
  put_figure("bytes of state", nestor_arena_bytes(0));
  put_figure("bytes of stack", stack_bytes_used());
  failures += stack_bytes_used() > 4096;
  return failures == 0 ? 0 : 1;
}
