import { createSelector } from '@reduxjs/toolkit'
import { UPLOAD_PAUSED } from '#shared/domain/attachment.ts'
import { NEW_POLL, type Draft, composerKey } from '#shared/domain/draft.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import { errorBodyOf } from '#shared/lib/app-error.ts'
import type { Message } from '#shared/domain/message.ts'
import { asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import type { AppState, Thunk } from '../store.ts'
import { finishedBeforeSwitch } from '../accounts.ts'
import { command, commandFailed } from '../command.ts'
import { takenBack } from './composers.ts'
import { foreseenRefused } from '../entities.ts'
import { dialogOpened, panelOpened, routeOpened } from '../window/ui.ts'

const NO_IDS: readonly string[] = []

const selectIds = (state: AppState): readonly string[] => state.windows.byKey['outbox']?.ids ?? NO_IDS
const selectRows = (state: AppState) => state.entities.outbox

/**
 * Unsent items in the order of creation, without scheduled ones and without read marks, which nobody sends, unless one needs
 * attention. From the snapshot until the outbox window is open.
 */
const selectItems = createSelector([selectIds, selectRows], (ids, rows): readonly OutboxItem[] => {
  const listed = ids.flatMap((id) => rows[id] ?? [])
  const all =
    ids.length > 0
      ? listed
      : Object.values(rows).toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return all.filter(({ sendAt, kind, state }) => sendAt === undefined && (kind !== 'mark-read' || state === 'parked'))
})

/** Scheduled messages, the soonest first: listed with the drafts, not in the outbox. */
export const selectScheduled = createSelector([selectRows], (rows) =>
  Object.values(rows)
    .filter((item): item is OutboxItem & { readonly sendAt: number } => item.sendAt !== undefined)
    .toSorted((a, b) => a.sendAt - b.sendAt || (a.id < b.id ? -1 : 1)),
)

/** The number of unsent items, in the title strip and beside "Outbox" in Later. */
export const selectOutboxCount = (state: AppState): number => selectItems(state).length

/** An upload that the user paused: it waits for them, but nothing is wrong with it. */
export const isPaused = ({ reason }: OutboxItem): boolean => reason?.code === UPLOAD_PAUSED

const needsHelp = (item: OutboxItem): boolean => item.state === 'parked' && !isPaused(item)

export const selectWaiting = createSelector([selectItems], (items) => items.filter((item) => !needsHelp(item)))
export const selectParked = createSelector([selectItems], (items) => items.filter(needsHelp))

const isWorthShowing = ({ text, uploads, quotedId, edit, polls }: Draft): boolean =>
  text.trim() !== '' ||
  uploads.length > 0 ||
  quotedId !== undefined ||
  edit !== undefined ||
  polls?.[NEW_POLL] !== undefined

/** All drafts, the most recently changed first. */
export const selectDrafts = createSelector([(state: AppState) => state.entities.drafts], (drafts): readonly Draft[] =>
  Object.values(drafts)
    .filter(isWorthShowing)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.key < b.key ? -1 : 1)),
)

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
