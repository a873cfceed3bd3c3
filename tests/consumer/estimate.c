/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the time of a kernel under a mapping, as a compiler that compares mappings does.
 * Usage: estimate SYSTEM [MAPPING] */
#include <nestor_files.h>
#include <stdio.h>

static const char* const kernel =
    "func.func @sum(%a: tensor<65536xi32>, %b: tensor<65536xi32>, %c: tensor<65536xi32>) {\n"
    "  %r = linalg.add ins(%a, %b : tensor<65536xi32>, tensor<65536xi32>)\n"
    "                  outs(%c : tensor<65536xi32>) -> tensor<65536xi32>\n"
    "  return\n"
    "}\n";

int main(int argc, char** argv) {
  nestor_cnm_result result;
  char message[512] = "";
  const char* const mapping = argc > 2 ? argv[2] : "{(1),(64),(16),(64)} block (64)";
  const nestor_status status =
      nestor_cnm_estimate(kernel, argc > 1 ? argv[1] : "upmem", mapping, &result, message, sizeof message);
  if (status != NESTOR_RUNNING) {
    fprintf(stderr, "%s\n", message[0] == '\0' ? nestor_status_text(status) : message);
    return 3;
  }
  printf("%.6f ms, %.0f cycles, launch %.6f ms\n", result.time_ms, result.cycles, result.launch_ms);
  for (uint32_t i = 0; i < result.causes; ++i)
    printf("  %s %.1f %%\n", result.cause[i].name, 100 * result.cause[i].share);
  return 0;
}
