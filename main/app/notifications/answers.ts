import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { AboutArrival } from '#main/engine/features/notifications/about.ts'
import type { Account } from '../accounts/account.ts'
import type { Translate } from '../texts.ts'
import { attempt, FROM_SYSTEM, type NotificationContent } from './delivery.ts'

type ReplyPlace = { readonly cid: Cid; readonly parentId?: MessageId }

const REMIND_AFTER_MS = 60 * 60_000

/** Actions on a message from its notification: reply, mark as read, remind in an hour. */
export function answersTo(
  account: Account,
  { id, about, translate }: { readonly id: MessageId; readonly about: AboutArrival; readonly translate: Translate },
): Pick<NotificationContent, 'actions' | 'reply'> {
  const { engine } = account
  const { channels, reminders, threads } = engine.handlers
  const { cid, parentId, message } = about
  const place: ReplyPlace = message.onlyInThread && parentId !== undefined ? { cid, parentId } : { cid }
  const text = (key: string): string => translate('notifications', `system.${key}`)
  const markRead = (): unknown =>
    place.parentId !== undefined
      ? threads.markRead({ cid, parentId: place.parentId }, FROM_SYSTEM)
      : channels.markRead({ cid }, FROM_SYSTEM)
  return {
    actions: [
      { label: text('markRead'), run: () => attempt(account, markRead) },
      {
        label: text('remind'),
        run: () =>
          attempt(account, () =>
            reminders.set({ messageId: id, remindAt: engine.serverNow() + REMIND_AFTER_MS }, FROM_SYSTEM),
          ),
      },
    ],
    reply: {
      placeholder: text('reply'),
      onReply: (written) => attempt(account, () => sendReply(account, place, written)),
    },
  }
}

/** A reply that cannot be sent is appended to the draft, so that neither text is lost; the windows show the reason. */
export async function sendReply(account: Account, place: ReplyPlace, text: string): Promise<void> {
  const { engine } = account
  const { messages } = engine.handlers
  const none = { showInChannel: false, uploadIds: [] }
  try {
    await messages.send(
      { ...place, ...none, text, mentionedUserIds: [], files: [], whenReady: false, keepsDraft: true },
      FROM_SYSTEM,
    )
  } catch (error) {
    await saveReply(account, place, text)
    throw error
  }
}

/** Appends to the draft of the place: without the PIN nothing is sent. */
export async function saveReply({ engine }: Account, place: ReplyPlace, text: string): Promise<void> {
  await engine.handlers.drafts.add({ ...place, text }, FROM_SYSTEM)
}

/** Account key, cid and thread in a notification's id, as `arrivals.ts` writes it; a system may add other text. */
const ID = /((?:demo|own|hosted)-[0-9a-f]{24}) ([\w-]{1,64}:[\w!-]{1,64})(?: ([\w-]{1,255}))?/

/** The place of a notification from an earlier run; absent if it had none. */
export function placeOfNotification(
  id: string,
): { readonly account: string; readonly cid: string; readonly parentId?: string } | undefined {
  const [, account, cid, parentId] = ID.exec(id) ?? []
  if (account === undefined || cid === undefined) return undefined
  return { account, cid, parentId }
}
