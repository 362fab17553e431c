import type { Db } from '../store/db.ts'
import { settingOf } from '../admin/settings.ts'
import type { TypeFlags } from '../channels/channel-types.ts'
import { toWords } from '../messages/words.ts'

export type BlocklistMatch = { readonly action: 'flag' | 'block' | 'shadow_block'; readonly word: string }

/** The first word of a block list in a text, matching whole words regardless of case and accents. */
export function blockedWord(db: Db, listName: string, text: string): string | undefined {
  const row = settingOf(db, 'blocklist', listName)
  if (!row) return undefined
  const { words } = JSON.parse(row.json) as { words: readonly string[] }
  const folded = `${toWords(text)} `
  return words.find((word) => {
    const needle = toWords(word)
    return needle !== '' && folded.includes(`${needle} `)
  })
}

/** The strictest first. */
const ACTIONS = ['block', 'shadow_block', 'flag'] as const

/** The strictest match of the channel's block lists in a text, if any. See docs/wire.md 5.19, 8.14. */
export function matchBlocklists(db: Db, flags: TypeFlags, text: string): BlocklistMatch | undefined {
  const own = flags.blocklist ? [{ blocklist: flags.blocklist, behavior: flags.blocklist_behavior }] : []
  const found = [...own, ...(flags.blocklists ?? [])].flatMap(({ blocklist, behavior }): BlocklistMatch[] => {
    const word = blockedWord(db, blocklist, text)
    return word === undefined ? [] : [{ action: ACTIONS.find((each) => each === behavior) ?? 'flag', word }]
  })
  return ACTIONS.flatMap((action) => found.filter((match) => match.action === action))[0]
}
