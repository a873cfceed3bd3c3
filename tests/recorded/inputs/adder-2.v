module adder(a0, a1, b0, b1, s0, s1, s2);
  input a0, a1, b0, b1;
  output s0, s1, s2;
  wire n5, n6, n7, n8;
  assign n5 = a0 ^ b0 ^ 1'b0;
  assign n6 = a0 & b0;
  assign n7 = a1 ^ b1 ^ n6;
  assign n8 = (a1 & b1) | (a1 & n6) | (b1 & n6);
  assign s0 = n5;
  assign s1 = n7;
  assign s2 = n8;
endmodule
