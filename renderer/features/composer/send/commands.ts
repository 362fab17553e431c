import { nanoid, type UnknownAction } from '@reduxjs/toolkit'
import { err, ok, type Result, type ErrorBody, errorBodyOf } from '#shared/lib/app-error.ts'
import { asMessageId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { type BroadcastMention, PLACE_STEP_MS } from '#shared/domain/message.ts'
import type { Notice } from '#shared/domain/notification.ts'
import type { CommandBar, CommandLack } from '#shared/rules/composer/commands.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { isPlainText } from '#shared/rules/markdown/plain.ts'
import { withUnixLines } from '#shared/rules/messages/text.ts'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { SendPayload } from '#shared/domain/intent.ts'
import { presentBroadcasts } from '#shared/rules/messages/mentions.ts'
import { predictSend, quoteOf } from '#shared/rules/messages/predict.ts'
import {
  accepted,
  draftFound,
  draftOf,
  draftSaved,
  draftSaving,
  editLeft,
  editOf,
  failed,
  fileRemoved,
  focusRequested,
  returned,
  type SendInput,
  submitted,
  typed,
} from '../../../store/composers/composers.ts'
import { foreseenRefused, foreseenTaken, messageForeseen } from '../../../store/entities.ts'
import { COMPOSER_FILES } from '../../../store/composers/files.ts'
import { finishedBeforeSwitch } from '../../../store/accounts.ts'
import { command, isUnanswered, JUST_SENT } from '../../../store/command.ts'
import { selectHostUnavailable } from '../../../store/window/host.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import { selectMessage, selectSettings, selectConnection, selectSession } from '../../../store/selectors.ts'
import { selectComposer, selectUploads, type Place } from '../selectors.ts'
import { sentPreviews } from '../previews/previews.ts'
import type { SendOptions } from './use-send.ts'

/** Undo time for a split text, whatever the settings: sending several messages at once is easily regretted. */
const UNDO_SPLIT_MS = 5_000

/** The people a message mentions, and its broadcast mentions. */
export type Mentioned = {
  readonly mentionedUserIds: readonly UserId[]
  readonly broadcasts: readonly BroadcastMention[]
}

/**
 * Hands the message to the engine. The field is emptied at once; the text stays in the draft until the engine has it on
 * disk, and returns to the field with the reason when the engine refuses it.
 */
export function sendComposition(
  place: Place,
  { mentionedUserIds, broadcasts }: Mentioned,
  { whenReady = false, silent = false, sendAt, split = false, again = false }: SendOptions,
): Thunk<Promise<Result<void, ErrorBody>>> {
  return finishedBeforeSwitch(async (dispatch, getState, { engine, objects }) => {
    const { text, quotedId, uploadIds, showInChannel, revision } = selectComposer(getState(), place.key)
    const undoForMs = Math.max(selectSettings(getState()).undoSendSeconds * 1_000, split ? UNDO_SPLIT_MS : 0)
    const previews = sentPreviews(getState(), place, text)
    const id = asMessageId(crypto.randomUUID())
    const input: SendInput = {
      id,
      cid: place.cid,
      text: asSent(text),
      parentId: place.parentId,
      quotedId,
      showInChannel,
      mentionedUserIds: [...mentionedUserIds],
      reach: broadcasts.length === 0 ? undefined : [...broadcasts],
      uploadIds: [...uploadIds],
      whenReady,
      ...previews,
      silent: silent || undefined,
      ...(sendAt === undefined ? {} : { sendAt }),
      undoForMs: undoForMs === 0 ? undefined : undoForMs,
      split: split || undefined,
      draftRevision: revision < 0 ? undefined : revision,
      again: again || undefined,
    }
    const written = {
      text: input.text,
      mentionedUserIds,
      reach: broadcasts,
      showInChannel,
      uploadIds,
      quotedId,
      silent,
    }
    // Formatting, link previews, the parts of a long text and what is sent later are known to main alone.
    const isMains = !isPlainText(input.text) || previews.previewUrls !== undefined || sendAt !== undefined || split
    const shown = isMains ? undefined : foresee(getState(), place, { ...written, id, undoForMs })
    if (shown !== undefined) dispatch(shown)
    dispatch(submitted({ key: place.key, id, input }))
    try {
      await objects.of(COMPOSER_FILES).whenCopied(uploadIds)
      await engine.messages.send(input)
      dispatch(foreseenTaken({ id }))
      dispatch(accepted({ key: place.key, id }))
      void dispatch(saveDraft(place))
      return ok(undefined)
    } catch (error) {
      const failure = errorBodyOf(error)
      // The engine may have accepted it: it is handed over again with the same id when main is back (`app/text-backup.ts`).
      if (isUnanswered(failure)) return err(failure)
      if (shown !== undefined) dispatch(foreseenRefused({ id }))
      dispatch(returned({ key: place.key, id, failure: failure.code === JUST_SENT ? undefined : failure }))
      if (failure.code === 'upload/unknown') dispatch(forgetGoneFiles(place, uploadIds))
      void dispatch(saveDraft(place))
      return err(failure)
    }
  })
}

/** Files removed elsewhere, such as in the outbox, have no tile here: without this no further attempt could succeed. */
const forgetGoneFiles =
  ({ key }: Place, uploadIds: readonly string[]): Thunk<void> =>
  (dispatch, getState) => {
    const known = new Set(selectUploads(getState(), key).map(({ id }) => id))
    for (const id of uploadIds) if (!known.has(id)) dispatch(fileRemoved({ key, id }))
  }

/** Saves an edit and restores the unsent text. When refused, the edit stays open with the reason. Resolves to whether it was saved. */
export function saveEdit(place: Place, { mentionedUserIds, broadcasts }: Mentioned): Thunk<Promise<boolean>> {
  return finishedBeforeSwitch(async (dispatch, getState, { engine }) => {
    const { editing, text } = selectComposer(getState(), place.key)
    if (editing === undefined) return false
    const { messageId, dropped = [], erased = [] } = editing
    if (text === editing.original && dropped.length === 0) {
      dispatch(editLeft({ key: place.key }))
      return false
    }
    try {
      // Files first: a failure leaves the edit open, to be tried again while the message still references the file.
      for (const index of erased) await engine.messages.deleteFile({ messageId, index })
      await engine.messages.edit({
        messageId,
        text: asSent(text),
        mentionedUserIds: [...mentionedUserIds],
        reach: broadcasts.length === 0 ? undefined : [...broadcasts],
        keptAttachments: dropped.length === 0 ? undefined : remainingAttachments(getState(), messageId, dropped),
      })
      const now = selectComposer(getState(), place.key)
      if (now.editing?.messageId === messageId) dispatch(editLeft({ key: place.key }))
      return true
    } catch (error) {
      dispatch(failed({ key: place.key, failure: errorBodyOf(error) }))
      return false
    }
  })
}

function remainingAttachments(state: AppState, messageId: MessageId, dropped: readonly number[]): number[] {
  const attachments = selectMessage(state, messageId)?.attachments ?? []
  return attachments.map(({ index }) => index).filter((index) => !dropped.includes(index))
}

/** Saves the draft of a place on disk together with an open edit, or deletes an empty one. Resolves to whether it succeeded. */
export function saveDraft(place: Place): Thunk<Promise<boolean>> {
  return finishedBeforeSwitch(async (dispatch, getState, { engine }) => {
    const { key } = place
    // Until main is back the draft stays in this window; it is saved then.
    if (selectHostUnavailable(getState())) return false
    const composer = selectComposer(getState(), key)
    const { text, quotedId, uploadIds, caret, selectedTo, showInChannel } = draftOf(composer)
    const edit = editOf(composer)
    dispatch(draftSaving({ key }))
    try {
      const { revision } = await engine.drafts.save({
        cid: place.cid,
        parentId: place.parentId,
        quotedId,
        text,
        caret,
        selectedTo,
        showInChannel,
        uploadIds: [...uploadIds],
        edit,
        basedOn: composer.revision < 0 ? undefined : composer.revision,
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
  })
}

/** Replaces a composer's text, whose previous text stays in the draft history. An open edit is left. */
export function putText(place: Place, text: string): Thunk<Promise<void>> {
  return finishedBeforeSwitch(async (dispatch, getState) => {
    const { key } = place
    const { drafts, draftRevisions } = getState().entities
    const [draft, revision] = [drafts[key], draftRevisions[key] ?? 0]
    if (draft !== undefined) dispatch(draftFound({ key, draft, revision }))
    await dispatch(saveDraft(place))
    dispatch(editLeft({ key }))
    dispatch(typed({ key, text, caret: text.length }))
    await dispatch(saveDraft(place))
  })
}

/** Resolves a draft conflict with `text`; the other text is discarded once this one is on disk. */
export function settleConflict(place: Place, text: string): Thunk<Promise<void>> {
  return finishedBeforeSwitch(async (dispatch) => {
    dispatch(typed({ key: place.key, text, caret: text.length }))
    await dispatch(saveDraft(place))
    await dispatch(dismissConflict({ key: place.key }))
    dispatch(focusRequested({ key: place.key }))
  })
}

/** Saves whether the formatting row is shown. */
export const saveFormattingBar = command(
  'settings/formattingBarSaved',
  (change: { readonly formattingBar: boolean }, engine) => engine.settings.update(change),
)

const dismissConflict = command('drafts/conflictSettled', (draft: { readonly key: string }, engine) =>
  engine.drafts.dismissConflict(draft),
)

/** Trailing spaces are often left by a suggestion; leading ones may be the indentation of code. */
const asSent = (text: string): string => withUnixLines(text).trimEnd()

/** Enter was pressed while files were uploading. */
export const warnOfUploads = () => warning(NOTICES.uploadsInProgress)

/** Enter was pressed on a command that cannot be sent. Texts and types: docs/wire.md 7.16 "Commands". */
export function warnOfCommand(why: CommandBar | CommandLack): UnknownAction {
  switch (why) {
    case 'editing':
    case 'replying':
    case 'noRight':
      return warning({ code: `composer/command-${why}`, type: 'validation:command:disabled' })
    case 'person':
    case 'reason':
    case 'text':
      return warning({ code: 'composer/command-not-ready', type: 'validation:command:not-ready' })
  }
}

/** A reminder was asked for where there is no message. */
export const warnOfNoMessage = (): UnknownAction =>
  warning({ code: 'composer/command-no-message', type: 'validation:command:not-ready' })

/** Dropped folders that cannot be sent. */
export const warnOfFolders = (names: readonly string[], large: boolean): UnknownAction =>
  warning({
    code: large ? 'upload/folder-large' : 'upload/folder',
    type: 'validation:attachment:folder',
    params: { name: names.join(', ') },
  })

const warning = (notice: Pick<Notice, 'code' | 'type' | 'params'>): ReturnType<typeof noticeRaised> =>
  noticeRaised({ ...notice, id: `local-${nanoid()}`, severity: 'warning', createdAt: Date.now() })

type Written = Pick<
  SendPayload,
  'text' | 'mentionedUserIds' | 'reach' | 'showInChannel' | 'uploadIds' | 'quotedId' | 'silent'
> & {
  readonly id: MessageId
  /** How long it can be undone, milliseconds. */
  readonly undoForMs: number
}

/**
 * Shows the message that is being handed to main at the end of its lists, by the rule that main uses, so that it is there
 * in the next frame. `undefined` where the end of these lists is not loaded.
 */
function foresee(
  state: AppState,
  { cid, parentId }: Place,
  { id, undoForMs, reach, showInChannel, ...written }: Written,
): ReturnType<typeof messageForeseen> | undefined {
  const me = selectSession(state).userId
  const windows = listsWith(cid, parentId, showInChannel).filter((key) => isEndLoaded(state, key))
  const quotes = written.quotedId === undefined ? undefined : selectMessage(state, written.quotedId)
  const isQuoteUnknown = written.quotedId !== undefined && quotes === undefined
  if (me === undefined || windows.length === 0 || isQuoteUnknown) return undefined
  const now = Date.now()
  const newest = Math.max(0, ...windows.map((key) => newestIn(state, key)))
  const message = predictSend(
    {
      id,
      cid,
      parentId,
      messageId: id,
      state: undoForMs > 0 ? 'scheduled' : 'ready',
      nextAt: now + undoForMs,
      retryable: false,
      payload: {
        ...written,
        ...presentBroadcasts(written.text, reach),
        showInChannel: parentId !== undefined && showInChannel,
        quoted: quotes && quoteOf(quotes),
        placedAt: Math.max(now, newest + PLACE_STEP_MS),
      },
    },
    { me, online: selectConnection(state).state === 'healthy', upload: (each) => state.entities.uploads[each] },
  )
  return messageForeseen({ message, windows })
}

function listsWith(cid: Place['cid'], parentId: MessageId | undefined, showInChannel: boolean): readonly WindowKey[] {
  if (parentId === undefined) return [`timeline:${cid}`]
  return showInChannel ? [`thread:${parentId}`, `timeline:${cid}`] : [`thread:${parentId}`]
}

function isEndLoaded({ windows }: AppState, key: WindowKey): boolean {
  const window = windows.byKey[key]
  return window !== undefined && !window.hasNext && window.loading !== 'initial' && window.error === undefined
}

const newestIn = (state: AppState, key: WindowKey): number =>
  selectMessage(state, state.windows.byKey[key]?.ids.at(-1) ?? '')?.createdAt ?? 0
