import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import type { Notice } from '#shared/domain/notice.ts'
import type { IntentKind } from '#shared/domain/outbox.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import type { Done } from './runner.ts'

/** What the outbox has to know of one kind of intent. `Parts` are those of the engine that its functions may use. */
export type KindOfIntent<Kind extends IntentKind, Parts> = {
  /** Intent → request → facts to store. Every request can be repeated without harm. */
  readonly perform: (core: Parts, intent: IntentFor<Kind>, signal: AbortSignal) => Promise<Done>
  /** The server says that it exists already: the facts if it is this one, otherwise `undefined`. Absent: it never is. */
  readonly verify?: (core: Parts, intent: IntentFor<Kind>, signal: AbortSignal) => Promise<Done | undefined>
  /** Whether everything that it needs first is there. Absent: nothing is needed. */
  readonly isReady?: (core: Parts, intent: IntentFor<Kind>) => boolean
  /** Position in the timeline when it is released now. Absent: it has none. */
  readonly placeNow?: (core: Parts, intent: IntentFor<Kind>) => number | undefined
  /** It was replaced before it was sent. */
  readonly dropped?: (core: Parts, intent: IntentFor<Kind>) => void
  /** It was rejected. Returns its notice if it has another than the general one. */
  readonly parked?: (core: Parts, intent: IntentFor<Kind>) => Omit<Notice, 'id' | 'createdAt'> | undefined
}

/** All kinds, each with its owner's functions. */
export type KindsOfIntents<Parts> = { readonly [Kind in IntentKind]: KindOfIntent<Kind, Parts> }

/** The functions of an intent's kind, which take any intent: only those of the same kind are passed to them. */
export const kindOf = <Parts>(kinds: KindsOfIntents<Parts>, { kind }: Intent): KindOfIntent<IntentKind, Parts> =>
  kinds[kind] as KindOfIntent<IntentKind, Parts>

/** The message that an intent is about; one that is sent may have no id but its own. */
export const messageIdOf = (intent: Intent): MessageId => intent.messageId ?? asMessageId(intent.id)

/** Why an intent was rejected: a code that selects a text. */
export const reasonOf = (intent: Intent): string => intent.reason?.code ?? 'outbox/refused'
