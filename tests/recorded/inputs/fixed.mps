NAME          FIXED
ROWS
 N  COST
 G  NEED ONE
COLUMNS
    COL A     COST               2.0   NEED ONE           1.0
    COL B     NEED ONE           4.0
RHS
    RHS       NEED ONE           8.0
BOUNDS
 UP BND       COL B              1.5
ENDATA
