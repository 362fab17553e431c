import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { AttachmentRow } from '#main/cache/rows.ts'
import { asList, asWire, customOf, nameOf, numberOf, countOf, textOf, urlOf, type Wire } from './read.ts'

const KINDS: ReadonlySet<string> = new Set<AttachmentKind>([
  'image',
  'video',
  'audio',
  'file',
  'voiceRecording',
  'giphy',
])
/** See docs/wire.md 6.5 and 5.1. */
const ATTACHMENTS_LIMIT = 30
const WAVEFORM_LIMIT = 1_000

/** See docs/wire.md 5.9. The addresses stay in main; `raw` is sent back unchanged by an edit. */
export function decodeAttachments(value: unknown): readonly AttachmentRow[] {
  // Positions matter (they name the bytes), so an unusable item stays as `other`.
  return asList(value)
    .slice(0, ATTACHMENTS_LIMIT)
    .map((item) => decodeAttachment(asWire(item) ?? {}))
}

function decodeAttachment(wire: Wire): AttachmentRow {
  const linkUrl = urlOf(wire['og_scrape_url'])
  const kind = kindOf(wire, linkUrl)
  const image = urlOf(wire['image_url'])
  const asset = urlOf(wire['asset_url'])
  const thumb = urlOf(wire['thumb_url'])
  return {
    kind,
    url: kind === 'image' || kind === 'link' ? (image ?? asset ?? thumb) : (asset ?? image ?? thumb),
    thumbUrl: thumb ?? (kind === 'video' ? image : undefined),
    title: nameOf(wire['title']) ?? nameOf(wire['fallback']),
    mimeType: nameOf(wire['mime_type'], 100),
    sizeBytes: countOf(wire['file_size']),
    width: sideOf(wire['original_width']),
    height: sideOf(wire['original_height']),
    duration: positive(numberOf(wire['duration'])),
    waveform: waveformOf(wire['waveform_data']),
    linkUrl,
    text: textOf(wire['text'], 2_000),
    authorName: nameOf(wire['author_name']),
    alt: kind === 'image' ? altOf(wire) : undefined,
    raw: customOf(wire),
  }
}

function kindOf(wire: Wire, linkUrl: string | undefined): AttachmentKind {
  if (linkUrl !== undefined) return 'link'
  const type = wire['type']
  return typeof type === 'string' && KINDS.has(type) ? (type as AttachmentKind) : 'other'
}

/** A picture's `fallback` is its description; some programs repeat the name there. */
function altOf(wire: Wire): string | undefined {
  const alt = nameOf(wire['fallback'], 500)
  return alt === undefined || alt === wire['title'] ? undefined : alt
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 ? value : undefined

/** Larger pictures are not decoded at all. */
const SIDE_LIMIT = 16_384

function sideOf(value: unknown): number | undefined {
  const side = countOf(value)
  return side !== undefined && side > 0 && side <= SIDE_LIMIT ? side : undefined
}

function waveformOf(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.slice(0, WAVEFORM_LIMIT).map((level) => Math.min(1, Math.max(0, numberOf(level) ?? 0)))
}
