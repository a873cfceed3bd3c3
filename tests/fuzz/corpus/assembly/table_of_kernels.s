	.text
	.section	.text.main,"ax",@progbits
	.globl	main
main:
	sd r22, 8, d22
	add r22, r22, 16
	move r0, DPU_INPUT_ARGUMENTS
	lw r0, r0, 8
	move r1, kernels
	lsl_add r0, r1, r0, 2
	lw r0, r0, 0
	call r23, r0
	ld d22, r22, -8
	jump r23
	.section	.text.main_kernel1,"ax",@progbits
main_kernel1:
	sd r22, 24, d22
	add r22, r22, 32
	sd r22, -16, d14
	sd r22, -24, d16
	move r14, id, nz, .LBB1_2
	call r23, mem_reset
.LBB1_2:
	move r0, my_barrier
	call r23, barrier_wait
	move r0, 1024
	call r23, mem_alloc
	move r15, r0
	move r0, 1024
	call r23, mem_alloc
	move r16, r0
	lw r2, zero, DPU_INPUT_ARGUMENTS
	move r0, DPU_INPUT_ARGUMENTS
	lw r3, r0, 4
	lsl r4, r14, 10
	jleu r2, r4, .LBB1_9
	move r5, __sys_used_mram_end
	add r6, r3, r5
.LBB1_4:
	add r7, r4, 1024
	move r8, 1024
	jltu r7, r2, .LBB1_6
	sub r8, r2, r4
.LBB1_6:
	add r9, r8, -1
	lsr r9, r9, 3
	add r10, r5, r4
	lsl_add r11, r15, r9, 24
	ldma r11, r10, 0
	add r12, r6, r4
	lsl_add r11, r16, r9, 24
	ldma r11, r12, 0
	lsr r8, r8, 2
	move r7, 0
	jeq r8, 0, .LBB1_8
.LBB1_7:
	lsl_add r0, r15, r7, 2
	lw r1, r0, 0
	lsl_add r0, r16, r7, 2
	lw r13, r0, 0
	add r1, r13, r1
	add r7, r7, 1
	sw r0, 0, r1
	jneq r8, r7, .LBB1_7
.LBB1_8:
	lsl_add r11, r16, r9, 24
	sdma r11, r12, 0
	add r4, r4, 16384
	jltu r4, r2, .LBB1_4
.LBB1_9:
	move r0, 0
	ld d16, r22, -24
	ld d14, r22, -16
	ld d22, r22, -8
	jump r23

	.type	kernels,@object
	.section	.data.kernels,"aw",@progbits
	.globl	kernels
	.p2align	2
kernels:
	.long	main_kernel1
	.size	kernels, 4
