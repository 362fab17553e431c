import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { nextIndex } from './EmojiGrid.tsx'
import { EmojiPicker, readRecent } from './index.ts'

async function show(language: 'en' | 'pl' | 'ru' = 'en') {
  const picked: string[] = []
  await renderInApp(<EmojiPicker onPick={(unicode) => picked.push(unicode)} />, createFakeBridge(), language)
  await waitFor(() => expect(screen.getAllByRole('gridcell').length).toBeGreaterThan(0))
  return picked
}

// The tables are large, and two cores are shared by several test runs.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('searching and Enter takes the best hit, and remembers it', async () => {
  const picked = await show()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search emoji' }), 'hiking{Enter}')
  expect([picked, readRecent()[0]]).toEqual([['🥾'], '🥾'])
})

test('arrows walk the grid from the search field', async () => {
  const picked = await show()
  await userEvent.click(screen.getByRole('searchbox'))
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{Enter}')
  expect(picked).toEqual(['❤️'])
})

test('a group is chosen by its tab', async () => {
  await show()
  await userEvent.click(screen.getByRole('tab', { name: 'Flags' }))
  expect(screen.getByRole('grid', { name: 'Flags' })).toBeTruthy()
})

test('the skin tone is applied and remembered', async () => {
  const picked = await show()
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }))
  await userEvent.click(screen.getByRole('button', { name: 'thumbs up' }))
  expect(picked).toEqual(['👍🏿'])
})

test('labels and search are in the interface language', async () => {
  const picked = await show('pl')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Szukaj emoji' }), 'rakieta{Enter}')
  expect(picked).toEqual(['🚀'])
})

test.each([
  ['ArrowDown', 0, 20, 8],
  ['ArrowUp', 3, 20, 3],
  ['ArrowDown', 15, 20, 19],
  ['End', 9, 20, 15],
  ['Home', 13, 20, 8],
  ['PageDown', 0, 20, 19],
])('%s from %i of %i leads to %i', (key, at, count, next) => {
  expect(nextIndex(key, at, count)).toBe(next)
})
