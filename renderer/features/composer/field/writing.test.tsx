import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPlaceToWrite, field, sentBy, showComposer, write } from '#kit/a-composer.tsx'

// Typing by events is slow where several test runs share two cores.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('people are offered after @ and a letter, folded, and the mention travels while its text stands', async () => {
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

test('a name written to its end needs nothing from the list: Enter sends', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  write('ask @Łukasz Żak')
  await screen.findByRole('listbox')
  await userEvent.keyboard('{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ text: 'ask @Łukasz Żak', mentionedUserIds: ['lukasz'] })
})

test('a mention whose text was changed does not travel', async () => {
  const bridge = aPlaceToWrite()
  await showComposer(bridge)
  await userEvent.type(field(), '@Łukasz Ża{Escape}{Enter}')
  expect(sentBy(bridge)[0]).toMatchObject({ mentionedUserIds: [] })
})

test('Escape closes the list and leaves the text', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), '@zak')
  await screen.findByRole('listbox')
  await userEvent.keyboard('{Escape}')
  expect([screen.queryByRole('listbox'), field().value]).toEqual([null, '@zak'])
})

test('people outside the channel are listed last and say so', async () => {
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

test('the language of a code block is picked from a list; Enter then goes on with the code', async () => {
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

test('shortcuts wrap the selection, and the same again unwraps it', async () => {
  await showComposer(aPlaceToWrite())
  await userEvent.type(field(), 'two lines')
  field().setSelectionRange(0, 3)
  await userEvent.keyboard('{Control>}b{/Control}')
  expect(field().value).toBe('**two** lines')
  await userEvent.keyboard('{Control>}b{/Control}')
  expect(field().value).toBe('two lines')
})

test('the formatting row is behind Aa, names its buttons, and stays as it is left', async () => {
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
