module top(x0, x1, \c[0] , y0, y1);
  input x0, x1, \c[0] ;
  output y0, y1;
  wire n4;
  assign n4 = ( x0 & ~x1 ) | ( x0 & \c[0] ) | ( ~x1 & \c[0] );
  assign y0 = x0 ^ x1 ^ \c[0] ;
  assign y1 = ~n4;
endmodule
