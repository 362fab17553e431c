import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty, integer, jsonValue } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readDiscord } from '#main/server/imports/discord.ts'
import { mention, type Reader, type SourceItem, type SourceMessage, openArchive } from '#main/server/imports/history.ts'
import { jsonLines, jsonParts } from '#main/server/imports/json-parts.ts'
import { readMattermost } from '#main/server/imports/mattermost.ts'
import { readSlack, slackMarkdown } from '#main/server/imports/slack.ts'
import { markdownOf, readTelegram } from '#main/server/imports/telegram.ts'
import {
  BASE,
  DISCORD,
  MATTERMOST,
  SLACK,
  TELEGRAM_ALL,
  TELEGRAM_CHAT,
  writeFolder,
  writeZip,
  type Files,
} from './samples.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-exports-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function read(reader: Reader, path: string) {
  const items: SourceItem[] = []
  const archive = await openArchive(path)
  for await (const item of reader(archive)) items.push(item)
  archive.close()
  const messages = items.flatMap((item) => (item.kind === 'message' ? [item.message] : []))
  const left: Record<string, number> = {}
  for (const item of items) if (item.kind === 'left') left[item.what] = (left[item.what] ?? 0) + (item.count ?? 1)
  return {
    items,
    messages,
    left,
    texts: messages.map(({ text }) => text),
    people: items.flatMap((item) => (item.kind === 'person' ? [item.person] : [])),
    channels: items.flatMap((item) => (item.kind === 'channel' ? [item.channel] : [])),
    withText: (text: string): SourceMessage | undefined => messages.find((each) => each.text.includes(text)),
  }
}

const inZip = (reader: Reader, files: Files) => read(reader, writeZip(join(folder, 'export.zip'), files))
const inFolder = (reader: Reader, files: Files) => read(reader, writeFolder(join(folder, 'export'), files))

describe('an export of Slack', () => {
  test('gives its people, channels of every kind and messages with what belongs to them', async () => {
    const found = await inZip(readSlack, SLACK)

    expect(found.people.map(({ id, email, former, bot }) => ({ id, email, former, bot }))).toEqual([
      { id: 'U0EWA', email: 'ewa@example.org', former: undefined, bot: undefined },
      { id: 'U0TOM', email: undefined, former: undefined, bot: undefined },
      { id: 'U0SOF', email: undefined, former: true, bot: undefined },
      { id: 'U0BOT', email: undefined, former: undefined, bot: true },
    ])
    expect(found.channels.map(({ id, kind, topic }) => ({ id, kind, topic }))).toEqual([
      { id: 'C0GEN', kind: 'public', topic: 'Everything & more' },
      { id: 'C0RAN', kind: 'public', topic: undefined },
      { id: 'G0LEA', kind: 'private', topic: undefined },
      { id: 'D0ONE', kind: 'direct', topic: undefined },
    ])
    expect(found.withText('Hello')).toMatchObject({
      at: BASE * 1_000_000 + 100,
      editedAt: (BASE + 60) * 1_000_000,
      pinned: true,
      reactions: [
        { emoji: ':+1:', people: ['U0TOM', 'U0SOF'] },
        { emoji: ':our_logo:', people: ['U0TOM'] },
      ],
    })
    expect(found.withText('Yes')).toMatchObject({ parent: { channel: 'C0GEN', id: `${BASE}.000100` } })
    expect(found.withText('For all')).toMatchObject({ broadcast: true })
    expect(found.withText('📎 lost.pdf')?.files).toEqual([{ name: 'dot.png', entry: '__uploads/F0PIXEL1/dot.png' }])
    expect(found.withText('Build 12')).toMatchObject({ author: 'app:B0CI', authorName: 'CI', text: 'Build 12\npassed' })
    expect(found.left).toEqual({ system: 1, 'app-messages': 1, canvases: 1, 'missing-files': 1 })
  })

  test.each([
    ['<@U1> and <@U1|ewa>', `${mention('U1')} and ${mention('U1')}`],
    ['<#C1|plans> <#C1> <#C2>', '#plans #planning #C2'],
    ['<https://a.example/x|the *site*>', '[the **site**](https://a.example/x)'],
    ['<https://a.example/x> <mailto:a@b.example|a@b.example>', 'https://a.example/x [a@b.example](mailto:a@b.example)'],
    ['<!here> <!subteam^S1|@team> <!date^1^{date}|Monday>', '@here @team Monday'],
    ['*bold* _italic_ ~gone~ 2*3*4', '**bold** _italic_ ~~gone~~ 2*3*4'],
    ['`*as is*` &lt;b&gt; &amp;amp;', '`*as is*` <b> &amp;'],
    ['```x = *y*```', '```\nx = *y*\n```'],
    ['\u{E000}forged\u{E001}', 'forged'],
  ])('its text %j becomes %j', (text, markdown) => {
    expect(slackMarkdown(text, { channels: new Map([['C1', 'planning']]) })).toBe(markdown)
  })
})

describe('an export of Mattermost', () => {
  test('gives the same, from lines and files in one archive', async () => {
    const found = await inZip(readMattermost, MATTERMOST)

    expect(found.people.map(({ id, name, former }) => ({ id, name, former }))).toEqual([
      { id: 'ewa.sz', name: 'Ewa Szczepańska', former: undefined },
      { id: 'tom', name: 'tom', former: true },
    ])
    expect(found.channels.map(({ id, kind, name }) => ({ id, kind, name }))).toEqual([
      { id: 'cairn/town', kind: 'public', name: 'Town Square' },
      { id: '@ewa.sz,tom', kind: 'direct', name: 'ewa.sz, tom' },
    ])
    expect(found.withText('Hello')).toMatchObject({
      text: `**Hello** ${mention('tom')}. and @nobody :tada:\n📎 lost.pdf`,
      pinned: true,
      at: BASE * 1_000_000,
      editedAt: (BASE + 5) * 1_000_000,
      files: [{ name: 'dot.png', entry: 'data/20231120/teams/a/dot.png' }],
      reactions: [{ emoji: ':thumbsup:', people: ['tom'] }],
    })
    expect(found.withText('Hi')?.parent?.id).toBe(found.withText('Hello')?.id)
    expect(found.withText('psst')?.channel).toBe('@ewa.sz,tom')
    expect(found.left).toEqual({ 'missing-files': 1, system: 1, unknown: 1 })
  })
})

describe('an export of Telegram', () => {
  test('of one chat gives its messages, quotes, files and what was pinned later', async () => {
    const found = await inFolder(readTelegram, TELEGRAM_CHAT)

    expect(found.channels).toEqual([{ id: '77', name: 'Trip', kind: 'private', members: [] }])
    expect(found.withText('See')).toMatchObject({
      text: `See **this** [plan](https://example.org/a) ${mention('user102')}`,
      files: [{ name: 'dot.png', entry: 'photos/dot.png' }],
      reactions: [{ emoji: '👍', people: ['user102'] }],
      editedAt: (BASE + 60) * 1_000_000,
    })
    expect(found.withText('Agreed')).toMatchObject({ quoted: '2', text: 'Agreed\n📎 lost.pdf' })
    expect(found.items.at(-1)).toMatchObject({ kind: 'pin', channel: '77', message: '2' })
    expect(found.left).toEqual({ system: 1, 'missing-files': 1, 'unnamed-reactions': 2 })
  })

  test('of all chats keeps them apart', async () => {
    const found = await inFolder(readTelegram, TELEGRAM_ALL)

    expect(found.channels.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['77 private', '78 direct'])
    expect(found.messages.map(({ channel, id }) => `${channel}/${id}`)).toEqual(['77/2', '77/3', '78/2', '78/3'])
  })

  test('marks stand at the text, and what is no link of the web stays text', () => {
    expect(
      markdownOf([
        { type: 'italic', text: ' a ' },
        { type: 'code', text: 'b`c' },
      ]),
    ).toBe(" _a_ `b'c`")
    expect(markdownOf([{ type: 'text_link', text: 'x', href: 'javascript:alert(1)' }])).toBe('x')
    expect(markdownOf([{ type: 'blockquote', text: 'a\nb' }])).toBe('> a\n> b')
  })
})

describe('an export of Discord', () => {
  test('of several channels puts threads under the messages they began with', async () => {
    const found = await inFolder(readDiscord, DISCORD)

    expect(found.channels).toEqual([{ id: '1001', name: 'general', kind: 'public', topic: 'All of it', members: [] }])
    expect(found.withText('Hello')).toMatchObject({
      text: `Hello ${mention('102')} https://example.org :logo:\n📎 lost.pdf`,
      pinned: true,
      files: [{ name: 'dot.png', entry: 'Cairn.json_Files/dot.png' }],
      reactions: [
        { emoji: '👍', people: ['102'] },
        { emoji: ':logo:', people: ['102'] },
      ],
    })
    expect(found.withText('Hi')).toMatchObject({ quoted: '5001' })
    expect(found.withText('In the thread')).toMatchObject({ channel: '1001', parent: { channel: '1001', id: '5001' } })
    expect(found.left).toEqual({ system: 1, 'missing-files': 1, 'unnamed-reactions': 1 })
  })

  test('of a thread alone is a channel of its own', async () => {
    const [, name = ''] = Object.keys(DISCORD)
    const found = await inFolder(readDiscord, { 'thread.json': DISCORD[name] ?? '' })

    expect(found.channels.map(({ id, name: title }) => ({ id, title }))).toEqual([{ id: '5001', title: 'plans' }])
    expect(found.withText('In the thread')?.parent).toBeUndefined()
  })
})

describe('large JSON texts', () => {
  async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }

  test('read in pieces of any size give the values that they have as a whole', async () => {
    await assert(
      asyncProperty(array(jsonValue(), { maxLength: 8 }), integer({ min: 1, max: 40 }), async (list, size) => {
        const items: unknown[] = []
        const text = JSON.stringify({ before: 'a"\\', list, after: [1, { x: null }] }, null, size % 3)
        const whole = (path: readonly string[]): boolean => path.join('.') === 'list.*'
        for await (const { path, value } of jsonParts(inPieces(text, size), whole)) {
          if (whole(path)) items.push(value)
        }
        expect(items).toEqual(JSON.parse(JSON.stringify(list)))
      }),
      { numRuns: 200 },
    )
  })

  test('of lines: a broken one does not take the next ones with it', async () => {
    const values: unknown[] = []
    for await (const value of jsonLines(inPieces('{"a":1}\n{"a":\n\n{"a":"ż"}', 3))) values.push(value)
    expect(values).toEqual([{ a: 1 }, undefined, { a: 'ż' }])
  })
})
