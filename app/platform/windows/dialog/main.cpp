// posiscope-dialog.exe open|save TITLE SUGGESTED: Windows' dialog for files. Writes the chosen paths, one a line, as UTF-8;
// ends with 1 where none was chosen.
#include <string>

#include <windows.h>
// After windows.h, which it needs.
#include <shobjidl.h>

namespace {

// A COM object that is released.
template <class Interface>
class Held {
public:
    Held() = default;
    ~Held() {
        if (object_ != nullptr) object_->Release();
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    Interface** to() { return &object_; }
    Interface* operator->() const { return object_; }
    Interface* get() const { return object_; }

private:
    Interface* object_ = nullptr;
};

void say(const wchar_t* path) {
    const std::wstring line = std::wstring(path) + L'\n';
    std::string bytes(line.size() * 3, '\0');
    const int size = ::WideCharToMultiByte(CP_UTF8, 0, line.data(), static_cast<int>(line.size()),
                                           bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr);
    DWORD written = 0;
    ::WriteFile(::GetStdHandle(STD_OUTPUT_HANDLE), bytes.data(), static_cast<DWORD>(size), &written, nullptr);
}

void say(IShellItem* item) {
    PWSTR path = nullptr;
    if (item->GetDisplayName(SIGDN_FILESYSPATH, &path) != S_OK) return;
    say(path);
    ::CoTaskMemFree(path);
}

void suggest(IFileDialog* dialog, const std::wstring& path) {
    const std::size_t at = path.find_last_of(L"\\/");
    const std::wstring folder = at == std::wstring::npos ? L"" : path.substr(0, at + 1);
    dialog->SetFileName(path.substr(folder.size()).c_str());
    Held<IShellItem> item;
    if (!folder.empty() &&
        ::SHCreateItemFromParsingName(folder.c_str(), nullptr, IID_PPV_ARGS(item.to())) == S_OK)
        dialog->SetFolder(item.get());
}

bool open(const wchar_t* title) {
    Held<IFileOpenDialog> dialog;
    if (::CoCreateInstance(CLSID_FileOpenDialog, nullptr, CLSCTX_INPROC_SERVER, IID_PPV_ARGS(dialog.to())) !=
        S_OK)
        return false;
    FILEOPENDIALOGOPTIONS options = 0;
    dialog->GetOptions(&options);
    dialog->SetOptions(options | FOS_ALLOWMULTISELECT | FOS_FORCEFILESYSTEM);
    dialog->SetTitle(title);
    Held<IShellItemArray> chosen;
    DWORD count = 0;
    if (dialog->Show(nullptr) != S_OK || dialog->GetResults(chosen.to()) != S_OK ||
        chosen->GetCount(&count) != S_OK)
        return false;
    for (DWORD i = 0; i < count; ++i) {
        Held<IShellItem> item;
        if (chosen->GetItemAt(i, item.to()) == S_OK) say(item.get());
    }
    return true;
}

bool save(const wchar_t* title, const std::wstring& suggested) {
    Held<IFileSaveDialog> dialog;
    if (::CoCreateInstance(CLSID_FileSaveDialog, nullptr, CLSCTX_INPROC_SERVER, IID_PPV_ARGS(dialog.to())) !=
        S_OK)
        return false;
    FILEOPENDIALOGOPTIONS options = 0;
    dialog->GetOptions(&options);
    dialog->SetOptions(options | FOS_OVERWRITEPROMPT | FOS_FORCEFILESYSTEM);
    dialog->SetTitle(title);
    suggest(dialog.get(), suggested);
    Held<IShellItem> chosen;
    if (dialog->Show(nullptr) != S_OK || dialog->GetResult(chosen.to()) != S_OK) return false;
    say(chosen.get());
    return true;
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
    if (argc < 4 || ::CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED | COINIT_DISABLE_OLE1DDE) != S_OK)
        return 2;
    const bool chosen = std::wstring(argv[1]) == L"open" ? open(argv[2]) : save(argv[2], argv[3]);
    ::CoUninitialize();
    return chosen ? 0 : 1;
}
