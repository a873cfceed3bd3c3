/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the firmware requires of a board: text output, the end of the program, stack use, and a
 * count of instructions. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

void put_text(const char* text);
_Noreturn void leave(int status);
/* Fills the free part of the stack with a pattern, so that later use can be measured. */
void paint_stack(void);
/* Returns the stack use since then, below the caller of paint_stack(). */
size_t stack_bytes_used(void);
void start_count(void);
/* Returns the instructions since start_count(). They are exact to 40 under qemu -icount shift=0, where an
 * instruction takes a nanosecond. */
uint64_t instructions_since_start(void);

#endif
