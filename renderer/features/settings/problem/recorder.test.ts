import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import {
  aChannel,
  aConnection,
  aMessage,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { holds } from '#kit/runs.ts'
import { type ProblemReport, readProblemReport } from '#shared/bridge/problem-report.ts'
import { asCid, asMessageId, asUserId, type Cid } from '#shared/lib/brand.ts'
import { attach } from '../../../bridge/attach.ts'
import { createEngineClient } from '../../../bridge/client.ts'
import { changesApplied, messageForeseen } from '../../../store/entities.ts'
import { createStore, type AppStore } from '../../../store/store.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { recordProblem } from './recorder.ts'

afterEach(() => document.body.replaceChildren())

const NOW = Date.UTC(2026, 10, 27)

/** Texts of the interface as they are in the locale files. */
const TEXTS = ['Send', 'Message {{name}}', 'Profile of {{name}}', '{{name}}: {{text}}', 'Settings', 'Delete “{{text}}”']

/** What is in the recording's world: none of it may be in the file. */
type Secrets = {
  readonly user: string
  readonly other: string
  readonly channel: string
  readonly message: string
  readonly texts: readonly [name: string, channelName: string, written: string, arrived: string]
  readonly file: string
  readonly address: string
}

/** Records in a window of this world: every kind of input, on controls that carry its names. */
async function record(world: Secrets): Promise<string> {
  const [name, channelName, written, arrived] = world.texts
  const cid = asCid(`team:${world.channel}`)
  const message = aMessage({ id: asMessageId(world.message), cid, userId: asUserId(world.other), text: arrived })
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession({ userId: world.user }) },
      connection: { self: aConnection() },
      settings: { self: someSettings({ proxyUrl: world.address, proxyUser: name }) },
      users: byId([
        aUser({ id: asUserId(world.user), name }),
        aUser({ id: asUserId(world.other), name: `${name} ${channelName}` }),
      ]),
      channels: byCid([aChannel({ cid, name: channelName })]),
      messages: { [message.id]: message },
    },
    windows: [aWindow('channels', [cid])],
  })
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const nextFrame = () => () => {}
  const detach = await attach({ bridge, engine, store, onEffect: () => {}, onLost: () => {}, nextFrame })
  store.dispatch(routeOpened({ view: 'channel', cid }))
  const recorder = recordProblem({ bridge, store, language: 'en', texts: TEXTS, clock: () => 0 })
  act(world)
  const late = aMessage({
    id: asMessageId(`${world.message}-2`),
    cid,
    userId: asUserId(world.other),
    text: written,
    createdAt: NOW,
  })
  bridge.change({ messages: { [late.id]: late } })
  bridge.change({ messages: { [late.id]: { ...late, text: arrived } }, typing: {} })
  bridge.change({ connection: { self: aConnection({ state: 'unhealthy', trouble: world.address }) } })
  const content = JSON.stringify(recorder.finish())
  detach()
  document.body.replaceChildren()
  return content
}

function act({ texts, message, channel, file, address }: Secrets): void {
  const [name, channelName, written] = texts
  const list = add('div', { 'data-message-list': `team:${channel}` })
  const row = add('article', { 'data-message-id': message, 'aria-label': `${name}: ${written}`, tabindex: '0' }, list)
  const controls = [
    add('button', { 'aria-label': `Profile of ${name}` }, row),
    add('button', { title: file }, row, `Delete “${written}”`),
    add('a', { 'data-channel-item': `team:${channel}`, href: '#' }, document.body, channelName),
    add('a', { href: address }, document.body, `${file} ${address}`),
    add('h1', { role: 'heading' }, document.body, channelName),
    row,
  ]
  const fields = [
    add('textarea', { 'data-composer': `team:${channel}`, 'aria-label': `Message ${channelName}` }),
    add('input', { type: 'search', 'aria-label': `${name}’s` }),
    add('input', { type: 'password', 'aria-label': 'PIN' }),
  ]
  for (const control of controls) {
    control.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    control.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, detail: 1 }))
  }
  for (const field of fields) {
    Object.assign(field, { value: `${written} ${address} ${file}` })
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    for (const key of written) field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  }
  // Written without a field, as when the focus was lost.
  for (const key of written) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}

function add(tag: string, attributes: Readonly<Record<string, string>>, parent: Element = document.body, text = '') {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.textContent = text
  parent.append(element)
  return element
}

/** What is recorded of `act`, in a window with one channel. */
async function recordedWith(
  act: (scene: { bridge: ReturnType<typeof createFakeBridge>; store: AppStore; cid: Cid }) => void,
  channel = aChannel({ cid: asCid('team:plans') }),
): Promise<ProblemReport> {
  const { cid } = channel
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, connection: { self: aConnection() }, channels: byCid([channel]) },
    windows: [aWindow('channels', [cid])],
  })
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const nextFrame = () => () => {}
  const detach = await attach({ bridge, engine, store, onEffect: () => {}, onLost: () => {}, nextFrame })
  const recorder = recordProblem({ bridge, store, language: 'en', texts: TEXTS, clock: () => NOW })
  act({ bridge, store, cid })
  const content = JSON.stringify(recorder.finish())
  detach()
  document.body.replaceChildren()
  return readProblemReport(content)
}

/** Words long enough to be recognized, except those of the format and of the interface, and filler. */
const wordsOf = ({ user, other, channel, message, texts, file, address }: Secrets): string[] =>
  [user, other, channel, message, ...texts, file, address]
    .flatMap((text) => text.toLowerCase().match(WORD) ?? [])
    .filter((word) => !OWN_WORDS.has(word) && !/^(?:x+|0+|ж+|字+|ش+|א+)$/u.test(word))

const WORD = /[\p{L}\p{N}]{5,}/gu

const HOSTILE: Secrets = {
  user: 'ann_nowak',
  other: 'constructor',
  channel: 'proto__secret',
  message: 'm1-hidden-id',
  texts: [
    'Zażółć "} Gęślą',
    'Profile of Profile of Bartholomew',
    'Delete “Message Kowalski” https://intranet.example/salaries?q=raise',
    '{{name}} ${process.env.HOMEDIR} </script> Привет123 你好世界你好',
  ],
  file: 'dismissal-of-bartholomew.pdf',
  address: 'https://ann:hunter22@10.11.12.13:8443/private/folder#fragment',
}

const parsed = async (world: Secrets): Promise<ProblemReport> => readProblemReport(await record(world))

test('nothing of a hostile world is in the file, and the file is valid', async () => {
  const content = await record(HOSTILE)
  expect(wordsOf(HOSTILE).length).toBeGreaterThan(20)
  for (const word of wordsOf(HOSTILE)) expect(content.toLowerCase()).not.toContain(word)
  expect(() => readProblemReport(content)).not.toThrow()
})

test('nothing of any world is in the file', async () => {
  const letters = fc.stringMatching(/^[a-w]{6,12}$/)
  const text = fc
    .array(fc.oneof(letters, fc.emailAddress(), fc.webUrl(), fc.string({ unit: 'grapheme', maxLength: 12 })), {
      minLength: 1,
      maxLength: 5,
    })
    .map((words) => words.join(' '))
  const world: fc.Arbitrary<Secrets> = fc.record({
    user: letters,
    other: letters,
    channel: letters,
    message: fc.uuid(),
    texts: fc.tuple(text, text, text, text),
    file: letters.map((name) => `${name}.docx`),
    address: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  })
  await holds(
    'problem reports without anything of their world',
    { fixed: 6, fresh: 4, long: 2_000 },
    fc.asyncProperty(world, async (one) => {
      const content = await record(one)
      for (const word of wordsOf(one)) expect(content.toLowerCase()).not.toContain(word)
      readProblemReport(content)
    }),
  )
})

test('clicks are kept as roles and names, with the words of the interface and pseudonyms around them', async () => {
  const { steps } = await parsed({ ...HOSTILE, texts: ['Ann Lee', 'plans', 'hello there', 'see you'] })
  const clicks = steps.flatMap((step) => (step.kind === 'click' && step.button === undefined ? [step.control] : []))
  expect(clicks.slice(0, 3)).toEqual([
    { inside: { kind: 'message', id: 'm1' }, role: 'button', name: 'Profile of Xxx Xxx', nth: 0 },
    { inside: { kind: 'message', id: 'm1' }, role: 'button', name: 'Delete “xxxxx xxxxx”', nth: 0 },
    { inside: { kind: 'channel', id: 'c1' } },
  ])
  expect(clicks.at(-1)).toEqual({ inside: { kind: 'message', id: 'm1' } })
})

test('a password leaves only that one was typed, and keys outside of fields are no text', async () => {
  const { steps } = await parsed(HOSTILE)
  const typed = steps.flatMap((step) => (step.kind === 'type' ? [step.text] : []))
  expect(typed).toHaveLength(3)
  expect(typed[2]).toBeUndefined()
  expect(steps.flatMap((step) => (step.kind === 'key' ? [step.key] : []))).toEqual(['Enter', 'Enter', 'Enter'])
})

test('what the server did is kept in its shape: a message, its edit, and the connection', async () => {
  const { steps, people, start } = await parsed({ ...HOSTILE, texts: ['Ann', 'plans', 'hello', 'bye 👋'] })
  const others = steps.filter(({ kind }) => ['message', 'edited', 'connection'].includes(kind))
  expect(others).toMatchObject([
    { kind: 'message', channel: 'c1', id: 'm2', by: 'u2', text: 'xxxxx' },
    { kind: 'edited', id: 'm2', by: 'u2', text: 'xxx 🙂' },
    { kind: 'connection', state: 'unhealthy' },
  ])
  expect(people).toEqual([
    { id: 'u1', name: 'Xxx' },
    { id: 'u2', name: 'Xxx xxxxx' },
  ])
  expect(start).toBe('c1')
})

test('messages that the window loads later were there before, and nobody sends them while recording', async () => {
  const { channels, steps } = await recordedWith(({ bridge, cid }) => {
    for (const at of [3, 2]) {
      const old = aMessage({ id: asMessageId(`old-${at}`), cid, text: 'x'.repeat(at), createdAt: at })
      bridge.change({ messages: { [old.id]: old } })
    }
    const fresh = aMessage({ id: asMessageId('fresh'), cid, text: 'new', createdAt: NOW + 1 })
    bridge.change({ messages: { fresh } })
  })
  expect(channels[0]?.messages.map(({ text }) => text)).toEqual(['xx', 'xxx'])
  expect(steps.flatMap((step) => (step.kind === 'message' ? [step.text] : []))).toEqual(['xxx'])
})

test('an own message that is shown before main has it is recorded once, when main has it', async () => {
  const { steps } = await recordedWith(({ bridge, store, cid }) => {
    const own = aMessage({ id: asMessageId('own'), cid, text: 'mine', createdAt: NOW - 1, status: 'sending' })
    const timeline = aWindow(`timeline:${cid}`, [])
    store.dispatch(changesApplied({ rev: 1, put: {}, del: {}, windows: [timeline], closed: [] }))
    store.dispatch(messageForeseen({ message: own, windows: [timeline.key] }))
    bridge.change({ messages: { own } })
    bridge.change({ messages: { own: { ...own, status: 'received' } } })
  })
  expect(steps.flatMap((step) => (step.kind === 'message' ? [step.text] : []))).toEqual(['xxxx'])
})

test('a letter on a row is a key only where the app took it as a command', async () => {
  const { steps } = await recordedWith(() => {
    const row = add('article', { 'data-message-id': 'm', tabindex: '0' })
    row.addEventListener('keydown', (event) => (event.key === 'e' ? event.preventDefault() : undefined))
    for (const key of ['S', '7', 'e', 'ArrowUp'])
      row.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
  expect(steps.flatMap((step) => (step.kind === 'key' ? [step.key] : []))).toEqual(['e', 'ArrowUp'])
})

test('a report with long names and texts and many people can be read again', async () => {
  const { steps, people } = await recordedWith(({ bridge, cid }) => {
    const scroller = add('div', { tabindex: '0' }, document.body, 'much text '.repeat(5_000))
    scroller.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    const many = Array.from({ length: 3_000 }, (_none, at) =>
      aMessage({ id: asMessageId(`many-${at}`), cid, userId: asUserId(`user-${at}`), text: '☺', createdAt: 1 }),
    )
    many.push(aMessage({ id: asMessageId('long'), cid, text: '☺'.repeat(60_000), createdAt: NOW + 1 }))
    bridge.change({ messages: Object.fromEntries(many.map((each) => [each.id, each])) })
  })
  expect(steps[0]).toMatchObject({ kind: 'click', control: { role: 'generic' } })
  expect(people.length).toBeLessThanOrEqual(2_000)
})

test('what is done in another account that the window shows meanwhile is not recorded', async () => {
  const { steps, channels } = await recordedWith(({ bridge, store, cid }) => {
    const session = { self: aSession({ userId: 'somebody', account: 'another' }) }
    store.dispatch(changesApplied({ rev: 1, put: { session }, del: {}, windows: [], closed: [] }))
    for (const at of [1, NOW + 1]) {
      const message = aMessage({ id: asMessageId(`theirs-${at}`), cid, createdAt: at })
      bridge.change({ messages: { [message.id]: message } })
    }
    add('button', {}, document.body, 'Send').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
  })
  expect(steps).toEqual([])
  expect(channels[0]?.messages).toEqual([])
})

test('a direct conversation is recorded as one, by its people', async () => {
  const direct = aChannel({ cid: asCid('messaging:!members-1'), directUserIds: [asUserId('bo')], type: 'messaging' })
  const { channels } = await recordedWith(() => undefined, direct)
  expect(channels).toMatchObject([{ direct: true, type: 'messaging', members: ['u1', 'u2'] }])
  expect(channels[0]?.name).toBeUndefined()
})

/** The format's own words. */
const EMPTY: ProblemReport = {
  format: 'parlor-problem-report',
  version: 1,
  app: '0.1.0',
  host: 'browser',
  language: 'en',
  window: { width: 1, height: 1 },
  settings: {},
  me: 'u1',
  people: [],
  channels: [],
  steps: [],
  end: { lists: [], dialogs: 0 },
}

/** Those of the format, of the interface, and of the scheme of an address, which says that it is a link. */
const OWN_WORDS = new Set([JSON.stringify(EMPTY), ...TEXTS, 'https'].join(' ').toLowerCase().match(WORD))
