/* SPDX-License-Identifier: Apache-2.0 */
/* Startup code of a Cortex-M from reset to main(): vectors, memory initialisation, and a fill pattern to
 * measure the use of the stack. */
#include <stdint.h>

#include "board.h"

extern uint32_t data_begin[], data_end[], data_image[], bss_begin[], bss_end[], stack_begin[], stack_end[];
int main(void);

static const uint32_t paint = 0x5ac35ac3;
static uint32_t* painted_end;

/* Not inlined, so that the whole stack below its frame is unused. */
__attribute__((noinline)) void paint_stack(void) {
  uint32_t* here;
  __asm__ volatile("mov %0, sp" : "=r"(here));
  painted_end = here;
  for (uint32_t* word = stack_begin; word < here; ++word) *(volatile uint32_t*)word = paint;
}

size_t stack_bytes_used(void) {
  const volatile uint32_t* word = stack_begin;
  while (word < painted_end && *word == paint) ++word;
  return (size_t)(painted_end - (const uint32_t*)word) * sizeof *word;
}

static void fault(void) {
  put_text("fault\n");
  leave(3);
}

static void reset(void) {
  for (uint32_t *to = data_begin, *from = data_image; to < data_end;) *to++ = *from++;
  for (uint32_t* word = bss_begin; word < bss_end;) *word++ = 0;
#if defined(__ARM_FP)
  *(volatile uint32_t*)0xe000ed88 |= 0xfU << 20; /* turns the floating-point unit on */
  __asm__ volatile("dsb\nisb");
#endif
  leave(main());
}

struct vector_table {
  uint32_t* stack;
  void (*handlers[15])(void);
};
__attribute__((section(".vectors"), used)) static const struct vector_table vectors = {
    stack_end, {reset, fault, fault, fault, fault, fault}};
