import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit'
import { asCid, asMessageId, type Cid } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { command, commandFailed, errorBodyOf } from '../../store/command.ts'
import { takenBack } from '../../store/composers.ts'
import type { AppState, StoreExtra } from '../../store/store.ts'
import { panelOpened, routeOpened } from '../../store/ui.ts'

type Item = { readonly id: string }

export const retryItem = command('outbox/retried', ({ id }: Item, engine) => engine.outbox.retry({ id }))
export const discardItem = command('outbox/discarded', ({ id }: Item, engine) => engine.outbox.discard({ id }))
export const tryNow = command('outbox/triedNow', (_input: void, engine) => engine.session.reconnect())

/**
 * Takes an unsent message back into the composer it came from and opens that place. Used by the panel and by the unsent
 * message itself ("Edit").
 */
export function takeBackItem({ id }: Item): ThunkAction<Promise<void>, AppState, StoreExtra, UnknownAction> {
  return async (dispatch, _getState, { engine }) => {
    try {
      const back = await engine.outbox.takeBack({ id })
      const cid: Cid = asCid(back.cid)
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
            ...(back.quotedId === undefined ? {} : { quotedId: asMessageId(back.quotedId) }),
          },
        }),
      )
    } catch (error) {
      dispatch(commandFailed({ type: 'outbox/takenBack', error: errorBodyOf(error) }))
    }
  }
}
