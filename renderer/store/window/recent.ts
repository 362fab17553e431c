import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit'
import { AppError, type ErrorBody, errorBodyOf } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { perAccount } from '../objects.ts'
import type { AppDispatch, AppState, Thunk } from '../store.ts'
import { type LocalNotice, noticeDismissed, noticeRaised } from './notices.ts'

/** What was done, as text: a code of the errors area and its parameters. */
type Described = { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }

type UndoContext = {
  readonly engine: EngineClient
  readonly dispatch: AppDispatch
  readonly getState: () => AppState
}

/** Something that was done and can be undone. */
export type Undoable = Described & {
  /** Undoes it. Rejects with the reason if that is refused; the code {@link CHANGED} says that there is nothing left to undo. */
  readonly undo: (context: UndoContext) => Promise<unknown>
  /** Names what it changed, so that a view with its own Undo can undo the same thing. */
  readonly subject?: string
  /** It is said at once in a notice with Undo, which is shown for this many milliseconds. */
  readonly noticeMs?: number
}

/** What was done has since been changed by something else. */
const CHANGED = 'undo/changed'
export const changedSince = (): AppError => new AppError(CHANGED)

export type RecentAction = Described & {
  readonly id: string
  readonly at: number
  readonly subject?: string
  readonly state: 'done' | 'undoing' | 'undone' | 'refused'
  /** Why it could not be undone. */
  readonly error?: ErrorBody
}

/** How long a notice offers Undo, in milliseconds. */
export const UNDO_MS = 10_000

/** How many actions can be undone, newest last. */
const RECENT_LIMIT = 20

const slice = createSlice({
  name: 'recent',
  initialState: [] as readonly RecentAction[],
  reducers: {
    actionDone: (recent: readonly RecentAction[], { payload }: PayloadAction<RecentAction>) =>
      [...recent, payload].slice(-RECENT_LIMIT),
    actionChanged: (
      recent: readonly RecentAction[],
      { payload }: PayloadAction<Pick<RecentAction, 'id' | 'state' | 'error'>>,
    ) => recent.map((each) => (each.id === payload.id ? { ...each, ...payload, error: payload.error } : each)),
  },
})

export const recentReducer = slice.reducer
const { actionDone, actionChanged } = slice.actions

/** How each action of the account is undone, by its id. */
const UNDO = perAccount(() => new Map<string, Undoable['undo']>())

/** Adds what was done to the list, and says it if it asks for that. */
export const rememberDone =
  ({ undo, noticeMs, ...done }: Undoable): Thunk =>
  (dispatch, getState, { objects }) => {
    const id = nanoid()
    const ways = objects.of(UNDO)
    ways.set(id, undo)
    dispatch(actionDone({ ...done, id, at: Date.now(), state: 'done' }))
    const listed = new Set(getState().recent.map((each) => each.id))
    for (const known of ways.keys()) if (!listed.has(known)) ways.delete(known)
    if (noticeMs !== undefined) {
      dispatch(raised({ ...done, type: 'recent:done', severity: 'success', durationMs: noticeMs, undoId: id }))
    }
  }

const raised = (notice: Omit<LocalNotice, 'id' | 'createdAt'>) =>
  noticeRaised({ ...notice, id: `local-${nanoid()}`, createdAt: Date.now() })

const canBeUndone = ({ state }: RecentAction): boolean => state === 'done' || state === 'refused'

/** Undoes one action. `quiet`: its caller says how it went. Resolves with whether it was undone. */
export const undoRecent =
  (id: string, { quiet = false } = {}): Thunk<Promise<boolean>> =>
  async (dispatch, getState, { engine, objects }) => {
    const action = getState().recent.find((each) => each.id === id)
    const undo = objects.of(UNDO).get(id)
    if (action === undefined || undo === undefined || !canBeUndone(action)) return false
    const about = { code: action.code, params: action.params }
    dispatch(actionChanged({ id, state: 'undoing' }))
    try {
      await undo({ engine, dispatch, getState })
      dispatch(actionChanged({ id, state: 'undone' }))
      for (const notice of getState().notices.local)
        if (notice.undoId === id) dispatch(noticeDismissed({ id: notice.id }))
      if (!quiet) dispatch(raised({ code: 'undo/done', about, type: 'recent:undone', severity: 'success' }))
      return true
    } catch (error) {
      const body = errorBodyOf(error)
      dispatch(actionChanged({ id, state: 'refused', error: body }))
      if (!quiet) {
        const params = { reason: body.code }
        dispatch(raised({ code: 'undo/refused', params, about, type: 'recent:refused', severity: 'warning' }))
      }
      return false
    }
  }

/** Undoes the newest action that was not undone yet. */
export const undoLast = (): Thunk<Promise<void>> => async (dispatch, getState) => {
  const last = getState().recent.findLast(({ state }) => state === 'done')
  if (last === undefined) dispatch(raised({ code: 'undo/nothing', type: 'recent:none', severity: 'info' }))
  else await dispatch(undoRecent(last.id))
}

/** Undoes the newest action on this subject without a notice. Resolves with whether there was one that could be undone. */
export const undoOn =
  (subject: string): Thunk<Promise<boolean>> =>
  async (dispatch, getState) => {
    const last = getState().recent.findLast((each) => each.subject === subject && canBeUndone(each))
    return last !== undefined && dispatch(undoRecent(last.id, { quiet: true }))
  }
