#include "core/formats/tensor.hpp"

#include "core/cost.hpp"
#include "core/formats/file.hpp"
#include "core/formats/gguf.hpp"
#include "core/formats/npy_header.hpp"
#include "core/formats/pickled.hpp"
#include "core/formats/text_numbers.hpp"
#include "core/formats/zip.hpp"
#include "core/json.hpp"
#include "core/numeric/bits.hpp"
#include "core/os/files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestJson = std::uint64_t{16} << 20, kLargestText = std::uint64_t{512} << 20;
constexpr std::size_t kMostNamed = 8;

using Fetch = FetchBytes;

struct Type {
    std::string_view npy, safetensors, name;  // of NumPy without the byte order
    std::size_t bytes;
    double (*value)(const char* at);
    std::string_view torch = "";
    int gguf = -1;
    bool complex = false;  // two of them
};

template <class Bits>
Bits bits_at(const char* at) {
    std::array<char, sizeof(Bits)> raw;
    std::memcpy(raw.data(), at, raw.size());
    return bits_as<Bits>(raw);
}

template <class Whole>
double whole_at(const char* at) {
    return static_cast<double>(bits_at<Whole>(at));
}
double half_at(const char* at) { return from_half(bits_at<std::uint16_t>(at)); }
double bfloat_at(const char* at) { return from_bfloat(bits_at<std::uint16_t>(at)); }
double single_at(const char* at) { return static_cast<double>(bits_as<float>(bits_at<std::uint32_t>(at))); }
double double_at(const char* at) { return bits_as<double>(bits_at<std::uint64_t>(at)); }

constexpr Type kTypes[] = {
    {"f2", "F16", "float16", 2, half_at, "HalfStorage", 1},
    {"", "BF16", "bfloat16", 2, bfloat_at, "BFloat16Storage", 30},
    {"f4", "F32", "float32", 4, single_at, "FloatStorage", 0},
    {"f8", "F64", "float64", 8, double_at, "DoubleStorage", 28},
    {"c8", "C64", "float32", 4, single_at, "ComplexFloatStorage", -1, true},
    {"c16", "", "float64", 8, double_at, "ComplexDoubleStorage", -1, true},
    {"b1", "BOOL", "bool", 1, whole_at<std::uint8_t>, "BoolStorage"},
    {"i1", "I8", "int8", 1, whole_at<std::int8_t>, "CharStorage", 24},
    {"u1", "U8", "uint8", 1, whole_at<std::uint8_t>, "ByteStorage"},
    {"i2", "I16", "int16", 2, whole_at<std::int16_t>, "ShortStorage", 25},
    {"u2", "U16", "uint16", 2, whole_at<std::uint16_t>},
    {"i4", "I32", "int32", 4, whole_at<std::int32_t>, "IntStorage", 26},
    {"u4", "U32", "uint32", 4, whole_at<std::uint32_t>},
    {"i8", "I64", "int64", 8, whole_at<std::int64_t>, "LongStorage", 27},
    {"u8", "U64", "uint64", 8, whole_at<std::uint64_t>},
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
    spend(5.0 * static_cast<double>(into.size()));
    std::string bytes(into.size() * place.bytes, '\0');
    if (!fetch(static_cast<std::uint64_t>(first) * place.bytes, bytes))
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

// An array whose numbers are elsewhere than its rows would have them, or in the other byte order: as if they were not.
struct Found {
    TensorPlace place;
    Fetch fetch;
};

struct Layout {
    std::uint64_t first = 0;              // byte of the first element
    std::vector<std::int64_t> strides{};  // in elements; empty: row-major
    bool swapped = false;
};

constexpr std::uint64_t kGap = 4096;  // as many bytes between two elements cost less than another read,
constexpr std::uint64_t kTogether = 1 << 20;  // and so many are read at most

// The elements at these bytes, in any order. A column of a table is many short reads and never the whole table.
bool gather(const Fetch& fetch, std::span<const std::uint64_t> at, std::size_t element,
            std::span<char> into) {
    spend(100.0 * static_cast<double>(at.size()));
    std::vector<std::uint32_t> order(at.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return at[a] < at[b]; });
    std::string piece;
    for (std::size_t n = 0; n < order.size();) {
        const std::uint64_t first = at[order[n]];
        std::size_t end = n + 1;
        while (end < order.size() && at[order[end]] - at[order[end - 1]] <= kGap &&
               at[order[end]] - first <= kTogether)
            ++end;
        piece.resize(static_cast<std::size_t>(at[order[end - 1]] - first) + element);
        if (!fetch(first, piece)) return false;
        for (; n < end; ++n)
            std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(at[order[n]] - first), element,
                        into.begin() + static_cast<std::ptrdiff_t>(order[n] * element));
    }
    return true;
}

// `element` bytes of `shape`, of which a complex number has two numbers.
Fetch laid_out(Fetch fetch, const Layout& layout, std::vector<std::int64_t> shape, std::size_t element,
               std::size_t number) {
    std::vector<std::int64_t> strides = layout.strides;
    bool plain = true;
    std::int64_t step = 1;
    for (std::size_t d = shape.size(); d-- > 0; step *= shape[d])
        plain = plain && (strides.empty() || shape[d] == 1 || strides[d] == step);
    const auto swap = [swapped = layout.swapped, number](std::span<char> bytes) {
        for (std::size_t at = 0; swapped && at + number <= bytes.size(); at += number)
            std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + number));
    };
    const std::uint64_t first = layout.first;
    if (plain)
        return [fetch = std::move(fetch), first, swap](std::uint64_t from, std::span<char> into) {
            if (!fetch(first + from, into)) return false;
            swap(into);
            return true;
        };
    return [fetch = std::move(fetch), first, swap, strides = std::move(strides), shape = std::move(shape),
            element](std::uint64_t from, std::span<char> into) {
        const auto begin = static_cast<std::int64_t>(from / element),
                   count = static_cast<std::int64_t>((from + into.size() + element - 1) / element) - begin;
        std::vector<std::uint64_t> at;
        at.reserve(static_cast<std::size_t>(count));
        for (std::int64_t n = begin; n < begin + count; ++n) {
            std::int64_t rest = n, place = 0;
            for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d])
                place += rest % shape[d] * strides[d];
            at.push_back(first + static_cast<std::uint64_t>(place) * element);
        }
        std::string gathered(at.size() * element, '\0');
        if (!gather(fetch, at, element, gathered)) return false;
        swap(gathered);
        const auto skipped = static_cast<std::ptrdiff_t>(from - static_cast<std::uint64_t>(begin) * element);
        std::copy_n(gathered.begin() + skipped, into.size(), into.begin());
        return true;
    };
}

Result<Found> found_at(std::string name, std::vector<std::int64_t> shape, const Type& type,
                       const Layout& layout, const Fetch& fetch) {
    TensorPlace place{.name = std::move(name),
                      .dtype = std::string(type.name),
                      .shape = shape,
                      .bytes = type.bytes,
                      .value = type.value};
    if (type.complex) place.shape.push_back(2);
    if (place.count() == 0)
        return place.name.empty() ? failure("tensor.empty_file")
                                  : failure("tensor.empty", {{"name", place.name}});
    const std::size_t element = type.bytes * (type.complex ? 2 : 1);
    return Found{std::move(place), laid_out(fetch, layout, std::move(shape), element, type.bytes)};
}

std::vector<std::int64_t> by_columns(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t d = 0; d < shape.size(); step *= shape[d++]) strides[d] = step;
    return strides;
}

Result<Found> in_npy(std::uint64_t size, const Fetch& fetch, const std::string& name) {
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(size, 16 + kLargestNpyHeader)), '\0');
    if (head.empty() || !fetch(0, head)) return failure("npy.no_bytes");
    const auto header = read_npy_header(head);
    if (!header) return tl::unexpected(header.error());
    const std::string_view descr = header->descr;
    if (descr.size() > 1 && descr[1] == 'O') return failure("npy.object");
    const bool ordered =
        descr.size() > 1 && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    // ml_dtypes has no letter for bfloat16, so NumPy writes it as two bytes of anything.
    const bool bytes = ordered && descr.substr(1) == "V2";
    const Type* type = bytes     ? type_of("BF16", &Type::safetensors)
                       : ordered ? type_of(descr.substr(1), &Type::npy)
                                 : nullptr;
    if (type == nullptr)
        return failure("npy.type", {{"dtype", header->descr.empty() ? header->other : header->descr}});
    const std::vector<std::int64_t>& shape = *header->shape;
    const auto count = count_of(shape);
    const std::size_t element = type->bytes * (type->complex ? 2 : 1);
    if (!count || static_cast<std::uint64_t>(*count) * element != size - header->data)
        return failure("tensor.size", {{"shape", fmt::format("({})", fmt::join(shape, ", "))},
                                       {"bytes", std::to_string(size - header->data)}});
    Layout layout{header->data, {}, descr[0] == '>'};
    if (*header->fortran && shape.size() > 1 && *count > 0) layout.strides = by_columns(shape);
    return found_at(name, shape, *type, layout, fetch);
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

Result<Found> in_safetensors(std::uint64_t size, const Header& header, std::span<const std::string> names,
                             const std::string& name, const Fetch& fetch) {
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
    const std::size_t element = type->bytes * (type->complex ? 2 : 1);
    if (!count || to < from || to > size - header.data ||
        to - from != static_cast<std::uint64_t>(*count) * element)
        return failure("safetensors.header");
    return found_at(chosen, place.shape, *type, {header.data + from}, fetch);
}

// ---- Other files of arrays -----------------------------------------------------------------------------------------

// The arrays of a file, and how to find one.
struct Source {
    std::vector<std::string> names;
    std::function<Result<Found>(const std::string& name)> array;
};

std::string chosen_of(std::span<const std::string> names, const std::string& name) {
    return name.empty() && names.size() == 1 ? names.front() : name;
}

template <class Many>
auto named(Many& many, const std::string& name) {
    return std::find_if(many.begin(), many.end(), [&](const auto& one) { return one.name == name; });
}

// .npz: each member is a .npy file.
Result<Source> arrays_of_npz(std::vector<ZipMember> members, const Fetch& fetch) {
    Source made;
    std::erase_if(members, [](const ZipMember& member) { return !member.name.ends_with(".npy"); });
    for (ZipMember& member : members) {
        member.name.resize(member.name.size() - 4);
        made.names.push_back(member.name);
    }
    if (members.empty()) return failure("zip.none");
    made.array = [members = std::move(members), names = made.names,
                  fetch](const std::string& name) -> Result<Found> {
        const auto found = named(members, chosen_of(names, name));
        if (found == members.end()) return no_array(name, names);
        if (!found->packed) return in_npy(found->size, bytes_of(*found, fetch), found->name);
        const auto bytes = inflated_bytes_of(*found, fetch);
        if (!bytes) return tl::unexpected(bytes.error());
        return in_npy(found->size, *bytes, found->name);
    };
    return made;
}

// .pt: one member describes the tensors, and each of the others has the numbers of some.
Result<Source> arrays_of_torch(const std::vector<ZipMember>& members, const ZipMember& description,
                               const Fetch& fetch, std::string_view path) {
    if (description.packed) return failure("zip.packed", {{"name", description.name}});
    if (description.size > kLargestJson) return failure("pickle.broken");
    std::string pickle(static_cast<std::size_t>(description.size), '\0');
    if (!bytes_of(description, fetch)(0, pickle)) return failure("pickle.broken");
    auto tensors = pickled_tensors(pickle);
    if (!tensors) return tl::unexpected(tensors.error());
    if (tensors->empty()) return failure("pickle.none");
    if (tensors->size() == 1 && tensors->front().name.empty())
        tensors->front().name = fs::path(path).stem().string();
    const std::string folder =
        description.name.substr(0, description.name.size() - std::string_view("data.pkl").size());
    bool swapped = false;
    if (const auto order = named(members, folder + "byteorder"); order != members.end() && order->size == 3)
        swapped = true;  // "big"
    Source made;
    for (const PickledTensor& one : *tensors) made.names.push_back(one.name);
    made.array = [=, tensors = std::move(*tensors),
                  names = made.names](const std::string& name) -> Result<Found> {
        const auto found = named(tensors, chosen_of(names, name));
        if (found == tensors.end()) return no_array(name, names);
        const Type* const type = type_of(found->storage, &Type::torch);
        if (type == nullptr)
            return failure("tensor.dtype", {{"name", found->name}, {"dtype", found->storage}});
        const auto numbers = named(members, folder + "data/" + found->key);
        if (numbers == members.end()) return failure("pickle.broken");
        if (numbers->packed) return failure("zip.packed", {{"name", numbers->name}});
        // The last element must be in the storage.
        const std::uint64_t element = type->bytes * (type->complex ? 2 : 1);
        std::int64_t last = found->offset;
        for (std::size_t d = 0; d < found->shape.size(); ++d) {
            std::int64_t reach = 0;
            if (found->shape[d] == 0) return failure("tensor.empty", {{"name", found->name}});
            if (__builtin_mul_overflow(found->shape[d] - 1, found->strides[d], &reach) ||
                __builtin_add_overflow(last, reach, &last))
                return failure("pickle.broken");
        }
        if (static_cast<std::uint64_t>(last) >= numbers->size / element)
            return failure("tensor.cut", {{"name", found->name}});
        const Layout layout{static_cast<std::uint64_t>(found->offset) * element, found->strides, swapped};
        return found_at(found->name, found->shape, *type, layout, bytes_of(*numbers, fetch));
    };
    return made;
}

Result<Source> arrays_of_zip(std::uint64_t size, const Fetch& fetch, std::string_view path) {
    auto members = zip_members(size, fetch);
    if (!members) return tl::unexpected(members.error());
    for (const ZipMember& member : *members)
        if (member.name.ends_with("/data.pkl")) return arrays_of_torch(*members, member, fetch, path);
    return arrays_of_npz(std::move(*members), fetch);
}

Result<Source> arrays_of_gguf(std::uint64_t size, const Fetch& fetch) {
    auto header = read_gguf(size, fetch);
    if (!header) return tl::unexpected(header.error());
    Source made;
    for (const GgufTensor& one : header->tensors) made.names.push_back(one.name);
    made.array = [tensors = std::move(header->tensors), names = made.names, size,
                  fetch](const std::string& name) -> Result<Found> {
        const auto found = named(tensors, chosen_of(names, name));
        if (found == tensors.end()) return no_array(name, names);
        const auto type = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const Type& one) {
            return one.gguf >= 0 && static_cast<std::uint32_t>(one.gguf) == found->type;
        });
        if (type == std::end(kTypes))
            return failure("gguf.quantized", {{"name", found->name}, {"dtype", gguf_type(found->type)}});
        const auto count = count_of(found->shape);
        if (!count || static_cast<std::uint64_t>(*count) > (size - found->first) / type->bytes)
            return failure("tensor.cut", {{"name", found->name}});
        return found_at(found->name, found->shape, *type, {found->first}, fetch);
    };
    return made;
}

Result<Found> found_in_text(const std::string& name, const std::shared_ptr<const TextNumbers>& numbers) {
    static constexpr Type kDouble{"", "", "float64", 8, double_at};
    const Fetch fetch = [numbers](std::uint64_t from, std::span<char> into) {
        const std::uint64_t bytes = numbers->values.size() * sizeof(double);
        if (from > bytes || into.size() > bytes - from) return false;
        std::memcpy(into.data(), reinterpret_cast<const char*>(numbers->values.data()) + from, into.size());
        return true;
    };
    auto found = found_at(name, numbers->shape, kDouble, {}, fetch);
    if (found && numbers->decimals < 17) found->place.dtype = fmt::format("decimal({})", numbers->decimals);
    return found;
}

// The members of an object that are lists, as they are written: a large one is never held as values. Empty for text that is none.
struct ListText {
    std::string name;
    std::string_view text;
};
std::vector<ListText> lists_in(std::string_view text) {
    std::vector<ListText> made;
    std::vector<char> open;
    std::string_view key, word;  // of the outermost object
    std::size_t begin = 0;
    bool ended = false;  // a member, whose comma has not come
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (ended && (c == '"' || c == '[' || c == '{')) return {};
        if (c == ',') ended = false;
        if (c == '"') {
            const std::size_t first = at++;
            while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
            if (open.size() == 1) word = text.substr(first, at + 1 - first);
        } else if (c == ':' && open.size() == 1) {
            key = word;
        } else if (c == '[' || c == '{') {
            if (c == '[' && open.size() == 1) begin = at;
            open.push_back(c);
        } else if (c == ']' || c == '}') {
            if (open.empty() || open.back() != (c == ']' ? '[' : '{')) return {};
            open.pop_back();
            ended = open.size() == 1;
            if (c != ']' || !ended) continue;
            const auto name = parse_json(key);
            if (!name || !name->is_string()) return {};
            made.push_back({name->get<std::string>(), text.substr(begin, at + 1 - begin)});
        }
    }
    return open.empty() ? made : std::vector<ListText>();
}

Result<Source> arrays_of_object(std::string text) {
    spend(10.0 * static_cast<double>(text.size()));
    auto whole = std::make_shared<const std::string>(std::move(text));
    auto lists = lists_in(*whole);
    if (lists.empty()) {
        const auto object = parse_json(*whole);  // for what is wrong, and where
        return object ? failure("text.none") : tl::unexpected(object.error());
    }
    Source made;
    for (const ListText& one : lists) made.names.push_back(one.name);
    made.array = [whole, lists = std::move(lists),
                  names = made.names](const std::string& name) -> Result<Found> {
        const auto chosen = named(lists, chosen_of(names, name));
        if (chosen == lists.end()) return no_array(name, names);
        auto numbers = nested_numbers(chosen->text, true);
        if (!numbers) return tl::unexpected(numbers.error());
        return found_in_text(chosen->name, std::make_shared<const TextNumbers>(std::move(*numbers)));
    };
    return made;
}

Result<Source> array_of_text(std::uint64_t size, const Fetch& fetch) {
    if (size > kLargestText) return failure("text.many", {{"maximum", std::to_string(kMostTensorValues)}});
    // Nested lists are read whole, rows a piece at a time.
    std::string begin(static_cast<std::size_t>(std::min<std::uint64_t>(size, 64)), '\0');
    if (!fetch(0, begin)) return failure("text.none");
    const std::size_t first = begin.find_first_not_of(" \t\r\n");
    const bool object = first != std::string::npos && begin[first] == '{';
    std::string whole;
    if (object || is_nested(begin)) {
        whole.resize(static_cast<std::size_t>(size));
        if (!fetch(0, whole)) return failure("text.none");
    }
    if (object) return arrays_of_object(std::move(whole));
    auto read = whole.empty() ? text_numbers(size, fetch) : nested_numbers(whole, false);
    if (!read) return tl::unexpected(read.error());
    return Source{{}, [numbers = std::make_shared<const TextNumbers>(std::move(*read))](const std::string&) {
                      return found_in_text("", numbers);
                  }};
}

Result<Source> array_of_npy(std::uint64_t size, const Fetch& fetch) {
    return Source{{}, [size, fetch](const std::string&) { return in_npy(size, fetch, ""); }};
}

Result<Source> arrays_of_safetensors(std::uint64_t size, const Fetch& fetch) {
    auto header = safetensors_header(size, fetch);
    if (!header) return tl::unexpected(header.error());
    Source made{names_in(header->arrays), {}};
    made.array = [header = std::make_shared<const Header>(std::move(*header)), names = made.names, size,
                  fetch](const std::string& name) {
        return in_safetensors(size, *header, names, name, fetch);
    };
    return made;
}

// The format of a file, by its first bytes; of text by its name.
Result<Source> arrays_of(std::uint64_t size, const Fetch& fetch, std::string_view path) {
    if (path.ends_with(".safetensors")) return arrays_of_safetensors(size, fetch);
    std::array<char, 8> raw{};
    const std::size_t there =
        std::min<std::size_t>(raw.size(), static_cast<std::size_t>(std::min<std::uint64_t>(size, 8)));
    if (there == 0 || !fetch(0, std::span(raw).first(there))) return failure("npy.no_bytes");
    const std::string_view head(raw.data(), there);
    if (head.starts_with("PK\x03\x04")) return arrays_of_zip(size, fetch, path);
    if (head.starts_with("GGUF")) return arrays_of_gguf(size, fetch);
    if (head.starts_with("\x80\x02") || path.ends_with(".pt") || path.ends_with(".pth"))
        return failure("pickle.old");
    for (const std::string_view ending : {".csv", ".txt", ".tsv", ".json"})
        if (path.ends_with(ending)) return array_of_text(size, fetch);
    return array_of_npy(size, fetch);
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

FileStamp stamp_of(const os::FileStatus& status) {
    return {status.device, status.file, status.size, status.seconds, status.nanoseconds};
}

Result<Bytes> Bytes::open(const std::string& path) {
    // A pipe is not waited for.
    const int descriptor = os::open_to_read(path, os::Pipe::at_once);
    if (descriptor < 0)
        return failure(errno == ENOENT ? "file.missing" : "file.read",
                       {{"path", path}, {"reason", reason_of(errno)}});
    const std::shared_ptr<const int> file(new int(descriptor), [](const int* one) {
        os::close(*one);
        delete one;
    });
    const auto status = os::status_of(*file);
    if (!status) return failure("file.read", {{"path", path}, {"reason", reason_of(errno)}});
    std::error_code ignored;
    if (!status->regular)
        return failure(fs::is_directory(path, ignored) ? "file.folder" : "npy.no_file", {{"path", path}});
    return Bytes{status->size,
                 [file](std::uint64_t from, std::span<char> into) {
                     while (!into.empty()) {
                         const std::ptrdiff_t count = os::read_at(*file, from, into);
                         if (count <= 0) return false;
                         into = into.subspan(static_cast<std::size_t>(count));
                         from += static_cast<std::uint64_t>(count);
                     }
                     return true;
                 },
                 [file] {
                     const auto now = os::status_of(*file);
                     return now ? stamp_of(*now) : FileStamp{};
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
    return tensor_in(bytes, safetensors ? ".safetensors" : "", name);
}

namespace {

// The arrays that are meant: both of two, where none is named.
template <class Read>
Result<std::vector<StoredTensor>> meant(const std::vector<std::string>& names, const std::string& name,
                                        Read read) {
    std::vector<StoredTensor> made;
    const std::vector<std::string> wanted = name.empty() && names.size() == 2 ? names : std::vector{name};
    for (const std::string& one : wanted) {
        Result<StoredTensor> tensor = read(one);
        if (!tensor) return tl::unexpected(tensor.error());
        made.push_back(std::move(*tensor));
    }
    return made;
}

// Calls back with the arrays in these bytes.
template <class Use>
auto with_source(std::string_view bytes, const char* path, Use use)
    -> decltype(use(std::declval<const Source&>())) {
    const Fetch fetch = [bytes](std::uint64_t from, std::span<char> into) {
        if (from > bytes.size() || into.size() > bytes.size() - from) return false;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
        return true;
    };
    const auto source = arrays_of(bytes.size(), fetch, path);
    if (!source) return tl::unexpected(source.error());
    return use(*source);
}
Result<StoredTensor> array_in(const Source& source, const std::string& name) {
    const auto found = source.array(name);
    if (!found) return tl::unexpected(found.error());
    return stored(found->place, [&](std::int64_t first, std::span<double> into) {
        return numbers(found->place, found->fetch, first, into);
    });
}

}  // namespace

Result<StoredTensor> tensor_in(std::string_view bytes, const char* path, const std::string& name) {
    return with_source(bytes, path, [&](const Source& source) { return array_in(source, name); });
}

Result<std::vector<StoredTensor>> tensors_in(std::string_view bytes, const char* path,
                                             const std::string& name) {
    return with_source(bytes, path, [&](const Source& source) {
        return meant(source.names, name, [&](const std::string& one) { return array_in(source, one); });
    });
}

// ---- Files of arrays -----------------------------------------------------------------------------------------------

struct TensorArchive::Contents {
    std::string path;
    std::vector<std::string> names;
    std::optional<Bytes> bytes;  // of one file
    Source source;               // of its arrays
    Json map;                    // of an index: the file of every array
    // The file that was opened last: each may have a header of many megabytes, and there may be many.
    std::optional<std::pair<std::string, TensorArchive>> opened;

    // Beside the index, whatever else that says.
    Result<std::string> shard_of(const std::string& name) const;
};

Result<std::string> TensorArchive::Contents::shard_of(const std::string& name) const {
    const auto found = map.find(name);
    if (found == map.end() || !found->is_string()) return no_array(name, names);
    const fs::path shard(found->get_ref<const std::string&>());
    if (shard.filename() != shard || !shard.string().ends_with(".safetensors"))
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
    auto source = arrays_of(contents.bytes->size, contents.bytes->fetch, path);
    if (!source) return tl::unexpected(in_file(source.error(), path));
    contents.source = std::move(*source);
    contents.names = contents.source.names;
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
    auto found = contents.source.array(name);
    if (!found) return tl::unexpected(in_file(found.error(), contents.path));
    TensorFile file;
    file.place_ = std::move(found->place);
    file.fetch_ = std::move(found->fetch);
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

namespace {

Result<StoredTensor> all_of(const Result<TensorFile>& file, const std::string& path) {
    if (!file) return tl::unexpected(file.error());
    auto tensor = stored(file->place(),
                         [&](std::int64_t first, std::span<double> into) { return file->read(first, into); });
    if (!tensor) return tl::unexpected(in_file(tensor.error(), path));
    return tensor;
}

}  // namespace

Result<StoredTensor> read_tensor(const std::string& path, const std::string& name) {
    return all_of(TensorFile::open(path, name), path);
}

Result<std::vector<StoredTensor>> read_tensors(const std::string& path, const std::string& name) {
    auto archive = TensorArchive::open(path);
    if (!archive) return tl::unexpected(archive.error());
    return meant(archive->names(), name,
                 [&](const std::string& one) { return all_of(archive->array(one), path); });
}

}  // namespace posiscope
