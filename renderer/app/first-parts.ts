import { Rail } from '../features/accounts/index.ts'
import { Attachments } from '../features/attachments/index.ts'
import { PollCard } from '../features/polls/index.ts'
import { selectHasRail } from '../store/accounts.ts'
import type { AppState } from '../store/store.ts'

/**
 * Loads the parts that the first painted screen has beyond what every screen has, so that nothing in it moves when they
 * arrive. Never rejects: a part that cannot be loaded says so in its place.
 */
export async function loadFirstParts(state: AppState): Promise<void> {
  const messages = Object.values(state.entities.messages)
  await Promise.all([
    messages.some(({ attachments, uploads }) => attachments.length + uploads.length > 0)
      ? Attachments.ready()
      : undefined,
    messages.some(({ pollId }) => pollId !== undefined) ? PollCard.ready() : undefined,
    selectHasRail(state) ? Rail.ready() : undefined,
  ])
}
