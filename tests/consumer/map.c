/* SPDX-License-Identifier: Apache-2.0 */
/* Maps every layer of a network and prints the loop nests. Usage: map [MACHINE [NETWORK]] */
#include <nestor_files.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  static nestor_mapping mapping;
  nestor_task* task = NULL;
  char text[8192];
  if (nestor_open(&task, argc > 1 ? argv[1] : "miredo-default", argc > 2 ? argv[2] : "resnet18", text,
                  sizeof text) != NESTOR_RUNNING)
    return fprintf(stderr, "%s\n", text), 3;
  const nestor_machine* machine = nestor_task_machine(task);
  for (size_t i = 0; i < nestor_task_layer_count(task); ++i) {
    const nestor_layer* layer = nestor_task_layer(task, i);
    const size_t bytes = nestor_arena_bytes(nestor_workspace_bytes(machine, layer));
    void* arena = malloc(bytes);
    nestor_problem* problem = NULL;
    nestor_status status = nestor_create(&problem, arena, bytes, machine, layer, NULL);
    if (status == NESTOR_RUNNING) status = nestor_solve(problem);
    printf("%s: %s, %" NESTOR_PRIVALUE " cycles\n", nestor_task_layer_name(task, i),
           nestor_status_text(status), nestor_cost(problem));
    if (nestor_get_mapping(problem, &mapping) == NESTOR_RUNNING &&
        nestor_nest_text(task, &mapping, text, sizeof text) > 0)
      fputs(text, stdout);
    free(arena);
  }
  nestor_close(task);
}
