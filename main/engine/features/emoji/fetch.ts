import { listEmoji } from '#shared/wire/emoji.ts'
import * as table from '#main/cache/people/emoji.ts'
import type { Core } from '../../core.ts'
import { decodeEmoji, decodeEmojiTerms } from '../../decode/emoji.ts'
import { asList, idOf } from '../../decode/read.ts'

/** Tries when the register changes while it is fetched. */
const MAX_TRIES = 3

/**
 * What the app's settings say of custom emoji, and the register when it is another one than is held. Where there is none
 * nothing stays: a server that lost it, or another one behind the same address.
 */
export async function keepEmoji(core: Core, app: { readonly custom_emoji?: unknown } | undefined): Promise<void> {
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

/** An answer that was on its way while something was heard may be older than that: it is asked for again. */
export async function fetchEmoji(core: Core): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const heard = core.memory.emojiHeard
    const { emoji, version } = await core.api.send(listEmoji, { signal: core.life })
    if (heard !== core.memory.emojiHeard) continue
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
