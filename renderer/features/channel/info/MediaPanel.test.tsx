import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { MediaFilter } from '#shared/domain/channel.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { asCid } from '#shared/lib/brand.ts'
import { attachmentsIn } from '#shared/rules/channels/media-tabs.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  addLittleEngine,
  aMessage,
  anAttachment,
  aSession,
  cairnMaps,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { startOf } from './MediaFilters.tsx'
import { MediaPanel } from './MediaPanel.tsx'

afterEach(cleanup)

const CID = asCid('messaging:release-4-2')
const MESSAGES = [
  aMessage({
    id: 's1',
    cid: CID,
    userId: 'jonas',
    attachments: [
      anAttachment({ kind: 'file', title: 'atlas.pdf', sizeBytes: 30_000_000, hasThumb: false }),
      anAttachment({ kind: 'file', index: 1, title: 'note.txt', sizeBytes: 12, hasThumb: false }),
    ],
  }),
  aMessage({
    id: 's2',
    cid: CID,
    userId: 'priya',
    attachments: [anAttachment({ kind: 'audio', title: 'bell.mp3', sizeBytes: 900, hasThumb: false })],
  }),
]

async function show() {
  const bridge = addLittleEngine(createFakeBridge({ ...cairnMaps() }))
  bridge.on('details.media', ({ only }: { only: MediaFilter }) => ({
    messages: MESSAGES.filter(
      ({ userId, attachments }) =>
        (only.userId === undefined || only.userId === userId) && attachmentsIn('files', attachments, only).length > 0,
    ),
    polls: [],
    server: 'unreachable',
  }))
  bridge.on('details.mediaPeople', ({ ask }: { ask: string }) =>
    // Hana's files are far back, so only the server finds them.
    ask === 'cache' ? ['jonas', 'priya'] : ['jonas', 'priya', 'hana'],
  )
  await renderInApp(<MediaPanel cid={CID} name="files" />, bridge)
  await screen.findAllByRole('listitem')
  return bridge
}

const names = (): readonly string[] =>
  screen
    .queryAllByRole('listitem')
    .map((item) => /(atlas\.pdf|note\.txt|bell\.mp3)/.exec(item.textContent ?? '')?.[0] ?? '')
const choose = async (pill: string, item: string): Promise<void> => {
  await userEvent.click(screen.getByRole('button', { name: pill }))
  await userEvent.click(screen.getByRole('menuitem', { name: item }))
}

const choosePerson = async (typed: string): Promise<void> => {
  await userEvent.click(screen.getByRole('button', { name: 'From' }))
  await userEvent.type(screen.getByRole('combobox', { name: 'Find a person' }), `${typed}{Enter}`)
}

test('everyone who has a file in the channel is offered, and typing filters the names', async () => {
  const bridge = await show()
  await userEvent.click(screen.getByRole('button', { name: 'From' }))
  const field = screen.getByRole('combobox', { name: 'Find a person' })
  const offered = () => screen.queryAllByRole('option').map((row) => row.lastChild?.textContent)
  await waitFor(() => expect(offered()).toEqual(['Hana Sato', 'Jonas Lindqvist', 'Priya Raman']))
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).lastChild?.textContent).toBe('Jonas Lindqvist')
  await userEvent.type(field, 'ra')
  expect(offered()).toEqual(['Priya Raman'])
  await waitFor(() =>
    expect(bridge.inputsOf('details.mediaPeople')).toContainEqual(expect.objectContaining({ text: 'ra' })),
  )
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'From' }))
})

test('files are filtered by person, kind, size and date, with removable pills', async () => {
  const bridge = await show()
  expect(names()).toEqual(['atlas.pdf', 'note.txt', 'bell.mp3'])
  await choosePerson('jon')
  await waitFor(() => expect(names()).toEqual(['atlas.pdf', 'note.txt']))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove filter: Jonas Lindqvist')
  await choose('Size', '10 MB or more')
  await waitFor(() => expect(names()).toEqual(['atlas.pdf']))
  await choose('Type', 'Audio')
  expect(await screen.findByText('Nothing matches these filters.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: 10 MB or more' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Jonas Lindqvist' }))
  await waitFor(() => expect(names()).toEqual(['bell.mp3']))
  await choose('Date', 'Last 7 days')
  await act(() => Promise.resolve())
  expect(bridge.inputsOf('details.media').at(-1)).toMatchObject({
    only: { kind: 'audio', from: startOf('week', new Date()) },
  })
})

test('a period starts at midnight and includes today', () => {
  const now = new Date(2026, 2, 3, 15, 30)
  expect(startOf('today', now)).toBe(new Date(2026, 2, 3).getTime())
  expect(startOf('week', now)).toBe(new Date(2026, 1, 25).getTime())
})

test('photos of a channel with hidden media are loaded only once they are opened', async () => {
  const photo = aMessage({ id: 's3', cid: CID, userId: 'jonas', attachments: [anAttachment({ title: 'ridge.png' })] })
  const shown = async (hiddenMedia: Settings['hiddenMedia']) => {
    const bridge = addLittleEngine(createFakeBridge({ ...cairnMaps(), media: () => 'blob:x' }))
    bridge.change({ settings: { self: someSettings({ hiddenMedia }) } })
    bridge.on('details.media', () => ({ messages: [photo], polls: [], server: 'unreachable' }))
    bridge.on('details.mediaPeople', () => [])
    await renderInApp(<MediaPanel cid={CID} name="media" />, bridge)
    await screen.findByRole('button', { name: /^Photo/ })
    await act(() => Promise.resolve())
    return document.querySelectorAll('img').length
  }
  expect(await shown({})).toBe(1)
  cleanup()
  expect(await shown({ [sidebarKey(aSession())]: [CID] })).toBe(0)
})
