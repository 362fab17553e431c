import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import type { UserId } from '#shared/lib/brand.ts'

export const isBlocking = (intent: Intent): intent is IntentFor<'block-person'> | IntentFor<'unblock-person'> =>
  intent.kind === 'block-person' || intent.kind === 'unblock-person'

/**
 * Whether a person is blocked: the server's state with pending intents applied; a refused intent changes nothing.
 *
 * @param intents those of no channel, oldest first
 */
export function predictBlocked(fact: boolean, intents: readonly Intent[], userId: UserId): boolean {
  const last = intents.findLast(
    (intent) => isBlocking(intent) && intent.payload.userId === userId && intent.state !== 'parked',
  )
  return last === undefined ? fact : last.kind === 'block-person'
}
