// npy.cpp — any bytes as a .npy file: a table of finite numbers, every one of which can be read, or a sentence.
#include "core/formats/table.hpp"

#include <cmath>
#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto table = read_table({reinterpret_cast<const char*>(data), size});
    if (!table) return 0;
    if (table->rows() < 1 || table->columns() < 1) std::abort();
    for (std::int64_t row = 0; row < table->rows(); ++row)
        for (std::int64_t column = 0; column < table->columns(); ++column) {
            const double value = table->value(row, column);
            if (!std::isfinite(value) || value < table->least() || value > table->most()) std::abort();
        }
    return 0;
}
