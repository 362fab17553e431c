import type { UnknownAction } from 'redux'
import { expect, test } from 'vitest'
import type { Message } from '#shared/domain/message.ts'
import { aMessage, aWindow, byId, changes } from '#kit/fake-bridge/index.ts'
import {
  changesApplied,
  entitiesReducer,
  foreseenRefused,
  foreseenTaken,
  liveLocationsReducer,
  messageForeseen,
  replicaAttached,
  windowsReducer,
} from './entities.ts'

const messages = byId([aMessage({ id: 'm1' }), aMessage({ id: 'm2' })])
const window = aWindow('timeline:messaging:a', ['m1', 'm2'])
const opened = changesApplied(changes(1, { messages }, { windows: [window] }))

test('messages of a window that was closed are dropped, others stay', () => {
  const left = changesApplied(changes(2, {}, { del: { messages: ['m2'] }, closed: [window.key] }))
  const entities = [opened, left].reduce(entitiesReducer, undefined)
  const windows = [opened, left].reduce(windowsReducer, undefined)
  expect(Object.keys(entities?.messages ?? {})).toEqual(['m1'])
  expect(windows?.byKey).toEqual({})
})

test('attaching again drops all previous rows', () => {
  const entities = [opened, replicaAttached(changes(1, {}))].reduce(entitiesReducer, undefined)
  expect(entities?.messages).toEqual({})
})

test('a changed row leaves the others as they are', () => {
  const before = [opened].reduce(entitiesReducer, undefined)
  const after = entitiesReducer(
    before,
    changesApplied(changes(2, { messages: byId([aMessage({ id: 'm2', text: 'x' })]) })),
  )
  expect(after.messages['m1']).toBe(before?.messages['m1'])
  expect(after.messages['m2']?.text).toBe('x')
  expect(before?.messages['m2']?.text).not.toBe('x')
})

test('a change of another table keeps the identity of a table', () => {
  const before = [opened].reduce(entitiesReducer, undefined)
  const after = entitiesReducer(before, changesApplied(changes(2, {}, { del: { users: ['x'] } })))
  expect(after.messages).toBe(before?.messages)
})

test('a window that is sent again as it was changes nothing', () => {
  const before = windowsReducer(undefined, opened)
  const again = changesApplied(changes(2, {}, { windows: [{ ...window, ids: [...window.ids] }], closed: ['pinned:c'] }))
  expect(windowsReducer(before, again)).toBe(before)
  const closed = windowsReducer(before, changesApplied(changes(2, {}, { closed: [window.key] })))
  expect(closed.byKey).toEqual({})
})

const own = aMessage({ id: 'own', text: 'Here', status: 'sending' })
const foreseen = messageForeseen({ message: own, windows: [window.key] })
const pushed = (rev: number, ids: readonly string[]) =>
  changesApplied(changes(rev, {}, { windows: [aWindow(window.key, ids)] }))
const idsAfter = (...actions: UnknownAction[]) =>
  [opened, ...actions].reduce(windowsReducer, undefined)?.byKey[window.key]?.ids

test('an own message is at the end of its window before main has it, and stays there once', () => {
  expect(idsAfter(foreseen)).toEqual(['m1', 'm2', 'own'])
  expect(idsAfter(foreseen, pushed(2, ['m1', 'm2', 'm3']))).toEqual(['m1', 'm2', 'm3', 'own'])
  expect(idsAfter(foreseen, pushed(2, ['m1', 'm2', 'own']), pushed(3, ['m1', 'own', 'm4']))).toEqual([
    'm1',
    'own',
    'm4',
  ])
  expect(idsAfter(pushed(2, ['m1', 'own']), foreseen)).toEqual(['m1', 'own'])
})

test('what is added to a window stands behind what main told before, and an own message behind both', () => {
  const { ids: _ids, ...rest } = window
  const grew = (rev: number, ...more: readonly string[]) =>
    changesApplied(changes(rev, {}, { grown: [{ ...rest, more }] }))
  expect(idsAfter(grew(2, 'm3'), grew(3, 'm4', 'm5'))).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  expect(idsAfter(foreseen, grew(2, 'm3'))).toEqual(['m1', 'm2', 'm3', 'own'])
  expect(idsAfter(foreseen, grew(2, 'm3'), grew(3, 'own', 'm4'))).toEqual(['m1', 'm2', 'm3', 'own', 'm4'])
  expect(idsAfter(foreseen, foreseenTaken({ id: 'own' }), grew(2, 'own'))).toEqual(['m1', 'm2', 'own'])
  expect(idsAfter(changesApplied(changes(2, {}, { closed: [window.key] })), grew(3, 'm3'))).toBeUndefined()
})

test('a message that main has is where its next windows have it', () => {
  const taken = foreseenTaken({ id: 'own' })
  expect(idsAfter(foreseen, taken)).toEqual(['m1', 'm2', 'own'])
  expect(idsAfter(foreseen, taken, pushed(2, ['m1', 'm2']))).toEqual(['m1', 'm2'])
  expect(idsAfter(foreseen, pushed(2, ['m1', 'm2', 'own']), taken, pushed(3, ['m1', 'm2']))).toEqual(['m1', 'm2'])
})

test('a window that main has moved away from its end does not get the message', () => {
  const moved = changesApplied(changes(2, {}, { windows: [aWindow(window.key, ['m1'], { hasNext: true })] }))
  expect(idsAfter(foreseen, moved)).toEqual(['m1'])
})

test('a refused message is gone, and so is one that a new snapshot does not have', () => {
  const refused = foreseenRefused({ id: 'own' })
  expect(idsAfter(foreseen, pushed(2, ['m1', 'm2', 'm3']), refused)).toEqual(['m1', 'm2', 'm3'])
  expect([opened, foreseen, refused].reduce(entitiesReducer, undefined)?.messages['own']).toBeUndefined()
  const attached = replicaAttached(changes(2, { messages }, { windows: [window] }))
  expect(idsAfter(foreseen, attached, pushed(3, ['m1', 'm2']))).toEqual(['m1', 'm2'])
})

test('the row of main replaces the foreseen one, which never replaces one of main', () => {
  const received = changesApplied(changes(2, { messages: byId([{ ...own, status: 'received' }]) }))
  const statusAfter = (...actions: UnknownAction[]) =>
    [opened, ...actions].reduce(entitiesReducer, undefined)?.messages['own']?.status
  expect(statusAfter(foreseen)).toBe('sending')
  expect(statusAfter(foreseen, received)).toBe('received')
  expect(statusAfter(received, foreseen)).toBe('received')
})

test('live locations are those of the loaded messages, and stay the same while no such message changes', () => {
  const place = { latitude: 1, longitude: 2, updatedAt: 1 }
  const [live, still] = [aMessage({ id: 'live', location: { ...place, endAt: 9 } }), aMessage({ id: 'still' })]
  const put = (...rows: readonly Message[]): UnknownAction => changesApplied(changes(2, { messages: byId(rows) }))
  const endsAfter = (...actions: readonly UnknownAction[]): readonly unknown[] =>
    Object.values(actions.reduce(liveLocationsReducer, undefined) ?? {}).map(({ id, location }) => [
      id,
      location?.endAt,
    ])
  expect(endsAfter(put(live, { ...still, location: place }))).toEqual([['live', 9]])
  expect(endsAfter(put(live), put({ ...live, location: { ...place, endAt: 12 } }))).toEqual([['live', 12]])
  expect(endsAfter(put(live), put({ ...live, location: undefined }))).toEqual([])
  expect(endsAfter(put(live), changesApplied(changes(3, {}, { del: { messages: ['live'] } })))).toEqual([])
  expect(endsAfter(put(live), replicaAttached(changes(3, { messages: byId([still]) })))).toEqual([])
  const held = liveLocationsReducer(undefined, put(live))
  expect(liveLocationsReducer(held, put(still))).toBe(held)
})
