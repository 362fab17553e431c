import type { EntityName, WindowKey } from '#shared/domain/changes.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Sql } from './sql.ts'

/** Reading side of a store. Every read function of `tables/` takes one. */
export type Reader = {
  readonly db: Sql
  /** Whose cache this is: own reactions, own reads and shadowed messages depend on it. */
  readonly viewerId: UserId
  /** The viewer is a member nowhere: what is held is what everyone may read, and all of it is listed. */
  readonly isGuest?: boolean | undefined
  /** Epoch milliseconds on the server's clock; absent where nothing is heard of one. */
  readonly serverNow?: (() => number) | undefined
}

/** A running transaction. Writes remember what they touched, so that the collector re-reads exactly that. */
export type Tx = Reader & {
  touch(entity: EntityName, key: string): void
  touchWindow(key: WindowKey): void
}

/** Keys written by one committed transaction. */
export type Touched = {
  readonly entities: ReadonlyMap<EntityName, ReadonlySet<string>>
  readonly windows: ReadonlySet<WindowKey>
}
