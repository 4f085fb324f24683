// What the program calls of the page: app/platform/web/page.hpp has the names, page.js what they do.
mergeInto(LibraryManager.library, {
  $pageText: function (text) {
    var size = lengthBytesUTF8(text) + 1, at = _malloc(size);
    stringToUTF8(text, at, size);
    return at;
  },
  page_address_text__deps: ['$pageText', 'malloc'],
  page_address_text: function () { return pageText(Module.page.address()); },
  page_copy_text: function (text) { Module.page.copyText(UTF8ToString(text)); },
  page_copy_picture: function (png, size) { Module.page.copyPicture(HEAPU8.slice(png, png + size)); },
  page_picture_copied: function () { return Module.page.pictureCopied(); },
  page_read_clipboard: function () { Module.page.readClipboard(); },
  page_choose_files: function () { Module.page.chooseFiles(); },
  page_download: function (path) { Module.page.download(UTF8ToString(path)); },
  page_write_vector: function (request, name) { Module.page.writeVector(UTF8ToString(request), UTF8ToString(name)); },
  page_keep: function (path) { Module.page.keep(UTF8ToString(path)); },
  page_forget: function () { Module.page.forget(); },
  page_fetch: function (name) { return Module.page.fetchAsset(UTF8ToString(name)) ? 1 : 0; },
  page_full_screen: function () { Module.page.fullScreen(); },
  page_show_link: function (link, language, place) { Module.page.showLink(UTF8ToString(link), UTF8ToString(language), place); },
  page_place_text: function (wanted, x, y, line, keys) { Module.page.placeText(wanted !== 0, x, y, line, keys); },
  page_fail: function (why) { Module.page.fail(UTF8ToString(why)); },
  page_dress: function (language, ground) { Module.page.dress(UTF8ToString(language), UTF8ToString(ground)); },
  page_describe: function (text) { Module.page.describe(UTF8ToString(text)); },
  page_control: function (json) { Module.page.showControl(JSON.parse(UTF8ToString(json))); },
  page_lesson: function (json) { Module.page.showLesson(JSON.parse(UTF8ToString(json))); },
  page_presenting: function (json) { Module.page.presenting(JSON.parse(UTF8ToString(json))); },
  page_notify: function (text) { Module.page.notify(UTF8ToString(text)); },
  page_cursor: function (cursor) { Module.page.setCursor(cursor); },
});
