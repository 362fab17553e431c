import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { act, cleanup, waitFor } from '@testing-library/react'
import type { AppLanguage } from '#shared/domain/settings.ts'
import {
  aChannel,
  addLittleEngine,
  anAttachment,
  aSession,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  PEOPLE,
  SHAPE_NAMES,
  someSettings,
  shapeOf,
  type ShapeName,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { MessageList } from '../list/MessagePane.tsx'
import { blocksOf } from '../markdown/Markdown.tsx'

// The parser comes with the first text that needs it; until then a text is shown as it was written.
beforeAll(async () => void (await blocksOf('**bold**')))
afterEach(cleanup)

/** The accessible name for each kind of message. */
const NAMES: Readonly<Record<ShapeName, string>> = {
  text: 'Priya Raman: Plain words with bold, leaning and code. 10:00 AM',
  mention: 'Jonas Lindqvist: @Ola Wiśniewska can you look? mentions you. 10:00 AM',
  link: 'Priya Raman: See https://cairn.example/notes. 10:00 AM',
  preview: 'Priya Raman: https://cairn.example/notes. Link preview: Release notes. 10:00 AM',
  code: 'Tomasz Zieliński: Code block, 2 lines. 10:00 AM',
  table: 'Jonas Lindqvist: Store State, App Store in review, Play live. 10:00 AM',
  tasks: 'Jonas Lindqvist: strings, shots. 10:00 AM',
  heading: 'Priya Raman: Plan ship, rest. 10:00 AM',
  blockQuote: 'Priya Raman: they said so and I agree. 10:00 AM',
  emoji: 'Tomasz Zieliński: 🎉 🥾. 10:00 AM',
  long: `Jonas Lindqvist: ${Array.from({ length: 40 }, (_, line) => `line ${line + 1}`).join(' ')}. 10:00 AM`,
  rightToLeft: 'Надежда Соколова: مرحبا، الخريطة جاهزة للنشر. 10:00 AM',
  quote: 'Ola Wiśniewska: Done. quotes Priya Raman. 10:00 AM',
  quoteOfDeleted: 'Ola Wiśniewska: Too late. quotes Priya Raman. 10:00 AM',
  picture: 'Priya Raman: The banner. Photo. 10:00 AM',
  pictures: 'Priya Raman. 3 attachments. 10:00 AM',
  file: 'Tomasz Zieliński. File: trail.gpx. 10:00 AM',
  voice: 'Tomasz Zieliński. Voice message. 10:00 AM',
  poll: 'Priya Raman. poll. 10:00 AM',
  reactions: 'Priya Raman: Shipped! 3 reactions. 10:00 AM',
  thread: 'Jonas Lindqvist: Which tiles? 3 replies. 10:00 AM',
  edited: 'Priya Raman: The right words. edited. 10:00 AM',
  pinned: 'Priya Raman: Keep this. pinned. 10:00 AM',
  saved: 'Priya Raman: Read me later. saved. 10:00 AM',
  silent: 'Ola Wiśniewska: No need to hurry. sent silently. 10:00 AM',
  fromThread: 'Jonas Lindqvist: Also for everybody. 10:00 AM',
  answer: 'Ola Wiśniewska: Trail sign. only you can see this. 10:00 AM',
  refusal: 'Ola Wiśniewska: There is no command of this name. only you can see this. 10:00 AM',
  deleted: 'Jonas Lindqvist: This message was deleted. 10:00 AM',
  deletedWithThread: 'Jonas Lindqvist: This message was deleted. 2 replies. 10:00 AM',
  failed: 'Ola Wiśniewska: On its way. not sent. 10:00 AM',
  queued: 'Ola Wiśniewska: Waits. waiting for a connection. 10:00 AM',
}

async function show(names: readonly ShapeName[], language: AppLanguage = 'en', ids?: readonly string[]) {
  const messages = names.map((name) => shapeOf(name))
  const cid = messages[0]?.cid ?? shapeOf('text').cid
  const saved = { messageId: shapeOf('saved').id, cid, pending: false, createdAt: 0, updatedAt: 0 }
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        users: byId(PEOPLE),
        channels: byCid([aChannel({ cid })]),
        messages: byId(messages),
        reminders: { [saved.messageId]: saved },
        session: { self: aSession() },
      },
      windows: [aWindow(`timeline:${cid}`, ids ?? messages.map(({ id }) => id))],
    }),
  )
  const rendered = await renderInApp(<MessageList cid={cid} />, bridge, language)
  await waitFor(() => expect(bridge.inputsOf('channels.open')).not.toEqual([]))
  await act(() => Promise.resolve())
  return { bridge, ...rendered }
}

const nameOf = (name: ShapeName): string | null | undefined =>
  document.querySelector(`[data-message-id="shape-${name}"]`)?.getAttribute('aria-label')

describe('the name of a row', () => {
  test('is tested for each of the more than thirty kinds', () => {
    expect(SHAPE_NAMES.length).toBeGreaterThanOrEqual(30)
    expect(Object.keys(NAMES).toSorted()).toEqual([...SHAPE_NAMES].toSorted())
  })

  test.each(SHAPE_NAMES)('%s', async (name) => {
    await show([name])
    expect(nameOf(name)).toBe(NAMES[name])
  })

  test('includes the description of a picture', async () => {
    const picture = { ...shapeOf('picture'), attachments: [anAttachment({ alt: 'A ridge at dawn' })] }
    const { bridge } = await show(['picture'])
    await act(async () => {
      bridge.change({ messages: byId([picture]) })
      await Promise.resolve()
    })
    expect(nameOf('picture')).toBe('Priya Raman: The banner. Photo: A ridge at dawn. 10:00 AM')
  })

  test('has only the sender, the state and the time if so chosen', async () => {
    const { bridge } = await show(['reactions', 'mention', 'failed'])
    await act(async () => {
      bridge.change({ settings: { self: someSettings({ rowNames: 'brief' }) } })
      await Promise.resolve()
    })
    expect(nameOf('reactions')).toBe('Priya Raman. 10:00 AM')
    expect(nameOf('mention')).toBe('Jonas Lindqvist. mentions you. 10:00 AM')
    expect(nameOf('failed')).toBe('Ola Wiśniewska. not sent. 10:00 AM')
  })

  test('is in the language of the window', async () => {
    await show(['thread'], 'pl')
    expect(nameOf('thread')).toBe('Jonas Lindqvist: Which tiles? 3 odpowiedzi. 10:00')
    cleanup()
    await show(['reactions'], 'ru')
    expect(nameOf('reactions')).toBe('Priya Raman: Shipped! 3 реакции. 10:00')
  })
})
