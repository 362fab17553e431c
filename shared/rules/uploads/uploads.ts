import type { AttachmentKind, Upload, UploadReason } from '#shared/domain/attachment.ts'
import { MAX_FILES_PER_MESSAGE, UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'

/** The application's upload rules, named as on the wire (`UploadConfig`). */
export type UploadRules = {
  readonly allowed_file_extensions: readonly string[]
  readonly blocked_file_extensions: readonly string[]
  readonly allowed_mime_types: readonly string[]
  readonly blocked_mime_types: readonly string[]
  readonly size_limit: number
}

export type UploadFacts = { readonly name: string; readonly mimeType: string; readonly sizeBytes: number }

/** Used until the app settings are known: only size is limited. */
export const OPEN_UPLOAD_RULES: UploadRules = {
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: UPLOAD_LIMIT_BYTES,
}

/** Image unless it is a Photoshop document; then video and audio by MIME type, else a file. See docs/wire.md 7.20. */
export function uploadKind(mimeType: string): AttachmentKind {
  const mime = mimeType.toLowerCase()
  if (mime.startsWith('image/') && !mime.endsWith('.photoshop')) return 'image'
  if (mime.startsWith('video/')) return 'video'
  if (mime.startsWith('audio/')) return 'audio'
  return 'file'
}

/** Why this file cannot be uploaded, in the order of the contract; `undefined` if it can. */
export function uploadRefusal(file: UploadFacts, config: UploadRules): UploadReason | undefined {
  const name = file.name.toLowerCase()
  const mime = file.mimeType.toLowerCase()
  const named = (list: readonly string[]) => list.some((extension) => name.endsWith(extension.toLowerCase()))
  const typed = (list: readonly string[]) => list.some((type) => type.toLowerCase() === mime)
  if (config.allowed_file_extensions.length > 0 && !named(config.allowed_file_extensions)) {
    return 'allowed_file_extensions'
  }
  if (named(config.blocked_file_extensions)) return 'blocked_file_extensions'
  if (config.allowed_mime_types.length > 0 && !typed(config.allowed_mime_types)) return 'allowed_mime_types'
  if (typed(config.blocked_mime_types)) return 'blocked_mime_types'
  if (file.sizeBytes > sizeLimitOf(config)) return 'size_limit'
  return undefined
}

/** Whether another name would help: only if the name is the sole reason for the refusal. */
export function helpsRenaming(reason: UploadReason | undefined, file: UploadFacts, config: UploadRules): boolean {
  if (reason !== 'allowed_file_extensions' && reason !== 'blocked_file_extensions') return false
  const { size_limit, allowed_mime_types, blocked_mime_types } = config
  const others = { size_limit, allowed_mime_types, blocked_mime_types }
  return uploadRefusal(file, { ...others, allowed_file_extensions: [], blocked_file_extensions: [] }) === undefined
}

/** Maximum bytes of a file. Zero and absent mean the default, as the hosted service sends them. */
export const sizeLimitOf = ({ size_limit: limit }: UploadRules): number => (limit > 0 ? limit : UPLOAD_LIMIT_BYTES)

/** 10 minus those finished, uploading or queued. See docs/wire.md 7.20 "permission". */
export function freeSlots(uploads: readonly Pick<Upload, 'state'>[]): number {
  const taken = uploads.filter((upload) => upload.state !== 'blocked' && upload.state !== 'failed').length
  return Math.max(0, MAX_FILES_PER_MESSAGE - taken)
}

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
