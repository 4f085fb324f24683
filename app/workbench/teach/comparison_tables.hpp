// comparison_tables.hpp — the two tables of the notes, sinusoidal against learned and absolute against relative, with cells that are
// computed from the present Scene.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "app/panels/help_pages.hpp"
#include "app/ui/strings.hpp"
#include "core/scene/scene.hpp"

namespace posiscope::workbench {

// Everything that the cells say in numbers; no number where it is refused, such as over too many positions.
struct TableNumbers {
    double d = 0.0, n = 0.0, heads = 0.0, offset = 0.0;
    double pairs = 0.0, unseen = 0.0, unseen_rope = 0.0, rope_pairs = 0.0;  // new angles at 2n
    double spread = 0.0, gap = 0.0, first_rise = 0.0, rises = 0.0;          // of the sinusoidal products
    double learned_rows = 0.0, learned_least = 0.0, learned_most = 0.0;  // of the learned ones at the offset
    double mixed_by_weights = 0.0, rope_moved = 0.0;                     // scores at the offset, moved along
    double cache = 0.0, lost = 0.0;                                      // bytes; nats at 2n, head 0
};
TableNumbers table_numbers(const AttentionInput& input, std::int64_t offset);
std::vector<panels::LivingTable> tables_of(const TableNumbers& numbers, const Strings& strings);

class LivingTables {
public:
    // Empty while they are computed for the first time.
    std::span<const panels::LivingTable> of(const Scene& scene, const Strings& strings);
    void work_in(figures::Background* background) { background_ = background; }

private:
    struct Key {
        figures::Kept<AttentionInput> input;
        std::int64_t offset;
        bool operator==(const Key&) const = default;
    };
    figures::Background* background_ = nullptr;
    figures::Same<AttentionInput> input_;
    figures::Slow<Key, TableNumbers> numbers_;
    figures::Kept<TableNumbers> said_of_;
    std::optional<Language> said_in_;
    std::vector<panels::LivingTable> said_;
};

}  // namespace posiscope::workbench
