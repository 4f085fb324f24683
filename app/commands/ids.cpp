#include "app/commands/ids.hpp"

#include "core/formats/file.hpp"
#include "core/formats/npy_header.hpp"
#include "core/json.hpp"
#include "core/positions/positions.hpp"
#include "core/positions/recognise.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace posiscope::commands {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 26;

template <class T>
std::int64_t number_at(const char* at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::int64_t>(value);
}

// Whole numbers of a .npy file, each step of its last dimension a list.
Result<Lists> from_npy(const std::string& path, const std::string& bytes) {
    const auto header = read_npy_header(bytes);
    if (!header) return tl::unexpected(in_file(header.error(), path));
    struct Kind {
        std::string_view descr;
        std::size_t size;
        std::int64_t (*read)(const char*);
    };
    static constexpr Kind kinds[] = {
        {"<i8", 8, number_at<std::int64_t>}, {"<i4", 4, number_at<std::int32_t>},
        {"<i2", 2, number_at<std::int16_t>}, {"|i1", 1, number_at<std::int8_t>},
        {"|u1", 1, number_at<std::uint8_t>}, {"|b1", 1, number_at<std::uint8_t>}};
    const auto kind = std::ranges::find(kinds, std::string_view(header->descr), &Kind::descr);
    if (kind == std::end(kinds) || !header->shape || header->shape->empty() ||
        header->fortran.value_or(false))
        return refuse("ids.npy", {{"in", path}});
    double count = 1.0;
    for (const std::int64_t size : *header->shape) count *= static_cast<double>(size);
    if (count < 1.0 || count > static_cast<double>(kMostTokens) * 3.0)
        return refuse("ids.too_many", {{"length", to_text(count)}, {"maximum", std::to_string(kMostTokens)}});
    const auto values = static_cast<std::size_t>(count),
               row = static_cast<std::size_t>(header->shape->back());
    if (bytes.size() < header->data + values * kind->size) return refuse("ids.npy", {{"in", path}});
    Lists lists(values / row);
    for (std::size_t i = 0; i < values; ++i)
        lists[i / row].push_back(kind->read(bytes.data() + header->data + i * kind->size));
    return lists;
}

// A list as it is typed, or the file that has it: text, JSON or .npy.
Result<Lists> lists_of(const std::string& given) {
    const bool typed = given.find_first_not_of("0123456789-[], \t\r\n") == std::string::npos;
    if (typed) return typed_ids(given);
    const auto bytes = read_file(given, kMostBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->starts_with("\x93NUMPY")) return from_npy(given, *bytes);
    if (!is_utf8(*bytes)) return refuse("text.utf8", {{"path", given}});
    auto lists = typed_ids(*bytes);
    if (!lists) return tl::unexpected(in_file(lists.error(), given));
    return lists;
}

// What a config says of ids: the first one of its table, and its window.
Result<void> take_config(GivenIds& given, const std::string& path) {
    const auto bytes = read_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto json = parse_json(*bytes);
    if (!json) return tl::unexpected(in_file(json.error(), path));
    if (!json->is_object()) return {};
    const auto number = [&](const char* key) -> std::optional<std::int64_t> {
        const auto found = json->find(key);
        if (found == json->end() || !found->is_number_integer()) return std::nullopt;
        return found->get<std::int64_t>();
    };
    const auto type = json->find("model_type");
    const std::string model = type != json->end() && type->is_string() ? type->get<std::string>() : "";
    static constexpr std::string_view padded[] = {
        "roberta",    "xlm-roberta", "xlm-roberta-xl",      "camembert",
        "longformer", "mpnet",       "roberta-prelayernorm"};
    if (std::ranges::find(padded, model) != std::end(padded))
        given.first = number("pad_token_id").value_or(1) + 1;
    if (model == "opt") given.first = 2;
    given.window = number("sliding_window");
    return {};
}

// Three lists are the axes of one row where they begin alike and differ later; else each is a row of a batch.
bool are_axes(const Lists& lists) {
    return lists.size() == 3 && lists[0].size() == lists[1].size() && lists[0].size() == lists[2].size() &&
           !lists[0].empty() && lists[0][0] == lists[1][0] && lists[0][0] == lists[2][0] &&
           lists[0] != lists[1];
}

}  // namespace

void add_ids_options(CLI::App& app, IdsTyped& typed, const Strings& strings) {
    add_option(app, "--ids", typed.ids, strings.text("option.check.ids.help"), "LIST|FILE");
    add_option(app, "--mask", typed.mask, strings.text("option.check.mask.help"), "LIST|FILE");
    add_option(app, "--cu-seqlens", typed.bounds, strings.text("option.check.bounds.help"), "LIST|FILE");
}

Result<void> run_ids(const IdsTyped& typed, const Terminal& terminal) {
    const auto ids = lists_of(typed.ids);
    if (!ids) return tl::unexpected(ids.error());
    GivenIds usual;
    Lists masks;
    if (!typed.config.empty())
        if (auto taken = take_config(usual, typed.config); !taken) return taken;
    if (!typed.mask.empty()) {
        auto mask = lists_of(typed.mask);
        if (!mask) return tl::unexpected(mask.error());
        masks = std::move(*mask);
    }
    if (!typed.bounds.empty()) {
        auto bounds = lists_of(typed.bounds);
        if (!bounds) return tl::unexpected(bounds.error());
        if (!bounds->empty()) usual.bounds = std::move(bounds->front());
    }
    // A square mask is one of pairs; else each row of a batch has its own, or all have the same one.
    const bool pairs = !masks.empty() && masks.size() > 1 && masks.size() == masks.front().size();
    if (pairs) usual.seen = masks;
    const bool axes = are_axes(*ids);
    const std::size_t rows = axes ? 1 : ids->size();
    if (rows == 0) return refuse("ids.none");
    bool known = true, slipped = false;
    std::string sentences;
    Json facts = Json::array();
    for (std::size_t row = 0; row < rows; ++row) {
        GivenIds given = usual;
        if (axes) given.axes = *ids;
        else given.axes = {(*ids)[row]};
        if (!pairs && !masks.empty()) given.mask = masks[std::min(row, masks.size() - 1)];
        const auto found = recognise_ids(given);
        if (!found) return tl::unexpected(found.error());
        Json& of_row = facts.emplace_back(Json{{"verdict", !found->known    ? "unknown"
                                                           : found->slipped ? "slip"
                                                                            : "right"},
                                               {"answers", Json::array()}});
        for (const Problem& answer : found->answers) {
            const std::string sentence = terminal.strings.sentence(answer);
            Json& one = of_row["answers"].emplace_back(
                Json{{"name", answer.key.substr(answer.key.find('.') + 1)}, {"sentence", sentence}});
            for (const auto& [name, value] : answer.values) one["values"][name] = value;
            if (rows > 1) sentences += terminal.strings.format("ids.row", fmt::arg("row", row)) + " ";
            sentences += sentence + "\n";
        }
        known = known && found->known;
        slipped = slipped || found->slipped;
    }
    FileWriter out = FileWriter::standard_output();
    out.write(typed.json ? facts.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" : sentences);
    if (auto written = out.commit(); !written) return written;
    if (!known) return failure("ids.unknown");
    if (slipped && terminal.exit != nullptr) *terminal.exit = Exit::slip;
    return {};
}

}  // namespace posiscope::commands
