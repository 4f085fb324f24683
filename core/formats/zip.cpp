#include "core/formats/zip.hpp"

#include <algorithm>
#include <memory>

namespace posiscope {
namespace {

constexpr std::uint64_t kMostMembers = 65536, kLargestDirectory = std::uint64_t{16} << 20;
constexpr std::uint64_t kEnd = 22, kLongestComment = 65535, kLocal = 30, kEntry = 46;

std::uint64_t field(std::string_view bytes, std::size_t at, std::size_t width) {
    std::uint64_t made = 0;
    for (std::size_t i = 0; i < width; ++i)
        made |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return made;
}

struct Directory {
    std::uint64_t members = 0, size = 0, first = 0;
};

tl::unexpected<Problem> broken() { return failure("zip.header"); }

Result<Directory> directory_of(std::uint64_t size, const FetchBytes& fetch) {
    const std::uint64_t tail = std::min(size, kEnd + kLongestComment);
    std::string text(static_cast<std::size_t>(tail), '\0');
    if (size < kEnd || !fetch(size - tail, text)) return broken();
    const std::size_t at = text.rfind("PK\x05\x06");
    if (at == std::string::npos || text.size() - at < kEnd) return broken();
    Directory made{field(text, at + 10, 2), field(text, at + 12, 4), field(text, at + 16, 4)};
    if (made.members != 0xffff && made.size != 0xffffffff && made.first != 0xffffffff) return made;
    // The 64-bit record, whose place is told just before.
    if (at < 20 || std::string_view(text).substr(at - 20, 4) != "PK\x06\x07") return broken();
    const std::uint64_t place = field(text, at - 20 + 8, 8);
    std::string record(56, '\0');
    if (place > size || size - place < record.size() || !fetch(place, record) ||
        !record.starts_with("PK\x06\x06"))
        return broken();
    return Directory{field(record, 32, 8), field(record, 40, 8), field(record, 48, 8)};
}

// The fields of an entry that did not fit 32 bits, in their order.
void widen(std::string_view extra, std::span<std::uint64_t* const> fields) {
    while (extra.size() >= 4) {
        const std::uint64_t id = field(extra, 0, 2);
        const auto length = static_cast<std::size_t>(field(extra, 2, 2));
        if (length > extra.size() - 4) return;
        std::string_view body = extra.substr(4, length);
        if (id == 1)
            for (std::uint64_t* const one : fields) {
                if (*one != 0xffffffff) continue;
                if (body.size() < 8) return;
                *one = field(body, 0, 8);
                body.remove_prefix(8);
            }
        extra.remove_prefix(4 + length);
    }
}

}  // namespace

Result<std::vector<ZipMember>> zip_members(std::uint64_t size, const FetchBytes& fetch) {
    const auto directory = directory_of(size, fetch);
    if (!directory) return tl::unexpected(directory.error());
    if (directory->members > kMostMembers || directory->size > kLargestDirectory || directory->first > size ||
        directory->size > size - directory->first)
        return broken();
    std::string text(static_cast<std::size_t>(directory->size), '\0');
    if (!fetch(directory->first, text)) return broken();
    std::string_view rest = text;
    std::vector<ZipMember> made;
    for (std::uint64_t n = 0; n < directory->members; ++n) {
        if (rest.size() < kEntry || !rest.starts_with("PK\x01\x02")) return broken();
        const auto name = static_cast<std::size_t>(field(rest, 28, 2)),
                   extra = static_cast<std::size_t>(field(rest, 30, 2)),
                   comment = static_cast<std::size_t>(field(rest, 32, 2));
        if (rest.size() - kEntry < name + extra + comment) return broken();
        std::uint64_t packed = field(rest, 20, 4), whole = field(rest, 24, 4), local = field(rest, 42, 4);
        std::uint64_t* const fields[] = {&whole, &packed, &local};
        widen(rest.substr(kEntry + name, extra), fields);
        const bool encrypted = field(rest, 8, 2) % 2 == 1, stored = field(rest, 10, 2) == 0;
        ZipMember member{std::string(rest.substr(kEntry, name)), 0, whole, !stored || encrypted};
        member.deflated = !encrypted && field(rest, 10, 2) == 8;
        member.packed_size = packed;
        rest.remove_prefix(kEntry + name + extra + comment);
        std::string head(kLocal, '\0');
        if (local > size || size - local < kLocal || !fetch(local, head) || !head.starts_with("PK\x03\x04"))
            return broken();
        member.first = local + kLocal + field(head, 26, 2) + field(head, 28, 2);
        if (member.first > size || packed > size - member.first || (!member.packed && packed != whole))
            return broken();
        made.push_back(std::move(member));
    }
    return made;
}

Result<FetchBytes> inflated_bytes_of(const ZipMember& member, const FetchBytes& fetch) {
    const auto packed = failure("zip.packed", {{"name", member.name}});
    if (!member.deflated || member.size > kLargestInflated || member.packed_size > kLargestInflated)
        return packed;
    std::string bytes(static_cast<std::size_t>(member.packed_size), '\0');
    if (!fetch(member.first, bytes)) return broken();
    auto whole = inflated(bytes, member.size);
    if (!whole) return broken();
    return [held = std::make_shared<const std::string>(std::move(*whole))](std::uint64_t from,
                                                                           std::span<char> into) {
        if (from > held->size() || into.size() > held->size() - from) return false;
        std::copy_n(held->begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
        return true;
    };
}

FetchBytes bytes_of(const ZipMember& member, const FetchBytes& fetch) {
    return [first = member.first, size = member.size, fetch](std::uint64_t from, std::span<char> into) {
        return from <= size && into.size() <= size - from && fetch(first + from, into);
    };
}

}  // namespace posiscope
