	move r0, 0
.outer:
	move r1, 0
.inner:
	add r1, r1, 1
	jleu r1, r0, .inner
	add r0, r0, 1
	jneq r0, 10, .outer
