// replay NAME PATH...: runs what fuzz_NAME runs on each file, and on every file of each folder. Without libFuzzer, so that every
// compiler builds it and the tests have the seeds and whatever was found once. The last line names the file that it ends at.
// replay NAME --random COUNT [FIRST]: on so many inputs of random bytes, of the seeds FIRST (1), FIRST + 1, …; each can be run again.
// Where one ends the program, or is stopped by SIGTERM because it does not end, its number is said.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#define FUZZER(name) extern "C" int fuzz_##name(const std::uint8_t*, std::size_t);
POSISCOPE_FUZZERS
#undef FUZZER

namespace {

namespace fs = std::filesystem;

struct Fuzzer {
    std::string_view name;
    int (*run)(const std::uint8_t*, std::size_t);
};
#define FUZZER(name) {#name, fuzz_##name},
constexpr Fuzzer kFuzzers[] = {POSISCOPE_FUZZERS};
#undef FUZZER

std::vector<fs::path> files_of(const fs::path& path) {
    if (!fs::is_directory(path)) return {path};
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(path)) files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::uint64_t number = 0;  // of the random input that runs

void say_number(int) {
    std::fprintf(stderr, "ended at --random 1 %llu\n", static_cast<unsigned long long>(number));
    std::_Exit(1);
}

int run_random(const Fuzzer& fuzzer, std::uint64_t count, std::uint64_t first) {
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, say_number);
    for (number = first; number < first + count; ++number) {
        std::mt19937_64 bits(number);
        std::vector<std::uint8_t> bytes(bits() % 256 + 1);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(bits());
        (void)fuzzer.run(bytes.data(), bytes.size());
    }
    std::printf("%s: %llu random inputs\n", fuzzer.name.data(), static_cast<unsigned long long>(count));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const auto* fuzzer = std::find_if(std::begin(kFuzzers), std::end(kFuzzers),
                                      [&](const Fuzzer& one) { return argc > 1 && one.name == argv[1]; });
    if (fuzzer == std::end(kFuzzers)) {
        std::fprintf(stderr, "usage: replay NAME PATH...; NAME is one of");
        for (const Fuzzer& one : kFuzzers) std::fprintf(stderr, " %s", one.name.data());
        std::fprintf(stderr, "\n");
        return 2;
    }
    if (argc > 3 && std::string_view(argv[2]) == "--random")
        return run_random(*fuzzer, std::strtoull(argv[3], nullptr, 10),
                          argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);
    std::size_t count = 0;
    for (int i = 2; i < argc; ++i)
        for (const fs::path& path : files_of(argv[i])) {
            std::printf("%s\n", path.c_str());
            std::fflush(stdout);
            std::ifstream in(path, std::ios::binary);
            const std::string bytes(std::istreambuf_iterator<char>(in), {});
            (void)fuzzer->run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++count;
        }
    std::printf("%s: %zu files\n", argv[1], count);
    return count > 0 ? 0 : 1;
}
