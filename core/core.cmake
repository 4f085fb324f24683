# core: a library, usable without the rest of the tree: -DPOSISCOPE_APP=OFF builds and installs it alone, static unless
# -DBUILD_SHARED_LIBS=ON.
#   find_package(posiscope)   target_link_libraries(mine PRIVATE posiscope::core)   #include <posiscope/scene/scene.hpp>
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS core/*.cpp)
# The table of model families, as text in the library.
file(READ core/models/families.json families)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/families.cpp @ONLY CONTENT [[
#include <string_view>
namespace posiscope {
extern const std::string_view kFamilies;
const std::string_view kFamilies = R"json(@families@)json";
}
]])
list(APPEND core_sources ${PROJECT_BINARY_DIR}/families.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS core/models/families.json)
# One of the two systems' (core/os).
set(own_os posix)
set(other_os windows)
if(WIN32)
    set(own_os windows)
    set(other_os posix)
endif()
list(FILTER core_sources EXCLUDE REGEX "/core/os/${other_os}/")
add_library(posiscope_core ${core_sources})
add_library(posiscope::core ALIAS posiscope_core)
set_target_properties(posiscope_core PROPERTIES EXPORT_NAME core VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} WINDOWS_EXPORT_ALL_SYMBOLS ON)
target_compile_features(posiscope_core PUBLIC cxx_std_20)
target_include_directories(posiscope_core PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_link_libraries(posiscope_core PUBLIC nlohmann_json::nlohmann_json fmt::fmt tl::expected Threads::Threads
                      PRIVATE hwy::hwy $<BUILD_INTERFACE:posiscope_options> $<BUILD_INTERFACE:Eigen3::Eigen>)
# Contracting a·b + c would make results depend on the compiler.
target_compile_options(posiscope_core PRIVATE -ffp-contract=off
                       $<$<AND:$<CONFIG:Release>,$<NOT:$<PLATFORM_ID:Emscripten>>>:-O3>) # a page is small (app/web/web.cmake)
if(WIN32) # its own mbrtowc before the C library's (core/os/windows/characters.cpp)
    target_link_options(posiscope_core INTERFACE LINKER:--undefined=mbrtowc)
endif()
# The experiment's passes are compiled once for each set of instructions and the best one there is is taken at run time; this is the
# least of them. Vectors of unknown length cannot be members, so those of Arm and RISC-V are left out.
set(kernel_sources ${PROJECT_SOURCE_DIR}/core/experiment/pass.cpp)
set(kernel_options "-DHWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV)")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(APPEND kernel_options -march=x86-64-v2 -DHWY_DISABLE_PCLMUL_AES)
elseif(EMSCRIPTEN)
    list(APPEND kernel_options -DHWY_COMPILE_ONLY_EMU128) # Highway 1.0.3 has no vectors of doubles for WebAssembly
endif()
set_source_files_properties(${kernel_sources} PROPERTIES COMPILE_OPTIONS "${kernel_options}" SKIP_PRECOMPILE_HEADERS ON)
target_precompile_headers(posiscope_core PRIVATE ${precompiled_headers})
compile_with_O1(core/code core/formats core/lessons core/models core/scene)
unity_build(posiscope_core core+core/fields+core/jobs+core/numeric core/attention core/basis+core/precision+core/scores
                   core/claims core/code core/encodings core/experiment core/experiment/learnable core/formats core/formula
                   core/lessons core/lessons/values core/measure core/models core/os/${own_os} core/phase core/positions
                   core/quantities core/scaling core/scene)

# --- Installing ------------------------------------------------------------------------------------------

# A library that was fetched has no package which somebody else's CMake could find.
foreach(library IN ITEMS nlohmann_json::nlohmann_json fmt::fmt tl::expected hwy::hwy)
    get_target_property(imported ${library} IMPORTED)
    if(NOT imported)
        message(STATUS "Posiscope: ${library} was fetched, so core cannot be installed")
        return()
    endif()
endforeach()

install(TARGETS posiscope_core EXPORT posiscopeTargets ARCHIVE DESTINATION lib LIBRARY DESTINATION lib COMPONENT core)
install(FILES assets/strings/en.json assets/strings/zh.json DESTINATION share/posiscope/strings COMPONENT core)
configure_file(core/posiscope.pc.in ${PROJECT_BINARY_DIR}/posiscope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/posiscope.pc DESTINATION lib/pkgconfig COMPONENT core)
install(EXPORT posiscopeTargets NAMESPACE posiscope:: DESTINATION lib/cmake/posiscope COMPONENT core)
include(CMakePackageConfigHelpers)
set(posiscope_strings share/posiscope/strings)
configure_package_config_file(core/posiscopeConfig.cmake.in ${PROJECT_BINARY_DIR}/posiscopeConfig.cmake
                              INSTALL_DESTINATION lib/cmake/posiscope PATH_VARS posiscope_strings)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/posiscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/posiscopeConfig.cmake ${PROJECT_BINARY_DIR}/posiscopeConfigVersion.cmake
        DESTINATION lib/cmake/posiscope COMPONENT core)
# In the tree a header is core/scene/scene.hpp; installed it is posiscope/scene/scene.hpp, and includes follow.
install(CODE "set(source \"${PROJECT_SOURCE_DIR}/core\")" COMPONENT core)
install(CODE [=[
    set(to "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/include/posiscope")
    file(GLOB_RECURSE headers RELATIVE "${source}" "${source}/*.hpp")
    foreach(header IN LISTS headers)
        file(READ "${source}/${header}" text)
        string(REPLACE "#include \"core/" "#include \"posiscope/" text "${text}")
        file(WRITE "${to}/${header}.new" "${text}")
        file(COPY_FILE "${to}/${header}.new" "${to}/${header}" ONLY_IF_DIFFERENT)
        file(REMOVE "${to}/${header}.new")
        list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/include/posiscope/${header}")
    endforeach()
    list(LENGTH headers count)
    message(STATUS "Installed: ${count} headers in ${to}")
]=] COMPONENT core)
