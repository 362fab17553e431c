import { useState, type RefObject } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import {
  caretMoved,
  editBegun,
  editLeft,
  quoteDropped,
  typed,
  type ComposerState,
} from '../../store/composers/composers.ts'
import { useAppDispatch, useAppSelector, useAppStore, useConnection, useHost } from '../../store/hooks.ts'
import { shallowEqual } from 'react-redux'
import { undoHeld } from '../../store/window/held.ts'
import { selectHost } from '../../store/window/host.ts'
import { decide, type Decision } from './send/decision.ts'
import { commandState, type CommandState } from './suggestions/written-command.ts'
import { editField } from './field/field-edit.ts'
import { formatEdit, type Edit, type Format } from './format/markdown.ts'
import { limitIn } from './field/marks.ts'
import { acceptsFiles, type Place } from './place.ts'
import { selectComposer, selectHeld, selectLastEditable, selectUploads } from './selectors.ts'
import { warnOfFolders } from './send/commands.ts'
import { attachFiles, removeFile, retryFile } from './files/staging.ts'
import { useCooldown } from './send/use-cooldown.ts'
import { useDraft } from './drafts/use-draft.ts'
import { useDrop, useHandedFiles } from './files/use-drop.ts'
import { useField } from './field/use-field.ts'
import { useLeftFiles, useNextFiles } from './files/use-left-files.ts'
import { useDeletedMessages } from './drafts/use-deleted-messages.ts'
import { usePreviews } from './previews/use-previews.ts'
import { useSend, type SendQuestion, type SendOptions } from './send/use-send.ts'
import { useSuggestions, type Suggestions } from './suggestions/use-suggestions.ts'
import { useTypingSignal } from './field/use-typing-signal.ts'

/** State and actions shared by the parts of one composer. */
export type ComposerModel = {
  readonly composer: ComposerState
  readonly uploads: readonly Upload[]
  readonly decision: Decision
  /** The slash command the text starts with, if any. */
  readonly command: CommandState
  readonly maxLength: number
  readonly offline: boolean
  readonly focused: boolean
  readonly suggestions: Suggestions
  /** How many files are being dragged over the sheet. */
  readonly dragged: number | undefined
  /** Whether files can be attached here. */
  readonly acceptsFiles: boolean
  /** Number of files that did not fit; they become the next message. */
  readonly leftOut: number
  /** Sends this message as soon as it is ready; the files that did not fit follow as the next one. */
  readonly sendAndContinue: () => void
  /** Whether to ask the user if links may be previewed. */
  readonly asksForPreviews: boolean
  readonly onText: (text: string, caret: number) => void
  /** `selectedTo`: the end of the selection; equal to the caret when nothing is selected. */
  readonly onCaret: (caret: number, selectedTo: number) => void
  readonly onFocus: (focused: boolean) => void
  readonly edit: (edit: Edit) => void
  readonly format: (format: Format) => void
  readonly insert: (text: string) => void
  readonly send: (options?: SendOptions) => void
  /** The confirmation before a message notifies many people or is sent a second time. */
  readonly asking: SendQuestion | undefined
  readonly editLast: () => boolean
  /** Takes back a message that is still held for undo; false when there is none. */
  readonly undoHeld: () => boolean
  /** Leaves an unchanged edit when the caret is at its end. */
  readonly leaveUnchanged: (atEnd: boolean) => boolean
  /** Leaves the edit, else drops the quote; false when there is neither. */
  readonly leaveContext: () => boolean
  readonly addFiles: (files: readonly File[], asFile?: boolean) => void
  readonly removeFile: (id: string) => void
  /** Attaches the text as a file; one undo puts it back into the field. */
  readonly textToFile: () => void
  /** Cuts an edit off at the limit; one undo restores the rest. */
  readonly cutToLimit: () => void
  readonly retryFile: (id: string) => void
  /** Puts the caret back into the text. */
  readonly focus: () => void
}

/** File name of text that is too long for a message. */
const TEXT_FILE_NAME = 'message.txt'

type Field = RefObject<HTMLTextAreaElement | null>

export function useComposer(
  place: Place,
  channel: Channel,
  root: RefObject<HTMLElement | null>,
): { readonly model: ComposerModel; readonly field: Field } {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { key } = place
  const composer = useAppSelector((state) => selectComposer(state, key))
  const uploads = useAppSelector((state) => selectUploads(state, key), shallowEqual)
  const { offline } = useConnection()
  const { state: host } = useAppSelector(selectHost)
  const [focused, setFocused] = useState(false)
  const left = useLeftFiles(key)
  const { field, ownText } = useField(composer, place.parentId !== undefined)
  const flush = useDraft(place, composer)
  const signal = useTypingSignal(place, channel)
  const editing = useDeletedMessages(place, composer)
  const asksForPreviews = usePreviews(place, channel, composer)
  const cooldown = useCooldown(place, channel)
  const { text } = composer
  const suggestions = useSuggestions({ place, channel, field, composer, focused })
  const command = commandState(channel, composer, suggestions.people)
  const decision = decide({
    text,
    uploads,
    coming: composer.coming,
    maxLength: channel.config.maxMessageLength,
    offline,
    stopped: host === 'here' ? undefined : host,
    cooldown,
    editing,
    command: command.problem,
  })
  const { send, asking } = useSend({ place, channel, decision, composer, people: suggestions.people }, () =>
    signal.stop(),
  )
  const canAttach = acceptsFiles(channel, useHost().capabilities.files) && composer.editing === undefined

  const edit = (change: Edit): void => {
    if (field.current !== null) editField(field.current, change)
  }
  const selection = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    return { text: value, from: selectionStart, to: selectionEnd }
  }
  const addFiles = (files: readonly File[], asFile = false): void => {
    if (!canAttach) return
    const slots = Math.max(0, MAX_FILES_PER_MESSAGE - composer.uploadIds.length)
    left.add(files.slice(slots))
    void dispatch(attachFiles(place, files.slice(0, slots), asFile))
  }
  const dragged = useDrop(root, canAttach, (files, asFile, refused) => {
    addFiles(files, asFile)
    if (refused.length > 0) dispatch(warnOfFolders(refused))
  })
  const isFree = composer.uploadIds.length === 0 && canAttach
  useNextFiles(isFree, left, addFiles)
  useHandedFiles(place.key, canAttach, addFiles)

  const model: ComposerModel = {
    composer,
    uploads,
    decision,
    command,
    maxLength: channel.config.maxMessageLength,
    offline,
    focused,
    suggestions,
    dragged,
    acceptsFiles: canAttach,
    leftOut: left.files.length,
    sendAndContinue: () => (isFree ? addFiles(left.take()) : send({ whenReady: true })),
    asksForPreviews,
    onText: (value, at) => {
      ownText(value)
      dispatch(typed({ key, text: value, caret: at }))
      if (composer.editing === undefined) signal.typed(value)
    },
    onCaret: (caret, selectedTo) =>
      void dispatch(caretMoved({ key, caret, selectedTo: selectedTo === caret ? undefined : selectedTo })),
    onFocus: (on) => {
      setFocused(on)
      if (on) return
      signal.stop()
      flush()
    },
    edit,
    format: (format) => edit(formatEdit(format, selection())),
    insert: (text) => {
      const { from, to } = selection()
      edit({ from, to, insert: text, selectFrom: from + text.length, selectTo: from + text.length })
    },
    send,
    asking,
    editLast: () => {
      const message = selectLastEditable(store.getState(), place, channel)
      if (message === undefined) return false
      dispatch(editBegun({ key, messageId: message.id, text: message.text }))
      return true
    },
    undoHeld: () => {
      const held = selectHeld(store.getState(), place)
      if (held !== undefined) void dispatch(undoHeld(held))
      return held !== undefined
    },
    leaveUnchanged: (atEnd) => {
      const { editing } = composer
      if (!atEnd || editing === undefined || text !== editing.original || editing.dropped?.length) return false
      return model.leaveContext()
    },
    leaveContext: () => {
      if (composer.editing !== undefined) dispatch(editLeft({ key }))
      else if (composer.quotedId !== undefined) dispatch(quoteDropped({ key }))
      else return false
      field.current?.focus()
      return true
    },
    addFiles: (files, asFile) => addFiles(files, asFile),
    textToFile: () => {
      const { value = '' } = field.current ?? {}
      addFiles([new File([value], TEXT_FILE_NAME, { type: 'text/plain' })])
      edit({ from: 0, to: value.length, insert: '', selectFrom: 0, selectTo: 0 })
    },
    cutToLimit: () => {
      const { value = '' } = field.current ?? {}
      const end = limitIn(value, channel.config.maxMessageLength)
      edit({ from: end, to: value.length, insert: '', selectFrom: end, selectTo: end })
    },
    removeFile: (id) => void dispatch(removeFile(place, id)),
    retryFile: (id) => void dispatch(retryFile(place, id)),
    focus: () => field.current?.focus(),
  }
  return { model, field }
}
