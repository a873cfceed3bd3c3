# Installation, find_package(nestor) and CPack.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY NESTOR_ROOMS)
get_property(paths GLOBAL PROPERTY NESTOR_ROOM_PATHS)
install(TARGETS ${rooms} EXPORT nestor-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(path IN LISTS paths)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${path}/ DESTINATION include/nestor/${path}
          FILES_MATCHING PATTERN "*.h")
endforeach()
install(TARGETS nestor_tool nestor-check RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS nestor_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/nestor.h ${PROJECT_SOURCE_DIR}/bindings/c/nestor_files.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nestor OPTIONAL)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT nestor-targets NAMESPACE nestor:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nestor)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/nestor-config.cmake.in
  ${PROJECT_BINARY_DIR}/nestor-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nestor)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nestor-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nestor-config.cmake ${PROJECT_BINARY_DIR}/nestor-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nestor)

set(CPACK_PACKAGE_NAME nestor)
set(CPACK_PACKAGE_VENDOR "The Nestor authors")
set(CPACK_PACKAGE_CONTACT "The Nestor authors <nestor@nestor.invalid>")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
