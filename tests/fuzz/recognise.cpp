// recognise.cpp — any bytes as a dumped table: what fits it and what is nearest are complete, and nothing crashes. Apart from
// tensor.cpp, because recognising takes a thousand times as long as reading.
#include "core/recognise/recognise.hpp"

#include <cmath>
#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    const auto tensor = tensor_in(bytes, !bytes.starts_with("\x93NUMPY"), "");
    if (!tensor) return 0;
    const Recognition found = recognise(*tensor, {}, {});
    for (const auto* list : {&found.fits, &found.nearest})
        for (const Likeness& one : *list)
            if (one.key.empty() || one.what.key.empty() || std::isnan(one.largest) || one.largest < 0.0)
                std::abort();
    return 0;
}
