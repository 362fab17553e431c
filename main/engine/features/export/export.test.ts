import { expect, onTestFinished, test } from 'vitest'
import { aLoneEngine, aWireMessage, aWireUser, CID, FakeApi, withChannel, WORDS } from '#kit/lone-engine.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { ExportOrder } from './pieces.ts'

const cid = asCid(CID)

async function exported(messages: Record<string, unknown>[], what: Partial<ExportOrder> = {}) {
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), messages) })
  onTestFinished(() => lone.engine.stop())
  await lone.online()
  const pieces = [...lone.engine.exported({ format: 'json', at: Date.UTC(2026, 10, 22), words: WORDS, ...what })]
  return {
    text: pieces.map((piece) => piece.text).join(''),
    count: pieces.reduce((sum, piece) => sum + piece.messages, 0),
  }
}

test('the file contains all cached messages of a channel, in order, with their authors', async () => {
  const { text, count } = await exported([
    aWireMessage('m1', 1, { text: 'Cześć', user: aWireUser('bo') }),
    aWireMessage('m2', 2, { text: 'a plan', attachments: [{ type: 'file', title: 'plan.pdf' }] }),
  ])
  expect(JSON.parse(text)).toMatchObject({
    kind: 'parlor-messages',
    version: 1,
    exportedAt: '2026-11-22T00:00:00.000Z',
    viewer: 'me',
    channels: [
      {
        cid: CID,
        messages: [
          { id: 'm1', userId: 'bo', text: 'Cześć' },
          { id: 'm2', text: 'a plan', attachments: [{ kind: 'file', title: 'plan.pdf' }] },
        ],
      },
    ],
  })
  expect(count).toBe(2)
})

test('more than one page is complete, without duplicates', async () => {
  const many = Array.from({ length: 450 }, (_each, index) => aWireMessage(`m${index}`, index + 1))
  const { text, count } = await exported(many)
  const file = JSON.parse(text) as { channels: { messages: { id: string }[] }[] }
  expect(file.channels[0]?.messages.map(({ id }) => id)).toEqual(many.map(({ id }) => id))
  expect(count).toBe(450)
})

test('an unknown channel gives an empty but valid file', async () => {
  const { text, count } = await exported([aWireMessage('m1', 1)], { cid: asCid('team:elsewhere') })
  expect(JSON.parse(text)).toMatchObject({ channels: [] })
  expect(count).toBe(0)
})

test('the text format has messages under the name of the channel, replies indented, without deleted ones', async () => {
  const { text } = await exported(
    [
      aWireMessage('m1', 1, { text: 'first\nline', user: aWireUser('bo') }),
      aWireMessage('r1', 2, { text: 'an answer', parent_id: 'm1', show_in_channel: true }),
      aWireMessage('m3', 3, { text: '', type: 'deleted', deleted_at: '2026-01-01T00:00:00Z' }),
    ],
    { cid, format: 'text' },
  )
  const lines = text.split('\n').map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d {2}/, ''))
  expect(lines).toEqual([
    'Parlor  2026-11-22 ' + lines[0]?.slice(-5),
    '',
    '# General',
    '',
    'bo: first',
    '    line',
    '    ana: an answer',
    '',
  ])
})

test('only the selected messages of a channel are written', async () => {
  const all = [1, 2, 3].map((at) => aWireMessage(`m${at}`, at, { text: `text ${at}` }))
  const { text, count } = await exported(all, { cid, format: 'text', messageIds: ['m1', 'm3'].map(asMessageId) })
  expect(text.includes('text 1')).toBe(true)
  expect(text.includes('text 2')).toBe(false)
  expect(text.includes('text 3')).toBe(true)
  expect(count).toBe(2)
})

test('an unknown time is marked in the text format, and omitted in JSON', async () => {
  const messages = [
    aWireMessage('m1', 1, { text: 'sure' }),
    aWireMessage('m2', 2, { text: 'unsure', created_at: '1970-01-21T10:00:00Z' }),
  ]
  const { text } = await exported(messages, { cid, format: 'text' })
  expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\S+: sure$/mu)
  expect(text).toMatch(/^\?{4}-\?\?-\?\? \?\?:\?\? {2}\S+: unsure$/mu)
  const file = JSON.parse((await exported(messages)).text) as {
    channels: { messages: { id: string; at?: string }[] }[]
  }
  const times = file.channels[0]?.messages.map(({ id, at }) => [id, at !== undefined])
  expect(new Map(times as [string, boolean][])).toEqual(
    new Map([
      ['m1', true],
      ['m2', false],
    ]),
  )
})
