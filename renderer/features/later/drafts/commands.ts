import { NEW_POLL, type Draft, type DraftVersion } from '#shared/domain/draft.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'
import { focusRequested } from '../../../store/composers/composers.ts'
import type { Thunk } from '../../../store/store.ts'
import { UNDO_MS } from '../../../store/window/recent.ts'
import { dialogOpened, panelOpened, routeOpened } from '../../../store/window/ui.ts'
import { putText } from '../../composer/index.ts'
import { channelTitle } from '../../sidebar/index.ts'

/** Deletes a draft, which also clears its composer in every window. */
export const discardDraft = command('drafts/discarded', ({ key }: Draft, engine) => engine.drafts.discard({ key }), {
  undo: (draft, before) => ({
    code: 'draft/discarded',
    params: { name: channelTitle(before, draft.cid) },
    noticeMs: UNDO_MS,
    undo: ({ engine }) => restore(draft, engine),
  }),
})

/** Saves a discarded draft again. */
async function restore(draft: Draft, engine: EngineClient): Promise<void> {
  for (const [of, { options, ...form }] of Object.entries(draft.polls ?? {})) {
    await engine.drafts.savePoll({ cid: draft.cid, of, form: { ...form, options: [...options] } })
  }
  await engine.drafts.save({
    cid: draft.cid,
    parentId: draft.parentId,
    quotedId: draft.quotedId,
    text: draft.text,
    caret: draft.caret,
    selectedTo: draft.selectedTo,
    showInChannel: draft.showInChannel,
    uploadIds: draft.uploads.map((upload) => upload.id),
    edit: draft.edit,
  })
}

/** Opens the place of a draft and focuses its composer; a draft of only a poll opens the poll form. */
export function continueDraft({ key, cid, parentId, polls, text }: Continued): Thunk<void> {
  return (dispatch) => {
    dispatch(routeOpened({ view: 'channel', cid }))
    if (polls?.[NEW_POLL] !== undefined && text.trim() === '') {
      dispatch(dialogOpened({ kind: 'poll', cid }))
      return
    }
    if (parentId !== undefined) dispatch(panelOpened({ kind: 'thread', cid, parentId }))
    dispatch(focusRequested({ key }))
  }
}

type Continued = Pick<Draft, 'key' | 'cid' | 'parentId' | 'polls' | 'text'>

const quiet = { quiet: true }

/** Earlier drafts of one composer, or of all. Quiet: the dialog shows the error. */
export const readHistory = command(
  'drafts/historyAsked',
  (input: { readonly key?: string }, engine) => engine.drafts.history(input),
  quiet,
)
export const forgetHistory = command('drafts/historyForgotten', (_input: void, engine) => engine.drafts.forgetHistory())

/** Restores an earlier draft and opens its place. */
export function restoreVersion({ key, cid, parentId, text }: DraftVersion): Thunk<Promise<void>> {
  return async (dispatch) => {
    const place = { key, cid, ...(parentId === undefined ? {} : { parentId }) }
    await dispatch(putText(place, text))
    dispatch(continueDraft({ ...place, text }))
  }
}

/** Changes the time of a scheduled message; without a time it is sent now. */
export const reschedule = command(
  'drafts/rescheduled',
  (input: { readonly id: string; readonly at?: number }, engine) => engine.outbox.schedule(input),
)
