include(app/sources.cmake)
posiscope_sources(windows fmt json expected eigen highway)
