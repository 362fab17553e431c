import type { EntityName, WindowKey } from '#shared/domain/changes.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { CacheSql } from './sql.ts'

/** Reading side of a store. Every read function takes one. */
export type Reader = {
  readonly db: CacheSql
  /** The owner of this cache: own reactions, own reads and shadowed messages depend on it. */
  readonly viewerId: UserId
  /** The viewer is a guest without memberships: everything cached is public, and all of it is listed. */
  readonly isGuest?: boolean
  /** Epoch milliseconds on the server's clock; absent if unknown. */
  readonly serverNow?: () => number
}

/** A running transaction. Writes record the touched keys, so that the collector re-reads exactly those. */
export type Tx = Reader & {
  touch(entity: EntityName, key: string): void
  touchWindow(key: WindowKey): void
}

/** Keys written by one committed transaction. */
export type Touched = {
  readonly entities: ReadonlyMap<EntityName, ReadonlySet<string>>
  readonly windows: ReadonlySet<WindowKey>
}
