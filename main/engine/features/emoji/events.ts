import * as table from '#main/cache/people/emoji.ts'
import type { Tx } from '#main/cache/tx.ts'
import { decodeEmoji } from '../../decode/emoji.ts'
import type { ApplyContext, Appliers } from '../../sync/appliers.ts'

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
