import { expect, test } from 'vitest'
import { hueOf, initialsOf, twoLetters } from './portrait.ts'

test('initials are of the first and last word, emoji left out', () => {
  expect(['Ola Wiśniewska', 'Тимур Ахметов', 'Cher', 'Tomasz Zieliński 🥾', '🥾'].map(initialsOf)).toEqual([
    'OW',
    'ТА',
    'C',
    'TZ',
    '?',
  ])
})

test('a person keeps one of eight hues', () => {
  const hues = Array.from({ length: 200 }, (_, n) => hueOf(`user-${n}`))
  expect(hueOf('ola')).toBe(hueOf('ola'))
  expect(new Set(hues)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
})

test('two letters stand for a channel', () => {
  expect(['release-4-2', 'design-crit', 'команда-алматы', 'random'].map(twoLetters)).toEqual(['r4', 'dc', 'ка', 'ra'])
})
