
#include "app/commands/checks.hpp"
#include "app/commands/streams.hpp"
#include "core/encodings/encodings.hpp"
#include "core/formats/file.hpp"
#include "core/formats/tensor.hpp"
#include "core/json.hpp"
#include "core/json_members.hpp"
#include "core/models/config.hpp"
#include "core/models/rescale.hpp"
#include "core/positions/positions.hpp"
#include "core/positions/recognise.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::commands {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 26;

// Each step of the last dimension a list.
Result<Lists> whole_lists(const StoredTensor& tensor, const std::string& path) {
    const auto count = static_cast<std::int64_t>(tensor.values.size());
    if (tensor.cropped || count > 3 * kMostTokens)
        return refuse("ids.too_many",
                      {{"length", std::to_string(count)}, {"maximum", std::to_string(kMostTokens)}});
    const auto is_id = [](double value) {
        return value <= static_cast<double>(kLastPosition) &&
               value >= -static_cast<double>(kLastPosition) - 1.0;
    };
    if (tensor.shape.empty() || !std::ranges::all_of(tensor.values, is_id))
        return refuse("ids.npy", {{"in", path}});
    // [n, axes] has an axis a column.
    const std::int64_t columns = tensor.shape.back();
    if (tensor.shape.size() == 2 && (columns == 2 || columns == 4) && tensor.shape[0] > 4) {
        Lists axes(static_cast<std::size_t>(columns));
        for (std::size_t i = 0; i < tensor.values.size(); ++i)
            axes[i % axes.size()].push_back(static_cast<std::int64_t>(tensor.values[i]));
        return axes;
    }
    const auto row = static_cast<std::size_t>(columns);
    Lists lists(tensor.values.size() / row);
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
        lists[i / row].push_back(static_cast<std::int64_t>(tensor.values[i]));
    return lists;
}

// A large array is not read to see that it is no text.
bool begins_with_a_zero(const std::string& path) {
    auto file = FileReader::open(path);
    std::string begin(512, ' ');
    const auto count = file ? file->read(begin) : Result<std::size_t>(0);
    return file && file->size() > 0 && count && begin.substr(0, *count).find('\0') != std::string::npos;
}

// A list as it is typed, or the file that has it: text, JSON or an array.
Result<Lists> lists_of(const std::string& given) {
    // Printed tensors begin with a word; numbers may have a point.
    const std::size_t bracket = given.find('[');
    const bool printed = bracket != std::string::npos &&
                         (given.starts_with("tensor(") || given.starts_with("array(")) &&
                         given.find(']') != std::string::npos;
    if (printed) return typed_ids(std::string_view(given).substr(bracket, given.rfind(']') + 1 - bracket));
    const bool typed = given.find_first_not_of("0123456789-[],. \t\r\n") == std::string::npos &&
                       given.find_first_of("0123456789") != std::string::npos;
    if (typed) return typed_ids(given);
    if (given == "-") {
        const auto input = read_input("-", kMostBytes);
        if (!input) return tl::unexpected(input.error());
        return typed_ids(*input);
    }
    const bool binary = begins_with_a_zero(given);
    const auto bytes = binary ? Result<std::string>("") : read_file(given, kMostBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    if (binary || !is_utf8(*bytes) || bytes->find('\0') != std::string::npos) {
        const auto file = TensorFile::open(given, "");
        if (!file) return tl::unexpected(file.error());
        if (file->place().dtype.find("int") == std::string::npos && file->place().dtype != "bool")
            return refuse("ids.npy", {{"in", given}});
        const auto tensor = read_tensor(given, "");
        if (!tensor) return tl::unexpected(tensor.error());
        return whole_lists(*tensor, given);
    }
    auto lists = typed_ids(*bytes);
    if (!lists) return tl::unexpected(in_file(lists.error(), given));
    return lists;
}

// The ids that a config's model takes. The ids of some tables have its offset in them; others add it to ids from 0.
// A scaling covers factor × original positions, whatever max_position_embeddings is.
std::optional<IdRange> range_of(const Json& config, bool offset_in_ids) {
    const auto model = read_config(config);
    if (!model) return std::nullopt;
    const auto laid = overlay(Scene(), model->scene);
    if (!laid) return std::nullopt;
    const Scene& scene = laid->scene;
    const Json& settings = scene.encoding.parameters;
    const auto longest = integer_at(settings, "max_position_embeddings");
    if (!longest) return std::nullopt;
    if (encoding_of(scene).rows) {
        const std::int64_t offset = integer_at(settings, "position_offset").value_or(0);
        return offset_in_ids ? IdRange{0, *longest + offset - 1, true} : IdRange{-offset, *longest - 1, true};
    }
    if (!takes_scalings(scene)) return std::nullopt;
    return IdRange{0, std::max(*longest, scaled_length(scene).value_or(0)) - 1, false};
}

// The ids of a config: the first one of its table, those it takes, and its window.
Result<void> take_config(GivenIds& given, const std::string& path) {
    const auto bytes = read_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto json = parse_json(*bytes);
    if (!json) return tl::unexpected(in_file(json.error(), path));
    if (!json->is_object()) return {};
    const Json* text = object_at(*json, "text_config");
    const Json& config = text != nullptr ? *text : *json;
    // Others are none that a table or a window can have.
    const auto number = [&](const char* key, int least) -> std::optional<std::int64_t> {
        const auto found = integer_at(config, key);
        return found && *found >= least && *found <= kLastPosition ? found : std::nullopt;
    };
    // Their ids begin at padding_idx + 1: create_position_ids_from_input_ids in each one's modeling file. OPT and BART add their
    // offset to ids from 0 inside the table.
    static constexpr std::string_view padded[] = {"roberta",
                                                  "xlm-roberta",
                                                  "xlm-roberta-xl",
                                                  "camembert",
                                                  "longformer",
                                                  "mpnet",
                                                  "roberta-prelayernorm",
                                                  "data2vec-text",
                                                  "ibert",
                                                  "layoutlmv3",
                                                  "lilt",
                                                  "luke",
                                                  "mluke",
                                                  "markuplm",
                                                  "xmod",
                                                  "esm"};
    const std::string& embedding = text_at(config, "position_embedding_type");
    if (std::ranges::find(padded, text_at(config, "model_type")) != std::end(padded) &&
        (embedding.empty() || embedding == "absolute"))
        given.first = number("pad_token_id", 0).value_or(1) + 1;
    given.range = range_of(*json, given.first.has_value());
    const auto used = config.find("use_sliding_window");
    if (used == config.end() || *used != false) given.window = number("sliding_window", 1);
    // ModernBERT's counts both sides together.
    if (const auto local = number("local_attention", 1); local && !given.window)
        given.window = *local / 2 + 1;
    return {};
}

// Row `row` of `rows` on three axes, as arrays of the shape (3, rows, n) have them.
Lists axes_at(const Lists& lists, std::size_t rows, std::size_t row) {
    return {lists[row], lists[rows + row], lists[2 * rows + row]};
}

// Whether lists that come in threes could be axes: some row begins alike on all of them and differs later.
bool could_be_axes(const Lists& lists) {
    const std::size_t rows = lists.size() / 3;
    if (rows == 0 || lists.size() % 3 != 0) return false;
    bool differs = false;
    for (std::size_t row = 0; row < rows; ++row) {
        const Lists axes = axes_at(lists, rows, row);
        for (const auto& axis : axes)
            if (axis.empty() || axis.size() != axes[0].size() || axis[0] != axes[0][0]) return false;
        differs = differs || axes[0] != axes[1] || axes[0] != axes[2];
    }
    return differs;
}

}  // namespace

void add_ids_options(CLI::App& app, IdsTyped& typed, const Strings& strings) {
    add_option(app, "--ids", typed.ids, strings.text("option.check.ids.help"), "LIST|FILE");
    add_option(app, "--mask", typed.mask, strings.text("option.check.mask.help"), "LIST|FILE");
    add_option(app, "--cu-seqlens", typed.bounds, strings.text("option.check.bounds.help"), "LIST|FILE");
}

namespace {

// Each row of a batch, or the one row with its axes.
struct Judged {
    std::vector<IdsFound> rows;

    bool known() const { return std::ranges::all_of(rows, &IdsFound::known); }
    bool slipped() const { return std::ranges::any_of(rows, &IdsFound::slipped); }
};

Result<Judged> judge(const IdsTyped& typed) {
    const auto ids = lists_of(typed.ids);
    if (!ids) return tl::unexpected(ids.error());
    GivenIds usual;
    Lists masks;
    if (!typed.config.empty())
        if (auto taken = take_config(usual, typed.config); !taken) return tl::unexpected(taken.error());
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
    const auto judge_rows = [&](std::size_t rows, bool axes) -> Result<Judged> {
        if (rows == 0) return refuse("ids.none");
        if (!pairs && masks.size() > 1 && masks.size() != rows)
            return refuse("ids.mask_rows",
                          {{"masks", std::to_string(masks.size())}, {"rows", std::to_string(rows)}});
        Judged judged;
        for (std::size_t row = 0; row < rows; ++row) {
            GivenIds given = usual;
            if (axes) given.axes = axes_at(*ids, rows, row);
            else given.axes = {(*ids)[row]};
            if (!pairs && !masks.empty()) given.mask = masks[std::min(row, masks.size() - 1)];
            auto found = recognise_ids(given);
            if (!found) return tl::unexpected(found.error());
            judged.rows.push_back(std::move(*found));
        }
        return judged;
    };
    // Two axes, or four, of one image.
    if ((ids->size() == 2 || ids->size() == 4) && std::ranges::all_of(*ids, [&](const auto& axis) {
            return axis.size() == ids->front().size() && !axis.empty();
        })) {
        GivenIds given = usual;
        given.axes = *ids;
        given.bounds.clear();
        if (const auto grid = grid_of(given.axes)) return Judged{{IdsFound{{grid->said}, grid->slip, true}}};
    }
    if (!could_be_axes(*ids)) {
        auto rows = judge_rows(ids->size(), false);
        if ((rows && rows->known()) || ids->size() % 3 != 0) return rows;
        auto axes = judge_rows(ids->size() / 3, true);  // that are alike
        return axes && axes->known() ? axes : rows;
    }
    // Rows of a batch that begin alike look like axes: what is known decides.
    auto axes = judge_rows(ids->size() / 3, true);
    if (axes && axes->known()) return axes;
    auto rows = judge_rows(ids->size(), false);
    return rows && (!axes || rows->known()) ? rows : axes;
}

}  // namespace

Result<std::vector<std::vector<double>>> row_ids(const IdsTyped& typed) {
    std::vector<std::vector<double>> made;
    if (!typed.ids.empty()) {
        const auto lists = lists_of(typed.ids);
        if (!lists) return tl::unexpected(lists.error());
        for (const auto& list : *lists) made.emplace_back(list.begin(), list.end());
    }
    if (typed.mask.empty()) return made;
    const auto masks = lists_of(typed.mask);
    if (!masks) return tl::unexpected(masks.error());
    if (made.empty())
        for (const auto& mask : *masks) {
            std::vector<double>& ids = made.emplace_back();
            for (double id = 0.0; const std::int64_t token : mask) ids.push_back(token != 0 ? id++ : NAN);
        }
    for (std::size_t i = 0; i < made.size(); ++i) {
        const auto& mask = (*masks)[std::min(i, masks->size() - 1)];
        if (mask.size() != made[i].size())
            return refuse("ids.sizes", {{"name", "mask"},
                                        {"count", std::to_string(mask.size())},
                                        {"ids", std::to_string(made[i].size())}});
        for (std::size_t k = 0; k < mask.size(); ++k)
            if (mask[k] == 0) made[i][k] = NAN;
    }
    return made;
}

bool are_whole_numbers(const std::string& given) {
    const auto lists = lists_of(given);
    return lists && !lists->empty();
}

std::optional<Problem> policy_of(const IdsTyped& typed) {
    const auto judged = judge(typed);
    if (!judged || !judged->known()) return std::nullopt;
    return judged->rows.front().answers.front();
}

Result<Outcome> check_ids(const IdsTyped& typed, const Terminal& terminal) {
    const auto judged = judge(typed);
    if (!judged) return tl::unexpected(judged.error());
    Outcome made{judged->slipped() ? Exit::slip : Exit::done, {}, Json::array(), {}};
    for (std::size_t row = 0; row < judged->rows.size(); ++row) {
        const IdsFound& found = judged->rows[row];
        Json& of_row = made.record.emplace_back(Json{{"kind", "ids"},
                                                     {"version", 1},
                                                     {"verdict", !found.known    ? "unknown"
                                                                 : found.slipped ? "wrong"
                                                                                 : "right"},
                                                     {"answers", Json::array()}});
        for (const Problem& answer : found.answers) {
            of_row["answers"].push_back(facts(answer, terminal.strings));
            if (judged->rows.size() > 1)
                made.text += terminal.strings.format("ids.row", fmt::arg("row", row)) + " ";
            made.text += terminal.strings.sentence(answer) + "\n";
        }
    }
    if (!judged->known()) made.exit = Exit::failed, made.why = Problem{"ids.unknown", {}};
    return made;
}

}  // namespace posiscope::commands
