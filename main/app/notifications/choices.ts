import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { PowerCapability } from '#main/hosts/host.ts'

/** What was chosen, and no one's words while the screen or Parlor is locked: anyone who passes it reads nothing, but may hear it. */
export function choicesWhenLocked(
  power: PowerCapability | undefined,
  chosen: () => NotificationChoices,
  isLocked: () => boolean = () => false,
): () => NotificationChoices {
  let locked = false
  power?.onLock(() => void (locked = true))
  power?.onUnlock(() => void (locked = false))
  return () => (locked || isLocked() ? { ...chosen(), preview: 'nothing' } : chosen())
}
