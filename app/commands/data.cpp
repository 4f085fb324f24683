// data.cpp — posiscope data QUANTITY [-o OUT.{json,npz,npy,csv}] [--array NAME] [--head H] [--rows A:B]: the data behind the
// figures.
#include "app/commands/batch.hpp"
#include "app/commands/command.hpp"
#include "app/commands/still_computing.hpp"
#include "app/commands/streams.hpp"
#include "core/quantities/quantities.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace posiscope::commands {
namespace data_command {
namespace {

struct Typed {
    std::string quantity, output, array, head, rows;
    bool large = false, one_a_line = false;
    Batch batch;
};

// With the program itself less than the 512 MiB that no scene exceeds unasked.
constexpr std::uint64_t kMostMemory = std::uint64_t{400} << 20;

constexpr std::array<std::string_view, 4> kEndings = {".json", ".npz", ".npy", ".csv"};

Result<void> write(std::string_view ending, bool one_a_line, std::span<const Array> arrays,
                   const Scene& scene, FileWriter& file) {
    const Sink sink = [&](std::string_view bytes) { file.write(bytes); };
    const std::string made_of = to_partial_json(scene).dump();
    if (ending == ".npy") {
        if (auto written = write_npy(arrays, sink); !written) return written;
    } else if (ending == ".npz") {
        write_npz(arrays, made_of, sink);
    } else if (one_a_line) {
        if (auto written = write_long_csv(arrays, made_of, sink); !written) return written;
    } else if (ending == ".csv") {
        write_csv(arrays, made_of, sink);
    } else {
        write_json(arrays, made_of, sink);
    }
    return file.commit();
}

Result<void> run(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    if (auto good = typed.batch.checked(); !good) return good;
    const Quantity* quantity = find_quantity(typed.quantity);
    if (quantity == nullptr) {
        std::vector<std::string_view> names;
        for (const Quantity* known : quantities()) names.push_back(known->name);
        return tl::unexpected(not_one_of("QUANTITY", typed.quantity, names));
    }
    const std::string ending = output_ending(typed.output, ".json");
    const bool device = typed.output.starts_with("/dev/");
    std::error_code ignored;
    if (!device && std::find(kEndings.begin(), kEndings.end(), ending) == kEndings.end() &&
        !std::filesystem::is_directory(typed.output, ignored))
        return refuse("output.ending", {{"path", typed.output}, {"choices", joined(kEndings)}});

    if (typed.one_a_line && ending != ".csv")
        return refuse("usage.unused",
                      {{"option", "--long"}, {"other", typed.output.empty() ? "JSON" : typed.output}});
    const auto slice = read_slice(typed.head, typed.rows);
    if (!slice) return tl::unexpected(slice.error());
    const auto scene = typed.batch.scene(shared, terminal);
    if (!scene) return tl::unexpected(scene.error());
    // Opened first, so that an unwritable path is refused before the computation.
    auto file = open_output(typed.output);
    if (!file) return tl::unexpected(file.error());
    const StillComputing notice(terminal);
    const std::uint64_t memory = available_memory();
    auto arrays = evaluate(*quantity, *scene, *slice, typed.large ? memory : std::min(memory, kMostMemory),
                           typed.array);
    if (!arrays && arrays.error().key == "memory.needed" && memory > kMostMemory && !typed.large)
        arrays.error().key = "memory.large";
    if (!arrays) return tl::unexpected(arrays.error());
    say_remarks(*scene, terminal);  // a remark that prevents the data was reported as its Problem
    return write(ending, typed.one_a_line, *arrays, *scene, *file);
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "QUANTITY", typed->quantity, strings.text("option.quantity.help"), "");
    add_option(app, "-o,--output", typed->output, strings.text("option.output.help"),
               "OUT.{json,npz,npy,csv}");
    add_option(app, "--array", typed->array, strings.text("option.array.help"), "NAME");
    add_option(app, "--head", typed->head, strings.text("option.head.help"), "H");
    add_option(app, "--over", typed->batch.over, strings.text("option.data.over.help"), "KEY=A,B,…");
    add_option(app, "--rows", typed->rows, strings.text("option.rows.help"), "A:B");
    add_flag(app, "--long", typed->one_a_line, strings.text("option.long.help"));
    add_flag(app, "--large", typed->large, strings.text("option.large.help"));
    typed->batch.add_to(app, strings);
    return [typed, &shared, &app](const Terminal& terminal) {
        if (typed->batch.many()) return run_batch(app, typed->batch, typed->output, terminal);
        return run(*typed, shared, terminal);
    };
}

}  // namespace
}  // namespace data_command

extern const Command kData{"data", data_command::add};

}  // namespace posiscope::commands
