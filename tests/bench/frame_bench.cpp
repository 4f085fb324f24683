// frame_bench — how long a frame takes, beside floors in the same run. Absolute times mean little on a shared machine;
// what is compared is printed as ratios, with the goal beside them.
//   frame_bench [--quick | --once] [--only TEXT]     100 frames a case; quick 15, once 1: then only the form counts
// {"name", "size", "frames", "median_ms", "p99_ms", "processor_ms"} for every case, {"name", "value", "goal"} for every
// ratio; "processor" is the same taken of processor time, which other programs disturb less than the clock.
#include "app/platform/offscreen.hpp"
#include "tests/bench/frame_cases.hpp"
#include "tests/bench/frame_processes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

namespace posiscope::bench {
namespace {

struct Options {
    int rounds = 5, frames_a_round = 20, runs = 15;
    std::string_view only;
};

// In rounds, so that a machine that slows down slows all of them down.
void measure(std::vector<Case>& all, int rounds, int frames_a_round) {
    for (int round = 0; round < rounds; ++round)
        for (Case& one : all) {
            for (int i = 0; i < 2; ++i) one.frame();  // its textures and caches
            for (int i = 0; i < frames_a_round; ++i) one.run();
        }
}

class Table {
public:
    void print(const Case& one) {
        const std::string size = fmt::format("{}x{}", one.size.width, one.size.height);
        const double median = quantile(one.clock, 0.5), processor = quantile(one.processor, 0.5);
        medians_[one.name + " " + size] = {median, processor};
        fmt::print(
            R"({{"name":"{}","size":"{}","frames":{},"median_ms":{:.3f},"p99_ms":{:.3f},"processor_ms":{:.3f}}})"
            "\n",
            one.name, size, one.clock.size(), median, quantile(one.clock, 0.99), processor);
        std::fflush(stdout);
    }
    void ratio(std::string_view name, const std::string& above, const std::string& below, double goal) const {
        const auto a = medians_.find(above), b = medians_.find(below);
        if (a == medians_.end() || b == medians_.end()) return;
        fmt::print(R"({{"name":"{}","value":{:.3f},"processor":{:.3f},"goal":{}}})"
                   "\n",
                   name, a->second.clock / b->second.clock, a->second.processor / b->second.processor, goal);
        std::fflush(stdout);
    }
    static void value(std::string_view name, double value, double goal) {
        fmt::print(R"({{"name":"{}","value":{:.3f},"goal":{}}})"
                   "\n",
                   name, value, goal);
        std::fflush(stdout);
    }

private:
    std::map<std::string, Took> medians_;
};

void ratios(const Table& table) {
    for (const char* key : {"position", "offset", "d_model", "base"}) {
        const std::string drag = fmt::format("overview/drag_{}", key);
        table.ratio(fmt::format("ratio/{}/imgui_demo", drag), drag + " 1280x800", "imgui_demo 1280x800", 4.0);
        table.ratio(fmt::format("ratio/{}/1920x1080", drag), drag + " 1920x1080", drag + " 1280x800", 2.0);
    }
    table.ratio("ratio/matrix/rows", "matrix/2147483647x64 900x500", "matrix/128x64 900x500", 1.05);
    table.ratio("ratio/matrix/d_model", "matrix/2147483647x8192 900x500", "matrix/2147483647x64 900x500",
                6.0);
    for (const char* key : {"position", "base"})
        table.ratio(fmt::format("ratio/overview/drag_{}/d_model", key),
                    fmt::format("overview/drag_{}_d8192 1280x800", key),
                    fmt::format("overview/drag_{}_d64 1280x800", key), 3.0);
}

// A program from exec to its end, beside the least one of its kind: the first runs warm the caches.
struct Program {
    std::string name;
    std::vector<std::string> words, variables = {};
};
void compare(Table& table, const Program& ours, const Program& floor, int runs, double goal) {
    Case cases[] = {{"start_up/" + floor.name, {1280, 800}, {}}, {"start_up/" + ours.name, {1280, 800}, {}}};
    double memory[] = {0.0, 0.0};
    for (int i = 0; i < runs + 1; ++i)
        for (int of = 0; of < 2; ++of) {
            const Program& program = of == 0 ? floor : ours;
            const Ran ran = run_program(program.words, program.variables);
            if (!ran.well) {
                fmt::print(stderr, "frame_bench: {} failed, and is not measured\n", program.words.front());
                return;
            }
            if (i == 0) continue;
            cases[of].clock.push_back(ran.took.clock);
            cases[of].processor.push_back(ran.took.processor);
            memory[of] = std::max(memory[of], ran.mebibytes);
        }
    for (const Case& one : cases) table.print(one);
    table.ratio("ratio/start_up/" + ours.name, cases[1].name + " 1280x800", cases[0].name + " 1280x800",
                goal);
    Table::value("memory/" + floor.name + "_mib", memory[0], 110.0);
    Table::value("memory/" + ours.name + "_mib", memory[1], 110.0);
}

// A picture of the whole bench written as PNG; and, where there is a display, our window until its first picture.
void start_up(Table& table, int runs) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("posiscope-frame-bench-{}", getpid());
    std::filesystem::create_directory(folder);
    const std::string picture = (folder / "picture.png").string();
    compare(table,
            {"render",
             {POSISCOPE_PROGRAM, "render", "--controls", "--lang", "zh", "--size", "1280x800", "--theme",
              "dark", "--output", picture}},
            {"gl_floor", {POSISCOPE_FRAME_FLOOR}}, runs, 1.6);
#ifdef POSISCOPE_WINDOW_FLOOR
    if (std::getenv("DISPLAY") != nullptr) {
        const std::vector<std::string> alone = {"LD_PRELOAD=" POSISCOPE_FIRST_PICTURE,
                                                "XDG_CONFIG_HOME=" + folder.string(),
                                                "XDG_STATE_HOME=" + folder.string()};
        compare(table, {"window", {POSISCOPE_PROGRAM, "--lang", "zh"}, alone},
                {"window_floor", {POSISCOPE_WINDOW_FLOOR}, alone}, runs, 1.6);
    } else {
        std::fputs("frame_bench: no DISPLAY, so the window is not measured (xvfb-run gives one)\n", stderr);
    }
#endif
    std::filesystem::remove_all(folder);
}

int run(const Options& options) {
    Table table;
    // First: a process begins with the size of the one that starts it, as far as its largest size is concerned.
    if (std::string_view("start_up memory").find(options.only) != std::string_view::npos)
        start_up(table, options.runs);
    auto context = platform::Offscreen::create();
    if (!context) {
        fmt::print(stderr, "frame_bench: {}\n", to_string(context.error()));
        return 3;
    }
    auto layers = canvas::Layers::create(canvas::Target::framebuffer);
    if (!layers) {
        fmt::print(stderr, "frame_bench: {}\n", to_string(layers.error()));
        return 3;
    }
    fmt::print(R"({{"name":"run","renderer":"{}","frames":{}}})"
               "\n",
               context->renderer(), options.rounds * options.frames_a_round);
    for (const auto make : {cases, cases_with_workers}) {
        std::vector<Case> all = make(*layers, options.only);
        measure(all, options.rounds, options.frames_a_round);
        for (const Case& one : all) table.print(one);
    }
    ratios(table);
    if (std::string_view("experiment/first_curve").find(options.only) != std::string_view::npos) {
        Case curve = first_curve(*layers);
        for (int i = 0; i < options.runs; ++i) curve.run();
        table.print(curve);
        Table::value("experiment/first_curve_ms", quantile(curve.clock, 0.5), 300.0);
    }
    if (std::string_view("allocations").find(options.only) != std::string_view::npos)
        for (const Allocations& counted : allocations(*layers)) {
            Table::value("allocations/unchanged/" + counted.name, static_cast<double>(counted.unchanged),
                         0.0);
            Table::value("allocations/mouse_moved/" + counted.name, static_cast<double>(counted.mouse_moved),
                         0.0);
        }
    return 0;
}

}  // namespace
}  // namespace posiscope::bench

int main(int argc, char** argv) {
    posiscope::bench::Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0) {
            options.rounds = 3, options.frames_a_round = 5, options.runs = 5;
        } else if (std::strcmp(argv[i], "--once") == 0) {
            options.rounds = options.frames_a_round = options.runs = 1;
        } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            options.only = argv[++i];
        } else {
            std::fputs("usage: frame_bench [--quick | --once] [--only TEXT]\n", stderr);
            return 2;
        }
    }
    return posiscope::bench::run(options);
}
