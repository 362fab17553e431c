import { expect, test } from 'vitest'
import { hueOf, initialsOf, twoLetters } from './portrait.ts'

test('initials are the first letters of the first and last word, without emoji', () => {
  expect(['Ola Wiśniewska', 'Тимур Ахметов', 'Cher', 'Tomasz Zieliński 🥾', '🥾'].map(initialsOf)).toEqual([
    'OW',
    'ТА',
    'C',
    'TZ',
    '?',
  ])
})

test('an id always has the same of eight hues', () => {
  const hues = Array.from({ length: 200 }, (_, n) => hueOf(`user-${n}`))
  expect(hueOf('ola')).toBe(hueOf('ola'))
  expect(new Set(hues)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
})

test('a channel is abbreviated to two letters', () => {
  expect(['release-4-2', 'design-crit', 'команда-алматы', 'random'].map(twoLetters)).toEqual(['r4', 'dc', 'ка', 'ra'])
})
