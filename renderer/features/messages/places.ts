import type { MessageId } from '#shared/lib/brand.ts'
import type { Position } from './list/list-view.ts'

/** Where a list stood at one stop of the history, and the message beside it, to load when it is not held any more. */
export type Kept = { readonly position: Position; readonly near?: MessageId | undefined }

const MAX = 200
const kept = new Map<string, Kept>()

const keyOf = (placeId: number, list: string): string => `${placeId} ${list}`

export function keepPlace(placeId: number, list: string, place: Kept): void {
  const key = keyOf(placeId, list)
  kept.delete(key)
  kept.set(key, place)
  const oldest = kept.size > MAX ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
}

export const recallPlace = (placeId: number, list: string): Kept | undefined => kept.get(keyOf(placeId, list))
