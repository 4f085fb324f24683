// monkey [--seed N] [--events N]      so many events, a new window every few hundred; prints what they were where one breaks
// monkey --replay SCRIPT              such a script again
// It fails where a Scene stops being valid, undo does not bring it back, a frame takes more work than it may, something is drawn
// off every screen, memory grows from window to window, or anything throws.
#include "tests/places.hpp"
#include "tests/sanitized.hpp"
#include "tests/workbench/monkey/monkey.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <malloc.h>
#include <unistd.h>

// There only with a sanitizer.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace posiscope::monkey {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEventsOfAWindow = 400;
constexpr std::size_t kSettledAfter = 8;         // windows, until what is kept for all of them is there
constexpr double kMostGrowth = 6.0 * (1 << 20);  // bytes, however many windows follow

std::string script;  // of the present window

// Whatever ends the program says how to make it happen again.
void say_script() {
    static constexpr char kHead[] = "# What was done, for monkey --replay:\n";
    [[maybe_unused]] ::ssize_t written = ::write(STDOUT_FILENO, kHead, sizeof kHead - 1);
    written = ::write(STDOUT_FILENO, script.data(), script.size());
}

[[noreturn]] void end_by_signal(int signal) {
    say_script();
    std::signal(signal, SIG_DFL);
    ::sigset_t blocked;  // while its handler runs
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
    std::raise(signal);
    std::_Exit(1);
}

// Files of every kind that can be dropped, good and damaged, in a folder of their own.
std::vector<std::string> files_in(const fs::path& folder) {
    std::vector<std::string> names;
    const auto put = [&](const std::string& name, std::string_view text) {
        std::ofstream(folder / name, std::ios::binary) << text;
        names.push_back(name);
    };
    for (const char* part : {"gallery", "lessons", "experiments"})
        for (const auto& file : fs::directory_iterator(fs::path(test::kTree) / "assets" / part)) {
            const std::string name = file.path().filename().string();
            fs::copy_file(file.path(), folder / name);
            names.push_back(name);
        }
    put("empty.json", "");
    put("half.json", R"({"base": 5)");
    put("config.json",
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 500000})");
    put("wide.json", R"({"d_model": 4096, "num_heads": 32, "length": 2147483647, "encoding": "rope"})");
    put("refused.json", R"({"d_model": 3, "length": -1})");
    put("asks.json", R"({"encoding": {"kind": "learned", "table": "/elsewhere/table.npy"}})");
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
    header.resize(118, ' ');
    header.back() = '\n';
    put("table.npy", std::string("\x93NUMPY\x01\0\x76\0", 10) + header + std::string(16, '\0'));
    put("short.npy", "\x93NUMPY");
    names.push_back("missing.json");
    std::sort(names.begin(), names.end());
    return names;
}

double held_memory() { return test::kSanitized ? 0.0 : static_cast<double>(::mallinfo2().uordblks); }

struct Counts {
    std::size_t events = 0, undone = 0, windows = 0;
    double memory = 0.0;
};

void run(Player& player, const std::vector<std::string>& files, std::uint64_t seed, std::size_t events,
         Counts& counts) {
    // A wide scene keeps much while it is open, so the least of some windows is compared: what is lost, all of them hold.
    constexpr double kNone = std::numeric_limits<double>::infinity();
    double settled = 0.0, least = kNone;
    for (; counts.events < events; ++counts.windows) {
        script.clear();
        Monkey monkey(seed + counts.windows, files);
        std::size_t steps = 0;
        const auto play = [&](const Event& event) {
            script += line_of(event) + "\n";
            player.play(event);
            steps += player.steps();
            ++counts.events;
        };
        monkey.begin(play);
        counts.memory = held_memory();
        least = std::min(least, counts.memory);
        if (counts.windows % kSettledAfter == kSettledAfter - 1) {
            if (counts.windows < 2 * kSettledAfter) settled = least;
            if (least - settled > kMostGrowth)
                throw std::runtime_error(
                    fmt::format("{:.0f} bytes more are held than by the first windows", least - settled));
            least = kNone;
        }
        for (const std::size_t end = counts.events + kEventsOfAWindow; counts.events < end;) {
            const bool was_quiet = player.quiet();
            const Scene before = player.scene();
            if (was_quiet) play({.kind = Event::Kind::mark});
            steps = 0;
            monkey.act(player, play);
            if (!was_quiet || player.went_back() || !player.quiet() || player.scene() == before) continue;
            play({.kind = Event::Kind::undo, .x = static_cast<float>(2 * steps + 2)});
            ++counts.undone;
        }
        if (counts.windows % 250 == 249)
            std::fprintf(stderr, "%zu events, %.1f MB held\n", counts.events, counts.memory / (1 << 20));
    }
}

std::size_t number(const char* text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    if (error != std::errc() || *end != '\0') throw std::runtime_error(std::string("not a number: ") + text);
    return value;
}

int main(int argc, char** argv) {
    std::size_t seed = 1, events = 20'000;
    const char* replayed = nullptr;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        if (option == "--seed") seed = number(argv[i + 1]);
        else if (option == "--events") events = number(argv[i + 1]);
        else if (option == "--replay") replayed = argv[i + 1];
        else throw std::runtime_error("no option is called " + std::string(option));
    }
    std::vector<Event> given;
    if (replayed != nullptr) {
        std::ifstream in(replayed);
        if (!in) throw std::runtime_error(std::string("no script to replay at ") + replayed);
        given = read_script(in);
    }
    std::string name = (fs::temp_directory_path() / "posiscope-monkey-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder to drop files from");
    const std::vector<std::string> files = files_in(name);
    fs::current_path(name);             // where a scene is saved
    ::setenv("PATH", name.c_str(), 1);  // no dialog of a desktop answers
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM})
        std::signal(signal, end_by_signal);
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(say_script);
    Counts counts;
    int status = 0;
    {
        Player player(name);
        try {
            if (replayed != nullptr)
                for (const Event& event : given) player.play(event);
            else run(player, files, seed, events, counts);
        } catch (const std::exception& error) {
            if (replayed == nullptr) say_script();
            std::printf("\n%s\nThe Scene: %s\n", error.what(),
                        to_partial_json(player.scene()).dump().c_str());
            status = 1;
        }
        if (replayed != nullptr) counts.events = given.size();
        std::printf("%zu events in %zu windows, %zu frames, the Scene brought back %zu times; the most work "
                    "of a frame was "
                    "%.2g units\n",
                    counts.events, counts.windows, player.frames(), counts.undone, player.worst());
    }
    fs::current_path("/");
    fs::remove_all(name);
    return status;
}

}  // namespace
}  // namespace posiscope::monkey

int main(int argc, char** argv) {
    try {
        return posiscope::monkey::main(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "monkey: %s\n", error.what());
        return 2;
    }
}
