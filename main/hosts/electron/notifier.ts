import { Notification } from 'electron'
import type { Host } from '../host.ts'

/** Desktop notifications. Texts arrive cut and cleaned; here they are only shown and taken back. */
export function electronNotifier(): NonNullable<Host['notifier']> {
  const shown = new Map<string, Notification>()
  return {
    show({ id, title, body, onClick }) {
      shown.get(id)?.close()
      const notification = new Notification({ title, body, silent: true })
      shown.set(id, notification)
      notification.once('click', onClick)
      notification.once('close', () => {
        if (shown.get(id) === notification) shown.delete(id)
      })
      notification.show()
    },
    withdraw(id) {
      shown.get(id)?.close()
      shown.delete(id)
    },
  }
}
