#include "app/platform/reset.hpp"

namespace posiscope::platform {
namespace {

// GL_KHR_robustness, which is not among what is loaded.
constexpr unsigned kNoError = 0, kGuilty = 0x8253, kInnocent = 0x8254;

}  // namespace

ResetWatch::ResetWatch(Function (*find)(const char* name)) {
    for (const char* name :
         {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusKHR", "glGetGraphicsResetStatusARB"})
        if (status_ == nullptr) status_ = reinterpret_cast<Status>(find(name));
}

std::optional<Problem> ResetWatch::lost() const {
    const unsigned status = status_ == nullptr ? kNoError : status_();
    if (status == kNoError) return std::nullopt;
    return Problem{"gl.lost",
                   {{"cause", status == kGuilty     ? "ours"
                              : status == kInnocent ? "other"
                                                    : "unknown"}},
                   Cause::display};
}

}  // namespace posiscope::platform
