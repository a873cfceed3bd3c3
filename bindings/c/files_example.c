/* SPDX-License-Identifier: Apache-2.0 */
/* Maps a network file onto an architecture file, each layer in 256 KiB, and writes the mappings.
 *     files_example ARCHITECTURE LAYERS MAPPINGS.json */
#include <stdio.h>

#include "nestor_files.h"

static unsigned char arena[256 * 1024];
static nestor_mapping mapping;

int main(int argc, char** argv) {
  char message[256] = "";
  nestor_task* task = NULL;
  if (argc != 4) {
    fputs("usage: files_example ARCHITECTURE LAYERS MAPPINGS.json\n", stderr);
    return 2;
  }
  if (nestor_open(&task, argv[1], argv[2], message, sizeof message) != NESTOR_RUNNING) {
    fprintf(stderr, "%s\n", message);
    return 3;
  }
  for (size_t i = 0; i < nestor_task_layer_count(task); ++i) {
    nestor_problem* problem = NULL;
    nestor_status status = nestor_create(&problem, arena, sizeof arena, nestor_task_machine(task),
                                         nestor_task_layer(task, i), NULL);
    if (status == NESTOR_RUNNING) status = nestor_solve(problem);
    printf("%s: %s", nestor_task_layer_name(task, i), nestor_status_text(status));
    if (nestor_get_mapping(problem, &mapping) == NESTOR_RUNNING) {
      printf(", %.0f cycles", nestor_cost(problem));
      nestor_keep_mapping(task, i, &mapping);
    }
    printf("\n");
  }
  const nestor_status written = nestor_write_mappings(task, argv[3], message, sizeof message);
  if (written != NESTOR_RUNNING)
    fprintf(stderr, "%s\n", message[0] == '\0' ? nestor_status_text(written) : message);
  nestor_close(task);
  return written == NESTOR_RUNNING ? 0 : 1;
}
