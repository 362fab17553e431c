import type { Cid } from '#shared/lib/brand.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Core } from '../core.ts'
import type { HandledEvent, HandledType } from '../decode/events.ts'

/** What an applier may use besides the transaction. */
export type ApplyContext = Pick<
  Core,
  'me' | 'memory' | 'collector' | 'typing' | 'assistants' | 'watched' | 'drafts' | 'threads' | 'notify'
> & {
  /** Server time of the event, epoch milliseconds. */
  readonly at: number
  /** Received over a healthy connection, not read back by a synchronization. */
  readonly live: boolean
  /** Live, or synchronized within minutes of its time: worth a notification. */
  readonly recent: boolean
  /** Reports a recent message by another user: notifications are checked after the commit. */
  readonly arrived: (id: string) => void
  /** Text was deleted permanently: it must be erased from disk soon. */
  readonly erased: () => void
  /** Runs once this batch is committed. */
  readonly later: (work: () => void) => void
  /** Requests the channel with everything in it once this batch is committed. */
  readonly refetch: (cid: Cid) => void
}

/** Stores the facts of one event in the cache. Synchronous; a throw undoes this event alone. */
type Applier<Type extends HandledType> = (tx: Tx, event: HandledEvent<Type>, context: ApplyContext) => void

/** A feature's appliers by the wire's event type. */
export type Appliers = { readonly [Type in HandledType]?: Applier<Type> }
