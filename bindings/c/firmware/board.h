/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that a board must provide to the firmware: text output, program exit, stack use, and a count of
 * instructions. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

void put_text(const char* text);
_Noreturn void leave(int status);
/* Fills the free part of the stack with a pattern, so that later use can be measured. */
void paint_stack(void);
/* Returns the number of stack bytes used since paint_stack() was called, below the frame of that call. */
size_t stack_bytes_used(void);
void start_count(void);
/* Returns the number of instructions since start_count(). Under qemu -icount shift=0, where an instruction
 * takes one nanosecond, its resolution is 40 instructions. */
uint64_t instructions_since_start(void);

#endif
