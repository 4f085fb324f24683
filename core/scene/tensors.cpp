#include "core/scene/tensors.hpp"

#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/json_members.hpp"
#include "core/scene/stored_side.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace posiscope {
namespace {

constexpr std::size_t kMostToken = 64;                  // bytes of a token's text
constexpr std::int64_t kMostKept = 3 * kMostStoredRow;  // numbers of all rows that are kept
// The parameters that the rows depend on, of both kinds.
constexpr std::string_view kOfFiles[] = {
    "query",    "key",   "query_name", "key_name", "axes",     "batch", "start",      "rotated_by", "file",
    "key_file", "layer", "head_dim",   "norm",     "norm_eps", "input", "input_name", "seed"};

// Reads the headers only: opens the files for it.
struct Headers {
    StoredHeads heads;
    std::vector<FileStamp> query, key;

    const std::vector<FileStamp>& of(Tensor side) const { return side == Tensor::query ? query : key; }
};

Result<Headers> headers_in_files(const Choice& content) {
    const auto q = stored_side(content, Tensor::query), k = stored_side(content, Tensor::key);
    if (!q) return tl::unexpected(q.error());
    if (!k) return tl::unexpected(k.error());
    if (q->rows != k->rows || q->head_dim != k->head_dim || k->heads > q->heads || q->heads % k->heads != 0)
        return refuse(is_checkpoint(content) ? "content.checkpoint_heads" : "content.stored_apart",
                      {{"q", std::to_string(q->rows)},
                       {"q_heads", std::to_string(q->heads)},
                       {"q_dim", std::to_string(q->head_dim)},
                       {"k", std::to_string(k->rows)},
                       {"k_heads", std::to_string(k->heads)},
                       {"k_dim", std::to_string(k->head_dim)}});
    return Headers{
        {q->rows, q->heads, k->heads, q->head_dim, q->dtype, q->bias || k->bias, q->norm || k->norm},
        q->stamps(),
        k->stamps()};
}

// ---- The rotation that the files contain -------------------------------------------------------------------------

Result<Scene> rotation_scene(const Json& by, std::int64_t heads, std::int64_t width) {
    Json partial = by;
    if (!by.contains("head_dim")) partial["head_dim"] = width;
    partial["num_heads"] = heads;
    auto laid = overlay(Scene(), partial);
    if (!laid) return tl::unexpected(laid.error());
    if (head_dim(laid->scene) != width)
        return refuse("content.rotated_by", {{"kind", laid->scene.encoding.kind}});
    return std::move(laid->scene);
}

class Undo {
public:
    static Result<Undo> of(const Choice& content, Tensor side, const StoredSide& from) {
        Undo made;
        made.start_ = number_of(content, "start");
        made.side_ = side == Tensor::query ? Side::query : Side::key;
        const auto by = content.parameters.find("rotated_by");
        if (by == content.parameters.end() || by->empty()) return made;
        const auto scene = rotation_scene(*by, from.heads, from.head_dim);
        if (!scene) return tl::unexpected(scene.error());
        auto action = action_of(*scene);
        if (!action) return tl::unexpected(action.error());
        const Encoding& encoding = encoding_of(*scene);
        if (!action->turn) return refuse("content.rotated_by", {{"kind", encoding.kind.data()}});
        if (made.start_ > action->positions - from.rows)
            return tl::unexpected(past_end(*scene, made.start_ + from.rows - 1, action->positions));
        const std::int64_t before = integer_at(scene->encoding.parameters, "rotary_offset").value_or(0);
        const std::int64_t pairs = encoding.pairs(*scene);
        for (std::int64_t i = 0; i < pairs; ++i)
            made.pairs_.push_back(
                {static_cast<std::size_t>(before + dimension(encoding.layout(*scene), pairs, {i, 0})),
                 static_cast<std::size_t>(before + dimension(encoding.layout(*scene), pairs, {i, 1}))});
        const auto width = static_cast<std::size_t>(from.head_dim);
        made.first_.assign(width, 1.0);
        made.second_.assign(width, 0.0);
        for (const Pair& pair : made.pairs_) {
            made.first_[pair.second] = 0.0;
            made.second_[pair.second] = 1.0;
        }
        made.action_ = std::move(*action);
        return made;
    }

    // The vector before rotation; false where the rotation has no inverse there.
    bool operator()(std::int64_t row, std::span<double> x) {
        if (!action_) return true;
        spend(3.0 * action_->cost + 6.0 * static_cast<double>(x.size()));
        a_ = first_, b_ = second_;
        saved_.assign(x.begin(), x.end());
        action_->turn(side_, start_ + row, a_);
        action_->turn(side_, start_ + row, b_);
        for (const Pair& p : pairs_) {
            // The columns of the pair's matrix are (a1, a2) and (b1, b2).
            const double a1 = a_[p.first], a2 = a_[p.second], b1 = b_[p.first], b2 = b_[p.second];
            const double area = a1 * b2 - a2 * b1, u = x[p.first], v = x[p.second];
            x[p.first] = (b2 * u - b1 * v) / area;
            x[p.second] = (a1 * v - a2 * u) / area;
            a_[p.first] = a_[p.second] = 1.0;
        }
        for (std::size_t f = 0; f < x.size(); ++f) x[f] /= a_[f];  // of what is not in a pair
        a_.assign(x.begin(), x.end());
        action_->turn(side_, start_ + row, a_);
        double off = 0.0, size = 0.0;
        for (std::size_t f = 0; f < x.size(); ++f) {
            off = std::max(off, std::abs(a_[f] - saved_[f]));
            size = std::max(size, std::abs(saved_[f]));
        }
        return off <= 1e-12 * size;
    }

private:
    struct Pair {
        std::size_t first, second;
    };

    std::optional<Action> action_;
    Side side_ = Side::query;
    std::int64_t start_ = 0;
    std::vector<Pair> pairs_;
    std::vector<double> first_, second_, a_, b_, saved_;
};

// ---- What is kept between Scenes ---------------------------------------------------------------------------------

// One reading of the headers of a content's files.
struct ReadHeaders {
    Choice content;
    Headers headers;
};
using Reading = std::shared_ptr<const ReadHeaders>;
struct KeptRows {
    Reading of;
    Tensor side;
    std::int64_t head = 0, rows = 0;
    std::optional<std::int64_t> row;  // of a single vector; −1: the mean
    StoredRows values;
};
struct TensorCache {
    std::mutex mutex;
    std::vector<Reading> readings;
    std::vector<KeptRows> rows;  // the one asked for last comes last
};
TensorCache& cache() {
    static TensorCache kept;
    return kept;
}

bool same_files(const Choice& a, const Choice& b) {
    return a.kind == b.kind &&
           std::all_of(std::begin(kOfFiles), std::end(kOfFiles), [&](std::string_view key) {
               const auto x = a.parameters.find(key), y = b.parameters.find(key);
               const bool in_a = x != a.parameters.end(), in_b = y != b.parameters.end();
               return in_a == in_b && (!in_a || *x == *y);
           });
}

Choice files_of(const Choice& content) {
    Choice made{content.kind, Json::object()};
    for (const std::string_view key : kOfFiles)
        if (const auto found = content.parameters.find(key); found != content.parameters.end())
            made.parameters[std::string(key)] = *found;
    return made;
}

constexpr double kLookedUp = 400.0;  // units: names are compared

// Forgets the readings for which `gone` holds, and their rows; the cache is locked.
template <class Gone>
void forget_if(Gone gone) {
    auto& readings = cache().readings;
    std::erase_if(readings, gone);
    std::erase_if(cache().rows, [&](const KeptRows& one) {
        return std::find(readings.begin(), readings.end(), one.of) == readings.end();
    });
}

// The headers of its files, read once until they are forgotten.
Result<Reading> headers_of(const Choice& content) {
    const auto own = [&](const Reading& one) { return same_files(one->content, content); };
    spend(kLookedUp);
    {
        const std::lock_guard lock(cache().mutex);
        const auto& readings = cache().readings;
        if (const auto found = std::find_if(readings.begin(), readings.end(), own); found != readings.end())
            return *found;
    }
    auto headers = headers_in_files(content);
    if (!headers) return tl::unexpected(headers.error());
    auto made = std::make_shared<const ReadHeaders>(ReadHeaders{files_of(content), std::move(*headers)});
    const std::lock_guard lock(cache().mutex);
    constexpr std::size_t kMostReadings = 8;
    const Reading oldest = cache().readings.size() == kMostReadings ? cache().readings.front() : nullptr;
    forget_if([&](const Reading& one) { return one == oldest || own(one); });
    cache().readings.push_back(made);
    return made;
}

StoredRows kept_rows(const Reading& of, Tensor side, std::int64_t head, std::int64_t rows,
                     std::optional<std::int64_t> row) {
    const std::lock_guard lock(cache().mutex);
    auto& kept = cache().rows;
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const KeptRows& one) {
        return one.of == of && one.side == side && one.head == head && one.rows == rows && one.row == row;
    });
    if (found == kept.end()) return nullptr;
    std::rotate(found, found + 1, kept.end());
    return kept.back().values;
}

// Unless their files were forgotten meanwhile.
void keep(KeptRows made) {
    const std::lock_guard lock(cache().mutex);
    const auto& readings = cache().readings;
    if (std::find(readings.begin(), readings.end(), made.of) == readings.end()) return;
    auto& kept = cache().rows;
    kept.push_back(std::move(made));
    std::int64_t numbers = 0;
    for (const KeptRows& one : kept) numbers += std::ssize(*one.values);
    while (numbers > kMostKept && kept.size() > 1) {
        numbers -= std::ssize(*kept.front().values);
        kept.erase(kept.begin());
    }
}

tl::unexpected<Problem> replaced(const std::string& path) {
    return failure("content.replaced", {{"path", path}});
}

// Calls `take(vector)` for the rows `first` … `first + count − 1` of one head, before rotation. The files are still those
// whose headers were read: what was replaced or written over since is forgotten and refused, also while it is read.
template <class Take>
Result<void> each_row(const Reading& of, Tensor side, std::int64_t head, std::int64_t first,
                      std::int64_t count, Take take) {
    const StoredHeads& heads = of->headers.heads;
    const auto from = stored_side(of->content, side);
    const auto changed = [&] {
        const std::int64_t own = side == Tensor::query ? heads.heads : heads.key_heads;
        if (from && from->rows == heads.rows && from->heads == own && from->head_dim == heads.head_dim &&
            from->stamps() == of->headers.of(side))
            return false;
        const std::lock_guard lock(cache().mutex);
        forget_if([&](const Reading& one) { return one == of; });
        return true;
    };
    if (!from) {
        (void)changed();
        return tl::unexpected(from.error());
    }
    if (changed()) return replaced(from->path);
    auto undo = Undo::of(of->content, side, *from);
    if (!undo) return tl::unexpected(undo.error());
    const std::int64_t own = side == Tensor::query ? head : head * heads.key_heads / heads.heads;
    std::vector<double> x(static_cast<std::size_t>(from->head_dim));
    const auto one_row = [&](std::int64_t row) -> Result<void> {
        spend(1000.0 + 4.0 * static_cast<double>(from->head_dim));
        if (auto read = from->read(own, row, x); !read)
            return tl::unexpected(in_file(read.error(), from->path));
        if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }))
            return failure("content.not_finite", {{"name", from->name}, {"row", std::to_string(row)}});
        if (!(*undo)(row, x))
            return failure("content.not_undone", {{"name", from->name}, {"row", std::to_string(row)}});
        take(x);
        return {};
    };
    Result<void> done;
    for (std::int64_t row = first; row < first + count && done; ++row) done = one_row(row);
    if (changed()) return replaced(from->path);
    return done;
}

// Why a Scene's q and k cannot be used, of files with these headers.
std::optional<Problem> unfit(const ScoreInput& scene, const StoredHeads& heads) {
    if (heads.heads != scene.num_heads || heads.head_dim != head_dim(scene))
        return Problem{is_checkpoint(scene.content) ? "content.checkpoint_split" : "content.stored_heads",
                       {{"heads", std::to_string(heads.heads)},
                        {"head_dim", std::to_string(heads.head_dim)},
                        {"own_heads", std::to_string(scene.num_heads)},
                        {"own_head_dim", std::to_string(head_dim(scene))}}};
    if (stored_head(scene.content) >= heads.heads)
        return Problem{"attention.no_head",
                       {{"head", std::to_string(stored_head(scene.content))},
                        {"last", std::to_string(heads.heads - 1)}}};
    if (encoding_of(scene).family == Family::absolute || encoding_of(scene).adds)
        return Problem{is_checkpoint(scene.content) ? "content.checkpoint_input" : "content.stored_input",
                       {{"kind", scene.encoding.kind}}};
    return std::nullopt;
}

}  // namespace

bool is_stored(const Choice& content) { return content.kind == "tensors" || is_checkpoint(content); }
bool is_checkpoint(const Choice& content) { return content.kind == "checkpoint"; }

std::int64_t stored_head(const Choice& content) { return number_of(content, "head"); }
std::int64_t stored_start(const Choice& content) { return number_of(content, "start"); }

Result<StoredHeads> stored_heads(const Choice& content) {
    const auto known = headers_of(content);
    if (!known) return tl::unexpected(known.error());
    return (*known)->headers.heads;
}

std::optional<Problem> stored_problem(const ScoreInput& scene) {
    if (!is_stored(scene.content)) return std::nullopt;
    const auto known = headers_of(scene.content);
    return known ? unfit(scene, (*known)->headers.heads) : std::optional(known.error());
}

Result<StoredRows> stored_rows(const ScoreInput& scene, Tensor side, std::int64_t head, std::int64_t rows) {
    const auto known = headers_of(scene.content);
    if (!known) return tl::unexpected(known.error());
    const StoredHeads& heads = (*known)->headers.heads;
    if (auto problem = unfit(scene, heads)) return tl::unexpected(std::move(*problem));
    if (rows > heads.rows)  // there were as many when they were counted
        return replaced(text_of(scene.content, stored_file_keys(scene.content.kind).front()));
    if (auto kept = kept_rows(*known, side, head, rows, std::nullopt)) return kept;
    if (rows > kMostStoredRow / heads.head_dim)
        return failure("content.stored_long", {{"rows", std::to_string(rows)},
                                               {"maximum", std::to_string(kMostStoredRow / heads.head_dim)}});
    auto made = std::make_shared<std::vector<double>>();
    made->reserve(static_cast<std::size_t>(rows * heads.head_dim));
    const auto read = each_row(*known, side, head, 0, rows, [&](std::span<const double> x) {
        made->insert(made->end(), x.begin(), x.end());
    });
    if (!read) return tl::unexpected(read.error());
    keep({*known, side, head, rows, std::nullopt, made});
    return made;
}

std::optional<std::int64_t> stored_row(const Choice& content, Tensor side) {
    const auto given = integer_at(content.parameters, side == Tensor::query ? "query_row" : "key_row");
    if (given) return given;
    const bool seeded = is_checkpoint(content) && text_of(content, "input").empty();
    return seeded ? std::optional<std::int64_t>(0) : std::nullopt;
}

Result<StoredRows> stored_vector(const Choice& content, Tensor side) {
    const std::int64_t row = stored_row(content, side).value_or(-1), head = stored_head(content);
    const auto known = headers_of(content);
    if (!known) return tl::unexpected(known.error());
    const StoredHeads& heads = (*known)->headers.heads;
    if (auto kept = kept_rows(*known, side, head, 0, row)) return kept;
    if (head >= heads.heads)
        return refuse("attention.no_head",
                      {{"head", std::to_string(head)}, {"last", std::to_string(heads.heads - 1)}});
    if (row >= heads.rows)
        return refuse("content.stored_row",
                      {{"row", std::to_string(row)}, {"last", std::to_string(heads.rows - 1)}});
    auto made = std::make_shared<std::vector<double>>(static_cast<std::size_t>(heads.head_dim), 0.0);
    const std::int64_t count = row < 0 ? heads.rows : 1;
    const auto read =
        each_row(*known, side, head, std::max<std::int64_t>(row, 0), count, [&](std::span<const double> x) {
            for (std::size_t f = 0; f < x.size(); ++f) (*made)[f] += x[f] / static_cast<double>(count);
        });
    if (!read) return tl::unexpected(read.error());
    keep({*known, side, head, 0, row, made});
    return made;
}

std::span<const char* const> stored_file_keys(std::string_view kind) {
    static constexpr const char *kTensors[] = {"query", "key"},
                                *kCheckpoint[] = {"file", "key_file", "input"};
    return kind == "tensors"      ? std::span<const char* const>(kTensors)
           : kind == "checkpoint" ? std::span<const char* const>(kCheckpoint)
                                  : std::span<const char* const>();
}

void forget_stored(const std::string& path) {
    const std::lock_guard lock(cache().mutex);
    forget_if([&](const Reading& one) {
        const auto keys = stored_file_keys(one->content.kind);
        return std::any_of(keys.begin(), keys.end(),
                           [&](const char* key) { return text_of(one->content, key) == path; });
    });
}

std::optional<Problem> check_stored(const Json& parameters) {
    const Json &text = parameters.at("text"), by = parameters.value("rotated_by", Json::object());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!text[i].is_string() || text[i].get_ref<const std::string&>().size() > kMostToken)
            return Problem{"content.token",
                           {{"index", std::to_string(i)}, {"maximum", std::to_string(kMostToken)}}};
    if (by.empty()) return std::nullopt;
    for (const char* outer : {"content", "compare", "view", "bench"})
        if (by.contains(outer))
            return Problem{"scene.nested", {{"path", std::string("content.rotated_by.") + outer}}};
    const auto laid = overlay(Scene(), by);
    return laid ? std::nullopt : std::optional(laid.error());
}

}  // namespace posiscope
