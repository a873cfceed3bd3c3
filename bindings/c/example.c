/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps one convolution onto a small machine and prints the result: a complete example of the C API.
 *     cc -c example.c && c++ -std=c++20 -fno-exceptions -fno-rtti -c nestor.cpp && c++ example.o nestor.o */
#include <stdio.h>

#include "nestor.h"

static const char* const names[] = {"flash", "sram", "input registers", "output registers", "macro"};

#define BIT(n) (1U << (n))

/* From the outermost memory inward; the macro and the register files are above the two axes of the array. */
static const nestor_memory memories[] = {
    {.operands = BIT(NESTOR_INPUT) | BIT(NESTOR_WEIGHT) | BIT(NESTOR_OUTPUT), .bandwidth = 32},
    {.operands = BIT(NESTOR_INPUT) | BIT(NESTOR_WEIGHT) | BIT(NESTOR_OUTPUT),
     .double_buffer = 1,
     .capacity = 64 * 1024 * 8,
     .bandwidth = 64},
    {.operands = BIT(NESTOR_INPUT), .double_buffer = 1, .capacity = 512, .bandwidth = 128},
    {.operands = BIT(NESTOR_OUTPUT), .capacity = 512, .bandwidth = 128},
    {.operands = BIT(NESTOR_WEIGHT), .capacity = 8192, .bandwidth = 64},
};
static const nestor_axis axes[] = {
    {.dims = BIT(NESTOR_C) | BIT(NESTOR_R) | BIT(NESTOR_S), .size = 64},
    {.dims = BIT(NESTOR_K), .size = 16},
};
static const nestor_machine machine = {
    .memories = memories, .axes = axes, .memory_count = 5, .axis_count = 2, .mvm_cycles = 8};
static const nestor_layer layer = {.bounds = {1, 32, 32, 16, 16, 3, 3},
                                   .stride = {1, 1},
                                   .dilation = {1, 1},
                                   .input_bits = 8,
                                   .weight_bits = 8,
                                   .output_bits = 8,
                                   .partial_sum_bits = 32};

static unsigned char arena[96 * 1024];
static nestor_mapping mapping;

int main(void) {
  nestor_problem* problem = NULL;
  nestor_evaluation evaluation;
  nestor_status status = nestor_create(&problem, arena, sizeof arena, &machine, &layer, NULL);
  if (problem == NULL) {
    const char* fault = nestor_fault(&machine, &layer, NULL, NULL);
    printf("%s: %s\n", nestor_status_text(status), fault != NULL ? fault : "no argument is at fault");
    return 1;
  }
  while (status == NESTOR_RUNNING) status = nestor_step(problem, 1000); /* other work can run between steps */
  printf("%s\n", nestor_status_text(status));
  if (nestor_get_mapping(problem, &mapping) != NESTOR_RUNNING ||
      nestor_evaluate(problem, &mapping, &evaluation) != NESTOR_RUNNING)
    return 1;

  printf("%" NESTOR_PRIVALUE " cycles, no mapping takes fewer than %" NESTOR_PRIVALUE "; %" PRIu64
         " nodes, %lu bytes\n",
         nestor_cost(problem), nestor_bound(problem), nestor_nodes(problem),
         (unsigned long)nestor_peak_bytes(problem));
  printf("evaluated: %" PRId64 " cycles\n", evaluation.latency_cycles);
  for (uint32_t i = 0; i < mapping.loop_count; ++i)
    printf("for %c in 0..%" PRId64 ": I in %s, W in %s, O in %s\n", "NKCPQRSG"[mapping.loops[i].dim],
           mapping.loops[i].factor - 1, names[mapping.loops[i].at[NESTOR_INPUT]],
           names[mapping.loops[i].at[NESTOR_WEIGHT]], names[mapping.loops[i].at[NESTOR_OUTPUT]]);
  return status == NESTOR_OPTIMAL ? 0 : 1;
}
