// recognise.hpp — which policy a list of position ids follows, or which slip it has (positions.hpp has both).
// A named policy explains every id. Without a mask and without the documents' bounds some lists have two readings: then the
// usual one is named, and the other beside it.
// Range    at most kMostTokens ids on one axis or three; pads' own ids are free where the mask names the pads.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace posiscope {

// The ids that a model takes: those of its table's rows, or the positions that its rotation is set up for.
struct IdRange {
    std::int64_t least = 0, last = 0;
    bool table = false;  // looking up another one is an error

    bool operator==(const IdRange&) const = default;
};

struct GivenIds {
    std::vector<std::vector<std::int64_t>> axes;  // one, or three of the same length
    std::vector<std::int64_t> mask;               // 1 of tokens, 0 of pads; empty: not known
    std::vector<std::int64_t> bounds;             // cu_seqlens: 0, …, n; empty: not known
    std::vector<std::vector<std::int64_t>> seen;  // [n][n], 1 where a query sees a key; empty: not known
    std::optional<std::int64_t> first;            // the id of a first token that the model's table asks for
    std::optional<std::int64_t> window;           // sliding_window of the config
    std::optional<IdRange> range;                 // of the config's model
};

struct IdsFound {
    std::vector<Problem> answers;  // ids.is.NAME or ids.slip.NAME, with rows and numbers
    bool slipped = false;          // some of them is a slip
    bool known = false;            // else nothing explains the list
};

// Refused for lists whose lengths do not fit each other.
Result<IdsFound> recognise_ids(const GivenIds& given);

// Numbers between spaces, commas, brackets or line ends, "[[0, 1], [0, 1]]" too: the lists inside brackets, else one list.
// Refused for anything else than whole numbers, and beyond kMostTokens.
Result<std::vector<std::vector<std::int64_t>>> typed_ids(std::string_view text);

// Lists of ids that are no text from its beginning: a device's part of a text, drafts of one, images; and lists that no
// rule gives.
// The sentence about one list of ids: ids.is.NAME or ids.slip.NAME. None where no rule is recognised.
struct ListFound {
    Problem said;
    bool slip = false;
};
std::optional<ListFound> known_list(const std::vector<std::int64_t>& ids);

// A batch without its offsets: decodes, each a token of its own, then prefills that go on by one, then rows of a captured graph.
std::optional<ListFound> known_mixture(const std::vector<std::int64_t>& ids);
// Rows past the batch at the end: zeros, or the last id again.
std::size_t graph_pads(const std::vector<std::int64_t>& ids);

// Row and column of each patch of one image, on two axes or more, of which the others stay; nothing for others.
std::optional<ListFound> grid_of(const std::vector<std::vector<std::int64_t>>& axes);

// Sequences of one batch, each its own row of offsets: prefills from 0 and decodes that go on from anywhere; or documents whose
// offsets are not where the ids begin anew.
std::optional<ListFound> known_batch(const std::vector<std::int64_t>& ids,
                                     const std::vector<std::int64_t>& bounds);

}  // namespace posiscope
