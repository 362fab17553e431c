import type { EntityName, WindowKey } from '#shared/domain/changes.ts'
import type { Touched } from '#main/cache/tx.ts'

/** Keys touched since the last flush, by transactions and by state in memory. */
export type Gathered = {
  readonly entities: Map<EntityName, Set<string>>
  readonly windows: Set<WindowKey>
}

export const nothingGathered = (): Gathered => ({ entities: new Map(), windows: new Set() })

export function gather(into: Gathered, touched: Touched): void {
  for (const [entity, keys] of touched.entities) for (const key of keys) gatherKey(into, entity, key)
  for (const key of touched.windows) into.windows.add(key)
}

export function gatherKey(into: Gathered, entity: EntityName, key: string): void {
  const known = into.entities.get(entity)
  if (known) known.add(key)
  else into.entities.set(entity, new Set([key]))
}

export const isNothing = (gathered: Gathered): boolean => gathered.entities.size === 0 && gathered.windows.size === 0
