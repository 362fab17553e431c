import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Draft, DraftEdit } from '#shared/domain/draft.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { EMPTY_COMPOSITION, mergeCompositions, type Composition } from '#shared/rules/composer/composer.ts'
import type { LinkPreview } from '#shared/domain/attachment.ts'
import type { PreviewEntry } from '#shared/rules/messages/link-previews.ts'

/**
 * One composer, by {@link composerKey}. In the store because its state survives the component (when another channel is
 * opened), and because the message list and the outbox change it (quotes, messages withdrawn).
 */
export type ComposerState = Composition & {
  /** While a message is being edited: its id and original text, and the composition parked until the edit ends. */
  readonly editing?: Omit<DraftEdit, 'text'> & { readonly parked: Composition }
  /** Why the message was not sent. */
  readonly failure?: ErrorBody
  /** There are changes that the engine does not have yet: drafts from other windows are not applied. */
  readonly touched: boolean
  /** The revision of the draft shown here; -1 before the first. */
  readonly revision: number
  /** Number of saves in flight. */
  readonly saving: number
  /** Rises when the field should be focused. */
  readonly focusRequest: number
  /** Messages sent to the engine and not accepted yet: still part of the draft, so that a crash cannot lose them. */
  readonly inFlight: readonly Flight[]
  /** Number of chosen files without an upload yet: sending waits for them. Absent: none. */
  readonly coming?: number
}

/** `input`: the call's input, so that it can be sent again if there was no response. */
type Flight = { readonly id: string; readonly composition: Composition; readonly input?: SendInput }
export type SendInput = Parameters<EngineClient['messages']['send']>[0]

export type ComposersState = Readonly<Record<string, ComposerState>>

export const EMPTY_COMPOSER: ComposerState = {
  ...EMPTY_COMPOSITION,
  touched: false,
  revision: -1,
  saving: 0,
  focusRequest: 0,
  inFlight: [],
}

const nothing: ComposersState = {}

type Keyed<More = unknown> = PayloadAction<{ readonly key: string } & More>

const compositionOf = ({ text, caret, selectedTo, quotedId, uploadIds, showInChannel }: Composition): Composition => ({
  text,
  caret,
  selectedTo,
  uploadIds,
  showInChannel,
  quotedId,
})

/** A composer with exactly this composition; ends an edit and clears the error. */
function holding(state: ComposersState, key: string, composition: Composition): ComposerState {
  const { focusRequest, inFlight, revision, saving, coming = 0 } = state[key] ?? EMPTY_COMPOSER
  const more = coming === 0 ? {} : { coming }
  return { ...compositionOf(composition), touched: true, focusRequest, inFlight, revision, saving, ...more }
}

function changed(state: ComposersState, key: string, change: Partial<ComposerState>): ComposersState {
  return { ...state, [key]: { ...(state[key] ?? EMPTY_COMPOSER), touched: true, ...change } }
}

const focused = (state: ComposersState, key: string): { focusRequest: number } => ({
  focusRequest: (state[key]?.focusRequest ?? 0) + 1,
})

function without(
  state: ComposersState,
  key: string,
  name: 'quotedId' | 'editing' | 'failure' | 'selectedTo',
): ComposersState {
  const { [name]: _removed, ...rest } = state[key] ?? EMPTY_COMPOSER
  return { ...state, [key]: rest }
}

function toggled(places: readonly number[] = [], index: number, on: boolean): readonly number[] {
  const others = places.filter((each) => each !== index)
  return on ? [...others, index] : others
}

const slice = createSlice({
  name: 'composers',
  initialState: nothing,
  reducers: {
    /**
     * The current draft, saved by this window or another one; absent when it was sent, discarded or cleared. Shown unless
     * the composer has unsaved changes.
     */
    draftFound(state: ComposersState, { payload }: Keyed<{ draft?: Draft; revision: number }>): ComposersState {
      const { key, draft, revision } = payload
      const composer = state[key] ?? EMPTY_COMPOSER
      // Saves in flight may be older or newer than this: their response has the revision.
      if (composer.saving > 0 || composer.inFlight.length > 0 || revision <= composer.revision) return state
      const found = draft ?? EMPTY_DRAFT
      if (isShown(composer, found)) return { ...state, [key]: { ...composer, touched: false, revision } }
      if (composer.touched || isOffered(composer, found)) return state
      return { ...state, [key]: { ...composerOf(state, key, found), touched: false, revision } }
    },
    /** A save has started. */
    draftSaving(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      const composer = state[key] ?? EMPTY_COMPOSER
      return { ...state, [key]: { ...composer, touched: false, saving: composer.saving + 1 } }
    },
    /** The composer has the same content as the engine's draft. */
    draftUnchanged(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return { ...state, [key]: { ...(state[key] ?? EMPTY_COMPOSER), touched: false } }
    },
    /** A save ended: with the new revision, or without one if it failed. */
    draftSaved(state: ComposersState, { payload }: Keyed<{ revision?: number }>): ComposersState {
      const { key, revision } = payload
      const composer = state[key]
      if (composer === undefined) return state
      const saving = Math.max(0, composer.saving - 1)
      if (revision === undefined) return { ...state, [key]: { ...composer, saving, touched: true } }
      return { ...state, [key]: { ...composer, saving, revision: Math.max(composer.revision, revision) } }
    },
    typed(state: ComposersState, { payload }: Keyed<{ text: string; caret: number }>): ComposersState {
      const { key, text, caret } = payload
      return changed(without(without(state, key, 'failure'), key, 'selectedTo'), key, { text, caret })
    },
    /** The caret, and the end of the selection if there is one. */
    caretMoved(state: ComposersState, { payload }: Keyed<{ caret: number; selectedTo?: number }>): ComposersState {
      const { key, caret, selectedTo } = payload
      const composer = state[key]
      if (composer === undefined || (composer.caret === caret && composer.selectedTo === selectedTo)) return state
      // Enter moves the caret in a text that has just been sent.
      if (caret > composer.text.length) return state
      const { selectedTo: _before, ...rest } = composer
      return { ...state, [key]: { ...rest, caret, selectedTo } }
    },
    /** Quotes a message in the next one, and focuses the field. */
    quoteChosen(state: ComposersState, { payload }: Keyed<{ messageId: MessageId }>): ComposersState {
      const { key, messageId } = payload
      const open = state[key]?.editing === undefined ? state : withoutEdit(state, key)
      return changed(open, key, { quotedId: messageId, ...focused(open, key) })
    },
    quoteDropped(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return changed(without(state, key, 'quotedId'), key, {})
    },
    /** Starts editing an own message and parks the composition. `text` is the current text of the message. */
    editBegun(state: ComposersState, { payload }: Keyed<{ messageId: MessageId; text: string }>): ComposersState {
      const { key, messageId, text } = payload
      const open = state[key]?.editing === undefined ? state : withoutEdit(state, key)
      const parked = compositionOf(open[key] ?? EMPTY_COMPOSER)
      const editing = { messageId, original: text, parked }
      const edited = { ...holding(open, key, { ...EMPTY_COMPOSITION, text, caret: text.length }), editing }
      return { ...open, [key]: { ...edited, ...focused(open, key) } }
    },
    /** Ends the edit, saved or not, and restores the parked composition. */
    editLeft(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return withoutEdit(state, key)
    },
    /** Changes the number of files without an upload by `count`, which may be negative. */
    filesComing(state: ComposersState, { payload }: Keyed<{ count: number }>): ComposersState {
      const { coming = 0, ...rest } = state[payload.key] ?? EMPTY_COMPOSER
      const left = coming + payload.count
      return { ...state, [payload.key]: left > 0 ? { ...rest, coming: left } : rest }
    },
    filesAdded(state: ComposersState, { payload }: Keyed<{ ids: readonly string[] }>): ComposersState {
      const before = state[payload.key]?.uploadIds ?? []
      return changed(state, payload.key, { uploadIds: [...before, ...payload.ids] })
    },
    fileRemoved(state: ComposersState, { payload }: Keyed<{ id: string }>): ComposersState {
      const before = state[payload.key]?.uploadIds ?? []
      return changed(state, payload.key, { uploadIds: before.filter((id) => id !== payload.id) })
    },
    /** Another file in the place of one. */
    fileReplaced(state: ComposersState, { payload }: Keyed<{ id: string; by: string }>): ComposersState {
      const before = state[payload.key]?.uploadIds ?? []
      return changed(state, payload.key, { uploadIds: before.map((id) => (id === payload.id ? payload.by : id)) })
    },
    /** Marks an attachment of the edited message for removal, or unmarks it. */
    attachmentDropped(state: ComposersState, { payload }: Keyed<{ index: number; on: boolean }>): ComposersState {
      const { key, index, on } = payload
      const editing = state[key]?.editing
      if (editing === undefined) return state
      const [dropped, erased] = [toggled(editing.dropped, index, on), toggled(editing.erased, index, false)]
      return changed(state, key, { editing: { ...editing, dropped, erased } })
    },
    /** Marks the file of a removed attachment for deletion on the server, or unmarks it. */
    attachmentErased(state: ComposersState, { payload }: Keyed<{ index: number; on: boolean }>): ComposersState {
      const { key, index, on } = payload
      const editing = state[key]?.editing
      if (editing?.dropped?.includes(index) !== true) return state
      return changed(state, key, { editing: { ...editing, erased: toggled(editing.erased, index, on) } })
    },
    alsoInChannelSet(state: ComposersState, { payload }: Keyed<{ on: boolean }>): ComposersState {
      return changed(state, payload.key, { showInChannel: payload.on })
    },
    /** The message was passed to the engine: clears the field. */
    submitted(state: ComposersState, { payload }: Keyed<{ id: string; input?: SendInput }>): ComposersState {
      const { key, id, input } = payload
      const composer = state[key] ?? EMPTY_COMPOSER
      const flight = { id, composition: compositionOf(composer), ...(input === undefined ? {} : { input }) }
      const inFlight = [...composer.inFlight, flight]
      return { ...state, [key]: { ...holding(state, key, EMPTY_COMPOSITION), inFlight } }
    },
    /** The engine has the message on disk. */
    accepted(state: ComposersState, { payload: { key, id } }: Keyed<{ id: string }>): ComposersState {
      return withoutFlight(state, key, id)
    },
    /** The engine refused the message: its content is put back before anything typed meanwhile. */
    returned(state: ComposersState, { payload }: Keyed<{ id: string; failure?: ErrorBody }>): ComposersState {
      const { key, id, failure } = payload
      const composition = state[key]?.inFlight.find((flight) => flight.id === id)?.composition
      if (composition === undefined) return state
      const back = prepended(withoutFlight(state, key, id), key, composition)
      return { ...state, [key]: failure === undefined ? back : { ...back, failure } }
    },
    /** An unsent message was withdrawn from the outbox. The engine's draft includes it and may have arrived first. */
    takenBack(state: ComposersState, { payload }: Keyed<{ composition: Composition }>): ComposersState {
      const { key, composition } = payload
      const composer = state[key]
      if (composer?.touched === false && holds(composer, composition)) {
        return { ...state, [key]: { ...composer, ...focused(state, key) } }
      }
      return { ...state, [key]: { ...prepended(state, key, composition), ...focused(state, key) } }
    },
    failed(state: ComposersState, { payload }: Keyed<{ failure: ErrorBody }>): ComposersState {
      const composer = state[payload.key] ?? EMPTY_COMPOSER
      return { ...state, [payload.key]: { ...composer, failure: payload.failure } }
    },
    focusRequested(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return { ...state, [key]: { ...(state[key] ?? EMPTY_COMPOSER), ...focused(state, key) } }
    },
  },
})

const EMPTY_DRAFT: Pick<Draft, keyof Composition & keyof Draft> & Partial<Draft> = { ...EMPTY_COMPOSITION, uploads: [] }

/** The composer state for a draft. */
function composerOf(state: ComposersState, key: string, draft: typeof EMPTY_DRAFT): ComposerState {
  const composition = compositionOf({ ...draft, uploadIds: (draft.uploads ?? []).map((upload) => upload.id) })
  if (draft.edit === undefined) return holding(state, key, composition)
  const { text, ...edit } = draft.edit
  const edited = holding(state, key, { ...EMPTY_COMPOSITION, text, caret: text.length })
  return { ...edited, editing: { ...edit, parked: composition } }
}

/** Whether the composer already shows this draft; ignores the caret. */
function isShown(composer: ComposerState, draft: typeof EMPTY_DRAFT): boolean {
  const { text, quotedId, uploadIds, showInChannel } = draftOf(composer)
  const edit = editOf(composer)
  return (
    text === draft.text &&
    quotedId === draft.quotedId &&
    showInChannel === draft.showInChannel &&
    isSameList(
      uploadIds,
      (draft.uploads ?? []).map(({ id }) => id),
    ) &&
    edit?.messageId === draft.edit?.messageId &&
    edit?.text === draft.edit?.text &&
    isSameList(edit?.dropped ?? [], draft.edit?.dropped ?? [])
  )
}

const isSameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])

/** Whether the text here lost a conflict with newer text: both are offered until the user chooses. */
const isOffered = ({ text }: ComposerState, { conflict }: typeof EMPTY_DRAFT): boolean =>
  conflict !== undefined && text.trim() !== '' && conflict.text.includes(text)

function withoutEdit(state: ComposersState, key: string): ComposersState {
  const composer = state[key]
  if (composer?.editing === undefined) return state
  return { ...state, [key]: holding(state, key, composer.editing.parked) }
}

function withoutFlight(state: ComposersState, key: string, id: string): ComposersState {
  const composer = state[key]
  if (composer === undefined) return state
  return { ...state, [key]: { ...composer, inFlight: composer.inFlight.filter((flight) => flight.id !== id) } }
}

/** The draft to save: the content of the field (during an edit, the parked one) and the messages in flight. */
export function draftOf(composer: ComposerState): Composition {
  const own = compositionOf(composer.editing?.parked ?? composer)
  return composer.inFlight.reduceRight((after, { composition }) => mergeCompositions(composition, after), own)
}

/** The edit to save with the draft; `undefined` if it has no changes. */
export function editOf({ editing, text }: ComposerState): DraftEdit | undefined {
  if (editing === undefined) return undefined
  const { parked: _parked, dropped = [], erased = [], ...edit } = editing
  if (text === edit.original && dropped.length === 0) return undefined
  return {
    ...edit,
    text,
    dropped: dropped.length === 0 ? undefined : dropped,
    erased: erased.length === 0 ? undefined : erased,
  }
}

const holds = (composer: Composition, { text, uploadIds }: Composition): boolean =>
  composer.text.startsWith(text) && uploadIds.every((id) => composer.uploadIds.includes(id))

function prepended(state: ComposersState, key: string, composition: Composition): ComposerState {
  const open = withoutEdit(state, key)
  return holding(open, key, mergeCompositions(composition, open[key] ?? EMPTY_COMPOSITION))
}

export const composersReducer = slice.reducer
export const {
  accepted,
  alsoInChannelSet,
  attachmentDropped,
  attachmentErased,
  caretMoved,
  draftFound,
  draftUnchanged,
  draftSaved,
  draftSaving,
  editBegun,
  editLeft,
  failed,
  fileRemoved,
  fileReplaced,
  filesAdded,
  filesComing,
  focusRequested,
  quoteChosen,
  quoteDropped,
  returned,
  submitted,
  takenBack,
  typed,
} = slice.actions

/** Link previews by composer key; not part of the composition, because they are not saved with drafts. */
type LinkPreviewsState = Readonly<Record<string, readonly PreviewEntry[]>>

const noPreviews: LinkPreviewsState = {}

type OfLink<More = unknown> = PayloadAction<{ readonly key: string; readonly url: string } & More>

function previewChanged(
  state: LinkPreviewsState,
  { key, url }: { readonly key: string; readonly url: string },
  change: (entry: PreviewEntry) => PreviewEntry,
): LinkPreviewsState {
  const entries = state[key]
  return entries ? { ...state, [key]: entries.map((entry) => (entry.url === url ? change(entry) : entry)) } : state
}

const previewsSlice = createSlice({
  name: 'linkPreviews',
  initialState: noPreviews,
  reducers: {
    previewsPlanned(
      state: LinkPreviewsState,
      { payload }: PayloadAction<{ readonly key: string; readonly entries: readonly PreviewEntry[] }>,
    ): LinkPreviewsState {
      return { ...state, [payload.key]: payload.entries }
    },
    /** Ignored unless the preview is still loading. */
    previewLoaded(state: LinkPreviewsState, { payload }: OfLink<{ preview: LinkPreview }>): LinkPreviewsState {
      const { preview } = payload
      return previewChanged(state, payload, (entry) =>
        entry.state === 'loading' ? { ...entry, state: 'loaded', preview } : entry,
      )
    },
    /** `waits`: there was no connection, so it is retried automatically. */
    previewFailed(state: LinkPreviewsState, { payload }: OfLink<{ waits: boolean }>): LinkPreviewsState {
      const next = payload.waits ? 'pending' : 'failed'
      return previewChanged(state, payload, (entry) => (entry.state === 'loading' ? { ...entry, state: next } : entry))
    },
    previewTried(state: LinkPreviewsState, { payload }: OfLink): LinkPreviewsState {
      return previewChanged(state, payload, (entry) => ({ url: entry.url, state: 'loading' }))
    },
    previewDismissed(state: LinkPreviewsState, { payload }: OfLink): LinkPreviewsState {
      return previewChanged(state, payload, (entry) => ({ ...entry, state: 'dismissed' }))
    },
    previewRestored(state: LinkPreviewsState, { payload }: OfLink): LinkPreviewsState {
      return previewChanged(state, payload, (entry) =>
        entry.preview === undefined ? { ...entry, state: 'failed' } : { ...entry, state: 'loaded' },
      )
    },
  },
  extraReducers: (builder) =>
    builder.addCase(submitted, (state, { payload: { key } }) => {
      const { [key]: _sent, ...others } = state
      return others
    }),
})

export const linkPreviewsReducer = previewsSlice.reducer
export const { previewDismissed, previewFailed, previewLoaded, previewRestored, previewTried, previewsPlanned } =
  previewsSlice.actions
