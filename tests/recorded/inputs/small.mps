* seed
NAME small
OBJSENSE
    MAX
ROWS
 N profit
 L wood
 G orders
 E balance
COLUMNS
 table profit 30 wood 4
 table orders 1
 M1 'MARKER' 'INTORG'
 chair profit 12.5 wood 1.5
 chair balance 1
 M2 'MARKER' 'INTEND'
 stock balance -1
RHS
 RHS wood 120 orders 2
 RHS profit -7
RANGES
 RNG wood 100
BOUNDS
 UP BND table 25
 MI BND stock
ENDATA
