// table.hpp — a table of an encoding from a NumPy array file, or from a .safetensors file that has nothing else: one row per
// position, d_model columns; or a line of numbers, which is one row.
// Reads    one or two dimensions of float16, float32 or float64 in either byte order, C order, format versions 1.0 to 3.0.
// Refuses  everything else, each with a Problem of its own; every number must be finite.
// Memory   the bytes of the file, once. Values are decoded on access, exactly.
//          Of .safetensors (formats/tensor.hpp): float64, or the array as float32, which holds float16 and bfloat16 exactly.
// Source   numpy.lib.format.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace posiscope {

class Table {
public:
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    bool line() const { return line_; }  // of one dimension
    double value(std::int64_t row, std::int64_t column) const;
    // Adds weight · the columns first … first + out.size() − 1 of a row to `out`.
    void add(std::int64_t row, std::int64_t first, double weight, std::span<double> out) const;

    // Over all numbers.
    double least() const { return least_; }
    double most() const { return most_; }
    double deviation() const { return deviation_; }  // about 0: the root mean square

private:
    friend struct TableReader;
    enum class Type { half, single, whole };
    Result<void> measure();

    std::string bytes_;
    std::size_t data_ = 0;  // where the numbers begin
    std::int64_t rows_ = 0, columns_ = 0;
    bool line_ = false;
    Type type_ = Type::whole;
    bool swapped_ = false;
    double least_ = 0.0, most_ = 0.0, deviation_ = 0.0;
};

// The table in the bytes of a .npy file.
Result<Table> read_table(std::string bytes);

inline constexpr std::uint64_t kLargestTable = std::uint64_t{4} << 30;

// The table of a file, read at the first call; a relative path starts from the working directory. Reads the header first,
// and the numbers only if the file has the size that the header says. The last few tables are cached, so that a Scene
// holds only the path, and a changed file does not change what is shown until forget_table is called for it. Refusals
// are not cached. Whoever wrote a Scene wrote its path, so a path is refused until allow_table (scene/source.hpp).
Result<std::shared_ptr<const Table>> table_of(const std::string& path);
// The same, and refused where it is a line of numbers.
Result<std::shared_ptr<const Table>> table_of_rows(const std::string& path);
// The same of files up to so many bytes: more of them are cached.
inline constexpr std::uint64_t kLargestArray = std::uint64_t{1} << 20;
Result<std::shared_ptr<const Table>> small_table_of(const std::string& path);
void forget_table(const std::string& path);
void renew_table(
    const std::string& path);  // reads it again, if it is cached; the old one is given until then

// A thread that must not wait, such as the window's while it draws. For it table_of refuses a large file that is not cached
// (table.reading) and remembers that it is wanted: another thread calls table_of for it. Why that failed is kept until
// forget_table.
class Impatient {
public:
    static constexpr std::uint64_t kLarge = std::uint64_t{32} << 20;  // bytes; less is read in a frame's time

    Impatient();
    ~Impatient();
    Impatient(const Impatient&) = delete;
    Impatient& operator=(const Impatient&) = delete;

    static std::vector<std::string> take_wanted();
};

void allow_table(const std::string& path);
bool table_allowed(const std::string& path);

}  // namespace posiscope
