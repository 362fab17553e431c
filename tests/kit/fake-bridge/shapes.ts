import { asCid, asMessageId, asPollId, asUserId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import { aMessage, anAttachment, at } from './builders.ts'

const CID = 'messaging:release-4-2'
const CODE = [
  '```ts',
  'export const zoom = (level: number): number => 2 ** level // tiles',
  'log("ok", zoom(12))',
  '```',
]
const ARABIC = 'مرحبا، الخريطة جاهزة للنشر'
const group = (type: string, count: number, own = false) => ({
  type,
  count,
  sumScores: count,
  firstAt: at(10, 0),
  lastAt: at(10, 30),
  own,
  userIds: [asUserId('jonas'), asUserId('priya')],
})
const quoted = (text: string, deleted = false) => ({
  id: asMessageId('shape-text'),
  userId: asUserId('priya'),
  text,
  deleted,
})

type Shape = Omit<NonNullable<Parameters<typeof aMessage>[0]>, 'id' | 'cid' | 'createdAt'>

/** One of every kind of message that a list can show, by what is special about it. The viewer is Ola. */
const SHAPES = {
  text: { userId: 'priya', text: 'Plain words with **bold**, _leaning_ and `code`.' },
  mention: { userId: 'jonas', text: '@Ola Wiśniewska can you look?', mentionedUserIds: [asUserId('ola')] },
  link: { userId: 'priya', text: 'See https://cairn.example/notes' },
  preview: {
    userId: 'priya',
    text: 'https://cairn.example/notes',
    attachments: [
      anAttachment({
        kind: 'link',
        linkUrl: 'https://cairn.example/notes',
        title: 'Release notes',
        text: 'What changed in 4.2',
        hasMedia: false,
        hasThumb: false,
      }),
    ],
  },
  code: { userId: 'tomasz', text: CODE.join('\n') },
  table: { userId: 'jonas', text: '| Store | State |\n|-|-|\n| App Store | in review |\n| Play | live |' },
  tasks: { userId: 'jonas', text: '- [x] strings\n- [ ] shots' },
  heading: { userId: 'priya', text: '# Plan\n\n1. ship\n2. rest' },
  blockQuote: { userId: 'priya', text: '> they said so\n\nand I agree' },
  emoji: { userId: 'tomasz', text: '🎉 🥾' },
  long: { userId: 'jonas', text: Array.from({ length: 60 }, (_, line) => `line ${line + 1}`).join('\n') },
  rightToLeft: { userId: 'nadia', text: ARABIC },
  quote: { userId: 'ola', text: 'Done.', quoted: quoted('Can you do it?') },
  quoteOfDeleted: { userId: 'ola', text: 'Too late.', quoted: quoted('', true) },
  picture: {
    userId: 'priya',
    text: 'The banner',
    attachments: [anAttachment({ title: 'landscape-dawn.png', width: 1280, height: 880 })],
  },
  pictures: {
    userId: 'priya',
    text: '',
    attachments: [0, 1, 2].map((index) =>
      anAttachment({ index, title: 'landscape-dawn.png', width: 1280, height: 880 }),
    ),
  },
  file: {
    userId: 'tomasz',
    text: '',
    attachments: [anAttachment({ kind: 'file', title: 'trail.gpx', sizeBytes: 84_000, hasThumb: false })],
  },
  voice: {
    userId: 'tomasz',
    text: '',
    attachments: [anAttachment({ kind: 'voiceRecording', duration: 47, waveform: [0.2, 0.8, 0.5], hasThumb: false })],
  },
  poll: { userId: 'priya', text: '', pollId: asPollId('poll-none') },
  reactions: { userId: 'priya', text: 'Shipped!', reactions: [group('👍', 2), group('🎉', 1, true)] },
  thread: {
    userId: 'jonas',
    text: 'Which tiles?',
    thread: { replyCount: 3, lastReplyAt: at(10, 20), participantIds: [asUserId('priya')], unread: 0 },
  },
  edited: { userId: 'priya', text: 'The right words.', editedAt: at(10, 5) },
  pinned: { userId: 'priya', text: 'Keep this', pinned: true, pinnedBy: asUserId('jonas'), pinnedAt: at(10, 6) },
  saved: { userId: 'priya', text: 'Read me later' },
  silent: { userId: 'ola', text: 'No need to hurry', silent: true },
  fromThread: { userId: 'jonas', text: 'Also for everybody', parentId: 'shape-thread', showInChannel: true },
  answer: {
    userId: 'ola',
    text: 'Trail sign',
    type: 'ephemeral',
    buttons: [
      { name: 'image_action', value: 'send', text: 'Send', style: 'primary' },
      { name: 'image_action', value: 'shuffle', text: 'Shuffle', style: 'default' },
    ],
  },
  refusal: { userId: 'ola', text: 'There is no command of this name.', type: 'error' },
  deleted: { userId: 'jonas', type: 'deleted', deletedAt: at(10, 9) },
  deletedWithThread: {
    userId: 'jonas',
    type: 'deleted',
    deletedAt: at(10, 9),
    thread: { replyCount: 2, participantIds: [asUserId('priya')], unread: 0 },
  },
  failed: {
    userId: 'ola',
    text: 'On its way',
    status: 'failed',
    failure: { code: 'network/timeout', retryable: true },
  },
  queued: { userId: 'ola', text: 'Waits', status: 'queued' },
} satisfies Readonly<Record<string, Shape>>

export type ShapeName = keyof typeof SHAPES
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[]

/** The message of a shape; its id is `shape-<name>`. `minutes` after ten o'clock. */
export const shapeOf = (name: ShapeName, minutes = 0): Message =>
  aMessage({ ...(SHAPES[name] as Shape), id: `shape-${name}`, cid: asCid(CID), createdAt: at(10, minutes) })
