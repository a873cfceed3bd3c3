module comparator(a0, a1, b0, b1, lt, eq, gt);
  input a0, a1, b0, b1;
  output lt, eq, gt;
  wire n5, n6, n7, n8, n9;
  assign n5 = ~a0 & b0;
  assign n6 = (~a1 & b1) | (~a1 & n5) | (b1 & n5);
  assign n7 = a0 & ~b0;
  assign n8 = (a1 & ~b1) | (a1 & n7) | (~b1 & n7);
  assign n9 = n6 | n8;
  assign lt = n6;
  assign eq = ~n9;
  assign gt = n8;
endmodule
