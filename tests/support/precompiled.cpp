// The unit that the headers of tests/CMakeLists.txt are precompiled for.
