include(app/sources.cmake)
posiscope_sources(web fmt json expected eigen highway zlib libpng freetype qrcodegen pixman cairo)

# The page is compiled for size (the preset `web`), and this for speed: what computes for every frame, and what draws it.
# A precompiled header is for one of the two.
file(GLOB hot CONFIGURE_DEPENDS core/attention/*.cpp core/basis/*.cpp core/fields/*.cpp core/numeric/*.cpp core/phase/*.cpp
                                core/scores/*.cpp app/canvas/*.cpp app/canvas/screen/*.cpp)
set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
