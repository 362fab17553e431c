import type { Db } from '../store/db.ts'
import { settingOf } from '../admin/settings-table.ts'
import type { TypeFlags } from '../channels/channel-types.ts'
import { toWords } from './word-folding.ts'

export type Verdict = { readonly action: 'flag' | 'block' | 'shadow_block'; readonly word: string }

/** The first word of a block list in a text, by whole words, whatever their case and accents. */
export function listedWord(db: Db, listName: string, text: string): string | undefined {
  const row = settingOf(db, 'blocklist', listName)
  if (!row) return undefined
  const { words } = JSON.parse(row.json) as { words: readonly string[] }
  const said = `${toWords(text)} `
  return words.find((word) => {
    const folded = toWords(word)
    return folded !== '' && said.includes(`${folded} `)
  })
}

/** The hardest first. */
const ACTIONS = ['block', 'shadow_block', 'flag'] as const

/** What the channel's block lists say about a text, the hardest word; absent: nothing. See docs/wire.md 5.19, 8.14. */
export function judge(db: Db, flags: TypeFlags, text: string): Verdict | undefined {
  const own = flags.blocklist ? [{ blocklist: flags.blocklist, behavior: flags.blocklist_behavior }] : []
  const found = [...own, ...(flags.blocklists ?? [])].flatMap(({ blocklist, behavior }): Verdict[] => {
    const word = listedWord(db, blocklist, text)
    return word === undefined ? [] : [{ action: ACTIONS.find((each) => each === behavior) ?? 'flag', word }]
  })
  return ACTIONS.flatMap((action) => found.filter((verdict) => verdict.action === action))[0]
}
