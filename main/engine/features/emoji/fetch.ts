import { listEmoji } from '#shared/wire/emoji.ts'
import * as table from '#main/cache/people/emoji.ts'
import type { Core } from '../../core.ts'
import { decodeEmoji, decodeEmojiTerms } from '../../decode/emoji.ts'
import { asList, idOf } from '../../decode/read.ts'

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
