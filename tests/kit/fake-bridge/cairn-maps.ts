import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { Draft } from '#shared/domain/draft.ts'
import type { Message, ReactionGroup } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import type { Window } from '#shared/domain/changes.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  anAttachment,
  aSession,
  at,
  aUser,
  aWindow,
  byCid,
  byId,
  someSettings,
  type Rows,
} from './builders.ts'

const person = (id: string, name: string, over: Partial<User> = {}): User =>
  aUser({ ...over, id, name, ...(id === 'timur' ? {} : { image: `user/${id}` }) })

export const PEOPLE: readonly User[] = [
  person('ola', 'Ola Wiśniewska', { statusText: 'Reviewing RC2' }),
  person('priya', 'Priya Raman'),
  person('tomasz', 'Tomasz Zieliński'),
  person('nadia', 'Надежда Соколова', { online: false }),
  person('jonas', 'Jonas Lindqvist'),
  person('ewa', 'Ewa Szczepańska-Kowalczyk', { online: false }),
  person('timur', 'Тимур Ахметов', { online: false }),
  person('marcus', 'Marcus Webb'),
  person('hana', 'Hana Sato'),
  person('luis', 'Luis Ortega', { online: false }),
  person('ci', 'Build bot', { bot: true }),
]

const named = (id: string, over: Partial<Channel> = {}): Channel =>
  aChannel({ ...over, cid: `messaging:${id}`, name: over.name ?? id })

const direct = (userId: string, over: Partial<Channel> = {}): Channel =>
  aChannel({
    ...over,
    cid: `messaging:!members-${userId}`,
    name: PEOPLE.find((user) => user.id === userId)?.name ?? userId,
    directUserId: asUserId(userId),
    directUserIds: [asUserId(userId)],
    memberCount: 2,
  })

const CHANNELS: readonly Channel[] = [
  named('release-4-2', {
    topic: 'Ship 4.2 to both stores on 27 November. RC2 is out, please break it.',
    memberCount: 14,
    faceIds: [asUserId('priya'), asUserId('jonas'), asUserId('nadia')],
    pinnedAt: at(9, 0, 9),
    pinnedMessageCount: 3,
    unread: 2,
    unreadMentions: 1,
    firstUnreadId: asMessageId('m-4'),
    lastReadMessageId: asMessageId('m-3'),
  }),
  named('leads', { isPrivate: true, pinnedAt: at(9, 0, 8) }),
  named('announcements'),
  named('design-crit', { unread: 4 }),
  named('field-trips', { unread: 2 }),
  named('map-data', { hasDraft: true }),
  named('support-triage', { unread: 7, unreadMentions: 2 }),
  named('biuro-krakow', { name: 'biuro-kraków-ogłoszenia-i-sprawy' }),
  named('almaty', { name: 'команда-алматы', unread: 12 }),
  named('random', { muted: true }),
  direct('priya', { unread: 1, unreadMentions: 1 }),
  direct('tomasz'),
  direct('nadia'),
  direct('jonas', { hasDraft: true }),
  direct('ewa'),
  direct('timur'),
]

const RELEASE = 'messaging:release-4-2'

const reaction = (type: string, count: number, own = false): ReactionGroup => ({
  type,
  count,
  sumScores: count,
  firstAt: at(9, 45) + count,
  lastAt: at(9, 50),
  own,
  userIds: ['priya', 'tomasz', 'jonas', 'nadia', 'hana', 'marcus'].slice(0, count).map(asUserId),
})

const picture = (index: number, title: string, width: number, height: number) =>
  anAttachment({ index, title, width, height, mimeType: 'image/png', sizeBytes: 240_000 })

const MESSAGES: readonly Message[] = [
  aMessage({
    id: 'm-1',
    cid: RELEASE,
    userId: 'priya',
    createdAt: at(9, 41),
    text: 'RC2 is on both test tracks. Two things need eyes before Friday: **offline tiles** after a cold start, and the new trail-closure banner.',
    pinned: true,
    pinnedAt: at(9, 50),
    pinnedBy: asUserId('jonas'),
    reactions: [reaction('eyes', 6, true), reaction('hiking_boot', 3)],
    thread: {
      replyCount: 5,
      lastReplyAt: at(10, 22),
      participantIds: ['jonas', 'tomasz', 'nadia'].map(asUserId),
      unread: 1,
    },
  }),
  aMessage({
    id: 'm-2',
    cid: RELEASE,
    userId: 'tomasz',
    createdAt: at(10, 31),
    text: 'First shots from this morning’s walk. Closures show up even with the phone in flight mode.',
    attachments: [
      picture(0, 'landscape-dawn.png', 1280, 880),
      picture(1, 'screen-a.png', 640, 880),
      picture(2, 'landscape-ridge.png', 1280, 880),
      picture(3, 'landscape-green.png', 1280, 880),
      picture(4, 'landscape-snow.png', 1280, 880),
    ],
  }),
  aMessage({
    id: 'm-3',
    cid: RELEASE,
    userId: 'ola',
    createdAt: at(10, 33),
    text: 'Lovely light. I’ll use the first one for the store listing.',
    editedAt: at(10, 34),
  }),
  aMessage({
    id: 'm-4',
    cid: RELEASE,
    userId: 'jonas',
    createdAt: at(10, 36),
    text: '@Ola Wiśniewska the Polish banner wraps at 360 px: **„Szlak zamknięty do odwołania”**. Shorter?',
    mentionedUserIds: [asUserId('ola')],
  }),
  aMessage({
    id: 'm-5',
    cid: RELEASE,
    userId: 'nadia',
    createdAt: at(10, 38),
    text: 'Красота! Закрытия теперь приходят из ночной выгрузки.',
    quoted: {
      id: asMessageId('m-2'),
      userId: asUserId('tomasz'),
      text: 'First shots from this morning’s walk. Closures show up even with the phone in flight mode.',
      deleted: false,
      thumb: picture(0, 'landscape-dawn.png', 1280, 880),
    },
    reactions: [reaction('heart', 3), reaction('mountain_snow', 2)],
  }),
]

const reply = (id: string, userId: string, minutes: number, text: string, over: Partial<Message> = {}): Message =>
  aMessage({ ...over, id, cid: RELEASE, userId, parentId: 'm-1', createdAt: at(9, 0) + minutes * 60_000, text })

const REPLIES: readonly Message[] = [
  reply('r-1', 'jonas', 52, 'Cold start is mine. The tile index was rebuilt on every launch, fixed in `a41f9c`.'),
  reply('r-2', 'tomasz', 63, 'Confirmed on a Pixel 6a: 4.1 s down to 0.9 s 🎉', {
    reactions: [reaction('rocket', 4, true)],
  }),
  reply('r-3', 'tomasz', 64, 'The old Moto still takes 2.8 s though.'),
  reply('r-4', 'nadia', 75, 'Там 32-битная сборка SQLite, кэш страниц в два раза меньше. Попробую поднять до 8 МБ.', {
    quoted: {
      id: asMessageId('r-3'),
      userId: asUserId('tomasz'),
      text: 'The old Moto still takes 2.8 s though.',
      deleted: false,
    },
  }),
  reply(
    'r-5',
    'ola',
    82,
    'Banner copy is ready in three languages. @Priya Raman can you check the Polish one fits on one line?',
    {
      mentionedUserIds: [asUserId('priya')],
    },
  ),
]

const draft = (cid: string, text: string): Draft => ({
  key: cid,
  cid: asCid(cid),
  text,
  uploads: [],
  caret: text.length,
  showInChannel: false,
  updatedAt: at(10, 0),
})

const DRAFTS = [
  draft('messaging:map-data', 'The contour export is 40 m off near Zakopane'),
  draft('messaging:!members-jonas', 'Can you look at'),
]

/** The workspace of the mock-ups, which every picture of the main window shows. */
export function cairnMaps(): { rows: Rows; windows: readonly Window[] } {
  const rows: Rows = {
    users: byId(PEOPLE),
    channels: byCid(CHANNELS),
    messages: byId([...MESSAGES, ...REPLIES]),
    reads: {
      [RELEASE]: {
        cid: asCid(RELEASE),
        reads: ['priya', 'tomasz', 'hana', 'jonas'].map((id) => ({
          userId: asUserId(id),
          lastReadAt: at(10, 33) + 1,
          lastReadMessageId: asMessageId('m-3'),
        })),
      },
    },
    typing: {
      [RELEASE]: { key: RELEASE, people: ['jonas', 'marcus'].map((id) => ({ id: asUserId(id), name: id })) },
      'messaging:field-trips': { key: 'messaging:field-trips', people: [{ id: asUserId('luis'), name: 'luis' }] },
    },
    drafts: Object.fromEntries(DRAFTS.map((one) => [one.key, one])),
    session: { self: aSession() },
    connection: { self: aConnection() },
    settings: { self: someSettings({ lastChannels: { [sidebarKey(aSession())]: RELEASE } }) },
  }
  const windows: readonly Window[] = [
    aWindow(
      'channels',
      CHANNELS.map((channel) => channel.cid),
    ),
    aWindow(
      `timeline:${RELEASE}`,
      MESSAGES.map((message) => message.id),
    ),
    aWindow(
      'thread:m-1',
      REPLIES.map((message) => message.id),
    ),
    aWindow(`pinned:${RELEASE}`, ['m-1']),
  ]
  return { rows, windows }
}

/** The picture files of the demo for media references, by entity. */
export function demoMedia(ref: string): string | undefined {
  const [kind, rest = ''] = ref.split('/')
  if (kind === 'user') return `/portrait-${rest}.png`
  if (kind !== 'att') return undefined
  const [messageId, index] = rest.split('.')
  const attachment = MESSAGES.find((message) => message.id === messageId)?.attachments[Number(index)]
  return attachment?.title === undefined ? undefined : `/${attachment.title}`
}
