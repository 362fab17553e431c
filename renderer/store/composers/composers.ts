import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Draft, DraftEdit } from '#shared/domain/draft.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { EMPTY_COMPOSITION, mergeCompositions, type Composition } from '#shared/rules/composer/compositions.ts'

/**
 * One composer, by {@link composerKey}. Kept here and not in the component because it outlives it: another channel is
 * opened and left, a message is quoted from the list, an unsent one is taken back from the outbox.
 */
export type ComposerState = Composition & {
  /** While a message is being edited: which, its words before, and what waits until the edit is over. */
  readonly editing?: Omit<DraftEdit, 'text'> & { readonly parked: Composition }
  /** Why the text came back. */
  readonly failure?: ErrorBody
  /** Something was written here that the engine does not know yet: what another window does to the draft waits. */
  readonly touched: boolean
  /** The revision of the draft that stands here; none was seen before the first. */
  readonly revision: number
  /** Savings that are not answered yet. */
  readonly saving: number
  /** Rises when someone wants the caret here. */
  readonly focusRequest: number
  /** Handed to the engine, not yet on disk there: still part of the draft, so that no crash can lose it. */
  readonly inFlight: readonly Flight[]
  /** Files that were chosen and have no tile yet: nothing is sent without them. Absent: none. */
  readonly coming?: number
}

/** `input`: as it was handed over, so that it can be handed over again where no answer came. */
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
  ...(selectedTo === undefined ? {} : { selectedTo }),
  uploadIds,
  showInChannel,
  ...(quotedId === undefined ? {} : { quotedId }),
})

/** A composer that holds exactly this; an edit and an old failure end. */
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
  const { [name]: _gone, ...rest } = state[key] ?? EMPTY_COMPOSER
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
     * The draft of a place as it is now, by this window or another one; none when it was sent, discarded or cleared. Shown
     * unless something else was written here since.
     */
    draftFound(state: ComposersState, { payload }: Keyed<{ draft?: Draft; revision: number }>): ComposersState {
      const { key, draft, revision } = payload
      const composer = state[key] ?? EMPTY_COMPOSER
      // What is under way may be older or newer than this: the answer says which.
      if (composer.saving > 0 || composer.inFlight.length > 0 || revision <= composer.revision) return state
      const found = draft ?? EMPTY_DRAFT
      if (isShown(composer, found)) return { ...state, [key]: { ...composer, touched: false, revision } }
      if (composer.touched || isOffered(composer, found)) return state
      return { ...state, [key]: { ...showing(state, key, found), touched: false, revision } }
    },
    /** What stands here is on its way to the disk. */
    draftSaving(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      const composer = state[key] ?? EMPTY_COMPOSER
      return { ...state, [key]: { ...composer, touched: false, saving: composer.saving + 1 } }
    },
    /** What stands here is what the engine has. */
    draftKept(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return { ...state, [key]: { ...(state[key] ?? EMPTY_COMPOSER), touched: false } }
    },
    /** The engine has it, as this revision. Without one it does not. */
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
    /** The caret, and where what is selected ends. */
    caretMoved(state: ComposersState, { payload }: Keyed<{ caret: number; selectedTo?: number }>): ComposersState {
      const { key, caret, selectedTo } = payload
      const composer = state[key]
      if (composer === undefined || (composer.caret === caret && composer.selectedTo === selectedTo)) return state
      const { selectedTo: _before, ...rest } = composer
      return { ...state, [key]: { ...rest, caret, ...(selectedTo === undefined ? {} : { selectedTo }) } }
    },
    /** A message is to be quoted in the next one. Puts the caret there. */
    quoteChosen(state: ComposersState, { payload }: Keyed<{ messageId: MessageId }>): ComposersState {
      const { key, messageId } = payload
      const open = state[key]?.editing === undefined ? state : left(state, key)
      return changed(open, key, { quotedId: messageId, ...focused(open, key) })
    },
    quoteDropped(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return changed(without(state, key, 'quotedId'), key, {})
    },
    /** An own message is to be edited: what stood in the field waits. `text` is the message as it is. */
    editBegun(state: ComposersState, { payload }: Keyed<{ messageId: MessageId; text: string }>): ComposersState {
      const { key, messageId, text } = payload
      const open = state[key]?.editing === undefined ? state : left(state, key)
      const parked = compositionOf(open[key] ?? EMPTY_COMPOSER)
      const editing = { messageId, original: text, parked }
      const edited = { ...holding(open, key, { ...EMPTY_COMPOSITION, text, caret: text.length }), editing }
      return { ...open, [key]: { ...edited, ...focused(open, key) } }
    },
    /** The edit is over, saved or not; what waited comes back. */
    editLeft(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return left(state, key)
    },
    /** `count` more files are coming, or fewer. */
    filesComing(state: ComposersState, { payload }: Keyed<{ count: number }>): ComposersState {
      const { coming = 0, ...rest } = state[payload.key] ?? EMPTY_COMPOSER
      const left = coming + payload.count
      return { ...state, [payload.key]: left > 0 ? { ...rest, coming: left } : rest }
    },
    filesAdded(state: ComposersState, { payload }: Keyed<{ ids: readonly string[] }>): ComposersState {
      const had = state[payload.key]?.uploadIds ?? []
      return changed(state, payload.key, { uploadIds: [...had, ...payload.ids] })
    },
    fileRemoved(state: ComposersState, { payload }: Keyed<{ id: string }>): ComposersState {
      const had = state[payload.key]?.uploadIds ?? []
      return changed(state, payload.key, { uploadIds: had.filter((id) => id !== payload.id) })
    },
    /** An attachment of the message being edited is to go with the edit, or is to stay after all. */
    attachmentDropped(state: ComposersState, { payload }: Keyed<{ index: number; on: boolean }>): ComposersState {
      const { key, index, on } = payload
      const editing = state[key]?.editing
      if (editing === undefined) return state
      const [dropped, erased] = [toggled(editing.dropped, index, on), toggled(editing.erased, index, false)]
      return changed(state, key, { editing: { ...editing, dropped, erased } })
    },
    /** The file behind it is to be deleted too, or is to stay on the server after all. */
    attachmentErased(state: ComposersState, { payload }: Keyed<{ index: number; on: boolean }>): ComposersState {
      const { key, index, on } = payload
      const editing = state[key]?.editing
      if (editing?.dropped?.includes(index) !== true) return state
      return changed(state, key, { editing: { ...editing, erased: toggled(editing.erased, index, on) } })
    },
    alsoInChannelSet(state: ComposersState, { payload }: Keyed<{ on: boolean }>): ComposersState {
      return changed(state, payload.key, { showInChannel: payload.on })
    },
    /** The message is on its way to the engine: the field is free for the next one. */
    submitted(state: ComposersState, { payload }: Keyed<{ id: string; input?: SendInput }>): ComposersState {
      const { key, id, input } = payload
      const composer = state[key] ?? EMPTY_COMPOSER
      const flight = { id, composition: compositionOf(composer), ...(input === undefined ? {} : { input }) }
      const inFlight = [...composer.inFlight, flight]
      return { ...state, [key]: { ...holding(state, key, EMPTY_COMPOSITION), inFlight } }
    },
    /** The engine has it on disk. */
    accepted(state: ComposersState, { payload: { key, id } }: Keyed<{ id: string }>): ComposersState {
      return landed(state, key, id)
    },
    /** The engine did not take it: everything comes back, before anything written meanwhile. */
    returned(state: ComposersState, { payload }: Keyed<{ id: string; failure?: ErrorBody }>): ComposersState {
      const { key, id, failure } = payload
      const composition = state[key]?.inFlight.find((flight) => flight.id === id)?.composition
      if (composition === undefined) return state
      const back = together(landed(state, key, id), key, composition)
      return { ...state, [key]: failure === undefined ? back : { ...back, failure } }
    },
    /** An unsent message was taken back from the outbox. The engine's draft holds it too, and may have come first. */
    takenBack(state: ComposersState, { payload }: Keyed<{ composition: Composition }>): ComposersState {
      const { key, composition } = payload
      const composer = state[key]
      if (composer?.touched === false && holds(composer, composition)) {
        return { ...state, [key]: { ...composer, ...focused(state, key) } }
      }
      return { ...state, [key]: { ...together(state, key, composition), ...focused(state, key) } }
    },
    failed(state: ComposersState, { payload }: Keyed<{ failure: ErrorBody }>): ComposersState {
      const composer = state[payload.key] ?? EMPTY_COMPOSER
      return { ...state, [payload.key]: { ...composer, failure: payload.failure } }
    },
    focusAsked(state: ComposersState, { payload: { key } }: Keyed): ComposersState {
      return { ...state, [key]: { ...(state[key] ?? EMPTY_COMPOSER), ...focused(state, key) } }
    },
  },
})

const EMPTY_DRAFT: Pick<Draft, keyof Composition & keyof Draft> & Partial<Draft> = { ...EMPTY_COMPOSITION, uploads: [] }

/** A composer that shows this draft. */
function showing(state: ComposersState, key: string, draft: typeof EMPTY_DRAFT): ComposerState {
  const composition = compositionOf({ ...draft, uploadIds: (draft.uploads ?? []).map((upload) => upload.id) })
  if (draft.edit === undefined) return holding(state, key, composition)
  const { text, ...edit } = draft.edit
  const edited = holding(state, key, { ...EMPTY_COMPOSITION, text, caret: text.length })
  return { ...edited, editing: { ...edit, parked: composition } }
}

/** Wherever the caret stands. */
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

/** The words that stand here lost against newer ones: both are offered, and neither goes before the person has chosen. */
const isOffered = ({ text }: ComposerState, { conflict }: typeof EMPTY_DRAFT): boolean =>
  conflict !== undefined && text.trim() !== '' && conflict.text.includes(text)

function left(state: ComposersState, key: string): ComposersState {
  const composer = state[key]
  if (composer?.editing === undefined) return state
  return { ...state, [key]: holding(state, key, composer.editing.parked) }
}

function landed(state: ComposersState, key: string, id: string): ComposersState {
  const composer = state[key]
  if (composer === undefined) return state
  return { ...state, [key]: { ...composer, inFlight: composer.inFlight.filter((flight) => flight.id !== id) } }
}

/** What must survive a crash: the text in the field (or, during an edit, what waits), and what is still on its way. */
export function draftOf(composer: ComposerState): Composition {
  const own = compositionOf(composer.editing?.parked ?? composer)
  return composer.inFlight.reduceRight((after, { composition }) => mergeCompositions(composition, after), own)
}

/** The edit under way, which must survive a crash too. One that has changed nothing yet is none. */
export function editOf({ editing, text }: ComposerState): DraftEdit | undefined {
  if (editing === undefined) return undefined
  const { parked: _parked, dropped = [], erased = [], ...edit } = editing
  if (text === edit.original && dropped.length === 0) return undefined
  return {
    ...edit,
    text,
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(erased.length === 0 ? {} : { erased }),
  }
}

const holds = (composer: Composition, { text, uploadIds }: Composition): boolean =>
  composer.text.startsWith(text) && uploadIds.every((id) => composer.uploadIds.includes(id))

function together(state: ComposersState, key: string, composition: Composition): ComposerState {
  const open = left(state, key)
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
  draftKept,
  draftSaved,
  draftSaving,
  editBegun,
  editLeft,
  failed,
  fileRemoved,
  filesAdded,
  filesComing,
  focusAsked,
  quoteChosen,
  quoteDropped,
  returned,
  submitted,
  takenBack,
  typed,
} = slice.actions
