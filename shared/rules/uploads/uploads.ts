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
