# SPDX-License-Identifier: Apache-2.0
# Compiler settings that all modules share.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(NESTOR_CCACHE ccache)
if(NESTOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are relative to the root, so that one checkout can reuse the compilations of another.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    ${NESTOR_CCACHE})
endif()

# Searches and models have a higher optimisation level than code that reads and writes files
# (NestorModule.cmake).
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(nestor_flags INTERFACE)
# -ffp-contract=off makes results identical on every target, since the compiler then fuses no multiply-add operations.
# In a unity batch, a file's names and types may shadow those in another file's anonymous namespace. What compiles in a
# batch must compile alone, so that only local names that shadow each other cause warnings.
set(cxx $<COMPILE_LANGUAGE:CXX>)
set(gnu $<CXX_COMPILER_ID:GNU>)
target_compile_options(nestor_flags INTERFACE
  -Wall -Wextra -Wpedantic $<${gnu}:-Wshadow=local> -Wconversion -Wsign-conversion
  $<${cxx}:-Wnon-virtual-dtor> $<${cxx}:-Wold-style-cast> $<$<BOOL:${NESTOR_WERROR}>:-Werror> -ffp-contract=off
  $<$<AND:${cxx},${gnu},$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>)
# A compilation that never collects garbage takes 10 % less time, and up to 1.5 GB of memory for a batch.
target_compile_options(nestor_flags INTERFACE $<${gnu}:--param=ggc-min-heapsize=2000000>)
# g++ 12 warns of overlapping copies in std::string that do not exist (GCC bug 105651, fixed in 13).
set(old_gnu $<AND:${gnu},$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>)
target_compile_options(nestor_flags INTERFACE $<$<AND:${cxx},${old_gnu}>:-Wno-restrict>)
if(NESTOR_FUZZ)
  # The fuzzer needs coverage of every module, but only the fuzz targets link its main().
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(NESTOR_SANITIZE)
  # Halves the compile time of -O2 -g; reports still have source positions. -O0 halves it again for
  # fuzz targets.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  if(NESTOR_FUZZ)
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O0 -g1")
  endif()
  add_compile_options(-fsanitize=${NESTOR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${NESTOR_SANITIZE})
endif()
