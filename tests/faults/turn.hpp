// turn.hpp — whose turn it is to fail. POSISCOPE_FAULT=KIND:NUMBER asks for one of the calls of a kind, as the program makes
// them: "call" for those of the system, "new" for the first piece of memory from that number on, "graphics" for what OpenGL
// creates; "threads" refuses every thread, those of libraries too, whatever the number. child:KIND:NUMBER asks for it in each
// process that the program starts, and leaves the program itself alone. The file POSISCOPE_FAULT_LOG then names what failed, so
// that whoever tries one after the other knows when there are no more.
#pragma once

namespace posiscope::faults {

enum class Kind { call, memory, graphics, threads };

// Whether this one fails; `returns_to` is in who asked for it, and only the program's own requests count.
bool fails(Kind kind, const char* name, const void* returns_to);

// The function of that name that comes after ours.
void* next(const char* name);

}  // namespace posiscope::faults
