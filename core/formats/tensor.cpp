#include "core/formats/tensor.hpp"

#include "core/formats/file.hpp"
#include "core/formats/npy_header.hpp"
#include "core/json.hpp"
#include "core/numeric/half.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestJson = std::uint64_t{16} << 20;
constexpr std::size_t kMostNamed = 8;

// Bytes `from` … `from + into.size() − 1` of a file, or false past its end.
using Fetch = std::function<bool(std::uint64_t from, std::span<char> into)>;

struct Type {
    std::string_view npy, safetensors, name;
    std::size_t bytes;
    double (*value)(const char* at);
};

template <class Bits>
Bits bits_at(const char* at) {
    std::array<char, sizeof(Bits)> raw;
    std::memcpy(raw.data(), at, raw.size());
    return bits_as<Bits>(raw);
}

constexpr Type kTypes[] = {
    {"<f2", "F16", "float16", 2, [](const char* at) { return from_half(bits_at<std::uint16_t>(at)); }},
    {"", "BF16", "bfloat16", 2, [](const char* at) { return from_bfloat(bits_at<std::uint16_t>(at)); }},
    {"<f4", "F32", "float32", 4,
     [](const char* at) { return static_cast<double>(bits_as<float>(bits_at<std::uint32_t>(at))); }},
    {"<f8", "F64", "float64", 8, [](const char* at) { return bits_as<double>(bits_at<std::uint64_t>(at)); }},
};

const Type* type_of(std::string_view written, std::string_view Type::*spelling) {
    const auto found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const Type& type) {
        return !written.empty() && type.*spelling == written;
    });
    return found == std::end(kTypes) ? nullptr : found;
}

// The number of values of a shape, or nothing past 2^62.
std::optional<std::int64_t> count_of(std::span<const std::int64_t> shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        if (size < 0 || __builtin_mul_overflow(count, size, &count) || count > (std::int64_t{1} << 60))
            return std::nullopt;
    return count;
}

Result<void> numbers(const TensorPlace& place, const Fetch& fetch, std::int64_t first,
                     std::span<double> into) {
    std::string bytes(into.size() * place.bytes, '\0');
    if (!fetch(place.first_byte + static_cast<std::uint64_t>(first) * place.bytes, bytes))
        return failure("tensor.cut", {{"name", place.name}});
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = place.value(bytes.data() + i * place.bytes);
    return {};
}

// `read` as TensorFile's.
template <class Read>
Result<StoredTensor> stored(const TensorPlace& place, Read read) {
    StoredTensor tensor{place.name, place.dtype, place.shape, {}, false};
    std::int64_t count = place.count();
    if (count > kMostTensorValues) {
        const std::int64_t row = tensor.row();
        if (row > kMostTensorValues) return failure("tensor.row", {{"name", tensor.name}});
        count = kMostTensorValues / row * row;
        tensor.cropped = true;
    }
    // No more than these are held twice.
    constexpr std::int64_t kValues = 1 << 16;
    tensor.values.resize(static_cast<std::size_t>(count));
    for (std::int64_t first = 0; first < count; first += kValues) {
        const auto piece = std::span(tensor.values)
                               .subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(std::min(kValues, count - first)));
        if (auto done = read(first, piece); !done) return tl::unexpected(done.error());
    }
    return tensor;
}

Result<TensorPlace> placed(TensorPlace place, const Type& type, std::uint64_t first_byte) {
    place.dtype = type.name;
    place.bytes = type.bytes;
    place.value = type.value;
    place.first_byte = first_byte;
    if (place.count() == 0)
        return place.name.empty() ? failure("tensor.empty_file")
                                  : failure("tensor.empty", {{"name", place.name}});
    return place;
}

Result<TensorPlace> in_npy(std::uint64_t size, const Fetch& fetch) {
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(size, 16 + kLargestNpyHeader)), '\0');
    if (head.empty() || !fetch(0, head)) return failure("npy.no_bytes");
    const auto header = read_npy_header(head);
    if (!header) return tl::unexpected(header.error());
    const Type* type = type_of(header->descr, &Type::npy);
    if (type == nullptr)
        return failure("npy.dtype", {{"dtype", header->descr.empty() ? header->other : header->descr}});
    if (*header->fortran && header->shape->size() > 1) return failure("npy.fortran");
    TensorPlace place;
    place.shape = *header->shape;
    const auto count = count_of(place.shape);
    if (!count || static_cast<std::uint64_t>(*count) * type->bytes != size - header->data)
        return failure("tensor.size", {{"shape", fmt::format("({})", fmt::join(place.shape, ", "))},
                                       {"bytes", std::to_string(size - header->data)}});
    return placed(std::move(place), *type, header->data);
}

struct Header {
    Json arrays;
    std::uint64_t data = 0;  // where the numbers begin
};

Result<Header> safetensors_header(std::uint64_t size, const Fetch& fetch) {
    std::array<char, 8> raw{};
    if (size < raw.size() || !fetch(0, raw)) return failure("safetensors.header");
    const std::uint64_t length = bits_at<std::uint64_t>(raw.data());
    if (length > kLargestJson || length > size - raw.size()) return failure("safetensors.header");
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!fetch(raw.size(), text)) return failure("safetensors.header");
    auto header = parse_json(text);
    if (!header || !header->is_object()) return failure("safetensors.header");
    return Header{std::move(*header), raw.size() + length};
}

std::vector<std::string> names_in(const Json& header) {
    std::vector<std::string> names;
    for (const auto& [key, value] : header.items())
        if (key != "__metadata__" && value.is_object()) names.push_back(key);
    return names;
}

tl::unexpected<Problem> no_array(const std::string& name, std::span<const std::string> names) {
    const std::size_t named = std::min(names.size(), kMostNamed);
    std::string known =
        fmt::format("{}{}", fmt::join(names.first(named), ", "), names.size() > named ? ", …" : "");
    if (name.empty()) return refuse("tensor.which", {{"names", std::move(known)}});
    return refuse("tensor.name", {{"name", name}, {"names", std::move(known)}});
}

Result<TensorPlace> in_safetensors(std::uint64_t size, const Header& header,
                                   std::span<const std::string> names, const std::string& name) {
    const std::string& chosen = name.empty() && names.size() == 1 ? names.front() : name;
    const auto found = header.arrays.find(chosen);
    if (chosen.empty() || found == header.arrays.end() || !found->is_object()) return no_array(chosen, names);
    const Json dtype = found->value("dtype", Json()), shape = found->value("shape", Json()),
               offsets = found->value("data_offsets", Json());
    TensorPlace place;
    place.name = chosen;
    const bool plain = dtype.is_string() && shape.is_array() && shape.size() <= 8 && offsets.is_array() &&
                       offsets.size() == 2 && offsets[0].is_number_unsigned() &&
                       offsets[1].is_number_unsigned();
    if (!plain) return failure("safetensors.header");
    for (const Json& one : shape) {
        if (!one.is_number_unsigned() || one > (std::uint64_t{1} << 60)) return failure("safetensors.header");
        place.shape.push_back(one.get<std::int64_t>());
    }
    const Type* type = type_of(dtype.get_ref<const std::string&>(), &Type::safetensors);
    if (type == nullptr)
        return failure("tensor.dtype", {{"name", chosen}, {"dtype", dtype.get<std::string>()}});
    const auto from = offsets[0].get<std::uint64_t>(), to = offsets[1].get<std::uint64_t>();
    const auto count = count_of(place.shape);
    if (!count || to < from || to > size - header.data ||
        to - from != static_cast<std::uint64_t>(*count) * type->bytes)
        return failure("safetensors.header");
    return placed(std::move(place), *type, header.data + from);
}

// The file of every array of an index.
Result<Json> weight_map(const std::string& path) {
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return failure("npy.no_file", {{"path", path}});  // a pipe would be waited for
    const auto text = read_file(path, kLargestJson);
    if (!text) return tl::unexpected(text.error());
    const auto index = parse_json(*text);
    if (!index || !index->is_object()) return failure("safetensors.index");
    const auto map = index->find("weight_map");
    if (map == index->end() || !map->is_object()) return failure("safetensors.index");
    return *map;
}

// A file whose bytes are read as they are asked for.
struct Bytes {
    std::uint64_t size = 0;
    Fetch fetch;
    std::function<FileStamp()> stamp;

    static Result<Bytes> open(const std::string& path);
};

FileStamp stamp_of(const struct stat& status) {
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
            static_cast<std::uint64_t>(status.st_size), static_cast<std::int64_t>(status.st_mtim.tv_sec),
            static_cast<std::int64_t>(status.st_mtim.tv_nsec)};
}

Result<Bytes> Bytes::open(const std::string& path) {
    // A pipe is not waited for.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return failure(errno == ENOENT ? "file.missing" : "file.read",
                       {{"path", path}, {"reason", reason_of(errno)}});
    const std::shared_ptr<const int> file(new int(descriptor), [](const int* one) {
        ::close(*one);
        delete one;
    });
    struct stat status {};
    if (::fstat(*file, &status) != 0)
        return failure("file.read", {{"path", path}, {"reason", reason_of(errno)}});
    if (!S_ISREG(status.st_mode)) return failure("npy.no_file", {{"path", path}});
    return Bytes{static_cast<std::uint64_t>(status.st_size),
                 [file](std::uint64_t from, std::span<char> into) {
                     while (!into.empty()) {
                         const ssize_t count =
                             ::pread(*file, into.data(), into.size(), static_cast<off_t>(from));
                         if (count < 0 && errno == EINTR) continue;
                         if (count <= 0) return false;
                         into = into.subspan(static_cast<std::size_t>(count));
                         from += static_cast<std::uint64_t>(count);
                     }
                     return true;
                 },
                 [file] {
                     struct stat now {};
                     return ::fstat(*file, &now) == 0 ? stamp_of(now) : FileStamp{};
                 }};
}

}  // namespace

std::int64_t StoredTensor::row() const {
    std::int64_t row = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) row *= shape[d];
    return row;
}

std::int64_t TensorPlace::count() const { return count_of(shape).value_or(0); }

Result<StoredTensor> tensor_in(std::string_view bytes, bool safetensors, const std::string& name) {
    const Fetch fetch = [&](std::uint64_t from, std::span<char> into) {
        if (from > bytes.size() || into.size() > bytes.size() - from) return false;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
        return true;
    };
    const auto placed = [&]() -> Result<TensorPlace> {
        if (!safetensors) return in_npy(bytes.size(), fetch);
        const auto header = safetensors_header(bytes.size(), fetch);
        if (!header) return tl::unexpected(header.error());
        return in_safetensors(bytes.size(), *header, names_in(header->arrays), name);
    };
    const auto place = placed();
    if (!place) return tl::unexpected(place.error());
    return stored(*place, [&](std::int64_t first, std::span<double> into) {
        return numbers(*place, fetch, first, into);
    });
}

// ---- Files of arrays -----------------------------------------------------------------------------------------------

struct TensorArchive::Contents {
    std::string path;
    std::vector<std::string> names;
    std::optional<Bytes> bytes;    // of one file
    std::optional<Header> header;  // of a .safetensors file
    Json map;                      // of an index: the file of every array
    // The file that was opened last: each may have a header of many megabytes, and there may be many.
    std::optional<std::pair<std::string, TensorArchive>> opened;

    // Beside the index, whatever else that says.
    Result<std::string> shard_of(const std::string& name) const;
};

Result<std::string> TensorArchive::Contents::shard_of(const std::string& name) const {
    const auto found = map.find(name);
    if (found == map.end() || !found->is_string()) return no_array(name, names);
    const fs::path shard(found->get_ref<const std::string&>());
    if (shard.filename() != shard || !shard.native().ends_with(".safetensors"))
        return failure("safetensors.index");
    const fs::path folder = fs::path(path).parent_path(), file = folder / shard;
    std::error_code error;
    const fs::path real = fs::canonical(file, error).parent_path();
    // Links lead where the index's own does, as in a cache of downloads, or nowhere.
    if (!error && real != fs::canonical(folder.empty() ? "." : folder, error) &&
        real != fs::canonical(path, error).parent_path())
        return failure("safetensors.link", {{"name", shard.string()}});
    return file.string();
}

Result<TensorArchive> TensorArchive::open(const std::string& path) {
    TensorArchive archive;
    archive.contents_ = std::make_shared<Contents>();
    Contents& contents = *archive.contents_;
    contents.path = path;
    if (path.ends_with(".index.json")) {
        auto map = weight_map(path);
        if (!map) return tl::unexpected(in_file(map.error(), path));
        contents.map = std::move(*map);
        for (const auto& [key, value] : contents.map.items()) contents.names.push_back(key);
        return archive;
    }
    auto bytes = Bytes::open(path);
    if (!bytes) return tl::unexpected(bytes.error());
    contents.bytes = std::move(*bytes);
    if (!path.ends_with(".safetensors")) return archive;
    auto header = safetensors_header(contents.bytes->size, contents.bytes->fetch);
    if (!header) return tl::unexpected(in_file(header.error(), path));
    contents.header = std::move(*header);
    contents.names = names_in(contents.header->arrays);
    return archive;
}

const std::vector<std::string>& TensorArchive::names() const { return contents_->names; }

Result<TensorFile> TensorArchive::array(const std::string& name) {
    Contents& contents = *contents_;
    if (!contents.bytes) {
        const auto path = contents.shard_of(name);
        if (!path) return tl::unexpected(in_file(path.error(), contents.path));
        if (!contents.opened || contents.opened->first != *path) {
            contents.opened.reset();
            auto opened = open(*path);
            if (!opened) return tl::unexpected(opened.error());
            contents.opened.emplace(*path, std::move(*opened));
        }
        return contents.opened->second.array(name);
    }
    auto place = contents.header
                     ? in_safetensors(contents.bytes->size, *contents.header, contents.names, name)
                     : in_npy(contents.bytes->size, contents.bytes->fetch);
    if (!place) return tl::unexpected(in_file(place.error(), contents.path));
    TensorFile file;
    file.place_ = std::move(*place);
    file.fetch_ = contents.bytes->fetch;
    file.stamp_ = contents.bytes->stamp;
    if (file.place_.name.empty()) file.place_.name = fs::path(contents.path).stem().string();
    return file;
}

Result<TensorFile> TensorFile::open(const std::string& path, const std::string& name) {
    auto archive = TensorArchive::open(path);
    if (!archive) return tl::unexpected(archive.error());
    return archive->array(name);
}

Result<void> TensorFile::read(std::int64_t first, std::span<double> into) const {
    return numbers(place_, fetch_, first, into);
}

Result<std::vector<std::string>> tensor_names(const std::string& path) {
    const auto archive = TensorArchive::open(path);
    if (!archive) return tl::unexpected(archive.error());
    return archive->names();
}

Result<StoredTensor> read_tensor(const std::string& path, const std::string& name) {
    const auto file = TensorFile::open(path, name);
    if (!file) return tl::unexpected(file.error());
    auto tensor = stored(file->place(),
                         [&](std::int64_t first, std::span<double> into) { return file->read(first, into); });
    if (!tensor) return tl::unexpected(in_file(tensor.error(), path));
    return tensor;
}

}  // namespace posiscope
