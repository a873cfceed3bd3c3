/* Maps networks on the device itself and prints the mappings. On a desktop (without NESTOR_DEVICE) it prints
 * the same lines, but for those that begin with "#": what the device itself has to say. The status says
 * whether the stack stayed small, and, unless MAY_FALL_SHORT, whether every layer was proved. */
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

#ifndef MOST_STACK
#define MOST_STACK 4096
#endif

static uint64_t most_instructions, all_instructions;
static size_t most_bytes;

static void put_figure(const char* name, uint64_t figure) {
  put_text("# ");
  put_text(name);
  put_text(" ");
  report_number(put_text, (int64_t)figure);
  put_text("\n");
}

/* Maps a layer and prints it; 1 if it is not proved. */
static int map_layer(const network* from, const named_layer* layer) {
  static nestor_mapping mapping; /* too large for a small stack */
  nestor_problem* problem = NULL;
  start_count();
  nestor_status status =
      nestor_create(&problem, arena, arena_bytes, from->machine, &layer->layer, &from->options);
  while (status == NESTOR_RUNNING) status = nestor_step(problem, 64);
  const uint64_t instructions = instructions_since_start();
  const int found = nestor_get_mapping(problem, &mapping) == NESTOR_RUNNING;
  report_layer(put_text, layer->name, nestor_status_text(status), found ? &mapping : NULL,
               found ? (int64_t)nestor_cost(problem) : 0, nestor_nodes(problem));
  all_instructions += instructions;
  if (instructions > most_instructions) most_instructions = instructions;
  if (nestor_peak_bytes(problem) > most_bytes) most_bytes = nestor_peak_bytes(problem);
  return status != NESTOR_OPTIMAL;
}

int main(void) {
  int failures = 0;
  for (unsigned n = 0; n < network_count; ++n) {
    put_text("network ");
    put_text(networks[n].name);
    put_text("\n");
    for (unsigned i = 0; i < networks[n].layer_count; ++i)
      failures += map_layer(&networks[n], &networks[n].layers[i]);
  }
  put_figure("instructions of the longest layer", most_instructions);
  put_figure("instructions of all layers", all_instructions);
  put_figure("bytes of the arena in use", most_bytes);
  put_figure("bytes of state", nestor_arena_bytes(0));
  put_figure("bytes of stack", stack_bytes_used());
#if defined(MAY_FALL_SHORT)
  failures = 0;
#endif
  return failures == 0 && stack_bytes_used() <= MOST_STACK ? 0 : 1;
}
