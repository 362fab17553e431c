import { shownText } from '#shared/lib/clean-text.ts'
import type { Block, Mentionable } from './nodes.ts'
import { parseMessage } from './parse.ts'

/** Cache size: two windows of messages, so that switching between two conversations parses nothing twice. */
const MAX_CACHED = 600
const NO_PEOPLE: readonly Mentionable[] = []
const cache = new Map<string, readonly Block[]>()

/**
 * Blocks of a message text, cached: rows mount and unmount while scrolling, and a text is needed both for rendering and
 * for its accessible name.
 */
export function parsed(text: string, people: readonly Mentionable[] = NO_PEOPLE): readonly Block[] {
  const key = people.length === 0 ? text : JSON.stringify([text, people.map(({ id, name, all }) => [id, name, all])])
  const cached = cache.get(key)
  if (cached !== undefined) {
    // Moved to the end, so that the least recently used entry is evicted first.
    cache.delete(key)
    cache.set(key, cached)
    return cached
  }
  const blocks = parseMessage(shownText(text), people)
  cache.set(key, blocks)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? '')
  return blocks
}
