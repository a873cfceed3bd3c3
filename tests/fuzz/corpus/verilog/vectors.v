// vectors
module v(input [3:0] a, input wire [0:1] b, output [3:0] y);
  (* keep *) wire [1:0] t = a[1:0] & ~b; /* part */
  assign y[1:0] = t ~^ {b[0], 1'b1}, y[3:2] = 2'h2 | a[3:2];
endmodule
