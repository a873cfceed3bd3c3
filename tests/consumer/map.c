/* Maps every layer of a network and prints the nests: map [MACHINE [NETWORK]]. */
#include <nestor_files.h>
#include <stdio.h>
#include <stdlib.h>

static void print_nest(const nestor_task* task, const nestor_mapping* mapping) {
  for (uint32_t i = 0; i < mapping->loop_count; ++i) {
    const nestor_loop* loop = &mapping->loops[i];
    printf("  for %c in 0..%" PRId64 ": I in %s, W in %s, O in %s\n", "NKCPQRS"[loop->dim], loop->factor - 1,
           nestor_task_memory_name(task, loop->at[NESTOR_INPUT]),
           nestor_task_memory_name(task, loop->at[NESTOR_WEIGHT]),
           nestor_task_memory_name(task, loop->at[NESTOR_OUTPUT]));
  }
}

int main(int argc, char** argv) {
  static nestor_mapping mapping;
  nestor_task* task = NULL;
  char message[512];
  if (nestor_open(&task, argc > 1 ? argv[1] : "miredo-default", argc > 2 ? argv[2] : "resnet18", message,
                  sizeof message) != NESTOR_RUNNING)
    return fprintf(stderr, "%s\n", message), 3;
  for (size_t i = 0; i < nestor_task_layer_count(task); ++i) {
    const nestor_machine* machine = nestor_task_machine(task);
    const nestor_layer* layer = nestor_task_layer(task, i);
    const size_t bytes = nestor_arena_bytes(nestor_workspace_bytes(machine, layer));
    void* arena = malloc(bytes);
    nestor_problem* problem = NULL;
    nestor_status status = nestor_create(&problem, arena, bytes, machine, layer, NULL);
    if (status == NESTOR_RUNNING) status = nestor_solve(problem);
    printf("%s: %s, %" NESTOR_PRIVALUE " cycles\n", nestor_task_layer_name(task, i), nestor_status_text(status),
           nestor_cost(problem));
    if (nestor_get_mapping(problem, &mapping) == NESTOR_RUNNING) print_nest(task, &mapping);
    free(arena);
  }
  nestor_close(task);
  return 0;
}
