// replay NAME PATH...: runs what fuzz_NAME runs on each file, and on every file of each folder. Without libFuzzer, so that every
// compiler builds it and the tests have the seeds and whatever was found once. The last line names the file that it ends at.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
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
