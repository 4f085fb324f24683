; The installer for Windows: for one person, without an administrator's rights. app/package/windows runs it:
;   makensis -INPUTCHARSET UTF8 -DVERSION=… -DPROGRAMS=FOLDER -DINSTALLER=FILE app/package/windows.nsi
; What a person made with Posiscope (session, preferences, pictures) is never in the folder of the programs, and stays.
Target amd64-unicode ; the usual one has 32 bits, which not every system runs
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Posiscope"
!define CLASSES "Software\Classes"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\posiscope.exe"
!include FileFunc.nsh

Name "Posiscope"
OutFile "${INSTALLER}"
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
InstallDir "$LOCALAPPDATA\Programs\Posiscope"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
Icon "${ICON}"
UninstallIcon "${ICON}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Posiscope"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Posiscope"
VIAddVersionKey "LegalCopyright" "The Posiscope authors"
BrandingText "Posiscope ${VERSION}"

LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\SimpChinese.nlf"
LangString description ${LANG_ENGLISH} "Explore the positional encodings of Transformers"
LangString description ${LANG_SIMPCHINESE} "探索 Transformer 的位置编码"
LangString running ${LANG_ENGLISH} "Posiscope is running. Close it, then try again."
LangString running ${LANG_SIMPCHINESE} "Posiscope 正在运行。请关闭后重试。"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; A program that runs cannot be replaced: asked before anything is changed.
!macro EndIfRunning
    ClearErrors
    IfFileExists "$INSTDIR\posiscope.com" 0 +6
    FileOpen $0 "$INSTDIR\posiscope.com" a
    FileClose $0
    IfErrors 0 +3
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(running)" /SD IDOK
    Abort
!macroend

Section
    !insertmacro EndIfRunning
    SetOutPath "$INSTDIR"
    File "${PROGRAMS}\posiscope.exe" "${PROGRAMS}\posiscope.com" "${PROGRAMS}\posiscope-dialog.exe" "${PROGRAMS}\LICENCES.txt"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    SetOutPath "$PROFILE" ; where the program starts
    CreateShortcut "$SMPROGRAMS\Posiscope.lnk" "$INSTDIR\posiscope.exe" "" "" "" "" "" "$(description)"

    ; "Open with" of the files that the program opens; what opens them otherwise stays as the person has it.
    WriteRegStr HKCU "${CLASSES}\Applications\posiscope.exe" "FriendlyAppName" "Posiscope"
    WriteRegStr HKCU "${CLASSES}\Applications\posiscope.exe\DefaultIcon" "" "$INSTDIR\posiscope.exe,0"
    WriteRegStr HKCU "${CLASSES}\Applications\posiscope.exe\shell\open\command" "" '"$INSTDIR\posiscope.exe" "%1"'
    WriteRegStr HKCU "${CLASSES}\Posiscope.File" "" "Posiscope"
    WriteRegStr HKCU "${CLASSES}\Posiscope.File\DefaultIcon" "" "$INSTDIR\posiscope.exe,0"
    WriteRegStr HKCU "${CLASSES}\Posiscope.File\shell\open\command" "" '"$INSTDIR\posiscope.exe" "%1"'
    !macro Opens EXTENSION
        WriteRegStr HKCU "${CLASSES}\Applications\posiscope.exe\SupportedTypes" "${EXTENSION}" ""
        WriteRegStr HKCU "${CLASSES}\${EXTENSION}\OpenWithProgids" "Posiscope.File" ""
    !macroend
    !insertmacro Opens ".json"
    !insertmacro Opens ".npy"
    !insertmacro Opens ".safetensors"
    !insertmacro Opens ".gguf"

    ; Win+R and `start posiscope` find it.
    WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\posiscope.exe"

    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Posiscope"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\posiscope.exe,0"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Posiscope authors"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section Uninstall
    !insertmacro EndIfRunning
    ; Each by its name, so that what somebody put beside them stays.
    Delete "$INSTDIR\posiscope.exe"
    Delete "$INSTDIR\posiscope.com"
    Delete "$INSTDIR\posiscope-dialog.exe"
    Delete "$INSTDIR\LICENCES.txt"
    Delete "$INSTDIR\uninstall.exe"
    SetOutPath "$TEMP"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Posiscope.lnk"
    !macro OpensNot EXTENSION
        DeleteRegValue HKCU "${CLASSES}\${EXTENSION}\OpenWithProgids" "Posiscope.File"
        DeleteRegKey /ifempty HKCU "${CLASSES}\${EXTENSION}\OpenWithProgids"
        DeleteRegKey /ifempty HKCU "${CLASSES}\${EXTENSION}"
    !macroend
    !insertmacro OpensNot ".json"
    !insertmacro OpensNot ".npy"
    !insertmacro OpensNot ".safetensors"
    !insertmacro OpensNot ".gguf"
    DeleteRegKey HKCU "${CLASSES}\Applications\posiscope.exe"
    DeleteRegKey HKCU "${CLASSES}\Posiscope.File"
    DeleteRegKey HKCU "${APP_PATH}"
    DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
