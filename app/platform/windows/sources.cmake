include(app/sources.cmake)
posiscope_sources(windows fmt json expected eigen highway zlib libpng freetype qrcodegen pixman cairo cli11 glfw)
