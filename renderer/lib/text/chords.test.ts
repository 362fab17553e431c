import { expect, test } from 'vitest'
import { isPrintable, keysOf, matches } from './chords.ts'

const press = (over: Partial<KeyboardEvent>) => ({
  key: 'k',
  code: 'KeyK',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...over,
})

test('Mod is Ctrl, and Command on macOS', () => {
  expect(matches(press({ ctrlKey: true }), 'Mod+K', 'linux')).toBe(true)
  expect(matches(press({ metaKey: true }), 'Mod+K', 'macos')).toBe(true)
  expect(matches(press({ ctrlKey: true }), 'Mod+K', 'macos')).toBe(false)
})

test('a Russian layout has the same shortcuts', () => {
  expect(matches(press({ key: 'л', code: 'KeyK', ctrlKey: true }), 'Mod+K', 'windows')).toBe(true)
})

test('a Latin layout matches by the typed letter, not by the physical key', () => {
  expect(matches(press({ key: 'k', code: 'KeyV', ctrlKey: true }), 'Mod+K', 'linux')).toBe(true)
  expect(matches(press({ key: 'v', code: 'KeyK', ctrlKey: true }), 'Mod+K', 'linux')).toBe(false)
})

test('AltGr letters of a Polish layout are never a shortcut', () => {
  expect(matches(press({ key: 'ć', code: 'KeyC', ctrlKey: true, altKey: true }), 'Mod+C', 'windows')).toBe(false)
})

test('nothing matches while an input method composes', () => {
  expect(matches(press({ ctrlKey: true, isComposing: true }), 'Mod+K', 'linux')).toBe(false)
  expect(matches(press({ ctrlKey: true, keyCode: 229 }), 'Mod+K', 'linux')).toBe(false)
})

test('digits with Shift match by the physical key', () => {
  expect(matches(press({ key: '*', code: 'Digit8', ctrlKey: true, shiftKey: true }), 'Mod+Shift+8', 'linux')).toBe(true)
})

test('keycaps are those of the system', () => {
  expect([keysOf('Mod+Shift+D', 'linux'), keysOf('Alt+ArrowDown', 'macos')]).toEqual([
    ['Ctrl', 'Shift', 'D'],
    ['⌥', '↓'],
  ])
})

test('letters type, chords and named keys do not', () => {
  const pressed = [press({}), press({ ctrlKey: true }), press({ key: 'Enter', code: 'Enter' }), press({ key: 'ż' })]
  expect(pressed.map(isPrintable)).toEqual([true, false, false, true])
})
