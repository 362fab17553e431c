import { errorBodyOf } from '#shared/lib/app-error.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import { asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { finishedBeforeSwitch } from '../unfinished.ts'
import { command, commandFailed } from '../command.ts'
import { takenBack } from '../composers/composers.ts'
import { foreseenRefused } from '../entities.ts'
import type { Thunk } from '../store.ts'
import { dialogOpened, panelOpened, routeOpened } from './ui.ts'

/**
 * Returns an unsent message to its composer and opens the conversation; a poll or a location opens its form. Used by
 * the outbox panel and by the unsent message itself ("Edit").
 */
export function takeBackItem({ id }: { readonly id: string }): Thunk<Promise<void>> {
  return finishedBeforeSwitch(async (dispatch, _getState, { engine }) => {
    try {
      const back = await engine.outbox.takeBack({ id })
      // Taken back at once, it was never in a list of main: no push says that it is gone.
      dispatch(foreseenRefused({ id }))
      const cid: Cid = asCid(back.cid)
      if (back.poll !== undefined || back.place !== undefined) {
        dispatch(routeOpened({ view: 'channel', cid }))
        if (back.poll !== undefined) dispatch(dialogOpened({ kind: 'poll', cid, from: { id, poll: back.poll } }))
        if (back.place !== undefined) dispatch(dialogOpened({ kind: 'location', cid, from: { id, place: back.place } }))
        return
      }
      const parentId = back.parentId === undefined ? undefined : asMessageId(back.parentId)
      dispatch(routeOpened({ view: 'channel', cid }))
      if (parentId !== undefined) dispatch(panelOpened({ kind: 'thread', cid, parentId }))
      dispatch(
        takenBack({
          key: composerKey(cid, parentId),
          composition: {
            text: back.text,
            caret: back.text.length,
            uploadIds: back.uploadIds ?? [],
            showInChannel: back.showInChannel ?? false,
            quotedId: back.quotedId === undefined ? undefined : asMessageId(back.quotedId),
          },
        }),
      )
    } catch (error) {
      dispatch(commandFailed({ type: 'outbox/takenBack', error: errorBodyOf(error) }))
    }
  })
}

const undelete = command('messages/undeleted', (input: { readonly messageId: MessageId }, engine) =>
  engine.messages.undelete(input),
)

/** Undoes a held deletion or a held message, whose text returns to its composer. */
export const undoHeld =
  ({ id, status, deletedAt }: Message): Thunk<Promise<unknown>> =>
  (dispatch) =>
    deletedAt === undefined && status !== 'received'
      ? dispatch(takeBackItem({ id }))
      : dispatch(undelete({ messageId: id }))
