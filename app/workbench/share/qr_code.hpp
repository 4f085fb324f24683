// qr_code.hpp — the link of the scene as a QR code, large enough for a room.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/ui/look.hpp"
#include "core/problem.hpp"

#include <string>
#include <vector>

namespace posiscope::workbench {

class RoomCode {
public:
    // A code of more could not be read from the last row: link.room_long. Without an address it opens nothing: link.no_page.
    static constexpr std::size_t kMost = 300;  // bytes
    Result<void> show(const std::string& page, const std::string& fragment);
    void hide() { side_ = 0; }
    bool shown() const { return side_ > 0; }

    // In the middle of `room`; a click or Escape hides it.
    void draw(canvas::Screen& screen, const ui::Look& look, Rect room) const;

private:
    int side_ = 0;  // modules
    std::vector<bool> dark_;
    std::string link_;
};

}  // namespace posiscope::workbench
