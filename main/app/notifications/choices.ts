import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { PowerCapability } from '#main/hosts/host.ts'

/** The notification settings; without message text while the screen or Parlor is locked, but with sound. */
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
