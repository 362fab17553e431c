import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { nextIndex } from './EmojiGrid.tsx'
import { EmojiPicker } from './EmojiPicker.tsx'
import { EmojiText } from './index.ts'

const PARROT = { name: 'party_parrot', aliases: ['kakadu'], image: 'emoji/party_parrot.1', moves: false }

async function show(language: 'en' | 'pl' | 'ru' = 'en', bridge = createFakeBridge()) {
  const picked: string[] = []
  await renderInApp(<EmojiPicker onPick={(unicode) => picked.push(unicode)} />, bridge, language)
  await waitFor(() => expect(screen.getAllByRole('gridcell').length).toBeGreaterThan(0))
  return picked
}

const recent = (): readonly string[] => JSON.parse(localStorage.getItem('parlor.emoji.recent') ?? '[]') as string[]

// The tables are large, and two cores are shared by several test runs.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('Enter in the search picks the best hit and adds it to the recent ones', async () => {
  const picked = await show()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search emoji' }), 'hiking{Enter}')
  expect(picked).toEqual(['🥾'])
  expect(recent()[0]).toBe('🥾')
})

test('Enter pressed before the emoji have loaded picks the best hit once they have', async () => {
  const picked: string[] = []
  // The table of a language that no test before this has loaded.
  await renderInApp(<EmojiPicker onPick={(unicode) => picked.push(unicode)} />, createFakeBridge(), 'ru')
  const search = screen.getByRole('searchbox')
  fireEvent.change(search, { target: { value: 'ракета' } })
  fireEvent.keyDown(search, { key: 'Enter' })
  expect(picked).toEqual([])
  await waitFor(() => expect(picked).toEqual(['🚀']), { timeout: 10_000 })
})

test('arrows move from the search field into the grid', async () => {
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

test('custom emoji have their own group, are found by all their names, and are added to the recent ones', async () => {
  const bridge = createFakeBridge({ rows: { emoji: { party_parrot: PARROT } } })
  const picked = await show('en', bridge)
  await userEvent.click(screen.getByRole('tab', { name: 'This workspace' }))
  await userEvent.click(screen.getByRole('button', { name: 'party parrot' }))
  await userEvent.type(screen.getByRole('searchbox'), 'kaka{Enter}')
  expect(picked).toEqual([':party_parrot:', ':party_parrot:'])
  expect(recent()[0]).toBe(':party_parrot:')
  expect(screen.queryByRole('button', { name: 'Add emoji' })).toBeNull()
})

test('a removed custom emoji is not offered, and neither is an empty custom group', async () => {
  localStorage.setItem('parlor.emoji.recent', '[":party_parrot:", "🥾"]')
  await show()
  expect(screen.getAllByRole('gridcell')[0]?.textContent).toBe('🥾')
  expect(screen.queryByRole('tab', { name: 'This workspace' })).toBeNull()
})

test('users who can add emoji get a button to the settings page', async () => {
  const terms = { canCreate: true, canManage: false, maxBytes: 1, maxSide: 1, maxCount: 1 }
  await show('en', createFakeBridge({ rows: { emojiTerms: { self: terms } } }))
  await userEvent.click(screen.getByRole('tab', { name: 'This workspace' }))
  expect(screen.getByText('No custom emoji in this workspace yet')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add emoji' }))
})

test('custom emoji are rendered in one-line previews of messages too', async () => {
  const bridge = createFakeBridge({ rows: { emoji: { party_parrot: PARROT } }, media: () => 'media://emoji/x/full' })
  const { container } = await renderInApp(<EmojiText text="at 10:30:00 :kakadu: or :none:" />, bridge)
  await waitFor(() => expect(container.querySelectorAll('img').length).toBe(1))
  expect(container.textContent).toBe('at 10:30:00 :kakadu: or :none:')
})

test.each([
  ['ArrowDown', 0, 20, 8],
  ['ArrowUp', 3, 20, 3],
  ['ArrowDown', 15, 20, 19],
  ['End', 9, 20, 15],
  ['Home', 13, 20, 8],
  ['PageDown', 0, 20, 19],
])('%s from %i of %i moves to %i', (key, at, count, next) => {
  expect(nextIndex(key, at, count)).toBe(next)
})
