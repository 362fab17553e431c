import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { asCid, asPollId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import {
  addLittleEngine,
  aMessage,
  anAttachment,
  aWindow,
  byId,
  cairnMaps,
  createFakeBridge,
  type Rows,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { richText } from '../../lib/text/rich.tsx'
import { PinnedPanel } from './PinnedPanel.tsx'

afterEach(cleanup)

const CID = asCid('messaging:release-4-2')

async function show(texts: readonly string[], rows: Rows = {}) {
  const world = cairnMaps()
  const messages = texts.map((text, at) => aMessage({ id: `p${at}`, cid: CID, userId: 'jonas', text, pinned: true }))
  const bridge = addLittleEngine(
    createFakeBridge({
      ...world,
      media: () => 'blob:x',
      rows: { ...world.rows, messages: byId(messages), ...rows },
      windows: [],
    }),
  )
  await renderInApp(<PinnedPanel cid={CID} />, bridge)
  await act(async () => {
    bridge.change({}, [
      aWindow(
        `pinned:${CID}`,
        messages.map(({ id }) => id),
      ),
    ])
    await Promise.resolve()
  })
  return bridge
}

const shown = (): readonly (string | null)[] =>
  screen.queryAllByRole('listitem').map((item) => item.querySelector('p')?.textContent ?? null)

test('pinned messages are filtered by text, ignoring diacritics', async () => {
  await show(['Plan for Łódź', 'Tiles', 'Release notes', 'Budget'])
  const field = screen.getByRole('searchbox', { name: 'Find a pinned message' })
  await userEvent.type(field, 'lodz')
  expect(shown()).toEqual(['Plan for Łódź'])
  await userEvent.type(field, 'x')
  expect(shown()).toEqual([])
  await userEvent.keyboard('{Escape}')
  expect(shown()).toHaveLength(4)
})

test('the end of a pin is shown, and can be set, changed and taken away', async () => {
  const until = Date.UTC(2030, 0, 5, 12)
  const [endless, ending] = [
    aMessage({ id: 'p0', cid: CID, userId: 'jonas', text: 'Endless', pinned: true }),
    aMessage({ id: 'p1', cid: CID, userId: 'jonas', text: 'Ending', pinned: true, pinExpires: until }),
  ]
  const bridge = await show(['Endless', 'Ending'], { messages: byId([endless, ending]) })
  bridge.on('messages.pin', () => undefined)
  expect(screen.getByText(/^Until Sat, Jan 5/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Set end…' }))
  expect(await screen.findByRole('radio', { name: '7 days', checked: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: '1 day' }))
  const before = Date.now()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const [first] = bridge.inputsOf('messages.pin') as { messageId: string; pinned: boolean; until: number }[]
  expect(first).toMatchObject({ messageId: 'p0', pinned: true })
  expect(Math.round(((first?.until ?? 0) - before) / 3_600_000)).toBe(24)
  await userEvent.click(screen.getByRole('button', { name: 'Change end…' }))
  expect(await screen.findByRole('radio', { name: 'On a date', checked: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'Never' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('messages.pin').at(-1)).toEqual({ messageId: 'p1', pinned: true, until: null })
})

test('an end that has passed while the dialog was open is not sent', async () => {
  const soon = Date.now() + 120_000
  const pin = aMessage({ id: 'p0', cid: CID, userId: 'jonas', text: 'Ending', pinned: true, pinExpires: soon })
  const bridge = await show(['Ending'], { messages: byId([pin]) })
  bridge.on('messages.pin', () => undefined)
  await userEvent.click(screen.getByRole('button', { name: 'Change end…' }))
  const save = await screen.findByRole('button', { name: 'Save' })
  const clock = vi.spyOn(Date, 'now').mockReturnValue(soon + 1_000)
  await userEvent.click(save)
  expect(bridge.inputsOf('messages.pin')).toEqual([])
  expect(await screen.findByText('Choose a time in the future.')).toBeTruthy()
  clock.mockRestore()
})

test('a pinned message without text is called what it is: a poll, a location, a file by its name, several by their number', async () => {
  const bridge = await show(['', '', '', ''])
  const pin = (id: string, rest: Partial<Message>) => ({
    ...aMessage({ id, cid: CID, userId: 'jonas', text: '', pinned: true }),
    ...rest,
  })
  const files = ['route.gpx', 'notes.txt'].map((title, index) => anAttachment({ kind: 'file', index, title }))
  act(() =>
    bridge.change({
      messages: byId([
        pin('p0', { pollId: asPollId('lunch') }),
        pin('p1', { location: { latitude: 50, longitude: 20, updatedAt: 1 } }),
        pin('p2', { attachments: files.slice(0, 1) }),
        pin('p3', { attachments: files }),
      ]),
    }),
  )
  await screen.findByText('Poll')
  expect(shown()).toEqual(['Poll', 'Location', 'route.gpx', '2 files'])
})

test('a short list has no search field', async () => {
  await show(['One', 'Two'])
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test('custom emoji are shown in the text of a message, also inside a translated sentence', async () => {
  const parrot = { name: 'parrot', aliases: [], image: 'emoji/parrot.1', moves: false }
  await show(['It flies :parrot: and :nobody_has_this:'], { emoji: { parrot } })
  const line = screen.getByRole('listitem').querySelector('p')
  expect(line?.querySelector('[data-emoji="parrot"]')).toBeTruthy()
  expect(line?.textContent).toBe('It flies :parrot: and :nobody_has_this:')
  cleanup()
  render(richText((values) => `<b>${values.name}</b>: ${values.text}!`, { name: '<b>Ola</b>', text: <i>words</i> }))
  expect(document.body.textContent).toBe('<b>Ola</b>: words!')
  expect(document.querySelectorAll('b').length).toBe(1)
  expect(document.querySelector('i')?.textContent).toBe('words')
})
