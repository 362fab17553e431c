import type { Cid } from '#shared/lib/brand.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Core } from '../core.ts'
import type { HeardEvent, HeardType } from '../decode/events.ts'

/** What an applier may do beside writing rows. */
export type ApplyContext = Pick<
  Core,
  'me' | 'memory' | 'collector' | 'typing' | 'assistants' | 'watched' | 'drafts' | 'threads' | 'notify'
> & {
  /** Epoch milliseconds of the server that the event stands for. */
  readonly at: number
  /** Heard over a healthy connection, not read back by a synchronisation. */
  readonly live: boolean
  /** Heard live, or read back within minutes of its time: worth telling of. */
  readonly recent: boolean
  /** A recent message by someone else: notifications look at it after the commit. */
  readonly arrived: (id: string) => void
  /** Words were deleted for good: they leave the disk soon. */
  readonly erased: () => void
  /** Runs once this batch is committed. */
  readonly later: (work: () => void) => void
  /** The channel must be asked for, with everything in it, once this batch is committed. */
  readonly refetch: (cid: Cid) => void
}

/** Writes one event to the cache. Synchronous; a throw undoes this event alone. */
type Applier<Type extends HeardType> = (tx: Tx, event: HeardEvent<Type>, context: ApplyContext) => void

/** A feature's appliers by the wire's event type. */
export type Appliers = { readonly [Type in HeardType]?: Applier<Type> }
