import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Avatar, hueOf, initialsOf, twoLetters } from './Avatar.tsx'

afterEach(cleanup)

const portrait = (element: React.ReactElement): HTMLElement =>
  render(element).container.firstElementChild as HTMLElement

test('a portrait without a picture shows initials, below 20 pixels a single letter', () => {
  expect(portrait(<Avatar id="ola" name="Ola Nowak" size={36} />).textContent).toBe('ON')
  expect(portrait(<Avatar id="ola" name="Ola Nowak" size={18} />).textContent).toBe('O')
})

test('the hue belongs to the person and not to the name; an app has none', () => {
  const hue = portrait(<Avatar id="ola" name="Ola Nowak" size={36} />).dataset['hue']
  expect(hue).toMatch(/^[1-8]$/)
  expect(portrait(<Avatar id="ola" name="Aleksandra" size={36} />).dataset['hue']).toBe(hue)
  expect(portrait(<Avatar id="ola" name="Build" size={36} bot />).dataset['hue']).toBeUndefined()
})

test('an app without a picture shows the icon of apps instead of letters', () => {
  const app = portrait(<Avatar id="ci" name="Build" size={36} bot />)
  expect(app.textContent).toBe('')
  expect(app.querySelector('use')?.getAttribute('href')).toBe('#i-bot')
})

test('a picture that cannot be loaded is reported, so that the initials can replace it', () => {
  const onError = vi.fn<() => void>()
  const picture = portrait(<Avatar id="ola" name="Ola" size={36} src="a.png" onError={onError} />).querySelector('img')
  expect(picture?.getAttribute('src')).toBe('a.png')
  expect(picture?.alt).toBe('')
  onError.mockClear()
  if (picture) fireEvent.error(picture)
  expect(onError).toHaveBeenCalledOnce()
})

test('screen readers skip a portrait; its presence is shown only if it is known', () => {
  const known = portrait(<Avatar id="ola" name="Ola" size={36} presence="away" />)
  expect(known.getAttribute('aria-hidden')).toBe('true')
  expect(known.querySelectorAll('i')).toHaveLength(1)
  expect(portrait(<Avatar id="ola" name="Ola" size={36} />).querySelectorAll('i')).toHaveLength(0)
})

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
