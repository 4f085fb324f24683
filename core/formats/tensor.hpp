// tensor.hpp — an array of any shape from a .npy, .npz, .safetensors, .pt or .gguf file, from text (.csv, .txt, JSON), or from a
// .safetensors.index.json of several. The first bytes of a file say what it is.
// Reads    float16, bfloat16, float32, float64, whole numbers and truth values, complex64 and complex128 (as one more dimension
//          of 2), either byte order, by rows or by columns, strided tensors, deflated .npz. Quantized tensors and pickles of
//          anything but tensors are refused by name.
// Memory   a file is opened by its header (of safetensors at most 16 MiB), whatever its size; the other arrays in it are
//          never read. A TensorFile reads numbers as they are asked for; read_tensor at most kMostTensorValues of them: of
//          a larger array its first rows, and `cropped` says so.
// Source   numpy.lib.format; the safetensors format description; zip.hpp, pickled.hpp, gguf.hpp.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace posiscope {

inline constexpr std::int64_t kMostTensorValues = std::int64_t{1} << 24;

struct StoredTensor {
    std::string name;  // in the file; of .npy: the file's own
    std::string
        dtype;  // "float16", "bfloat16", "float32", "float64", "int32"; of text "decimal(6)", digits after the point
    std::vector<std::int64_t> shape;
    std::vector<double> values;  // row-major; of a cropped array its first rows
    bool cropped = false;

    // Numbers in one step of the first dimension.
    std::int64_t row() const;
};

// The place of an array in a file.
struct TensorPlace {
    std::string name, dtype;
    std::vector<std::int64_t> shape;  // not empty of numbers, and as many as there are
    std::size_t bytes = 0;            // of one number
    double (*value)(const char* at) = nullptr;

    std::int64_t count() const;
};

// Tells a file from the one that replaces it, or that is written over it.
struct FileStamp {
    std::uint64_t device = 0, file = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  // of the last change

    bool operator==(const FileStamp&) const = default;
};

class TensorFile {
public:
    // `name` selects an array of a .safetensors file; it may be omitted where there is only one.
    static Result<TensorFile> open(const std::string& path, const std::string& name);

    const TensorPlace& place() const { return place_; }
    // The numbers `first` … `first + into.size() − 1` of the array, row-major.
    Result<void> read(std::int64_t first, std::span<double> into) const;
    // The opened file's present stamp; another one than before says that it was written over meanwhile.
    FileStamp stamp() const { return stamp_(); }

private:
    friend class TensorArchive;
    // Bytes `from` … `from + into.size() − 1` of the file, or false past its end.
    using Fetch = std::function<bool(std::uint64_t from, std::span<char> into)>;

    TensorPlace place_;
    Fetch fetch_;
    std::function<FileStamp()> stamp_;
};

// The arrays of a file, whose header is read once.
class TensorArchive {
public:
    static Result<TensorArchive> open(const std::string& path);

    // The names in a file of several arrays or of an index, in their order; the array of a .npy file or of text has none.
    const std::vector<std::string>& names() const;
    // Opens an array as TensorFile::open does. A shard of an index is opened with the first of its arrays.
    Result<TensorFile> array(const std::string& name);

private:
    struct Contents;
    std::shared_ptr<Contents> contents_;
};

// The names of a TensorArchive.
Result<std::vector<std::string>> tensor_names(const std::string& path);

Result<StoredTensor> read_tensor(const std::string& path, const std::string& name);
// The same; without a name both arrays of a file that has two.
Result<std::vector<StoredTensor>> read_tensors(const std::string& path, const std::string& name);

// The same from a file's bytes; the path's ending says what they are.
Result<std::vector<StoredTensor>> tensors_in(std::string_view bytes, const char* path,
                                             const std::string& name);
Result<StoredTensor> tensor_in(std::string_view bytes, bool safetensors, const std::string& name);
Result<StoredTensor> tensor_in(std::string_view bytes, const char* path, const std::string& name);

}  // namespace posiscope
