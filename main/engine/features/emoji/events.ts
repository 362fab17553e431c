import * as table from '#main/cache/people/emoji.ts'
import type { Tx } from '#main/cache/tx.ts'
import { decodeEmoji } from '../../decode/emoji.ts'
import type { ApplyContext, Appliers } from '../../sync/appliers.ts'

/** Source: ADR 19. */
export const emojiEvents: Appliers = {
  'emoji.created': (tx, event, context) => {
    heard(tx, context)
    writeEmoji(tx, event.emoji)
  },
  'emoji.updated': (tx, event, context) => {
    heard(tx, context)
    if (event.former_name !== undefined) table.remove(tx, event.former_name)
    writeEmoji(tx, event.emoji)
  },
  'emoji.deleted': (tx, event, context) => {
    heard(tx, context)
    const row = decodeEmoji(event.emoji)
    if (row) table.remove(tx, row.name)
  },
}

export function writeEmoji(tx: Tx, wire: unknown): void {
  const row = decodeEmoji(wire)
  if (row) table.put(tx, row)
}

/** The version that is held is over: the next connection compares the whole register. */
function heard(tx: Tx, { memory }: Pick<ApplyContext, 'memory'>): void {
  memory.emojiHeard += 1
  const held = table.terms(tx)
  if (held?.version !== undefined) table.setTerms(tx, { ...held, version: undefined })
}
