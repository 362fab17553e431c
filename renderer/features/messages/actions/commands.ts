import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { FileRef } from '#shared/rules/messages/forward.ts'
import { useMemo } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { command, type Command } from '../../../store/command.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { channelTitle } from '../../sidebar/index.ts'
import type { OpenAt } from '../list/use-navigation.ts'

type MessageTarget = { readonly messageId: MessageId }

/** A deletion is held for this long before it is sent, and can be undone. */
const UNDO_DELETE_MS = 8_000

const deleteMessage = command('messages/deleted', (input: MessageTarget, engine) =>
  engine.messages.delete({ ...input, undoForMs: UNDO_DELETE_MS }),
)

export const pinMessage = command(
  'messages/pinned',
  (input: MessageTarget & { readonly pinned: boolean; readonly until?: number | null }, engine) =>
    engine.messages.pin(input),
  {
    undo: ({ messageId, pinned }, before) => {
      const { cid = '', pinned: wasPinned, pinExpires } = before.entities.messages[messageId] ?? {}
      const isEnd = pinned && wasPinned === true
      return {
        code: isEnd ? 'message/pin-end' : pinned ? 'message/pinned' : 'message/unpinned',
        params: { name: channelTitle(before, cid) },
        undo: ({ engine }) =>
          engine.messages.pin(
            pinned && !isEnd
              ? { messageId, pinned: false }
              : { messageId, pinned: true, until: pinExpires ?? (isEnd ? null : undefined) },
          ),
      }
    },
  },
)

/** With `parentId`, marks only that thread unread. */
export const markUnread = command(
  'messages/markedUnread',
  ({ cid, messageId, parentId }: MessageTarget & { readonly cid: Cid; readonly parentId?: MessageId }, engine) =>
    parentId === undefined
      ? engine.channels.markUnread({ cid, messageId })
      : engine.threads.markUnread({ cid, parentId, messageId }),
  {
    undo: ({ cid, parentId }, before) => ({
      code: parentId === undefined ? 'channel/unread' : 'thread/unread',
      params: { name: channelTitle(before, cid) },
      undo: ({ engine }) =>
        parentId === undefined ? engine.channels.markRead({ cid }) : engine.threads.markRead({ cid, parentId }),
    }),
  },
)

/** Saves a message for later, as a reminder without a time. */
export const saveMessage = command('messages/saved', (input: MessageTarget, engine) => engine.reminders.set(input), {
  undo: ({ messageId }, before) => ({
    code: 'message/saved',
    params: { name: channelTitle(before, before.entities.messages[messageId]?.cid ?? '') },
    undo: ({ engine }) => engine.reminders.remove({ messageId }),
  }),
})
export const unsaveMessage = command(
  'messages/unsaved',
  (input: MessageTarget, engine) => engine.reminders.remove(input),
  {
    undo: ({ messageId }, before) => ({
      code: 'message/unsaved',
      params: { name: channelTitle(before, before.entities.messages[messageId]?.cid ?? '') },
      undo: ({ engine }) => engine.reminders.set({ messageId }),
    }),
  },
)

export const pressButton = command(
  'messages/buttonPressed',
  (input: MessageTarget & { readonly name: string; readonly value: string }, engine) => engine.messages.press(input),
)
export const dismissAnswer = command('messages/answerDismissed', (input: MessageTarget, engine) =>
  engine.messages.dismiss(input),
)

/** Sends a forwarded message as text. Errors are shown in the dialog. */
export const forwardMessage = command(
  'messages/forwarded',
  (input: { readonly cid: Cid; readonly text: string; readonly files: readonly FileRef[] }, engine) =>
    engine.messages.send({ ...input, files: [...input.files], keepsDraft: true, keepsUnread: true }),
  { quiet: true },
)

const retryItem = command('messages/retried', (input: { readonly id: string }, engine) => engine.outbox.retry(input))

/** Retries an unsent message through its outbox item. */
export const retryMessage =
  (messageId: MessageId): Command<void> =>
  (dispatch, getState, extra) => {
    const items = Object.values(getState().entities.outbox)
    const item = items.find((one) => one.messageId === messageId && one.kind === 'send-message')
    return retryItem({ id: item?.id ?? messageId })(dispatch, getState, extra)
  }

/** Opens the message window of a channel, or moves it. Errors are shown by the list. */
export const openTimeline = command(
  'messages/timelineOpened',
  (input: { readonly cid: Cid } & OpenAt, engine) => engine.channels.open(input),
  { quiet: true },
)

export const leaveTimeline = command(
  'messages/timelineLeft',
  (input: { readonly cid: Cid }, engine) => engine.channels.close(input),
  { quiet: true },
)

export const pageTimeline = command(
  'messages/timelinePaged',
  (input: { readonly cid: Cid; readonly direction: 'older' | 'newer' }, engine) => engine.channels.page(input),
  { quiet: true },
)

export const showAlsoInChannel = command('messages/shownInChannel', (messageId: MessageId, engine) =>
  engine.messages.alsoInChannel({ messageId }),
)

/** Saves the selected messages as a text file where the user chooses. */
export const exportSelected = command(
  'messages/exported',
  (input: { readonly cid: Cid; readonly messageIds: readonly MessageId[] }, engine) =>
    engine.data.exportMessages({ ...input, format: 'text' }),
)

export const findMention = command(
  'messages/mentionSought',
  (
    input: {
      readonly cid: Cid
      readonly parentId?: MessageId
      readonly messageId: MessageId
      readonly direction: 'older' | 'newer'
    },
    engine,
  ) => engine.messages.nearestMention(input),
)

/** What the viewer does to messages; each is announced once it is accepted. Stable identity. */
export function useMessageCommands() {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  return useMemo(() => {
    const announced = async (done: Command<unknown>, text: string): Promise<void> => {
      if ((await dispatch(done)).ok) announce(text)
    }
    return {
      pin: (messageId: MessageId) => announced(pinMessage({ messageId, pinned: true }), t('announce.pinned')),
      endPin: (messageId: MessageId, until: number | null) =>
        announced(
          pinMessage({ messageId, pinned: true, until }),
          t(until === null ? 'announce.endless' : 'announce.ends'),
        ),
      unpin: (messageId: MessageId) => announced(pinMessage({ messageId, pinned: false }), t('announce.unpinned')),
      save: async (messageIds: readonly MessageId[]): Promise<void> => {
        const all = await Promise.all(messageIds.map((messageId) => dispatch(saveMessage({ messageId }))))
        const count = all.filter(({ ok }) => ok).length
        if (count > 0) announce(t('select.saved', { count }))
      },
      unsave: (messageId: MessageId) => announced(unsaveMessage({ messageId }), t('announce.unsaved')),
      /** Deletes messages; an answer that only the viewer sees is dismissed. */
      delete: async (messages: readonly Pick<Message, 'id' | 'type'>[]): Promise<void> => {
        const all = await Promise.all(
          messages.map(({ id, type }) =>
            dispatch((type === 'ephemeral' || type === 'error' ? dismissAnswer : deleteMessage)({ messageId: id })),
          ),
        )
        const count = all.filter(({ ok }) => ok).length
        if (count > 0) announce(t('announce.deleted', { count }))
      },
      markUnread: (target: Parameters<typeof markUnread>[0]) => announced(markUnread(target), t('announce.unread')),
    }
  }, [dispatch, t])
}
