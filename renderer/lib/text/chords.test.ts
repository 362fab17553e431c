import { expect, test } from 'vitest'
import { chordOf, isPrintable, keyOf, keysOf, matches, parseChord, pressOf, spokenKeys } from './chords.ts'

const press = (over: Partial<KeyboardEvent>) => ({
  key: 'k',
  code: 'KeyK',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...over,
})

test('keycaps are told to screen readers by the names of their keys', () => {
  expect(spokenKeys(keysOf('Mod+Shift+K', 'linux'))).toBe('Control+Shift+K')
  expect(spokenKeys(keysOf('Mod+N', 'macos'))).toBe('Meta+N')
  expect(spokenKeys([])).toBeUndefined()
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
  expect(keysOf('Mod+Shift+D', 'linux')).toEqual(['Ctrl', 'Shift', 'D'])
  expect(keysOf('Alt+ArrowDown', 'macos')).toEqual(['⌥', '↓'])
})

test('letters type, chords and named keys do not', () => {
  const pressed = [press({}), press({ ctrlKey: true }), press({ key: 'Enter', code: 'Enter' }), press({ key: 'ż' })]
  expect(pressed.map(isPrintable)).toEqual([true, false, false, true])
})

test('a chord is a key and its modifiers; a letter counts in either case', () => {
  expect(parseChord('Mod+Shift+D')).toEqual({ key: 'd', mod: true, ctrl: false, alt: false, shift: true })
  expect(parseChord('F6')).toEqual({ key: 'F6', mod: false, ctrl: false, alt: false, shift: false })
})

test('the key of a press is its Latin letter, digit or name, on any layout', () => {
  const keys = [
    press({ key: 'K' }),
    press({ key: 'л' }),
    press({ key: '*', code: 'Digit8', shiftKey: true }),
    press({ key: '|', code: 'Backslash', shiftKey: true }),
    press({ key: 'х', code: 'BracketLeft' }),
    press({ key: 'Enter', code: 'Enter' }),
    press({ key: 'ż', code: 'Unknown' }),
  ]
  expect(keys.map(keyOf)).toEqual(['k', 'k', '8', '\\', '[', 'Enter', 'ż'])
})

test('the press of a chord is one that matches it, on every system', () => {
  for (const os of ['linux', 'macos'] as const) {
    for (const chord of ['Mod+K', 'Mod+Shift+D', 'Alt+ArrowDown', 'Ctrl+Alt+x', 'F6']) {
      expect(matches(press(pressOf(chord, os)), chord, os), `${chord} on ${os}`).toBe(true)
    }
  }
})

test('a press is read as its chord, and the chord matches it again', () => {
  const presses = [
    press({ ctrlKey: true }),
    press({ ctrlKey: true, shiftKey: true, key: 'D', code: 'KeyD' }),
    press({ key: ' ', code: 'Space', altKey: true }),
    press({ key: 'ArrowDown', code: 'ArrowDown', metaKey: true }),
  ]
  expect(presses.map((each) => chordOf(each, 'linux'))).toEqual(['Mod+K', 'Mod+Shift+D', 'Alt+Space', 'Meta+ArrowDown'])
  expect(chordOf(press({ metaKey: true, ctrlKey: true }), 'macos')).toBe('Mod+Ctrl+K')
})

test('modifiers alone, dead keys and keys of an input method are not chords', () => {
  const none = [
    press({ key: 'Control', code: 'ControlLeft', ctrlKey: true }),
    press({ key: 'Dead' }),
    press({ isComposing: true }),
    press({ keyCode: 229 }),
  ]
  expect(none.map((each) => chordOf(each, 'linux'))).toEqual([undefined, undefined, undefined, undefined])
})
