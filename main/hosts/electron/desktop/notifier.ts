import { Notification, type NotificationConstructorOptions } from 'electron'
import type { NotifierCapability, SystemNotice } from '../../host.ts'
import type { Os } from '../../rules/windows/window-options.ts'

type OnForgotten = NonNullable<NotifierCapability['onForgotten']>

/** Desktop notifications. Texts are already shortened and cleaned; here they are only shown, handled and removed. */
export function electronNotifier(os: Os): NotifierCapability {
  const shown = new Map<string, Notification>()
  function forget(id: string, notification: Notification): void {
    if (shown.get(id) === notification) shown.delete(id)
  }
  return {
    isAvailable: () => Notification.isSupported(),
    show(notice) {
      shown.get(notice.id)?.close()
      if (!Notification.isSupported()) return notice.onRefused()
      const notification = new Notification(
        optionsOf(os === 'linux' ? { ...notice, body: literal(notice.body) } : notice),
      )
      shown.set(notice.id, notification)
      notification.once('click', notice.onClick)
      notification.once('show', () => notice.onShown?.())
      notification.once('close', () => forget(notice.id, notification))
      notification.once('failed', () => {
        forget(notice.id, notification)
        notice.onRefused()
      })
      notification.on('action', ({ actionIndex }) => notice.actions?.[actionIndex]?.run())
      notification.on('reply', ({ reply }) => notice.reply?.onReply(reply))
      notification.show()
    },
    withdraw(id) {
      shown.get(id)?.close()
      shown.delete(id)
    },
    ...(os === 'windows' ? { onForgotten } : os === 'macos' ? { onForgotten: fromNotificationCenter() } : {}),
  }

  /** Windows preserves notifications across a restart. Those of this run have their own events. */
  function onForgotten(handler: Parameters<OnForgotten>[0]): void {
    Notification.handleActivation(({ arguments: text, reply }) => {
      if (![...shown.keys()].some((id) => text.includes(id))) handler(text, reply)
    })
  }
}

/** macOS returns the notifications of an earlier run; their events come as long as they are referenced. */
function fromNotificationCenter(): OnForgotten {
  const held: Notification[] = []
  async function hold(handler: Parameters<OnForgotten>[0]): Promise<void> {
    held.push(...(await Notification.getHistory()))
    for (const one of held) {
      one.once('click', () => handler(one.id))
      one.once('action', () => handler(one.id))
      one.on('reply', ({ reply }) => handler(one.id, reply))
    }
  }
  // Unsigned programs have no notification center.
  return (handler) => void hold(handler).catch(() => undefined)
}

/** Linux desktops parse markup in a body, and some show nothing where it is invalid. */
const literal = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Unsupported options are ignored by the system: groups and replies on Linux, buttons there without a server for them.
 */
function optionsOf({
  id,
  title,
  body,
  silent,
  group,
  stays,
  actions,
  reply,
}: SystemNotice): NotificationConstructorOptions {
  return {
    id,
    title,
    body,
    silent,
    ...(group === undefined ? {} : { groupId: group.id, groupTitle: group.title }),
    ...(stays === true ? { timeoutType: 'never', urgency: 'critical' } : {}),
    actions: actions === undefined ? undefined : actions.map(({ label }) => ({ type: 'button', text: label })),
    ...(reply === undefined ? {} : { hasReply: true, replyPlaceholder: reply.placeholder }),
  }
}
