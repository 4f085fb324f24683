#include "core/formats/table.hpp"

#include "core/cost.hpp"
#include "core/formats/file.hpp"
#include "core/formats/npy_header.hpp"
#include "core/formats/tensor.hpp"
#include "core/jobs/shared_cache.hpp"
#include "core/numeric/bits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace posiscope {
namespace {

static_assert(std::endian::native == std::endian::little,
              "a little-endian file is read as it lies in memory");

// ---- Numbers
// -------------------------------------------------------------------------------------------------------

template <class Bits>
Bits bits_at(const char* at, bool swapped) {
    std::array<char, sizeof(Bits)> raw;
    std::memcpy(raw.data(), at, raw.size());
    if (swapped) std::reverse(raw.begin(), raw.end());
    return bits_as<Bits>(raw);
}

}  // namespace

double Table::value(std::int64_t row, std::int64_t column) const {
    double one = 0.0;
    add(row, column, 1.0, {&one, 1});
    return one;
}

void Table::add(std::int64_t row, std::int64_t first, double weight, std::span<double> out) const {
    const char* at = bytes_.data() + data_;
    const auto place = static_cast<std::size_t>(row * columns_ + first);
    const auto each = [&](auto bits, auto number) {
        at += place * sizeof(bits);
        for (double& sum : out) {
            sum += weight * number(bits_at<decltype(bits)>(at, swapped_));
            at += sizeof(bits);
        }
    };
    switch (type_) {
        case Type::half: return each(std::uint16_t{}, from_half);
        case Type::single:
            return each(std::uint32_t{},
                        [](std::uint32_t bits) { return static_cast<double>(bits_as<float>(bits)); });
        case Type::whole:
            return each(std::uint64_t{}, [](std::uint64_t bits) { return bits_as<double>(bits); });
    }
}

Result<void> Table::measure() {
    std::vector<double> numbers(static_cast<std::size_t>(columns_));
    double squares = 0.0;
    least_ = HUGE_VAL, most_ = -HUGE_VAL;
    for (std::int64_t row = 0; row < rows_; ++row) {
        std::fill(numbers.begin(), numbers.end(), 0.0);
        add(row, 0, 1.0, numbers);
        for (std::size_t column = 0; column < numbers.size(); ++column) {
            const double number = numbers[column];
            if (!std::isfinite(number))
                return failure("npy.not_finite",
                               {{"row", std::to_string(row)}, {"column", std::to_string(column)}});
            least_ = std::min(least_, number);
            most_ = std::max(most_, number);
            squares += number * number;
        }
    }
    deviation_ = std::sqrt(squares / (static_cast<double>(rows_) * static_cast<double>(columns_)));
    return {};
}

struct TableReader {
    // Reads the header of a file of so many bytes that begins with `bytes`:
    // all of the header must be there.
    static Result<Table> header(std::string_view bytes, std::uint64_t size);
    // The numbers behind it.
    static Result<Table> numbers(Table table, std::string bytes) {
        table.bytes_ = std::move(bytes);
        if (auto good = table.measure(); !good) return tl::unexpected(good.error());
        return table;
    }
    // The only array of a .safetensors file.
    static Result<Table> array(const std::string& path, std::uint64_t limit);
};

namespace {

Problem wrong_dimensions(std::span<const std::int64_t> shape) {
    return {"npy.dimensions",
            {{"shape", fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "")}},
            Cause::failure};
}

// A line of numbers is one row.
Result<std::array<std::int64_t, 2>> as_rows(std::span<const std::int64_t> shape) {
    if (shape.size() == 2) return std::array{shape[0], shape[1]};
    if (shape.size() == 1) return std::array{std::int64_t{1}, shape[0]};
    return tl::unexpected(wrong_dimensions(shape));
}

}  // namespace

Result<Table> TableReader::header(std::string_view bytes, std::uint64_t size) {
    const auto header = read_npy_header(bytes);
    if (!header) return tl::unexpected(header.error());
    const std::string_view type = header->descr;
    const std::string_view letter = type.substr(std::min<std::size_t>(type.size(), 1));
    if (letter.starts_with('O')) return failure("npy.object");
    const bool known = type.size() == 3 && std::string_view("<>=").find(type[0]) != std::string_view::npos &&
                       (letter == "f2" || letter == "f4" || letter == "f8");
    if (!known) return failure("npy.dtype", {{"dtype", type.empty() ? header->other : std::string(type)}});
    const auto rows = as_rows(*header->shape);
    if (!rows) return tl::unexpected(rows.error());
    const auto& shape = *rows;
    if (shape[0] == 0 || shape[1] == 0)
        return failure("npy.empty",
                       {{"rows", std::to_string(shape[0])}, {"columns", std::to_string(shape[1])}});
    if (*header->fortran) return failure("npy.fortran");

    Table table;
    table.data_ = header->data;
    table.rows_ = shape[0], table.columns_ = shape[1];
    table.line_ = header->shape->size() == 1;
    table.type_ = letter == "f2"   ? Table::Type::half
                  : letter == "f4" ? Table::Type::single
                                   : Table::Type::whole;
    table.swapped_ = type[0] == '>';
    const auto there = static_cast<std::int64_t>(size - header->data);
    std::int64_t needed = letter[1] - '0';
    const bool counted = !__builtin_mul_overflow(needed, shape[0], &needed) &&
                         !__builtin_mul_overflow(needed, shape[1], &needed);
    if (!counted || needed != there)
        return failure("npy.length", {{"rows", std::to_string(shape[0])},
                                      {"columns", std::to_string(shape[1])},
                                      {"dtype", std::string(type)},
                                      {"needed", counted ? std::to_string(needed) : "2^63"},
                                      {"bytes", std::to_string(there)}});
    return table;
}

Result<Table> TableReader::array(const std::string& path, std::uint64_t limit) {
    const auto file = TensorFile::open(path, "");
    if (!file) return tl::unexpected(file.error());
    const TensorPlace& place = file->place();
    const auto rows = as_rows(place.shape);
    if (!rows) return tl::unexpected(rows.error());
    Table table;
    table.rows_ = (*rows)[0], table.columns_ = (*rows)[1];
    table.line_ = place.shape.size() == 1;
    table.type_ = place.dtype == "float64" ? Table::Type::whole : Table::Type::single;
    const std::size_t bytes = table.type_ == Table::Type::whole ? sizeof(double) : sizeof(float);
    if (static_cast<std::uint64_t>(place.count()) > limit / bytes)
        return failure("file.large", {{"path", path}, {"limit", std::to_string(limit)}});
    std::string numbers(static_cast<std::size_t>(place.count()) * bytes, '\0');
    std::vector<double> row(static_cast<std::size_t>(table.columns_));
    char* to = numbers.data();
    for (std::int64_t at = 0; at < place.count(); at += table.columns_) {
        if (auto read = file->read(at, row); !read) return tl::unexpected(read.error());
        spend(static_cast<double>(bytes * row.size()));
        for (const double number : row) {
            const auto narrow = static_cast<float>(number);
            std::memcpy(to, bytes == sizeof number ? static_cast<const void*>(&number) : &narrow, bytes);
            to += bytes;
        }
    }
    return TableReader::numbers(std::move(table), std::move(numbers));
}

Result<Table> read_table(std::string bytes) {
    auto table = TableReader::header(bytes, bytes.size());
    if (!table) return table;
    return TableReader::numbers(std::move(*table), std::move(bytes));
}

// ---- Kept between Scenes
// -------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMostKept = 3;     // a Scene, the one it is compared with, the one it was trained in
constexpr std::size_t kMostArrays = 12;  // of the slots of each

struct TableCache {
    jobs::SharedCache<std::string, std::shared_ptr<const Table>> tables{kMostKept}, arrays{kMostArrays};
    std::mutex mutex;                        // of what follows
    std::set<std::string> allowed, asked;    // asked: for impatient threads, and not read yet
    std::vector<std::string> wanted;         // of these, since take_wanted
    std::map<std::string, Problem> refused;  // those that were asked for
};
thread_local bool impatient = false;
TableCache& cache() {
    static TableCache kept;
    return kept;
}

constexpr std::size_t kReadAtOnce = std::size_t{1}
                                    << 20;  // bytes that are read before a reader can be stopped

Result<Table> read_file_of_table(const std::string& path, std::uint64_t limit) {
    if (path.ends_with(".safetensors")) return TableReader::array(path, limit);
    // A pipe would be waited for, and a device may have no end.
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
        !std::filesystem::is_directory(status))
        return failure("npy.no_file", {{"path", path}});
    auto file = FileReader::open(path);
    if (!file) return tl::unexpected(file.error());
    if (file->size() == 0) return failure("npy.no_bytes");
    if (file->size() > limit)
        return failure("file.large", {{"path", path}, {"limit", std::to_string(limit)}});
    // The bytes that were asked for, fewer at the end of the file.
    std::string bytes;
    const auto fill = [&](std::uint64_t size) -> Result<void> {
        std::size_t there = bytes.size();
        bytes.resize(std::max(there, static_cast<std::size_t>(size)));  // at most kLargestTable
        while (there < bytes.size()) {
            const std::size_t piece = std::min(bytes.size() - there, kReadAtOnce);
            spend(static_cast<double>(piece));  // about a byte each nanosecond
            const auto count = file->read(std::span(bytes).subspan(there, piece));
            if (!count) return tl::unexpected(count.error());
            if (*count == 0) bytes.resize(there);  // it grew shorter meanwhile
            there += *count;
        }
        return {};
    };
    if (auto read = fill(std::min<std::uint64_t>(file->size(), 16 + kLargestNpyHeader)); !read)
        return tl::unexpected(read.error());
    auto table = TableReader::header(bytes, file->size());
    if (!table) return table;
    if (auto read = fill(file->size()); !read) return tl::unexpected(read.error());
    return bytes.size() == file->size() ? TableReader::numbers(std::move(*table), std::move(bytes))
                                        : read_table(std::move(bytes));
}

bool is_large(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return !error && size > Impatient::kLarge;
}

void forget_refusal(const std::string& path) {
    const std::lock_guard lock(cache().mutex);
    cache().refused.erase(path);
}

Result<std::shared_ptr<const Table>> read_anew(const std::string& path, std::uint64_t limit) {
    auto table = read_file_of_table(path, limit);
    if (!table) {
        const bool names_it = value_of(table.error(), "path") != nullptr;
        return tl::unexpected(names_it ? table.error() : in_file(table.error(), path));
    }
    return std::make_shared<const Table>(std::move(*table));
}

}  // namespace

Result<std::shared_ptr<const Table>> table_of(const std::string& path) {
    if (!table_allowed(path)) return failure("file.not_allowed", {{"path", path}});
    if (impatient) {
        if (auto kept = cache().tables.kept(path)) return std::move(*kept);
        if (is_large(path)) {
            const std::lock_guard lock(cache().mutex);
            if (const auto why = cache().refused.find(path); why != cache().refused.end())
                return tl::unexpected(why->second);
            if (cache().asked.insert(path).second) cache().wanted.push_back(path);
            return failure("table.reading", {{"path", path}});
        }
    }
    auto table = cache().tables.get(path, [&] { return read_anew(path, kLargestTable); });
    const std::lock_guard lock(cache().mutex);
    if (cache().asked.erase(path) != 0 && !table) cache().refused.insert_or_assign(path, table.error());
    return table;
}

Result<std::shared_ptr<const Table>> table_of_rows(const std::string& path) {
    auto table = table_of(path);
    if (!table || !(*table)->line()) return table;
    return tl::unexpected(in_file(wrong_dimensions(std::array{(*table)->columns()}), path));
}

Result<std::shared_ptr<const Table>> small_table_of(const std::string& path) {
    if (!table_allowed(path)) return failure("file.not_allowed", {{"path", path}});
    return cache().arrays.get(path, [&] { return read_anew(path, kLargestArray); });
}

void forget_table(const std::string& path) {
    forget_refusal(path);
    for (auto* kept : {&cache().tables, &cache().arrays})
        kept->forget([&](const std::string& one) { return one == path; });
}

void renew_table(const std::string& path) {
    if (!cache().tables.kept(path)) return forget_table(path);
    forget_refusal(path);
    cache().tables.renew(path, [&] { return read_anew(path, kLargestTable); });
}

Impatient::Impatient() { impatient = true; }
Impatient::~Impatient() { impatient = false; }

std::vector<std::string> Impatient::take_wanted() {
    const std::lock_guard lock(cache().mutex);
    return std::exchange(cache().wanted, {});
}

void allow_table(const std::string& path) {
    const std::lock_guard lock(cache().mutex);
    cache().allowed.insert(path);
}

bool table_allowed(const std::string& path) {
    const std::lock_guard lock(cache().mutex);
    return cache().allowed.contains(path);
}

}  // namespace posiscope
