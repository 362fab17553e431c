/**
 * Kinds of files that run, install, configure or call something when they are opened, or are pages that run scripts.
 * They are only ever saved.
 */
const RUNS = new Set(
  [
    'action app appimage application appref-ms appx appxbundle applescript bash bat chm cmd com command cpl crx csh',
    'desktop deb diagcab dll dmg dotm exe fileloc fish flatpak flatpakref gadget hlp hta htm html img inetloc inf iqy',
    'iso jar jnlp js jse ksh lib library-ms lnk lua mht mhtml mjs mpkg msc msi msix msixbundle msp mst ocx one osx pif',
    'pkg php pl potm ppam pptm prf ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyw rb rdp reg rpm run scf scpt scptd scr',
    'search-ms settingcontent-ms sh shtml slk sldm snap so svg sys terminal theme themepack tool url vb vbe vbs vhd',
    'vhdx webloc wflow workflow ws wsc wsf wsh xhtml xla xlam xlm xlsm xltm xll xml xpi xsl xslt zsh docm class dylib',
  ].flatMap((line) => line.split(' ')),
)

/** The last extension of a name, by which the system chooses a program; absent: it has none. */
export const endingOf = (name: string): string | undefined => /\.([^.]+)$/.exec(name.trim().toLowerCase())?.[1]

/** Without an extension the system decides by the bytes, by its own rules. */
export function runsWhenOpened(name: string): boolean {
  const ending = endingOf(name)
  return ending === undefined || RUNS.has(ending)
}
