# SPDX-License-Identifier: Apache-2.0
# Installation, find_package(nestor), nestor.pc and CPack. The installed parts are programs and two libraries;
# their headers are in C, with C++ headers on top. The modules of the tree are not part of the interface.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Compresses a file as Debian requires. The output is reproducible.
function(nestor_install_compressed source name destination component)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
  execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/${source} OUTPUT_FILE ${PROJECT_BINARY_DIR}/packaging/${name}.gz
                  COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/${name}.gz DESTINATION ${destination} COMPONENT ${component})
endfunction()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
install(TARGETS nestor_tool nestor-check RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS nestor_shared nestor_run EXPORT nestor-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nestor)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(FILES bindings/c/nestor.h bindings/c/nestor_files.h bindings/c/nestor.hpp bindings/c/nestor_cnm.hpp
              bindings/run/nestor_run.h bindings/run/nestor_run.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(library nestor nestor_run)
  configure_file(cmake/nestor.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/nestor.pc ${PROJECT_BINARY_DIR}/nestor_run.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The single-file solver for firmware, with the example of the guide.
install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/amalgamate.sh ${PROJECT_BINARY_DIR}/embedded
                              COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)" COMPONENT dev)
install(FILES ${PROJECT_BINARY_DIR}/embedded/nestor.cpp ${PROJECT_BINARY_DIR}/embedded/nestor.h bindings/c/example.c
        DESTINATION ${CMAKE_INSTALL_DATADIR}/nestor/embedded)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME doc)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs PATTERN man EXCLUDE)
install(FILES bindings/c/example.c bindings/c/files_example.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
# Files that the pages link to keep their paths relative to the pages.
install(FILES ARCHITECTURE.md CITATION.cff CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES bench/embedded_quality.svg bench/gap_over_time.svg bench/simd_scale.svg
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(DIRECTORY data/schema DESTINATION ${CMAKE_INSTALL_DOCDIR}/data)
install(FILES tests/consumer/map.c tests/consumer/map.cpp tests/consumer/estimate.c tests/consumer/estimate.cpp
              tests/consumer/verbs.cpp DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/consumer)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(EXPORT nestor-targets NAMESPACE nestor:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nestor)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/nestor-config.cmake.in
  ${PROJECT_BINARY_DIR}/nestor-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nestor)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nestor-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nestor-config.cmake ${PROJECT_BINARY_DIR}/nestor-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nestor)

# Packages: nestor (programs, library, data), nestor-dev and nestor-doc. One archive contains everything.
set(packages_runtime nestor)
set(packages_dev nestor-dev)
set(packages_doc nestor-doc)
foreach(component runtime dev doc)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${packages_${component}})
  install(FILES cmake/debian/copyright DESTINATION ${folder} COMPONENT ${component})
  nestor_install_compressed(CHANGELOG.md changelog ${folder} ${component})
  nestor_install_compressed(cmake/debian/changelog changelog.Debian ${folder} ${component})
endforeach()
foreach(page nestor nestor-check)
  nestor_install_compressed(docs/man/${page}.1 ${page}.1 ${CMAKE_INSTALL_DATADIR}/man/man1 runtime)
endforeach()
# Man pages of verbs and completions are printed by the tool, so a cross build installs none.
if(NOT CMAKE_CROSSCOMPILING)
  install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/generated-pages.sh $<TARGET_FILE:nestor_tool>
                                        ${PROJECT_BINARY_DIR}/generated COMMAND_ERROR_IS_FATAL ANY)" COMPONENT runtime)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT runtime)
endif()

set(CPACK_PACKAGE_NAME nestor)
set(CPACK_PACKAGE_VENDOR "The Nestor authors")
set(CPACK_PACKAGE_CONTACT "The Nestor authors <nestor@example.com>")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL runtime dev doc)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME nestor)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# Debian requires a trigger for ldconfig; by default, CPack would add scripts that call it.
file(WRITE ${PROJECT_BINARY_DIR}/packaging/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packaging/triggers)
# The first line of each description is its synopsis. A summary of all packages would precede it.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}
One branch-and-bound engine for five mapping spaces, a program, and shared
libraries for C and C++.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME nestor-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "nestor (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_DEV_DESCRIPTION "${PROJECT_DESCRIPTION} (development)
Headers of the shared libraries, their CMake package and pkg-config file, and the
single-file solver for firmware.")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME nestor-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_DESCRIPTION "${PROJECT_DESCRIPTION} (documentation)
Guides, formats, models and examples.")
include(CPack)
