# Cairo and pixman for the second module of the page and for Windows: plain C, without the build systems that they bring.
# Target       posiscope_cairo
posiscope_fetch(pixman SUBDIR none
    URL https://cairographics.org/releases/pixman-0.42.2.tar.gz
    SHA256 ea1480efada2fd948bc75366f7c349e1c96d3297d09a3fe62626e38e234a625e)
posiscope_fetch(cairo SUBDIR none
    URL https://cairographics.org/releases/cairo-1.16.0.tar.xz
    SHA256 5e7b29b3f113ef870d1e3ecf8adf21f923396401604bda16d44be45e66052331)
FetchContent_GetProperties(pixman SOURCE_DIR pixman)
FetchContent_GetProperties(cairo SOURCE_DIR cairo)

file(GLOB pixman_sources ${pixman}/pixman/*.c)
list(FILTER pixman_sources EXCLUDE REGEX "pixman-(arm-|arma64-|mips-dspr2|mmx|region\\.c|sse2|ssse3|vmx)") # region.c is included
add_library(posiscope_pixman STATIC EXCLUDE_FROM_ALL ${pixman_sources})
target_include_directories(posiscope_pixman SYSTEM PUBLIC ${pixman}/pixman)
target_compile_definitions(posiscope_pixman PRIVATE PACKAGE="pixman" PIXMAN_NO_TLS SIZEOF_LONG=4)
target_compile_options(posiscope_pixman PRIVATE -w)

file(GLOB cairo_sources ${cairo}/src/*.c)
list(FILTER cairo_sources EXCLUDE REGEX
     "/(check|test)-|/cairo-(cogl|directfb|egl|gl|glx|os2|ps|quartz|script|tee|vg|wgl|win32|xcb|xlib|xml)-")
add_library(posiscope_cairo STATIC EXCLUDE_FROM_ALL ${cairo_sources})
target_include_directories(posiscope_cairo SYSTEM PUBLIC ${cairo}/src ${CMAKE_CURRENT_LIST_DIR} PRIVATE ${cairo})
target_compile_definitions(posiscope_cairo PRIVATE
    PACKAGE_VERSION="1.16.0" CAIRO_NO_MUTEX=1 HAVE_STDINT_H=1 HAVE_UINT64_T=1 HAVE_UNISTD_H=1
    SIZEOF_VOID_P=${CMAKE_SIZEOF_VOID_P} SIZEOF_INT=4 SIZEOF_LONG=4 SIZEOF_LONG_LONG=8 SIZEOF_SIZE_T=${CMAKE_SIZEOF_VOID_P}
    HAVE_FT_LOAD_SFNT_TABLE=1 HAVE_CXX11_ATOMIC_PRIMITIVES=1)
if(NOT WIN32)
    target_compile_definitions(posiscope_cairo PRIVATE HAVE_STRNDUP=1 HAVE_CTIME_R=1 HAVE_GMTIME_R=1 HAVE_LOCALTIME_R=1)
endif()
target_compile_options(posiscope_cairo PRIVATE -w)
target_link_libraries(posiscope_cairo PUBLIC posiscope_pixman PNG::PNG ZLIB::ZLIB Freetype::Freetype)
