import { expect, test } from 'vitest'
import { MESSAGE_ACTIONS } from '../../features/messages/index.ts'
import { ACTIONS } from './actions.ts'

test('the shortcut sheet lists every key of the message actions', () => {
  const shown = new Set(ACTIONS.filter(({ group }) => group === 'messages').flatMap(({ chords }) => chords))
  const keys = Object.values(MESSAGE_ACTIONS).flatMap(({ chord }) => chord ?? [])
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((chord) => !shown.has(chord))).toEqual([])
})

test('every key of the message group is handled by the message list', () => {
  const own = new Set(Object.values(MESSAGE_ACTIONS).flatMap(({ chord }) => chord ?? []))
  const listKeys = ['ArrowUp', 'ArrowDown', 'Space', 'Shift+ArrowUp', 'Shift+ArrowDown', '1', '2', '3', 'Shift+F10']
  listKeys.push('Mod+J', 'Mod+Shift+\\', 'Shift+PageUp', 'N', 'Shift+N', 'Shift+Delete')
  const others = ACTIONS.filter(({ group }) => group === 'messages')
    .flatMap(({ chords }) => chords)
    .filter((chord) => !own.has(chord))
  expect(others.filter((chord) => !listKeys.includes(chord))).toEqual([])
})
