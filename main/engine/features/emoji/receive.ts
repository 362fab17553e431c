import { listEmoji } from '#shared/wire/emoji.ts'
import { EMOJI_BYTES, MAX_EMOJI, EMOJI_SIDE } from '#shared/domain/emoji.ts'
import { emojiNameIn } from '#shared/rules/messages/emoji.ts'
import * as table from '#main/cache/people/emoji.ts'
import type { Tx } from '#main/cache/store.ts'
import type { EmojiRow } from '#main/cache/rows.ts'
import type { StoredTerms } from '#main/cache/people/emoji.ts'
import type { Core } from '../../core.ts'
import { asList, idOf, asWire, countOf, nameOf, timeOf, urlOf } from '../../decode/read.ts'
import type { ApplyContext, Appliers } from '../../sync/ingest.ts'

/** Attempts while the emoji change during the request. */
const MAX_TRIES = 3

type Parts = Pick<Core, 'api' | 'cache' | 'life' | 'memory' | 'write'>

/**
 * Stores the limits of custom emoji from the app's settings, and fetches the emoji if their version changed. If the server
 * has none, all are removed: it may have been reset, or replaced by another one at the same address.
 */
export async function storeEmoji(core: Parts, app: { readonly custom_emoji?: unknown } | undefined): Promise<void> {
  const terms = decodeEmojiTerms(app?.custom_emoji)
  const held = table.terms(core.cache.reader)
  if (terms === undefined) {
    if (held !== undefined) core.write((tx) => (table.replaceAll(tx, []), table.setTerms(tx, undefined)))
    return
  }
  const isHeld = held?.version === terms.version
  core.write((tx) => table.setTerms(tx, isHeld ? terms : { ...terms, version: undefined }))
  if (!isHeld) await fetchEmoji(core)
}

/** A response that was in flight while an event arrived may be outdated: it is requested again. */
export async function fetchEmoji(core: Pick<Core, 'api' | 'life' | 'memory' | 'write'>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const eventsBefore = core.memory.emojiEvents
    const { emoji, version } = await core.api.send(listEmoji, { signal: core.life })
    if (eventsBefore !== core.memory.emojiEvents) continue
    core.write((tx) => {
      const held = table.terms(tx)
      table.replaceAll(
        tx,
        asList(emoji).flatMap((each) => decodeEmoji(each) ?? []),
      )
      if (held) table.setTerms(tx, { ...held, version: idOf(version) })
    })
    return
  }
}

/** Source: ADR 19. */
export const emojiEvents: Appliers = {
  'emoji.created': (tx, event, context) => {
    invalidate(tx, context)
    writeEmoji(tx, event.emoji)
  },
  'emoji.updated': (tx, event, context) => {
    invalidate(tx, context)
    if (event.former_name !== undefined) table.remove(tx, event.former_name)
    writeEmoji(tx, event.emoji)
  },
  'emoji.deleted': (tx, event, context) => {
    invalidate(tx, context)
    const row = decodeEmoji(event.emoji)
    if (row) table.remove(tx, row.name)
  },
}

export function writeEmoji(tx: Tx, wire: unknown): void {
  const row = decodeEmoji(wire)
  if (row) table.put(tx, row)
}

/** The stored version is outdated: the next connection fetches all custom emoji. */
function invalidate(tx: Tx, { memory }: Pick<ApplyContext, 'memory'>): void {
  memory.emojiEvents += 1
  const terms = table.terms(tx)
  if (terms?.version !== undefined) table.setTerms(tx, { ...terms, version: undefined })
}

/** The name as it may appear in a text. */
const plainName = (value: unknown): string | undefined =>
  typeof value === 'string' ? emojiNameIn(`:${value}:`) : undefined

/** Source: ADR 19. Dropped without a name or a picture. */
function decodeEmoji(value: unknown): EmojiRow | undefined {
  const wire = asWire(value)
  const name = plainName(wire?.['name'])
  const url = urlOf(wire?.['url'])
  if (name === undefined || url === undefined) return undefined
  return {
    name,
    aliases: asList(wire?.['aliases']).flatMap((each) => plainName(each) ?? []),
    url,
    mimeType: nameOf(wire?.['mime_type'], 64),
    createdBy: idOf(wire?.['created_by']),
    createdAt: timeOf(wire?.['created_at']),
  }
}

/** `custom_emoji` of the app's settings; `undefined` if the server has none. */
function decodeEmojiTerms(value: unknown): (StoredTerms & { readonly version: string }) | undefined {
  const wire = asWire(value)
  if (!wire || typeof wire['version'] !== 'string') return undefined
  return {
    can: asList(wire['own_capabilities']).filter((each) => typeof each === 'string'),
    maxBytes: Math.min(countOf(wire['size_limit']) ?? EMOJI_BYTES, EMOJI_BYTES),
    maxSide: countOf(wire['side_limit']) ?? EMOJI_SIDE,
    maxCount: countOf(wire['count_limit']) ?? MAX_EMOJI,
    version: wire['version'],
  }
}
