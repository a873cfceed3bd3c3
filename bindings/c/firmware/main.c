/* SPDX-License-Identifier: Apache-2.0 */
/* Maps networks on the device itself and prints the mappings. On a desktop (without NESTOR_DEVICE), it prints
 * the same lines, but the figures in lines that begin with "#" are only meaningful on the device. The exit
 * status is 0 if no call used more than MOST_STACK bytes of stack and, unless MAY_FALL_SHORT is set, every
 * layer was proved. */
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
static void paint_stack(void) {}
static size_t stack_bytes_used(void) { return 0; }
#endif

#ifndef MOST_STACK
#define MOST_STACK 4096
#endif
#ifndef STEP_WORK
#define STEP_WORK 1000 /* units of work per step */
#endif

static uint64_t longest_layer, longest_create, longest_step, all_instructions, all_steps;
static size_t most_bytes;
/* Largest stack use of each call. */
static size_t workspace_stack, create_stack, step_stack, mapping_stack, evaluate_stack;

static void put_figure(const char* name, uint64_t figure) {
  put_text("# ");
  put_text(name);
  put_text(" ");
  report_number(put_text, (int64_t)figure);
  put_text("\n");
}

static void raise_to(uint64_t figure, uint64_t* most) {
  if (figure > *most) *most = figure;
}
static void note_stack(size_t* most) {
  const size_t used = stack_bytes_used();
  if (used > *most) *most = used;
}

/* Maps a layer and prints its mapping. Returns 1 if the mapping is not proved optimal, otherwise 0. */
static int map_layer(const network* from, const named_layer* layer) {
  static nestor_mapping mapping; /* too large for a small stack */
  static nestor_evaluation evaluation;
  nestor_problem* problem = NULL;
  uint64_t instructions = 0;
  paint_stack();
  nestor_workspace_bytes(from->machine, &layer->layer);
  note_stack(&workspace_stack);

  paint_stack();
  start_count();
  nestor_status status =
      nestor_create(&problem, arena, arena_bytes, from->machine, &layer->layer, &from->options);
  instructions = instructions_since_start();
  raise_to(instructions, &longest_create);
  note_stack(&create_stack);

  paint_stack();
  while (status == NESTOR_RUNNING) {
    start_count();
    status = nestor_step(problem, STEP_WORK);
    const uint64_t step = instructions_since_start();
    raise_to(step, &longest_step);
    instructions += step;
    ++all_steps;
  }
  note_stack(&step_stack);

  paint_stack();
  const int found = nestor_get_mapping(problem, &mapping) == NESTOR_RUNNING;
  note_stack(&mapping_stack);
  paint_stack();
  const int same = !found || (nestor_evaluate(problem, &mapping, &evaluation) == NESTOR_RUNNING &&
                              evaluation.cost == nestor_cost(problem));
  note_stack(&evaluate_stack);
  report_layer(put_text, layer->name, same ? nestor_status_text(status) : "evaluated otherwise",
               found ? &mapping : NULL, found ? report_cost(nestor_cost(problem)) : 0, nestor_nodes(problem));
  all_instructions += instructions;
  raise_to(instructions, &longest_layer);
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
  put_figure("instructions of the longest layer", longest_layer);
  put_figure("instructions of all layers", all_instructions);
  put_figure("instructions of the longest create", longest_create);
  put_figure("instructions of the longest step", longest_step);
  put_figure("steps", all_steps);
  put_figure("bytes of the arena in use", most_bytes);
  put_figure("bytes of state", nestor_arena_bytes(0));
  put_figure("stack of nestor_workspace_bytes", workspace_stack);
  put_figure("stack of nestor_create", create_stack);
  put_figure("stack of nestor_step", step_stack);
  put_figure("stack of nestor_get_mapping", mapping_stack);
  put_figure("stack of nestor_evaluate", evaluate_stack);
#if defined(MAY_FALL_SHORT)
  failures = 0;
#endif
  return failures == 0 && workspace_stack <= MOST_STACK && create_stack <= MOST_STACK &&
                 step_stack <= MOST_STACK && mapping_stack <= MOST_STACK && evaluate_stack <= MOST_STACK
             ? 0
             : 1;
}
