import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { MediaFilter, MediaKind, MediaTabName } from '#shared/domain/channel-details.ts'

/** Which of a message's attachments each choice means. */
const KINDS: Readonly<Record<MediaKind, readonly AttachmentKind[]>> = {
  image: ['image', 'giphy'],
  video: ['video'],
  audio: ['audio', 'voiceRecording'],
  file: ['file', 'other'],
}

/** The choices of a media tab; one of attachments has several, the others hold what is no attachment. */
export const SHELF_KINDS: Readonly<Record<MediaTabName, readonly MediaKind[]>> = {
  media: ['image', 'video'],
  files: ['file', 'audio'],
  links: [],
  polls: [],
}

type Thing = { readonly kind: AttachmentKind; readonly sizeBytes?: number | undefined }

/** What of a message stands in a media tab, narrowed. Things whose size no one said are not among those of a size. */
export function thingsOn<Attached extends Thing>(
  tab: MediaTabName,
  attachments: readonly Attached[],
  { kind, minBytes }: MediaFilter = {},
): readonly Attached[] {
  const kinds = (kind === undefined ? SHELF_KINDS[tab] : [kind]).flatMap((one) => KINDS[one])
  return attachments.filter(
    (one) => kinds.includes(one.kind) && (minBytes === undefined || (one.sizeBytes ?? 0) >= minBytes),
  )
}
