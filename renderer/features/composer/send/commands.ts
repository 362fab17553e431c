import { nanoid, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit'
import { err, ok, type Result } from '#shared/lib/result.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { Notice } from '#shared/domain/notice.ts'
import type { CommandBar, CommandLack } from '#shared/rules/composer/commands.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { withUnixLines } from '#shared/rules/messages/text.ts'
import {
  accepted,
  draftFound,
  draftOf,
  draftSaved,
  draftSaving,
  editLeft,
  editOf,
  failed,
  focusAsked,
  returned,
  type SendInput,
  submitted,
  typed,
} from '../../../store/composers/composers.ts'
import { command, errorBodyOf, isUnanswered, JUST_SENT } from '../../../store/command.ts'
import { selectHostGone } from '../../../store/window/host.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import type { AppState, StoreExtra } from '../../../store/store.ts'
import { selectMessage, selectSettings } from '../../../store/selectors.ts'
import { selectComposer } from '../selectors.ts'
import type { Place } from '../place.ts'
import { sentPreviews } from '../previews/previews.ts'
import { whenCopied } from '../files/staging.ts'
import type { SendHow } from './use-send.ts'

/** Several messages at once are soon regretted: they can be undone whatever the settings say. */
const UNDO_SPLIT_MS = 5_000

type Thunk<Output> = ThunkAction<Output, AppState, StoreExtra, UnknownAction>

/** Whom a message names, and whom it calls besides. */
export type Named = { readonly mentionedUserIds: readonly UserId[]; readonly reach: readonly BroadcastMention[] }

/**
 * Hands what stands in the composer to the engine. The field is free at once; the text stays in the draft until the
 * engine has it on disk, and comes back with the reason when it does not take it.
 */
export function sendComposition(
  place: Place,
  { mentionedUserIds, reach }: Named,
  { whenReady = false, silent = false, sendAt, split = false, again = false }: SendHow,
): Thunk<Promise<Result<void, ErrorBody>>> {
  return async (dispatch, getState, { engine }) => {
    const { text, quotedId, uploadIds, showInChannel, revision } = selectComposer(getState(), place.key)
    const undoForMs = Math.max(selectSettings(getState()).undoSendSeconds * 1_000, split ? UNDO_SPLIT_MS : 0)
    const previews = sentPreviews(getState(), place, text)
    const id = crypto.randomUUID()
    const input: SendInput = {
      id,
      cid: place.cid,
      text: asSent(text),
      ...(place.parentId === undefined ? {} : { parentId: place.parentId }),
      ...(quotedId === undefined ? {} : { quotedId }),
      showInChannel,
      mentionedUserIds: [...mentionedUserIds],
      ...(reach.length === 0 ? {} : { reach: [...reach] }),
      uploadIds: [...uploadIds],
      whenReady,
      ...previews,
      ...(silent ? { silent } : {}),
      ...(sendAt === undefined ? {} : { sendAt }),
      ...(undoForMs === 0 ? {} : { undoForMs }),
      ...(split ? { split } : {}),
      ...(revision < 0 ? {} : { draftRevision: revision }),
      ...(again ? { again } : {}),
    }
    dispatch(submitted({ key: place.key, id, input }))
    try {
      await whenCopied(uploadIds)
      await engine.messages.send(input)
      dispatch(accepted({ key: place.key, id }))
      void dispatch(saveDraft(place))
      return ok(undefined)
    } catch (error) {
      const failure = errorBodyOf(error)
      // It may have been accepted: it is handed over again, as the same message, when main is back (`app/kept-texts.ts`).
      if (isUnanswered(failure)) return err(failure)
      dispatch(returned({ key: place.key, id, ...(failure.code === JUST_SENT ? {} : { failure }) }))
      void dispatch(saveDraft(place))
      return err(failure)
    }
  }
}

/** Saves an edit and brings back what waited. Refused, the edit stays open with its reason. */
export function saveEdit(place: Place, { mentionedUserIds, reach }: Named): Thunk<Promise<void>> {
  return async (dispatch, getState, { engine }) => {
    const { editing, text } = selectComposer(getState(), place.key)
    if (editing === undefined) return
    const { messageId, dropped = [], erased = [] } = editing
    if (text === editing.original && dropped.length === 0) {
      dispatch(editLeft({ key: place.key }))
      return
    }
    try {
      // First: what fails here leaves the edit open, and can be tried again while the message still names the file.
      for (const index of erased) await engine.messages.deleteFile({ messageId, index })
      await engine.messages.edit({
        messageId,
        text: asSent(text),
        mentionedUserIds: [...mentionedUserIds],
        ...(reach.length === 0 ? {} : { reach: [...reach] }),
        ...(dropped.length === 0 ? {} : { keptAttachments: keptOf(getState(), messageId, dropped) }),
      })
      const now = selectComposer(getState(), place.key)
      if (now.editing?.messageId === messageId) dispatch(editLeft({ key: place.key }))
    } catch (error) {
      dispatch(failed({ key: place.key, failure: errorBodyOf(error) }))
    }
  }
}

function keptOf(state: AppState, messageId: MessageId, dropped: readonly number[]): number[] {
  const held = selectMessage(state, messageId)?.attachments ?? []
  return held.map(({ index }) => index).filter((index) => !dropped.includes(index))
}

/** Writes the draft of a place to disk, an edit under way beside it, or removes it when nothing is left. Answers whether it did. */
export function saveDraft(place: Place): Thunk<Promise<boolean>> {
  return async (dispatch, getState, { engine }) => {
    const { key } = place
    // Kept in this window meanwhile, and handed over at once when main is back.
    if (selectHostGone(getState())) return false
    const composer = selectComposer(getState(), key)
    const { text, quotedId, uploadIds, caret, selectedTo, showInChannel } = draftOf(composer)
    const edit = editOf(composer)
    dispatch(draftSaving({ key }))
    try {
      const { revision } = await engine.drafts.save({
        cid: place.cid,
        ...(place.parentId === undefined ? {} : { parentId: place.parentId }),
        ...(quotedId === undefined ? {} : { quotedId }),
        text,
        caret,
        ...(selectedTo === undefined ? {} : { selectedTo }),
        showInChannel,
        uploadIds: [...uploadIds],
        ...(edit === undefined ? {} : { edit }),
        ...(composer.revision < 0 ? {} : { basedOn: composer.revision }),
      })
      dispatch(draftSaved({ key, revision }))
      return true
    } catch (error) {
      dispatch(draftSaved({ key }))
      const failure = errorBodyOf(error)
      const known = selectComposer(getState(), key).failure
      if (known === undefined && !isUnanswered(failure)) dispatch(failed({ key, failure }))
      return false
    }
  }
}

/** Words from elsewhere take the place of those in a composer, which stay in its history. An edit under way is left. */
export function putText(place: Place, text: string): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const { key } = place
    const { drafts, draftRevisions } = getState().entities
    const [draft, revision] = [drafts[key], draftRevisions[key] ?? 0]
    if (draft !== undefined) dispatch(draftFound({ key, draft, revision }))
    await dispatch(saveDraft(place))
    dispatch(editLeft({ key }))
    dispatch(typed({ key, text, caret: text.length }))
    await dispatch(saveDraft(place))
  }
}

/** These words stay in the composer; the others of the conflict are forgotten once these are on disk. */
export function settleConflict(place: Place, text: string): Thunk<Promise<void>> {
  return async (dispatch) => {
    dispatch(typed({ key: place.key, text, caret: text.length }))
    await dispatch(saveDraft(place))
    await dispatch(dismissConflict({ key: place.key }))
    dispatch(focusAsked({ key: place.key }))
  }
}

/** Someone likes the row of formatting, or not: so it stays. */
export const keepFormatting = command(
  'settings/formattingKept',
  (change: { readonly formattingBar: boolean }, engine) => engine.settings.update(change),
)

const dismissConflict = command('drafts/conflictSettled', (draft: { readonly key: string }, engine) =>
  engine.drafts.dismissConflict(draft),
)

/** Spaces at the end are left over from a suggestion or a thought; those at the beginning may be code. */
const asSent = (text: string): string => withUnixLines(text).trimEnd()

/** Enter was pressed while files were on their way. Text and type: */
export const warnOfUploads = (): UnknownAction => warning(NOTICES.uploadsInProgress)

/** Enter was pressed on a command that does not go. Texts and types: docs/wire.md 7.16 "Commands". */
export function warnOfCommand(why: CommandBar | CommandLack): UnknownAction {
  switch (why) {
    case 'editing':
    case 'replying':
    case 'noRight':
      return warning({ code: `composer/command-${why}`, type: 'validation:command:disabled' })
    case 'person':
    case 'reason':
      return warning({ code: 'composer/command-not-ready', type: 'validation:command:not-ready' })
  }
}

/** Folders that were dropped and cannot be sent. */
export const warnOfFolders = (names: readonly string[]): UnknownAction =>
  warning({ code: 'upload/folder', type: 'validation:attachment:folder', params: { name: names.join(', ') } })

const warning = (notice: Pick<Notice, 'code' | 'type' | 'params'>): UnknownAction =>
  noticeRaised({ ...notice, id: `local-${nanoid()}`, severity: 'warning', createdAt: Date.now() })
