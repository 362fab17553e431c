import type { Position } from './list/list-view.ts'

/** Where the reader left a list, to come back to. Source: product paper 4.2 "Return to channel". */
type Left = { readonly position: Position; readonly at: number }

const KEEP_MS = 24 * 3_600_000
const MAX = 50
const left = new Map<string, Left>()

export function rememberPosition(key: string, position: Position, now: number): void {
  left.delete(key)
  // The end needs no memory: it is where a list opens anyway.
  if ('fromEnd' in position) return
  left.set(key, { position, at: now })
  const oldest = left.size > MAX ? left.keys().next().value : undefined
  if (oldest !== undefined) left.delete(oldest)
}

export function recallPosition(key: string, now: number): Position | undefined {
  const found = left.get(key)
  return found !== undefined && now - found.at < KEEP_MS ? found.position : undefined
}
