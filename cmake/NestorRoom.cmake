# SPDX-License-Identifier: Apache-2.0
# nestor_room(<path> [SOURCES ...] [USES <room path> ...] [LIBRARIES <target> ...]
#             [PRIVATE_LIBRARIES <target> ...] [EMBEDDED] [INTERNAL])
#
# One library per room, named after its path: solver/search -> nestor_solver_search, nestor::solver_search.
# The include path of a room is a folder of its own that holds one link to the room's sources, so
# `#include "io/error.h"` compiles only in rooms that list io under USES: the arrows of
# ARCHITECTURE.md are link dependencies. EMBEDDED rooms build without exceptions and RTTI, and are the only
# ones that a build of the embedded core sees. INTERNAL rooms are not installed. Each header of a room is compiled on its own, so that it needs
# no other included before it.
function(nestor_room path)
  cmake_parse_arguments(ROOM "EMBEDDED;INTERNAL" "" "SOURCES;ALONE;USES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  if(NESTOR_EMBEDDED_ONLY AND NOT ROOM_EMBEDDED)
    return()
  endif()
  string(REPLACE "/" "_" name ${path})
  set(link ${PROJECT_BINARY_DIR}/rooms/${name}/${path})
  get_filename_component(folder ${link} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path} ${link} SYMBOLIC)

  set(uses "")
  foreach(used IN LISTS ROOM_USES)
    string(REPLACE "/" "_" used_name ${used})
    list(APPEND uses nestor_${used_name})
  endforeach()

  if(ROOM_SOURCES)
    add_library(nestor_${name} STATIC ${ROOM_SOURCES} ${ROOM_ALONE})
    set_source_files_properties(${ROOM_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set(scope PUBLIC)
    target_link_libraries(nestor_${name} PRIVATE $<BUILD_INTERFACE:nestor_flags> ${ROOM_PRIVATE_LIBRARIES})
    if(ROOM_EMBEDDED)
      target_compile_options(nestor_${name} PRIVATE -fno-exceptions -fno-rtti)
    endif()
  else()
    add_library(nestor_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(nestor_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/rooms/${name}> $<INSTALL_INTERFACE:include/nestor>)
  target_compile_features(nestor_${name} ${scope} cxx_std_20)
  target_link_libraries(nestor_${name} ${scope} ${uses} ${ROOM_LIBRARIES})
  set_target_properties(nestor_${name} PROPERTIES EXPORT_NAME ${name})
  add_library(nestor::${name} ALIAS nestor_${name})
  if(NOT ROOM_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY NESTOR_ROOMS nestor_${name})
    set_property(GLOBAL APPEND PROPERTY NESTOR_ROOM_PATHS ${path})
  endif()
  if(NESTOR_HEADER_CHECK)
    nestor_compile_headers(${path} ${name} "${ROOM_EMBEDDED}")
  endif()
endfunction()

# One translation unit per header of the room, compiled with what the room itself can see.
function(nestor_compile_headers path name embedded)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${path}/*.h)
  set(units "")
  foreach(header IN LISTS headers)
    set(unit ${PROJECT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND units ${unit})
  endforeach()
  if(units)
    add_library(nestor_headers_${name} OBJECT ${units})
    set_target_properties(nestor_headers_${name} PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(nestor_headers_${name} PRIVATE nestor_flags nestor_${name})
    if(embedded)
      target_compile_options(nestor_headers_${name} PRIVATE -fno-exceptions -fno-rtti)
    endif()
  endif()
endfunction()
