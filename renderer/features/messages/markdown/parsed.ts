import { shownText } from '#shared/lib/clean-text.ts'
import type { Block, Mentionable } from './nodes.ts'
import { parseMessage } from './parse.ts'

/** Two windows of messages: what a person goes back and forth between is read once. */
const KEPT = 600
const NOBODY: readonly Mentionable[] = []
const known = new Map<string, readonly Block[]>()

/**
 * Blocks of a message text, remembered: rows come and go while one scrolls, and its words are needed both to be drawn and
 * to be read out.
 */
export function parsed(text: string, people: readonly Mentionable[] = NOBODY): readonly Block[] {
  const key = people.length === 0 ? text : JSON.stringify([text, people.map(({ id, name, all }) => [id, name, all])])
  const held = known.get(key)
  if (held !== undefined) {
    // Asked for again: it leaves last.
    known.delete(key)
    known.set(key, held)
    return held
  }
  const blocks = parseMessage(shownText(text), people)
  known.set(key, blocks)
  if (known.size > KEPT) known.delete(known.keys().next().value ?? '')
  return blocks
}
