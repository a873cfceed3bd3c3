module adder(a, b, cin, sum, cout);
  input a, b, cin;
  output sum, cout;
  wire both;
  assign sum = a ^ b ^ cin;
  assign both = a & b;
  assign cout = both | (cin & (a ^ b));
endmodule
