import { useState, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { shallowEqual } from 'react-redux'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import {
  caretMoved,
  editBegun,
  editLeft,
  quoteDropped,
  typed,
  type ComposerState,
  draftFound,
  draftUnchanged,
  draftOf,
  editOf,
} from '../../store/composers/composers.ts'
import { sendCommand, useCommand, type ComposerTool } from '../../store/commands.ts'
import {
  type SettledChannel,
  useAppDispatch,
  useAppSelector,
  useAppStore,
  useConnection,
  useHost,
} from '../../store/hooks.ts'
import { undoHeld } from '../../store/composers/unsent.ts'
import { selectHost } from '../../store/window/host.ts'
import { selectMessage } from '../../store/selectors.ts'
import type { Dropped, DroppedFolder } from '../../lib/files/dropped-files.ts'
import { useSecond } from '../../lib/time/clocks.ts'
import { type Person } from './suggestions/mentions.ts'
import { commandState, type CommandState } from './send/own-commands.ts'
import { editField, useField, useTypingSignal } from './field/Field.tsx'
import { formatEdit, type Edit, type Format } from './format/markdown.ts'
import {
  selectComposer,
  selectHeld,
  selectLastEditable,
  selectUploads,
  selectLastOwnAt,
  acceptsFiles,
  type Place,
} from './selectors.ts'
import { warnOfFolders, saveDraft } from './send/commands.ts'
import {
  attachFiles,
  removeFile,
  retryFile,
  useDrop,
  useHandedFiles,
  useLeftFiles,
  useNextFiles,
} from './files/staging.ts'
import { usePreviews } from './previews/previews.ts'
import {
  useSend,
  type SendQuestion,
  type SendOptions,
  cooldownLeft,
  decide,
  limitIn,
  type Decision,
  type Facts,
} from './send/use-send.ts'
import { useSuggestions, type Suggestions } from './suggestions/use-suggestions.ts'
import { SAVE_AFTER_MS, SAVE_WITHIN_MS, useSaveOnLeave } from '../../lib/page/saving.ts'

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
  /** The dropped folder about which the user is asked, and how many are left with it. */
  readonly folder: DroppedFolder | undefined
  readonly foldersLeft: number
  /** Attaches these files of it, or none, and goes on to the next. */
  readonly answerFolder: (files: readonly File[]) => void
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
  /** Withdraws a message that can still be undone; false when there is none. */
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
  /** Opens a tool as its button does. */
  readonly openTool: (tool: ComposerTool) => void
  /** Puts the caret back into the text. */
  readonly focus: () => void
}

/** File name of text that is too long for a message. */
const TEXT_FILE_NAME = 'message.txt'

type Field = RefObject<HTMLTextAreaElement | null>

export function useComposer(
  place: Place,
  channel: SettledChannel,
  root: RefObject<HTMLElement | null>,
): { readonly model: ComposerModel; readonly field: Field } {
  const dispatch = useAppDispatch()
  const { key } = place
  const { maxMessageLength: maxLength } = channel.config
  const composer = useAppSelector((state) => selectComposer(state, key))
  const uploads = useAppSelector((state) => selectUploads(state, key), shallowEqual)
  const { offline } = useConnection()
  const isThread = place.parentId !== undefined
  // The text of a channel takes the focus as it comes: expected, so that the composer is not rendered twice for it.
  const [focused, setFocused] = useState(!isThread)
  const { field, ownText } = useField(composer, isThread, setFocused)
  const flush = useDraft(place, composer)
  const signal = useTypingSignal(place, channel)
  const asksForPreviews = usePreviews(place, channel, composer)
  const suggestions = useSuggestions({ place, channel, field, composer, focused })
  const { command, decision } = useDecision(place, channel, composer, uploads, suggestions.people)
  const { send, asking } = useSend({ place, channel, decision, composer, people: suggestions.people }, () =>
    signal.stop(),
  )
  const edits = fieldEdits(field, maxLength)
  const { attachLeft, ...files } = useFiles(place, channel, composer, root)
  const context = useContextActions(place, channel, composer, field)

  const model: ComposerModel = {
    composer,
    uploads,
    decision,
    command,
    maxLength,
    offline,
    focused,
    suggestions,
    asksForPreviews,
    send,
    asking,
    ...edits,
    ...files,
    ...context,
    sendAndContinue: () => {
      if (!attachLeft()) send({ whenReady: true })
    },
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
    textToFile: () => {
      const { value = '' } = field.current ?? {}
      files.addFiles([new File([value], TEXT_FILE_NAME, { type: 'text/plain' })])
      edits.edit({ from: 0, to: value.length, insert: '', selectFrom: 0, selectTo: 0 })
    },
    openTool: (tool) => dispatch(sendCommand('openTool', { composer: key, tool })),
    focus: () => field.current?.focus(),
  }
  return { model, field }
}

/** Whether the message can be sent, and what sending does. */
function useDecision(
  place: Place,
  channel: SettledChannel,
  composer: ComposerState,
  uploads: readonly Upload[],
  people: readonly Person[],
): Pick<ComposerModel, 'command' | 'decision'> {
  const { offline } = useConnection()
  const { state: host } = useAppSelector(selectHost)
  const editing = useDeletedMessages(place, composer)
  const cooldown = useCooldown(place, channel)
  const command = commandState(channel, composer, people)
  const decision = decide({
    text: composer.text,
    uploads,
    coming: composer.coming,
    maxLength: channel.config.maxMessageLength,
    offline,
    stopped: host === 'here' ? undefined : host,
    cooldown,
    editing,
    command: command.problem,
  })
  return { command, decision }
}

/** Opens one tool of a composer when its shortcut is pressed. */
export function useTool({ key }: Place, tool: ComposerTool, open: () => void): void {
  useCommand('openTool', (asked) => {
    if (asked.composer === key && asked.tool === tool) open()
  })
}

/** Edits of the text, which the field's own undo reverts. */
function fieldEdits(field: Field, maxLength: number): Pick<ComposerModel, 'edit' | 'format' | 'insert' | 'cutToLimit'> {
  const edit = (change: Edit): void => {
    if (field.current !== null) editField(field.current, change)
  }
  const selection = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    return { text: value, from: selectionStart, to: selectionEnd }
  }
  return {
    edit,
    format: (format) => edit(formatEdit(format, selection())),
    insert: (text) => {
      const { from, to } = selection()
      edit({ from, to, insert: text, selectFrom: from + text.length, selectTo: from + text.length })
    },
    cutToLimit: () => {
      const { value = '' } = field.current ?? {}
      const end = limitIn(value, maxLength)
      edit({ from: end, to: value.length, insert: '', selectFrom: end, selectTo: end })
    },
  }
}

type FileParts =
  | 'acceptsFiles'
  | 'answerFolder'
  | 'dragged'
  | 'folder'
  | 'foldersLeft'
  | 'leftOut'
  | 'addFiles'
  | 'removeFile'
  | 'retryFile'
type Files = Pick<ComposerModel, FileParts> & {
  /** Attaches files that did not fit into the previous message; false while this one has its own files. */
  readonly attachLeft: () => boolean
}

/** The files of a message: chosen, dropped, handed over by another part, or left from the previous message. */
function useFiles(
  place: Place,
  channel: SettledChannel,
  composer: ComposerState,
  root: RefObject<HTMLElement | null>,
): Files {
  const dispatch = useAppDispatch()
  const left = useLeftFiles(place.key)
  const canAttach = acceptsFiles(channel, useHost().capabilities.files) && composer.editing === undefined
  const addFiles = (files: readonly File[], asFile = false): void => {
    if (!canAttach) return
    const slots = Math.max(0, MAX_FILES_PER_MESSAGE - composer.uploadIds.length)
    left.add(files.slice(slots))
    void dispatch(attachFiles(place, files.slice(0, slots), asFile))
  }
  const [folders, setFolders] = useState<readonly { folder: DroppedFolder; asFile: boolean }[]>([])
  const takeDropped = (dropped: Dropped, asFile = false): void => {
    addFiles(dropped.files, asFile)
    const asked = dropped.folders.map((folder) => ({ folder, asFile }))
    if (asked.length > 0) setFolders((before) => [...before, ...asked])
    for (const large of [false, true]) {
      const names = dropped.refused.filter((each) => each.large === large).map(({ name }) => name)
      if (names.length > 0) dispatch(warnOfFolders(names, large))
    }
  }
  const dragged = useDrop(root, canAttach, takeDropped)
  const isFree = composer.uploadIds.length === 0 && canAttach
  useNextFiles(isFree, left, addFiles)
  useHandedFiles(place.key, canAttach, takeDropped)
  return {
    acceptsFiles: canAttach,
    dragged,
    folder: folders[0]?.folder,
    foldersLeft: folders.length,
    answerFolder: (files) => {
      setFolders((before) => before.slice(1))
      if (files.length > 0) addFiles(files, folders[0]?.asFile)
    },
    leftOut: left.files.length,
    addFiles,
    attachLeft: () => {
      if (isFree) addFiles(left.take())
      return isFree
    },
    removeFile: (id) => void dispatch(removeFile(place, id)),
    retryFile: (id) => void dispatch(retryFile(place, id)),
  }
}

/** Beginning and leaving an edit, dropping a quote and undoing a sent message. */
function useContextActions(
  place: Place,
  channel: SettledChannel,
  { text, editing, quotedId }: ComposerState,
  field: Field,
): Pick<ComposerModel, 'editLast' | 'undoHeld' | 'leaveUnchanged' | 'leaveContext'> {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const { key } = place
  const leaveContext = (): boolean => {
    if (editing !== undefined) dispatch(editLeft({ key }))
    else if (quotedId !== undefined) dispatch(quoteDropped({ key }))
    else return false
    field.current?.focus()
    return true
  }
  return {
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
      if (!atEnd || editing === undefined || text !== editing.original || editing.dropped?.length) return false
      return leaveContext()
    },
    leaveContext,
  }
}

const isDeleted = (message: Message | undefined): boolean =>
  message !== undefined && (message.type === 'deleted' || message.deletedAt !== undefined)

/**
 * A message deleted elsewhere can no longer be quoted or edited: the quote is dropped; the edit stays open so that no
 * text is lost, but cannot be saved. See docs/wire.md 4.3 "message.deleted".
 *
 * @returns facts about the open edit for `decide`
 */
function useDeletedMessages(place: Place, composer: ComposerState): Facts['editing'] {
  const dispatch = useAppDispatch()
  const quoted = useAppSelector((state) => (composer.quotedId ? selectMessage(state, composer.quotedId) : undefined))
  const editedId = composer.editing?.messageId
  const edited = useAppSelector((state) => (editedId === undefined ? undefined : selectMessage(state, editedId)))
  const isQuoteDeleted = isDeleted(quoted)
  useEffect(() => {
    if (isQuoteDeleted) dispatch(quoteDropped({ key: place.key }))
  }, [dispatch, place.key, isQuoteDeleted])
  if (composer.editing === undefined) return undefined
  const dropped = composer.editing.dropped ?? []
  const hasAttachments = edited?.attachments.some(({ index }) => !dropped.includes(index)) ?? false
  return { deleted: isDeleted(edited), hasAttachments }
}

/** Seconds until slow mode lets the viewer send again, counting down; 0 when they can. */
function useCooldown(place: Place, channel: SettledChannel): number {
  const free = channel.cooldown <= 0 || channel.capabilities.includes('skip-slow-mode')
  const lastOwnAt = useAppSelector((state) => (free ? undefined : selectLastOwnAt(state, place)))
  // A message newer than the last tick: the cooldown starts at the message.
  const left = (now: number): number =>
    free ? 0 : cooldownLeft(channel.cooldown, lastOwnAt, Math.max(now, lastOwnAt ?? 0))
  return left(useSecond((now) => left(now) > 0))
}

/**
 * Shows the draft of a place, whichever window wrote, sent or discarded it, and saves what is typed here: 300 ms after
 * the last key, 400 ms after the first unsaved key, on blur, when the channel is left and before the window closes.
 *
 * @returns saves unsaved changes now
 */
function useDraft(place: Place, composer: ComposerState): () => void {
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => state.entities.drafts[place.key])
  const revision = useAppSelector((state) => state.entities.draftRevisions[place.key] ?? 0)
  const isWaiting = composer.saving > 0 || composer.inFlight.length > 0
  const [body, content] = useMemo(() => contentOf(composer), [composer])
  /** Undefined while the engine has other content, or its content is unknown. */
  const saved = useRef(composer.touched ? undefined : content)
  const latest = useRef(content)

  useLayoutEffect(() => {
    if (!isWaiting && revision > composer.revision) dispatch(draftFound({ key: place.key, revision, draft }))
  }, [dispatch, draft, isWaiting, place.key, revision, composer.revision])

  useLayoutEffect(() => {
    latest.current = content
  }, [content])
  const loaded = useRef<string>(undefined)
  useLayoutEffect(() => {
    const state = `${composer.touched} ${composer.revision} ${body}`
    // Content loaded from disk is saved already. A caret that moves later is not, though the composer stays untouched.
    if (!composer.touched && loaded.current !== state) saved.current = latest.current
    loaded.current = state
  }, [body, composer.revision, composer.touched])

  const overdue = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useRef(() => {})
  useLayoutEffect(() => {
    const save = async (): Promise<void> => {
      if (!(await dispatch(saveDraft(place)))) saved.current = undefined
    }
    flush.current = () => {
      clearTimeout(overdue.current)
      overdue.current = undefined
      if (latest.current === saved.current) return
      saved.current = latest.current
      void save()
    }
  }, [dispatch, place])

  useEffect(() => {
    // An edit was started and left, or a word typed and deleted: the content is the same as on disk.
    if (composer.touched && content === saved.current) dispatch(draftUnchanged({ key: place.key }))
  }, [composer.touched, content, dispatch, place.key])

  useEffect(() => {
    if (content === saved.current) return undefined
    overdue.current ??= setTimeout(() => flush.current(), SAVE_WITHIN_MS)
    const timer = setTimeout(() => flush.current(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [content])

  const saveNow = (): void => flush.current()
  useSaveOnLeave(saveNow)
  return saveNow
}

/** The text and files of a composer, and the same with the caret. */
function contentOf(composer: ComposerState): readonly [body: string, content: string] {
  const { caret, selectedTo, ...draft } = draftOf(composer)
  const body = JSON.stringify([draft, editOf(composer)])
  return [body, `${body} ${caret} ${selectedTo ?? ''}`]
}
