import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { QuotedRow } from '../rows.ts'
import type { Reader } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as emoji from '../people/emoji.ts'
import * as messages from './messages.ts'
import * as users from '../people/users.ts'

/** Source of a file's bytes. Known to main only: the renderer uses a {@link MediaRef}. */
type MediaSource = {
  readonly url: string
  readonly thumbUrl?: string
  readonly mimeType?: string
  readonly title?: string
}

/**
 * `att/<messageId>.<index>`, `user/<userId>.<tag>`, `channel/<cid>.<tag>` or `emoji/<name>.<tag>`; the tag changes with
 * the image. `undefined` if the reference is not cached.
 */
export function source(reader: Reader, ref: string): MediaSource | undefined {
  const [, kind, id, tail] = /^(att|user|channel|emoji)\/(.+)\.([^.]+)$/.exec(ref) ?? []
  if (kind === undefined || id === undefined || tail === undefined) return undefined
  if (kind === 'att') return attachmentSource(reader, id, Number(tail))
  if (kind === 'emoji') return pictureOf(emoji.byName(reader, id)?.url)
  const url = kind === 'user' ? users.byId(reader, asUserId(id))?.imageUrl : channels.byCid(reader, id)?.imageUrl
  return pictureOf(url)
}

const pictureOf = (url: string | undefined): MediaSource | undefined => (url === undefined ? undefined : { url })

function attachmentSource(reader: Reader, messageId: string, index: number): MediaSource | undefined {
  const held = messages.byId(reader, messageId)
  const attachment = (held ?? quotedCopy(reader, messageId))?.attachments[index]
  const url = attachment?.url ?? attachment?.thumbUrl
  if (!attachment || url === undefined) return undefined
  return { url, thumbUrl: attachment.thumbUrl, mimeType: attachment.mimeType, title: attachment.title }
}

/** A quoted message that is not cached itself: the copy inside a message that quotes it. */
function quotedCopy(reader: Reader, messageId: string): QuotedRow | undefined {
  const [quoting] = messages.quotingIds(reader, asMessageId(messageId))
  return quoting === undefined ? undefined : messages.byId(reader, quoting)?.quoted
}

/**
 * The reference of a profile picture, a channel's picture, an emoji, or the picture of a reported profile; changes whenever
 * its URL does.
 */
export const pictureRef = (kind: 'user' | 'channel' | 'emoji' | 'profile', id: string, url: string): string =>
  `${kind}/${id}.${tagOf(unsigned(url))}`

/** The URL of an upload without its signature, which changes while the file stays the same. */
export function unsigned(url: string): string {
  return /\/files\/[^?]*\?sig=/.test(url) ? url.slice(0, url.indexOf('?')) : url
}

/** FNV-1a over UTF-16 units: short, stable, not secret. */
function tagOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}
