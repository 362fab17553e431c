import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'

/** Small exports of each kind, made by hand: nobody's history. */

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export function writeFolder(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return folder
}

export const zipped = (files: Files): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  )

export function writeZip(path: string, files: Files): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, zipped(files))
  return path
}

/** 20 November 2023, 22:13:20 UTC. */
export const BASE = 1_700_518_400

const json = (value: unknown): string => JSON.stringify(value)

export const SLACK: Files = {
  'users.json': json([
    { id: 'U0EWA', name: 'ewa.sz', profile: { real_name: 'Ewa Szczepańska', email: 'ewa@example.org' } },
    { id: 'U0TOM', name: 't.zielinski', profile: { real_name: 'Tomasz Zieliński' } },
    { id: 'U0SOF', name: 'berg.sofia', deleted: true, profile: { real_name: 'Sofia Berg' } },
    { id: 'U0BOT', name: 'deploys', is_bot: true, profile: { real_name: 'Deploys' } },
  ]),
  'channels.json': json([
    {
      id: 'C0GEN',
      name: 'general',
      members: ['U0EWA', 'U0TOM', 'U0SOF'],
      topic: { value: 'Everything &amp; more' },
      pins: [{ id: `${BASE}.000100`, type: 'C' }],
    },
    { id: 'C0RAN', name: 'random', members: ['U0EWA'] },
  ]),
  'groups.json': json([{ id: 'G0LEA', name: 'leads', members: ['U0EWA'] }]),
  'dms.json': json([{ id: 'D0ONE', members: ['U0EWA', 'U0TOM'] }]),
  'general/2023-11-20.json': json([
    { type: 'message', subtype: 'channel_join', user: 'U0EWA', ts: `${BASE}.000000`, text: '<@U0EWA> has joined' },
    {
      type: 'message',
      user: 'U0EWA',
      ts: `${BASE}.000100`,
      text: 'Hello <@U0TOM>, see <#C0RAN|random> and <https://example.org/a|the *plan*> :tada: 1 &lt; 2',
      thread_ts: `${BASE}.000100`,
      reactions: [
        { name: '+1', users: ['U0TOM', 'U0SOF'], count: 2 },
        { name: 'our_logo', users: ['U0TOM'], count: 1 },
      ],
      edited: { user: 'U0EWA', ts: `${BASE + 60}.000000` },
    },
    {
      type: 'message',
      user: 'U0TOM',
      ts: `${BASE + 100}.000000`,
      thread_ts: `${BASE}.000100`,
      text: '*Yes* and ~no~ `a*b*c`',
    },
    {
      type: 'message',
      subtype: 'thread_broadcast',
      user: 'U0SOF',
      ts: `${BASE + 200}.000000`,
      thread_ts: `${BASE}.000100`,
      text: 'For all',
    },
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B0CI',
      username: 'CI',
      ts: `${BASE + 300}.000000`,
      text: '',
      attachments: [{ title: 'Build 12', text: 'passed' }],
    },
  ]),
  'general/2023-11-21.json': json([
    {
      type: 'message',
      user: 'U0EWA',
      ts: `${BASE + 90_000}.000000`,
      text: '',
      files: [
        { id: 'F0PIXEL1', name: 'dot.png' },
        { id: 'F0GONE01', name: 'lost.pdf' },
        { id: 'F0CANVAS', name: 'Notes', filetype: 'quip' },
      ],
    },
    {
      type: 'message',
      user: 'U0TOM',
      ts: `${BASE + 90_001}.000000`,
      thread_ts: '1600000000.000001',
      text: 'To nobody',
    },
  ]),
  '__uploads/F0PIXEL1/dot.png': PIXEL,
  'leads/2023-11-20.json': json([{ type: 'message', user: 'U0EWA', ts: `${BASE + 5}.000000`, text: 'Only us' }]),
  'D0ONE/2023-11-20.json': json([{ type: 'message', user: 'U0TOM', ts: `${BASE + 6}.000000`, text: 'Between us' }]),
}

const lines = (values: readonly unknown[]): string => values.map((each) => JSON.stringify(each)).join('\n')

export const MATTERMOST_LINES = lines([
  { type: 'version', version: 1 },
  { type: 'team', team: { name: 'cairn', display_name: 'Cairn' } },
  { type: 'channel', channel: { team: 'cairn', name: 'town', display_name: 'Town Square', type: 'O', header: 'Hi' } },
  { type: 'user', user: { username: 'ewa.sz', email: 'ewa@example.org', first_name: 'Ewa', last_name: 'Szczepańska' } },
  { type: 'user', user: { username: 'tom', email: 'tom@example.org', delete_at: 5 } },
  {
    type: 'post',
    post: {
      team: 'cairn',
      channel: 'town',
      user: 'ewa.sz',
      message: '**Hello** @tom. and @nobody :tada:',
      create_at: BASE * 1_000,
      edit_at: BASE * 1_000 + 5_000,
      is_pinned: true,
      reactions: [{ user: 'tom', emoji_name: 'thumbsup', create_at: 1 }],
      attachments: [{ path: '20231120/teams/a/dot.png' }, { path: '20231120/teams/a/lost.pdf' }],
      replies: [{ user: 'tom', message: 'Hi', create_at: BASE * 1_000 + 9_000 }],
    },
  },
  {
    type: 'post',
    post: {
      team: 'cairn',
      channel: 'town',
      user: 'ewa.sz',
      type: 'system_join_channel',
      message: 'x',
      create_at: BASE * 1_000,
    },
  },
  { type: 'direct_channel', direct_channel: { members: ['ewa.sz', 'tom'] } },
  {
    type: 'direct_post',
    direct_post: { channel_members: ['tom', 'ewa.sz'], user: 'tom', message: 'psst', create_at: BASE * 1_000 + 1 },
  },
  { type: 'hologram', hologram: {} },
])

export const MATTERMOST: Files = {
  'import.jsonl': MATTERMOST_LINES,
  'data/20231120/teams/a/dot.png': PIXEL,
}

const telegramMessages = [
  {
    id: 1,
    type: 'service',
    date: '2023-11-20T22:00:00',
    date_unixtime: String(BASE - 800),
    action: 'create_group',
    text: '',
  },
  {
    id: 2,
    type: 'message',
    date: '2023-11-20T22:13:20',
    date_unixtime: String(BASE),
    edited_unixtime: String(BASE + 60),
    from: 'Ewa Szczepańska',
    from_id: 'user101',
    text: ['See ', { type: 'bold', text: 'this ' }, { type: 'text_link', text: 'plan', href: 'https://example.org/a' }],
    text_entities: [
      { type: 'plain', text: 'See ' },
      { type: 'bold', text: 'this ' },
      { type: 'text_link', text: 'plan', href: 'https://example.org/a' },
      { type: 'plain', text: ' ' },
      { type: 'mention_name', text: 'Tomasz', user_id: 102 },
    ],
    photo: 'photos/dot.png',
    reactions: [{ type: 'emoji', count: 3, emoji: '👍', recent: [{ from: 'Tomasz', from_id: 'user102', date: 'x' }] }],
  },
  {
    id: 3,
    type: 'message',
    date: '2023-11-20T22:13:20',
    date_unixtime: String(BASE),
    from: 'Tomasz',
    from_id: 'user102',
    reply_to_message_id: 2,
    file: '(File not included. Change data exporting settings to download.)',
    file_name: 'lost.pdf',
    text: 'Agreed',
    text_entities: [{ type: 'plain', text: 'Agreed' }],
  },
  { id: 4, type: 'service', date_unixtime: String(BASE + 100), action: 'pin_message', message_id: 2, text: '' },
]

export const TELEGRAM_CHAT: Files = {
  'result.json': json({ name: 'Trip', type: 'private_group', id: 77, messages: telegramMessages }),
  'photos/dot.png': PIXEL,
}

export const TELEGRAM_ALL: Files = {
  'result.json': json({
    about: 'Here is the data',
    personal_information: { user_id: 101, first_name: 'Ewa' },
    chats: {
      about: 'All chats',
      list: [
        { name: 'Trip', type: 'private_group', id: 77, messages: telegramMessages },
        { name: 'Tomasz', type: 'personal_chat', id: 78, messages: telegramMessages.slice(1, 3) },
      ],
    },
  }),
}

const discord = (channel: object, messages: readonly object[]): string =>
  json({ guild: { id: '900', name: 'Cairn' }, channel, messages, messageCount: messages.length })
const EWA = { id: '101', name: 'ewa', nickname: 'Ewa Szczepańska', isBot: false }
const TOM = { id: '102', name: 'tom', nickname: 'Tomasz', isBot: false }
const at = (offset: number): string => new Date((BASE + offset) * 1_000).toISOString()

export const DISCORD: Files = {
  'Cairn - general [1001].json': discord({ id: '1001', type: 'GuildTextChat', name: 'general', topic: 'All of it' }, [
    { id: '5000', type: 'GuildMemberJoin', timestamp: at(-10), author: EWA, content: 'Joined.' },
    {
      id: '5001',
      type: 'Default',
      timestamp: at(0),
      timestampEdited: at(30),
      isPinned: true,
      author: EWA,
      content: 'Hello @Tomasz <https://example.org> <:logo:123456789>',
      mentions: [TOM],
      attachments: [
        { id: '1', url: 'Cairn.json_Files/dot.png', fileName: 'dot.png' },
        { id: '2', url: 'https://cdn.example.org/lost.pdf', fileName: 'lost.pdf' },
      ],
      reactions: [
        { emoji: { id: null, name: '👍' }, count: 2, users: [TOM] },
        { emoji: { id: '77', name: 'Logo' }, count: 1, users: [TOM] },
      ],
    },
    { id: '5002', type: 'Reply', timestamp: at(5), author: TOM, content: 'Hi', reference: { messageId: '5001' } },
  ]),
  'Cairn - general - plans [5001].json': discord(
    { id: '5001', type: 'GuildPublicThread', categoryId: '1001', category: 'general', name: 'plans' },
    [{ id: '5003', type: 'Default', timestamp: at(9), author: TOM, content: 'In the thread' }],
  ),
  'Cairn.json_Files/dot.png': PIXEL,
}

const PEOPLE = [
  'Ewa Szczepańska-Kowalczyk',
  'Tomasz Zieliński',
  'Sofia Berg',
  'Marcus Ito',
  'Надежда Соколова',
  'Ben Okafor',
]

/** A workspace of Slack with so many messages, in channels of which one may be in the demo. */
export function largeSlack(count: number): Files {
  const channels = ['general', 'random', 'field-notes', 'releases', 'test-bots']
  const users = PEOPLE.map((name, index) => ({
    id: `U${index}`,
    name,
    deleted: index === 2,
    profile: { real_name: name },
  }))
  const perDay = Math.ceil(count / channels.length / 10)
  const days = channels.flatMap((channel, place) =>
    Array.from({ length: 10 }, (_each, day) => [
      `${channel}/2023-11-${10 + day}.json`,
      json(
        Array.from({ length: perDay }, (_message, nth) => ({
          type: 'message',
          user: `U${(nth + place) % PEOPLE.length}`,
          ts: `${BASE + day * 86_400 + nth * 3 + place}.000${100 + place}`,
          text: `Message ${nth} of day ${day} in <#C${place}|${channel}>, with *some* text of a usual length`,
          ...(nth % 7 === 3 ? { thread_ts: `${BASE + day * 86_400 + place}.000${100 + place}` } : {}),
          ...(nth % 5 === 0 ? { reactions: [{ name: 'tada', users: ['U1'], count: 1 }] } : {}),
          ...(nth === 1 ? { files: [{ id: 'F0GONE01', name: 'old.pdf' }] } : {}),
          ...(nth === 2 ? { bot_id: 'B1', subtype: 'bot_message', username: 'Deploys' } : {}),
        })),
      ),
    ]),
  )
  return {
    'users.json': json(users),
    'channels.json': json(channels.map((name, place) => ({ id: `C${place}`, name, members: ['U0', 'U1'] }))),
    ...(Object.fromEntries(days) as Files),
  }
}
