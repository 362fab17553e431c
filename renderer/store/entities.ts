import { combineReducers, type Reducer, type UnknownAction } from 'redux'
import {
  type ChangeSet,
  type EntityMap,
  type EntityName,
  type Grown,
  grow,
  type Window,
  type WindowKey,
} from '#shared/domain/changes.ts'
import { createAction, prepareAutoBatched } from '@reduxjs/toolkit'
import type { Message } from '#shared/domain/message.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { isSame } from '#shared/lib/same.ts'
import { isSameWindow } from '#shared/rules/messages/message-ranges.ts'

/**
 * Changes from the engine. Besides these and `replicaAttached` only a foreseen message changes the replica of entities and
 * windows.
 */
export const changesApplied = createAction<ChangeSet>('changes/applied')

/**
 * The window attached (again): the replica is replaced as a whole. The engine has closed the windows opened before, so
 * hooks open theirs again when the attach count rises.
 */
export const replicaAttached = createAction<ChangeSet>('changes/attached')

/**
 * The user's own message, shown before main has answered, at the end of these windows. `foreseenTaken`: main has it, so
 * that its next windows are the truth; `foreseenRefused`: main has refused it, or no longer has it.
 */
export const messageForeseen = createAction(
  'messages/foreseen',
  // The composer, which empties at the same time, has the listeners called.
  prepareAutoBatched<{ readonly message: Message; readonly windows: readonly WindowKey[] }>(),
)
export const foreseenTaken = createAction<{ readonly id: string }>('messages/foreseenTaken')
export const foreseenRefused = createAction<{ readonly id: string }>('messages/foreseenRefused')

/** Rows of one entity by key. Unsorted: order comes from windows. */
type Table<Name extends EntityName> = Readonly<Record<string, EntityMap[Name]>>

/**
 * The replica of one entity. No domain logic: it applies change-sets.
 * By hand: for each event the replica costs 29 to 38 µs of processor time this way and 111 to 130 with drafts, and one
 * table 21 and in an entity adapter 155 (`npm run bench -- pushes`). Its rows are never changed here, only replaced.
 */
export function entitySlice<Name extends EntityName>(name: Name): Reducer<Table<Name>> {
  return (rows = {}, action: UnknownAction) => {
    if (replicaAttached.match(action)) return action.payload.put[name] ?? {}
    if (changesApplied.match(action)) return applied(rows, action.payload, name)
    return rows
  }
}

function applied<Name extends EntityName>(rows: Table<Name>, changes: ChangeSet, name: Name): Table<Name> {
  const put = changes.put[name]
  const del = changes.del[name]
  if (put === undefined && (del === undefined || del.length === 0)) return rows
  const next = copyOf(rows)
  for (const key of del ?? []) delete next[key]
  return Object.assign(next, put)
}

/** A window holds more than a thousand messages, and V8 copies so many twice as fast like this as with a spread. */
function copyOf<Row>(rows: Readonly<Record<string, Row>>): Record<string, Row> {
  const copy = Object.create(null) as Record<string, Row>
  for (const key in rows) copy[key] = rows[key] as Row
  return copy
}

/** The messages of the engine, and those it does not have yet. */
function messagesReducer(rows: Table<'messages'> | undefined, action: UnknownAction): Table<'messages'> {
  const next = replicaOfMessages(rows, action)
  if (messageForeseen.match(action)) {
    const { message } = action.payload
    return next[message.id] === undefined ? Object.assign(copyOf(next), { [message.id]: message }) : next
  }
  if (!foreseenRefused.match(action)) return next
  const { [action.payload.id]: _refused, ...others } = next
  return others
}

const replicaOfMessages = entitySlice('messages')

/**
 * Those of the loaded messages with a live location, running or ended: nearly none, among thousands that change with each
 * message.
 */
export function liveLocationsReducer(rows: Table<'messages'> = {}, action: UnknownAction): Table<'messages'> {
  if (replicaAttached.match(action)) return Object.fromEntries(liveIn(action.payload.put.messages))
  if (!changesApplied.match(action)) return rows
  const { put, del } = action.payload
  const gone = [...(del.messages ?? []), ...Object.keys(put.messages ?? {})].filter((id) => rows[id] !== undefined)
  const live = liveIn(put.messages)
  if (gone.length === 0 && live.length === 0) return rows
  return Object.fromEntries([...Object.entries(rows).filter(([id]) => !gone.includes(id)), ...live])
}

const liveIn = (messages: Table<'messages'> = {}): readonly (readonly [string, Message])[] =>
  Object.entries(messages).filter(([, { location }]) => location?.endAt !== undefined)

const replicaOfSettings = entitySlice('settings')

/** They arrive as a whole: a setting that is the same as before keeps its identity, for those who read only that one. */
function settingsReducer(rows: Table<'settings'> | undefined, action: UnknownAction): Table<'settings'> {
  const next = replicaOfSettings(rows, action)
  const [before, now] = [rows?.['self'], next['self']]
  if (next === rows || before === undefined || now === undefined) return next
  const held: Readonly<Record<string, unknown>> = before
  const kept = Object.entries(now).map(([name, value]) => [name, isSame(held[name], value) ? held[name] : value])
  return { self: Object.fromEntries(kept) as Settings }
}

/** The mapped type makes the compiler report a missing entity. */
const slices: { [Name in EntityName]: Reducer<Table<Name>> } = {
  users: entitySlice('users'),
  channels: entitySlice('channels'),
  messages: messagesReducer,
  polls: entitySlice('polls'),
  reads: entitySlice('reads'),
  typing: entitySlice('typing'),
  drafts: entitySlice('drafts'),
  draftRevisions: entitySlice('draftRevisions'),
  outbox: entitySlice('outbox'),
  uploads: entitySlice('uploads'),
  reminders: entitySlice('reminders'),
  emoji: entitySlice('emoji'),
  emojiTerms: entitySlice('emojiTerms'),
  notices: entitySlice('notices'),
  inbox: entitySlice('inbox'),
  manage: entitySlice('manage'),
  session: entitySlice('session'),
  connection: entitySlice('connection'),
  settings: settingsReducer,
  accounts: entitySlice('accounts'),
  lock: entitySlice('lock'),
}

type Entities = { readonly [Name in EntityName]: Table<Name> }

export const entitiesReducer = combineReducers(slices) as unknown as Reducer<Entities>

/** Open windows of the engine, and how often this page has attached (hooks open theirs again when it rises). */
type WindowsState = {
  readonly byKey: Readonly<Record<string, Window>>
  readonly attachCount: number
  /** Messages that main has not shown in these windows yet, in the order they were sent. */
  readonly foreseen: readonly Foreseen[]
}

type Foreseen = { readonly id: string; readonly keys: readonly WindowKey[]; readonly isTaken: boolean }

const NO_WINDOWS: WindowsState = { byKey: {}, attachCount: 0, foreseen: [] }

/** By hand, as the tables above: with drafts each event would freeze the ids of its window. */
export function windowsReducer(state: WindowsState = NO_WINDOWS, action: UnknownAction): WindowsState {
  if (replicaAttached.match(action)) {
    return { byKey: byKeyOf(action.payload.windows), attachCount: state.attachCount + 1, foreseen: [] }
  }
  if (changesApplied.match(action)) return withPushed(state, action.payload)
  if (messageForeseen.match(action)) return withForeseen(state, action.payload)
  if (foreseenTaken.match(action)) {
    const { id } = action.payload
    if (!state.foreseen.some((each) => each.id === id)) return state
    return { ...state, foreseen: state.foreseen.map((each) => (each.id === id ? { ...each, isTaken: true } : each)) }
  }
  return foreseenRefused.match(action) ? withoutForeseen(state, action.payload.id) : state
}

function withPushed(state: WindowsState, { windows: told, grown = NONE, closed }: ChangeSet): WindowsState {
  if (told.length === 0 && grown.length === 0 && closed.length === 0) return state
  const windows = grown.length === 0 ? told : [...told, ...grown.flatMap((one) => grownIn(state, one))]
  const byKey: Record<string, Window> = { ...state.byKey }
  for (const key of closed) delete byKey[key]
  for (const pushed of windows) {
    const window = withAwaited(pushed, state.foreseen)
    const existing = byKey[window.key]
    // An equal window keeps its identity, so that nothing re-renders.
    if (existing === undefined || !isSameWindow(existing, window)) byKey[window.key] = window
  }
  const isSame =
    state.foreseen.length === 0 &&
    closed.every((key) => state.byKey[key] === undefined) &&
    windows.every(({ key }) => byKey[key] === state.byKey[key])
  // A list that is opened again is sent again, mostly as it was.
  return isSame ? state : { ...state, byKey, foreseen: stillAwaited(state.foreseen, windows, closed) }
}

const NONE: readonly Grown[] = []

/** What main told before, without what this window has foreseen, and what was added. */
function grownIn({ byKey, foreseen }: WindowsState, one: Grown): Window | [] {
  const ids = byKey[one.key]?.ids
  if (ids === undefined) return []
  const own = foreseen.filter(({ keys }) => keys.includes(one.key)).map(({ id }) => id)
  return grow(own.length === 0 ? ids : ids.filter((id) => !own.includes(id)), one)
}

/** A window that main read before it had these messages. */
function withAwaited(window: Window, foreseen: readonly Foreseen[]): Window {
  const ids = foreseen
    .filter(({ id, keys, isTaken }) => !isTaken && keys.includes(window.key) && !window.ids.includes(id))
    .map(({ id }) => id)
  return ids.length === 0 || window.hasNext ? window : { ...window, ids: [...window.ids, ...ids] }
}

/** A message is no longer awaited in a window that has it, or in one that was read after main took it. */
function stillAwaited(
  foreseen: readonly Foreseen[],
  windows: readonly Window[],
  closed: readonly WindowKey[],
): readonly Foreseen[] {
  if (foreseen.length === 0) return foreseen
  const isDone = ({ id, isTaken }: Foreseen, key: WindowKey): boolean =>
    closed.includes(key) || windows.some((window) => window.key === key && (isTaken || window.ids.includes(id)))
  return foreseen
    .map((each) => ({ ...each, keys: each.keys.filter((key) => !isDone(each, key)) }))
    .filter(({ keys }) => keys.length > 0)
}

function withForeseen(
  state: WindowsState,
  { message: { id }, windows }: ReturnType<typeof messageForeseen>['payload'],
): WindowsState {
  const keys = windows.filter((key) => state.byKey[key]?.ids.includes(id) === false)
  if (keys.length === 0) return state
  return {
    ...state,
    byKey: withIds(state.byKey, keys, (ids) => [...ids, id]),
    foreseen: [...state.foreseen, { id, keys, isTaken: false }],
  }
}

function withoutForeseen(state: WindowsState, id: string): WindowsState {
  const { keys = [] } = state.foreseen.find((each) => each.id === id) ?? {}
  return {
    ...state,
    byKey: withIds(state.byKey, keys, (ids) => ids.filter((each) => each !== id)),
    foreseen: state.foreseen.filter((each) => each.id !== id),
  }
}

function withIds(
  byKey: WindowsState['byKey'],
  keys: readonly WindowKey[],
  change: (ids: readonly string[]) => readonly string[],
): WindowsState['byKey'] {
  const changed: Record<string, Window> = { ...byKey }
  for (const key of keys) {
    const window = changed[key]
    if (window !== undefined) changed[key] = { ...window, ids: change(window.ids) }
  }
  return changed
}

function byKeyOf(windows: readonly Window[]): Record<string, Window> {
  return Object.fromEntries(windows.map((window) => [window.key satisfies WindowKey, window]))
}
