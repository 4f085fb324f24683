// numbers.hpp — the numbers that the texts or the conditions of a step name, each computed once for a Scene, all of them
// under one allowance: a lesson may come by mail and name the costliest numbers of the widest Scene, a hundred times.
#pragma once

#include "core/lessons/condition.hpp"
#include "core/lessons/text.hpp"

#include <vector>

namespace posiscope::lessons {

// Units of work (core/cost.hpp) for the numbers of one text: most of a second, which a page without threads has too.
inline constexpr double kTextWork = 8e8;

// Everything of a Scene that values read.
struct ValueInput : AttentionInput {
    explicit ValueInput(const Scene& scene);
    Scene scene() const;

    bool operator==(const Scene& scene) const;
    bool operator==(const ValueInput&) const;

    std::int64_t position, offset, pair, shift;
    Json shifts;  // view.shift, where the second offset stands
    Json ids;     // view.ids
};

// Values, each once.
class Named {
public:
    void add(const Value& value);
    void add(const Sentence& sentence, Piece::Kind kind);  // those of its places of that kind
    void add(const Condition& condition);
    const std::vector<const Value*>& values() const { return values_; }

    bool operator==(const Named&) const = default;

private:
    std::vector<const Value*> values_;
};

class Numbers {
public:
    // The cheap ones first, so that no costly one takes their share. Those that do not fit in `units` are left out.
    Numbers(const Named& named, const ValueInput& input, double units);
    // Until all are there: those that fit in `each`.
    static Numbers quick(const Named& named, const ValueInput& input, double each);

    // A number or why there is none; null where it was left out, or not named.
    const Result<double>* of(const Value& value) const;
    bool final() const { return final_; }  // not quick ones
    bool whole() const;                    // nothing was left out

private:
    struct One {
        const Value* value;
        std::optional<Result<double>> number;
    };
    Numbers() = default;

    std::vector<One> all_;
    bool final_ = true;
};

}  // namespace posiscope::lessons
