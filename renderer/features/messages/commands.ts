import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command, type Command } from '../../store/command.ts'

type One = { readonly messageId: MessageId }

export const deleteMessage = command('messages/deleted', (input: One, engine) => engine.messages.delete(input))

export const pinMessage = command('messages/pinned', (input: One & { readonly pinned: boolean }, engine) =>
  engine.messages.pin(input),
)

export const markUnread = command('messages/markedUnread', (input: One & { readonly cid: Cid }, engine) =>
  engine.channels.markUnread(input),
)

/** A message passed on, as words. Refusals stand in the dialog. */
export const forwardMessage = command(
  'messages/forwarded',
  (input: { readonly cid: Cid; readonly text: string }, engine) => engine.messages.send(input),
  { quiet: true },
)

const retryItem = command('messages/retried', (input: { readonly id: string }, engine) => engine.outbox.retry(input))

/** Tries an unsent message again, by way of the outbox item that carries it. */
export const retryMessage =
  (messageId: MessageId): Command<void> =>
  (dispatch, getState, extra) => {
    const items = Object.values(getState().entities.outbox)
    const item = items.find((one) => one.messageId === messageId && one.kind === 'send-message')
    return retryItem({ id: item?.id ?? messageId })(dispatch, getState, extra)
  }

export const openTimeline = command(
  'messages/timelineOpened',
  (input: { readonly cid: Cid; readonly around?: MessageId }, engine) => engine.channels.open(input),
)

export const pageTimeline = command(
  'messages/timelinePaged',
  (input: { readonly cid: Cid; readonly direction: 'older' | 'newer' }, engine) => engine.channels.page(input),
  { quiet: true },
)

export const latestTimeline = command('messages/latestAsked', (input: { readonly cid: Cid }, engine) =>
  engine.channels.latest(input),
)
