// recognise.cpp — any bytes as a dumped table: what fits it and what is nearest are complete, and nothing crashes. Apart from
// tensor.cpp, because recognising takes a thousand times as long as reading.
#include "core/measure/report.hpp"

#include <cmath>
#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    const auto tensor = tensor_in(bytes, !bytes.starts_with("\x93NUMPY"), "");
    if (!tensor) return 0;
    const measuring::Report found = measuring::report_on(*tensor, {});
    if (found.measured.what.key.empty() || std::isnan(found.measured.largest) || found.measured.largest < 0.0)
        std::abort();
    return 0;
}
