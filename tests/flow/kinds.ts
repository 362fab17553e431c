import { asMessageId, asUserId, type MessageId } from '#shared/lib/brand.ts'
import type { Person } from '#kit/sim/person.ts'
import { FakeFiles } from '#kit/lone-engine.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Alice acts, Bob watches; both have the channel on their screens. */
export type Stage = { readonly world: World; readonly alice: Person; readonly bob: Person }

/** With files in memory, so that reading them takes no time outside the manual clock. */
export async function aStage(): Promise<Stage> {
  const world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  alice.files = new FakeFiles()
  alice.restart()
  for (const person of [alice, bob]) await person.open(world.cid)
  return { world, alice, bob }
}

/** One kind of message, and how to recognize that it exists. */
export type Kind = {
  readonly name: string
  /** What must exist first, made on another device. */
  readonly prepare?: (stage: Stage) => Promise<MessageId>
  /** Returns the id of the message it makes; without one it is about the given message. */
  readonly request: (stage: Stage, given: MessageId) => Promise<MessageId | void>
  readonly shown: (stage: Stage, person: Person, id: MessageId) => unknown
  /** What the server stores for the viewer alone; absent: everyone sees it. */
  readonly stored?: (stage: Stage, id: MessageId) => Promise<unknown>
  readonly is: unknown
  /** What is shown while nothing of it has arrived, and after it was discarded. */
  readonly before?: unknown
  /** What the sender’s own screen shows while it waits, if that differs: a scheduled message is in the outbox alone. */
  readonly waiting?: unknown
  /** The request that carries it. */
  readonly call: RegExp
  /** The number of requests; absent: one. */
  readonly times?: number
  /** The notice that reports its refusal, where the contract names one. */
  readonly notice?: string
  /** It is not sent automatically after a restart: the user has to confirm it again. */
  readonly needsConfirmation?: boolean
  /** What the sender’s own screen shows after it was discarded, where the text stays all the same. */
  readonly left?: unknown
  /** Makes it possible to do the same once more. */
  readonly clear?: (stage: Stage) => Promise<unknown>
}

const PATH = '/channels/team/general'
const SEND = /^POST \/channels\/team\/general\/message$/
const DAY_MS = 24 * 3_600_000

let count = 0
const freshId = (): MessageId => asMessageId(`made-${(count += 1)}`)

/** A message that exists already. */
const made =
  (by: 'alice' | 'bob', more: object = {}) =>
  async ({ world }: Stage): Promise<MessageId> => {
    const id = freshId()
    await world.as(by, 'POST', `${PATH}/message`, { message: { id, text: 'before', ...more } })
    await world.pass(1_000)
    return id
  }

/** A poll of Bob's with one option, `soup`. */
const aPoll = async (stage: Stage): Promise<MessageId> => {
  const id = `poll-${(count += 1)}`
  await stage.world.as('bob', 'POST', '/polls', { id, name: 'Lunch?', options: [{ text: 'soup' }] })
  return made('bob', { text: '', poll_id: id })(stage)
}

type SendInput = Parameters<Person['ui']['messages']['send']>[0]
const send = ({ world, alice }: Stage, more: Partial<SendInput> = {}): Promise<MessageId> =>
  alice.ui.messages.send({ cid: world.cid, text: 'words', ...more })

/** Begun, copied and finished, as the composer does before it sends. */
async function staged({ world, alice }: Stage, name: string, mimeType: string, more: object = {}): Promise<string> {
  const { uploads } = alice.ui
  const { id } = await uploads.begin({ cid: world.cid, name, mimeType, sizeBytes: 3, ...more })
  await uploads.chunk({ id, base64: 'Y2F0' })
  await uploads.finish({ id })
  return id
}

const inChannel = ({ world }: Stage, person: Person, id: MessageId) =>
  person.messages(world.cid).find((each) => each.id === id)
const label = (stage: Stage, person: Person, id: MessageId) => inChannel(stage, person, id)?.text
const anywhere = (person: Person, id: MessageId) => person.replica.get('messages', id)

/** Files by kind and name, both uploads and sent attachments. */
function files(stage: Stage, person: Person, id: MessageId) {
  const found = inChannel(stage, person, id)
  return (
    found && [
      ...found.attachments.map(({ kind, title }) => [kind, title]),
      ...found.uploads.map(({ kind, name }) => [kind, name]),
    ]
  )
}

/** A text that becomes three messages, and those of its parts that are shown, from the first on. */
const LONG_TEXTS = ['a', 'b', 'c'].map((letter) => `${letter} `.repeat(2_000).trim())
function parts(stage: Stage, person: Person, id: MessageId): readonly string[] | undefined {
  const held = person.messages(stage.world.cid)
  const at = held.findIndex((each) => each.id === id)
  return at < 0 ? undefined : held.slice(at, at + LONG_TEXTS.length).map((each) => each.text)
}

function pollOf(person: Person, id: MessageId) {
  const pollId = anywhere(person, id)?.pollId
  return pollId === undefined ? undefined : person.replica.get('polls', pollId)
}

const placed = (_stage: Stage, person: Person, id: MessageId) => {
  const { latitude, longitude, endAt } = anywhere(person, id)?.location ?? {}
  return latitude === undefined ? undefined : [latitude, longitude, endAt !== undefined]
}

const text = { shown: label, is: 'words', call: SEND } as const

export const KINDS: readonly Kind[] = [
  { ...text, name: 'a text', request: (stage) => send(stage) },
  {
    name: 'a reply with a quote',
    prepare: made('bob'),
    request: (stage, given) => send(stage, { quotedId: given }),
    shown: (stage, person, id) => inChannel(stage, person, id)?.quoted?.text,
    is: 'before',
    call: SEND,
  },
  {
    name: 'a reply in a thread',
    prepare: made('bob'),
    request: async (stage, given) => void (await send(stage, { parentId: given })),
    shown: (_stage, person, given) => anywhere(person, given)?.thread?.replyCount ?? 0,
    is: 1,
    before: 0,
    call: SEND,
  },
  {
    ...text,
    name: 'a reply shown in the channel too',
    prepare: made('bob'),
    request: (stage, given) => send(stage, { parentId: given, showInChannel: true }),
  },
  {
    name: 'a text with a mention',
    request: (stage) => send(stage, { text: '@bob look', mentionedUserIds: [asUserId('bob')] }),
    shown: (stage, person, id) => inChannel(stage, person, id)?.mentionedUserIds,
    is: ['bob'],
    call: SEND,
  },
  {
    name: 'a text too long for one message',
    request: (stage) => send(stage, { text: LONG_TEXTS.join('\n\n'), split: true }),
    shown: parts,
    is: LONG_TEXTS,
    call: SEND,
    times: LONG_TEXTS.length,
  },
  {
    name: 'an edit',
    prepare: made('alice'),
    request: ({ alice }, given) => alice.ui.messages.edit({ messageId: given, text: 'after' }),
    shown: label,
    is: 'after',
    before: 'before',
    call: /^POST \/messages\/made-\d+$/,
  },
  {
    name: 'a deletion',
    prepare: made('alice'),
    request: ({ alice }, given) => alice.ui.messages.delete({ messageId: given }),
    shown: (stage, person, given) => inChannel(stage, person, given)?.type,
    is: 'deleted',
    before: 'regular',
    call: /^DELETE \/messages\/made-\d+$/,
  },
  {
    name: 'a reaction',
    prepare: made('bob'),
    request: ({ alice }, given) => alice.ui.messages.toggleReaction({ messageId: given, type: '👍' }),
    shown: (_stage, person, given) => anywhere(person, given)?.reactions.map(({ type, count: many }) => [type, many]),
    is: [['👍', 1]],
    before: [],
    call: /^POST \/messages\/made-\d+\/reaction$/,
  },
  {
    name: 'a removed reaction',
    prepare: async (stage) => {
      const id = await made('bob')(stage)
      await stage.world.as('alice', 'POST', `/messages/${id}/reaction`, { reaction: { type: '👍' } })
      await stage.world.pass(1_000)
      return id
    },
    request: ({ alice }, given) => alice.ui.messages.toggleReaction({ messageId: given, type: '👍' }),
    shown: (_stage, person, given) => anywhere(person, given)?.reactions.map(({ type, count: many }) => [type, many]),
    is: [],
    before: [['👍', 1]],
    call: /^DELETE \/messages\/made-\d+\/reaction\/.+$/,
  },
  {
    name: 'a pin',
    prepare: made('bob'),
    request: ({ alice }, given) => alice.ui.messages.pin({ messageId: given, pinned: true }),
    shown: (stage, person, given) => inChannel(stage, person, given)?.pinned,
    is: true,
    before: false,
    call: /^(?:PUT|POST) \/messages\/made-\d+$/,
  },
  {
    name: 'a picture',
    request: async (stage) =>
      send(stage, { text: '', whenReady: true, uploadIds: [await staged(stage, 'cat.png', 'image/png')] }),
    shown: files,
    is: [['image', 'cat.png']],
    call: SEND,
  },
  {
    name: 'a file',
    request: async (stage) =>
      send(stage, { text: '', whenReady: true, uploadIds: [await staged(stage, 'map.gpx', 'text/xml')] }),
    shown: files,
    is: [['file', 'map.gpx']],
    call: SEND,
  },
  {
    name: 'a recording',
    request: async (stage) => {
      const voice = { duration: 4, waveform: [0, 1] }
      return send(stage, {
        text: '',
        whenReady: true,
        uploadIds: [await staged(stage, 'voice.webm', 'audio/webm', { voice })],
      })
    },
    shown: files,
    is: [['voiceRecording', 'voice.webm']],
    call: SEND,
  },
  {
    name: 'a poll',
    request: ({ world, alice }) => alice.ui.polls.create({ cid: world.cid, name: 'Lunch?', options: ['soup'] }),
    shown: (_stage, person, id) => pollOf(person, id)?.name,
    is: 'Lunch?',
    call: /^POST \/polls$/,
    notice: 'api:poll:create:failed',
  },
  {
    name: 'a vote',
    prepare: aPoll,
    request: ({ alice }, given) => {
      const optionId = pollOf(alice, given)?.options[0]?.id ?? ''
      return alice.ui.polls.castVote({ messageId: given, optionId })
    },
    shown: (_stage, person, given) => pollOf(person, given)?.voteCount,
    is: 1,
    before: 0,
    call: /^POST \/messages\/made-\d+\/polls\/[^/]+\/vote$/,
  },
  {
    name: 'a place',
    request: ({ world, alice }) => alice.ui.locations.share({ cid: world.cid, latitude: 0, longitude: 21 }),
    shown: placed,
    is: [0, 21, false],
    call: SEND,
    notice: 'api:location:create:failed',
  },
  {
    name: 'a live place',
    request: ({ world, alice }) =>
      alice.ui.locations.share({ cid: world.cid, latitude: 50, longitude: 0, forMs: DAY_MS }),
    shown: placed,
    is: [50, 0, true],
    call: SEND,
    notice: 'api:location:create:failed',
    needsConfirmation: true,
  },
  {
    name: 'a forwarded file',
    prepare: made('bob', {
      attachments: [{ type: 'file', title: 'plan.pdf', asset_url: 'https://files.example/plan' }],
    }),
    request: (stage, given) => send(stage, { files: [{ messageId: given, index: 0 }] }),
    shown: files,
    is: [['file', 'plan.pdf']],
    call: SEND,
  },
  {
    ...text,
    name: 'a scheduled message',
    waiting: undefined,
    request: (stage) => send(stage, { sendAt: stage.world.clock.now() + 5_000 }),
  },
  {
    name: 'a silent message',
    request: (stage) => send(stage, { silent: true }),
    shown: (stage, person, id) => inChannel(stage, person, id)?.silent,
    is: true,
    call: SEND,
  },
  {
    name: 'a command',
    request: (stage) => send(stage, { text: '/giphy cats' }),
    shown: (stage, person, id) => inChannel(stage, person, id)?.type,
    stored: async ({ world }, id) => (world.server.services.ephemerals.get(id) === undefined ? undefined : 'ephemeral'),
    is: 'ephemeral',
    waiting: 'regular',
    call: SEND,
  },
  {
    name: 'a reminder',
    prepare: made('bob'),
    request: ({ world, alice }, given) =>
      alice.ui.reminders.set({ messageId: given, remindAt: world.clock.now() + DAY_MS }),
    shown: (_stage, person, given) => (person.replica.get('reminders', given) ? 'set' : undefined),
    stored: async ({ world }, given) => {
      const { reminders } = (await world.as('alice', 'POST', '/reminders/query', {})) as {
        reminders: { message_id: string }[]
      }
      return reminders.some((each) => each.message_id === given) ? 'set' : undefined
    },
    is: 'set',
    call: /^POST \/messages\/made-\d+\/reminders$/,
  },
  {
    name: 'a draft',
    request: async ({ world, alice }) => void (await alice.ui.drafts.save({ cid: world.cid, text: 'unsent' })),
    shown: ({ world }, person) => person.replica.get('drafts', world.cid)?.text,
    stored: async ({ world }) => {
      const answer = (await world.as('alice', 'GET', `${PATH}/draft`).catch(() => undefined)) as
        | { draft: { message: { text: string } } }
        | undefined
      return answer?.draft.message.text
    },
    is: 'unsent',
    left: 'unsent',
    clear: async ({ world, alice }) => {
      await alice.ui.drafts.save({ cid: world.cid, text: '' })
      await world.pass(5_000)
    },
    call: /^POST \/channels\/team\/general\/draft$/,
  },
]
