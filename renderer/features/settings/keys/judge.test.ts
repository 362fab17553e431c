import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import type { Shortcut } from './shortcut.ts'

const shortcut = (id: string, chords: readonly string[], movable = true): Shortcut => ({
  id,
  label: id,
  chords,
  movable,
  changed: false,
})
const ALL = [shortcut('search', ['Mod+Shift+F']), shortcut('threads', ['Mod+1']), shortcut('bold', ['Mod+B'], false)]

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
  expect(judge(chord, 'search', ALL)).toEqual({ kind: 'refused', why })
})

test.each(['F3', 'Shift+F3', 'Mod+J', 'Mod+Shift+7', 'Alt+ArrowUp', 'Alt+F9', 'Mod+Shift+F'])(
  '%s may be had for search',
  (chord) => {
    expect(judge(chord, 'search', ALL)).toEqual({ kind: 'free' })
  },
)

test('what another action has is named, and can be taken from it unless it must stay there', () => {
  expect(judge('Mod+1', 'search', ALL)).toMatchObject({ kind: 'taken', by: { id: 'threads' }, movable: true })
  expect(judge('Mod+b', 'search', ALL)).toMatchObject({ kind: 'taken', by: { id: 'bold' }, movable: false })
})
