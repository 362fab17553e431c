import { expect, test } from 'vitest'
import { ACTIONS } from './actions/actions.ts'
import { messagesFeature } from './feature.ts'

const listed = Object.values(messagesFeature.actions ?? {}).flatMap(({ chords }) => chords)
const keys = Object.values(ACTIONS).flatMap(({ chord }) => chord ?? [])

test('the shortcut sheet lists every key of the message actions', () => {
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((chord) => !listed.includes(chord))).toEqual([])
})

test('every key of the message group is handled by the message list', () => {
  const listKeys = ['ArrowUp', 'ArrowDown', 'Space', 'Shift+ArrowUp', 'Shift+ArrowDown', '1', '2', '3', 'Shift+F10']
  listKeys.push('Mod+J', 'Mod+Shift+\\', 'Shift+PageUp', 'N', 'Shift+N', 'Shift+Delete')
  expect(listed.filter((chord) => !keys.includes(chord) && !listKeys.includes(chord))).toEqual([])
})
