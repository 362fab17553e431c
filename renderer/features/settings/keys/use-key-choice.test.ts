import { expect, test } from 'vitest'
import { judge } from './KeyboardSettings.tsx'
import type { Shortcut } from '../../../app/keys/shortcuts.tsx'

const shortcut = (
  id: string,
  chords: readonly string[],
  movable = true,
  place: Shortcut['place'] = 'window',
): Shortcut => ({
  id,
  place,
  label: id,
  chords,
  movable,
  changed: false,
})
const ALL = [shortcut('search', ['Mod+Shift+F']), shortcut('threads', ['Mod+1']), shortcut('bold', ['Mod+B'], false)]
const SEARCH = shortcut('search', [])
const PIN = shortcut('pin', [], true, 'messages')

test.each([
  ['Q', 'types'],
  ['Shift+Q', 'types'],
  ['1', 'types'],
  ['Alt+A', 'alt'],
  ['Alt+1', 'alt'],
  ['Mod+Alt+E', 'alt'],
  ['Mod+Alt+Shift+5', 'alt'],
  ['Enter', 'field'],
  ['Shift+ArrowUp', 'field'],
  ['Escape', 'field'],
  ['Mod+Enter', 'field'],
  ['Mod+C', 'editing'],
  ['Mod+Z', 'editing'],
  ['Mod+W', 'system'],
  ['Meta+K', 'system'],
  ['Alt+F4', 'system'],
])('%s is refused: %s', (chord, why) => {
  expect(judge(chord, SEARCH, ALL)).toEqual({ kind: 'refused', why })
})

test.each(['F3', 'Shift+F3', 'Mod+J', 'Mod+Shift+7', 'Alt+ArrowUp', 'Alt+F9', 'Mod+Shift+F'])(
  '%s may be had for search',
  (chord) => {
    expect(judge(chord, SEARCH, ALL)).toEqual({ kind: 'free' })
  },
)

test('a shortcut of another action is reported, and can be reassigned unless it is fixed', () => {
  expect(judge('Mod+1', SEARCH, ALL)).toMatchObject({ kind: 'taken', by: { id: 'threads' }, movable: true })
  expect(judge('Mod+b', SEARCH, ALL)).toMatchObject({ kind: 'taken', by: { id: 'bold' }, movable: false })
})

test.each([
  ['Z', { kind: 'free' }],
  ['Shift+Z', { kind: 'free' }],
  ['1', { kind: 'refused', why: 'types' }],
  ['Enter', { kind: 'refused', why: 'field' }],
  ['Mod+1', { kind: 'taken', by: { id: 'threads' }, movable: true }],
])('%s for an action on the focused message: %o', (chord, verdict) => {
  expect(judge(chord, PIN, ALL)).toMatchObject(verdict)
})

test('a message and the composer may share a shortcut, because they never have focus at once', () => {
  const held = [shortcut('bold', ['Mod+G'], true, 'composer')]
  expect(judge('Mod+G', PIN, held)).toEqual({ kind: 'free' })
  expect(judge('Mod+G', SEARCH, held)).toMatchObject({ kind: 'taken', by: { id: 'bold' }, movable: true })
})
