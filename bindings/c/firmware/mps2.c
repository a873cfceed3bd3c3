/* SPDX-License-Identifier: Apache-2.0 */
/* Implements board.h for Arm's MPS2 boards as emulated by qemu-system-arm: output by semihosting, and time
 * from a CMSDK timer. */
#include "board.h"

/* Numbers from Arm's semihosting specification. */
enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static void call(uint32_t operation, const void* argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void put_text(const char* text) { call(SYS_WRITE0, text); }

void leave(int status) {
  const uint32_t block[2] = {APPLICATION_EXIT, (uint32_t)status};
  call(SYS_EXIT_EXTENDED, block);
  for (;;) {
  }
}

/* Timer 0 counts down at 25 MHz. */
struct timer {
  volatile uint32_t control, value, reload;
};
#define TIMER ((struct timer*)0x40000000)

void start_count(void) {
  TIMER->control = 0;
  TIMER->reload = UINT32_MAX;
  TIMER->value = UINT32_MAX;
  TIMER->control = 1;
}

uint64_t instructions_since_start(void) { return (uint64_t)(UINT32_MAX - TIMER->value) * 40; }
