import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { MediaFilter, MediaKind, MediaTabName } from '#shared/domain/channel.ts'

/** The attachment kinds of each filter. */
const KINDS: Readonly<Record<MediaKind, readonly AttachmentKind[]>> = {
  image: ['image', 'giphy'],
  video: ['video'],
  audio: ['audio', 'voiceRecording'],
  file: ['file', 'other'],
}

/** The filters of a media tab; the tabs of links and polls have none, since these are not attachments. */
export const TAB_KINDS: Readonly<Record<MediaTabName, readonly MediaKind[]>> = {
  media: ['image', 'video'],
  files: ['file', 'audio'],
  links: [],
  polls: [],
}

type Filterable = { readonly kind: AttachmentKind; readonly sizeBytes?: number }

/** A message's attachments in a media tab, filtered. Attachments of unknown size do not pass a size filter. */
export function attachmentsIn<Attached extends Filterable>(
  tab: MediaTabName,
  attachments: readonly Attached[],
  { kind, minBytes }: MediaFilter = {},
): readonly Attached[] {
  const kinds = (kind === undefined ? TAB_KINDS[tab] : [kind]).flatMap((one) => KINDS[one])
  return attachments.filter(
    (one) => kinds.includes(one.kind) && (minBytes === undefined || (one.sizeBytes ?? 0) >= minBytes),
  )
}
