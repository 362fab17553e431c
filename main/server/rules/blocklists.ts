import type { Db } from '../store/db.ts'
import { settingOf } from '../store/tables/settings.ts'
import type { TypeFlags } from './channel-types.ts'
import { toWords } from './words.ts'

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

/** What the channel's block list says about a text; absent: nothing. Source: wire contract 5.19 and 8.14. */
export function judge(db: Db, flags: TypeFlags, text: string): Verdict | undefined {
  if (!flags.blocklist) return undefined
  const word = listedWord(db, flags.blocklist, text)
  if (word === undefined) return undefined
  const { blocklist_behavior: behavior } = flags
  return { action: behavior === 'block' || behavior === 'shadow_block' ? behavior : 'flag', word }
}
