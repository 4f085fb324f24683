// page.hpp — what the page's script (app/web/shell/page.js) does for the program; its names there are the same.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

extern "C" {

// Texts that JavaScript returns are malloc'ed; page::take frees them.
char* page_address_text();
void page_copy_text(const char* text);
void page_copy_picture(const char* png, std::size_t size);
int page_picture_copied();  // the outcome, once: 1 yes, 0 no, −1 not yet
void page_read_clipboard();
void page_choose_files();
void page_download(const char* path);
void page_write_vector(const char* request, const char* name);  // Page::written follows
void page_keep(const char* path);
void page_forget();
void page_full_screen();
int page_fetch(const char* name);  // 0: there is no such file
// place: 1 a new one, for the browser's Back; 0 the same; -1 what the entry shows that the page was opened with.
void page_show_link(const char* link, const char* language, int place);
// `keys` of a telephone: 0 letters, 1 a number's.
void page_place_text(int wanted, double x, double y, double line, int keys);
void page_fail(const char* why);                            // an error of ours: the page stops and says so
void page_dress(const char* language, const char* ground);  // "#14161a"
void page_describe(const char* text);
void page_control(const char* json);  // of ui/accessible_item.hpp, its area in pixels
void page_notify(const char* text);
void page_lesson(const char* json);      // the step that is on, as text; "null": none
void page_presenting(const char* json);  // the words of its bar; "null": it has ended
void page_cursor(int cursor);
}

namespace posiscope::platform::page {

inline std::string take(char* text) {
    std::string taken = text != nullptr ? text : "";
    std::free(text);
    return taken;
}

}  // namespace posiscope::platform::page
