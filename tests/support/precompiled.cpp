// Translation unit of the precompiled headers in tests/CMakeLists.txt, which all tests share.
