; The installer for Windows, for one user and without an administrator. `cargo xtask dist` gives
; VERSION, FOLDER (what the zip holds) and OUT.
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
!include MUI2.nsh
!include FileFunc.nsh
!include WinMessages.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tengen"
!define APPLICATION "Software\Classes\Applications\tengenw.exe"

Name "Tengen ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Tengen"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"

!insertmacro MUI_PAGE_LICENSE "${FOLDER}/LICENSE-MIT"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\tengenw.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

; NSIS cuts texts at 1,024 characters, and a PATH may be longer.
!macro CHANGE_PATH CHANGE
  ExecWait '"$INSTDIR\tengenw.exe" --path ${CHANGE}' $0
  StrCmp $0 0 +2
    DetailPrint "PATH could not be changed. Add or remove this folder in the Windows settings."
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

Section "Tengen"
  ; An earlier version removes what it installed, and nothing that the user put there.
  IfFileExists "$INSTDIR\uninstall.exe" 0 +2
    ExecWait '"$INSTDIR\uninstall.exe" /S _?=$INSTDIR'
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Tengen.lnk" "$INSTDIR\tengenw.exe"
  WriteRegStr HKCU "${APPLICATION}" "FriendlyAppName" "Tengen"
  WriteRegStr HKCU "${APPLICATION}\shell\open\command" "" '"$INSTDIR\tengenw.exe" "%1"'
  WriteRegStr HKCU "${APPLICATION}\SupportedTypes" ".psq" ""
  WriteRegStr HKCU "${APPLICATION}\SupportedTypes" ".sgf" ""
  WriteRegStr HKCU "${KEY}" "DisplayName" "Tengen"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\tengen.exe"
  WriteRegStr HKCU "${KEY}" "Publisher" "The Tengen authors"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  IntFmt $0 "0x%08X" $0
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
  !insertmacro CHANGE_PATH add
SectionEnd

Section "Uninstall"
  !insertmacro CHANGE_PATH remove
  Delete "$SMPROGRAMS\Tengen.lnk"
  DeleteRegKey HKCU "${APPLICATION}"
  DeleteRegKey HKCU "${KEY}"
  ; Only what was installed: a user may keep engines and events in the folder.
  !include "${FOLDER}.uninstall.nsh"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
SectionEnd
