.outer:
	move r0, -1
	lsr_add r0, r0, r18, 3
	ldma r1, r15, 0
	move r20, 10
.inner:
	lw r2, r18, 0
	add r18, r18, 4
	add r20, r20, -1, nz, .inner
	add r21, r21, 1
	jltu r21, r7, .outer
