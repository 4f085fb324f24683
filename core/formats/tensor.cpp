#include "core/formats/tensor.hpp"

#include "core/formats/npy_header.hpp"
#include "core/json.hpp"
#include "core/numeric/half.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>

namespace posiscope {
namespace {

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

Result<Tensor> numbers(Tensor tensor, const Type& type, std::uint64_t from, const Fetch& fetch) {
    tensor.dtype = type.name;
    std::int64_t count = count_of(tensor.shape).value_or(0);
    if (count == 0) return failure("tensor.empty", {{"name", tensor.name}});
    if (count > kMostTensorValues) {
        const std::int64_t row = tensor.row();
        if (row > kMostTensorValues) return failure("tensor.row", {{"name", tensor.name}});
        count = kMostTensorValues / row * row;
        tensor.cropped = true;
    }
    std::string bytes(static_cast<std::size_t>(count) * type.bytes, '\0');
    if (!fetch(from, bytes)) return failure("tensor.cut", {{"name", tensor.name}});
    tensor.values.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < bytes.size(); i += type.bytes)
        tensor.values.push_back(type.value(bytes.data() + i));
    return tensor;
}

Result<Tensor> from_npy(std::uint64_t size, const Fetch& fetch) {
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(size, 16 + kLargestNpyHeader)), '\0');
    if (head.empty() || !fetch(0, head)) return failure("npy.no_bytes");
    const auto header = read_npy_header(head);
    if (!header) return tl::unexpected(header.error());
    const Type* type = type_of(header->descr, &Type::npy);
    if (type == nullptr)
        return failure("npy.dtype", {{"dtype", header->descr.empty() ? header->other : header->descr}});
    if (*header->fortran && header->shape->size() > 1) return failure("npy.fortran");
    Tensor tensor;
    tensor.shape = *header->shape;
    const auto count = count_of(tensor.shape);
    if (!count || static_cast<std::uint64_t>(*count) * type->bytes != size - header->data)
        return failure("tensor.size", {{"shape", fmt::format("({})", fmt::join(tensor.shape, ", "))},
                                       {"bytes", std::to_string(size - header->data)}});
    return numbers(std::move(tensor), *type, header->data, fetch);
}

Result<Tensor> from_safetensors(std::uint64_t size, const Fetch& fetch, const std::string& name) {
    std::array<char, 8> raw{};
    if (size < raw.size() || !fetch(0, raw)) return failure("safetensors.header");
    const std::uint64_t length = bits_at<std::uint64_t>(raw.data());
    if (length > kLargestJson || length > size - raw.size()) return failure("safetensors.header");
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!fetch(raw.size(), text)) return failure("safetensors.header");
    const auto header = parse_json(text);
    if (!header || !header->is_object()) return failure("safetensors.header");
    std::vector<std::string> names;
    for (const auto& [key, value] : header->items())
        if (key != "__metadata__" && value.is_object()) names.push_back(key);
    std::string chosen = name;
    if (chosen.empty() && names.size() == 1) chosen = names.front();
    const auto found = header->find(chosen);
    if (chosen.empty() || found == header->end() || !found->is_object()) {
        const bool more = names.size() > kMostNamed;
        names.resize(std::min(names.size(), kMostNamed));
        return refuse("tensor.name",
                      {{"name", chosen.empty() ? "?" : chosen},
                       {"names", fmt::format("{}{}", fmt::join(names, ", "), more ? ", …" : "")}});
    }
    const Json dtype = found->value("dtype", Json()), shape = found->value("shape", Json()),
               offsets = found->value("data_offsets", Json());
    Tensor tensor;
    tensor.name = chosen;
    const bool plain = dtype.is_string() && shape.is_array() && shape.size() <= 8 && offsets.is_array() &&
                       offsets.size() == 2 && offsets[0].is_number_unsigned() &&
                       offsets[1].is_number_unsigned();
    if (!plain) return failure("safetensors.header");
    for (const Json& one : shape) {
        if (!one.is_number_unsigned() || one > (std::uint64_t{1} << 60)) return failure("safetensors.header");
        tensor.shape.push_back(one.get<std::int64_t>());
    }
    const Type* type = type_of(dtype.get_ref<const std::string&>(), &Type::safetensors);
    if (type == nullptr)
        return failure("tensor.dtype", {{"name", chosen}, {"dtype", dtype.get<std::string>()}});
    const auto from = offsets[0].get<std::uint64_t>(), to = offsets[1].get<std::uint64_t>();
    const auto count = count_of(tensor.shape);
    const std::uint64_t data = raw.size() + length;
    if (!count || to < from || to > size - data ||
        to - from != static_cast<std::uint64_t>(*count) * type->bytes)
        return failure("safetensors.header");
    return numbers(std::move(tensor), *type, data + from, fetch);
}

}  // namespace

std::int64_t Tensor::row() const {
    std::int64_t row = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) row *= shape[d];
    return row;
}

Result<Tensor> tensor_in(std::string_view bytes, bool safetensors, const std::string& name) {
    const Fetch fetch = [&](std::uint64_t from, std::span<char> into) {
        if (from > bytes.size() || into.size() > bytes.size() - from) return false;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
        return true;
    };
    return safetensors ? from_safetensors(bytes.size(), fetch, name) : from_npy(bytes.size(), fetch);
}

Result<Tensor> read_tensor(const std::string& path, const std::string& name) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        if (!std::filesystem::exists(path, error)) return failure("file.missing", {{"path", path}});
        return failure("npy.no_file", {{"path", path}});
    }
    const std::uint64_t size = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !file) return failure("file.missing", {{"path", path}});
    const Fetch fetch = [&](std::uint64_t from, std::span<char> into) {
        file.seekg(static_cast<std::streamoff>(from));
        file.read(into.data(), static_cast<std::streamsize>(into.size()));
        return static_cast<bool>(file);
    };
    auto tensor =
        path.ends_with(".safetensors") ? from_safetensors(size, fetch, name) : from_npy(size, fetch);
    if (!tensor) return tl::unexpected(in_file(tensor.error(), path));
    if (tensor->name.empty()) tensor->name = std::filesystem::path(path).stem().string();
    return tensor;
}

}  // namespace posiscope
