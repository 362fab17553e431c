import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPlaceToWrite, field, sentBy, showComposer, write } from '#kit/a-composer.tsx'

// Typing by events is slow where several test runs share two cores.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('people are offered after @ and a letter, ignoring diacritics, and the mention is sent while its text is there', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), 'ask @zak')
  const list = await screen.findByRole('listbox', { name: 'People in #release' })
  expect(within(list).getByRole('option', { selected: true }).textContent).toContain('Łukasz Żak')
  expect(field().getAttribute('aria-activedescendant')).toBe(within(list).getByRole('option').id)
  await userEvent.keyboard('{Enter}')
  expect(field().value).toBe('ask @Łukasz Żak ')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'ask @Łukasz Żak', mentionedUserIds: ['lukasz'] })
})

test('with a name typed in full Enter sends instead of taking a suggestion', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('ask @Łukasz Żak')
  await screen.findByRole('listbox')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'ask @Łukasz Żak', mentionedUserIds: ['lukasz'] })
})

test('a mention whose text was changed is not sent', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), '@Łukasz Ża{Escape}{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ mentionedUserIds: [] })
})

test('a suggestion is taken where the press ends, so that it can be taken back', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), '@zak')
  const option = await screen.findByRole('option')
  expect(fireEvent.pointerDown(option)).toBe(false)
  expect(field().value).toBe('@zak')
  fireEvent.click(option)
  expect(field().value).not.toBe('@zak')
})

test('Escape closes the list and keeps the text', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), '@zak')
  await screen.findByRole('listbox')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field().value).toBe('@zak')
})

test('people outside the channel are listed last and marked', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), '@ha')
  expect((await screen.findByRole('option')).textContent).toContain('not in this channel')
})

test('emoji are offered after a colon and two letters', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), 'nice :tad')
  await screen.findByRole('listbox', { name: 'Emoji' }, { timeout: 3_000 })
  await userEvent.keyboard('{Tab}')
  expect(field().value).toBe('nice 🎉 ')
})

test('the language of a code block is chosen from a list; Enter then starts the code', async () => {
  await showComposer(aPlaceToWrite())
  write('see\n```ty')
  const list = await screen.findByRole('listbox', { name: 'Code language' })
  expect(
    within(list)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['TypeScriptts'])
  await userEvent.keyboard('{Enter}{Enter}')
  expect(field().value).toBe('see\n```ts\n')
  write('```ts\ncode\n```ty')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a shortcut wraps the selection, and pressed again unwraps it', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), 'two lines')
  field().setSelectionRange(0, 3)
  await userEvent.keyboard('{Control>}b{/Control}')
  expect(field().value).toBe('**two** lines')
  await userEvent.keyboard('{Control>}b{/Control}')
  expect(field().value).toBe('two lines')
})

test('the formatting row opens with Aa, has labeled buttons, and its state is saved', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), 'word')
  field().setSelectionRange(0, 4)
  await userEvent.click(screen.getByRole('button', { name: 'Formatting' }))
  await userEvent.click(
    within(screen.getByRole('toolbar', { name: 'Formatting' })).getByRole('button', { name: 'Italic' }),
  )
  expect(field().value).toBe('_word_')
  expect(bridge.inputsOf('settings.update')).toEqual([{ formattingBar: true }])
})
