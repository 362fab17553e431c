import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { logger } from '#main/lib/logger.ts'
import {
  ActivePeople,
  ARRIVAL_GAP_MS,
  isInventedId,
  type Heard,
  type Place,
  type SmallTalk,
  answersFor,
  languageOfText,
} from './active-people.ts'

const RELEASE = 'team:release-4-2'
const DIRECT = 'messaging:!members-priya'
const PEOPLE = ['priya', 'jonas', 'tomasz', 'nadia', 'hana', 'luis']

type Act = {
  readonly at: number
  readonly who: string
  readonly did: string
  readonly place: string
  readonly text?: string
}

/** The demo on a clock that the test moves: what the invented people did, and switches for what they may do. */
function demo({ seed = 1, talk }: { seed?: number; talk?: SmallTalk } = {}) {
  const clock = new ManualClock()
  const acts: Act[] = []
  const online = new Set<string>()
  const state = { viewers: ['lena'], held: new Set<string>(), shown: true, refuses: false }
  const nameOf = ({ cid, parentId }: Place): string => (parentId === undefined ? cid : `${cid}/${parentId}`)
  const act = (who: string, did: string, place: string, text?: string): Promise<void> => {
    if (state.refuses) return Promise.reject(new AppError('network/offline'))
    acts.push({ at: clock.monotonic(), who, did, place, text })
    return Promise.resolve()
  }
  const warnings: string[] = []
  const people = new ActivePeople({
    clock,
    ids: seededIds(seed),
    calls: {
      arrive(who) {
        online.add(who)
        return () => online.delete(who)
      },
      typing: (who, place, on) => act(who, on ? 'types' : 'stops', nameOf(place)),
      read: (who, place) => act(who, 'reads', nameOf(place)),
      say: (who, place, { id, text }) => {
        expect(isInventedId(id)).toBe(true)
        return act(who, 'says', nameOf(place), text)
      },
      react: (who, messageId, type) => act(who, 'reacts', messageId, type),
      members: (cid) => Promise.resolve(cid === DIRECT ? ['lena', 'priya'] : ['lena', 'ci', ...PEOPLE]),
      author: (messageId) => Promise.resolve(messageId === 'by-jonas' ? 'jonas' : 'lena'),
    },
    people: PEOPLE,
    viewers: () => state.viewers,
    mayArrive: (cid) => state.shown && !state.held.has(cid),
    language: () => 'en',
    draw: () => talk ?? { cid: RELEASE, lines: [{ who: 'nadia', text: 'Ночная выгрузка готова' }] },
    log: logger('demo', (_level, _area, event) => void warnings.push(event)),
  })
  const all = (did: string): Act[] => acts.filter((one) => one.did === did)
  const hear = (text: string, place: Place = { cid: DIRECT }, more: Partial<Heard> = {}): Promise<void> =>
    people.hear({ id: 'm1', place, text, mentioned: [], ...more })
  return { clock, people, acts, all, online, state, hear, warnings }
}

const MINUTES = 60_000

test('someone is online soon, and people come and go', async () => {
  const { clock, people, online } = demo()
  people.turn(true)
  await clock.advance(3_000)
  expect(online.size).toBe(4)
  const seen = new Set<string>()
  for (let minute = 0; minute < 30; minute += 1) {
    await clock.advance(1 * MINUTES)
    seen.add([...online].toSorted().join())
    expect(online.size).toBeGreaterThanOrEqual(3)
  }
  expect(seen.size).toBeGreaterThan(5)
})

test.each([1, 2, 3])(
  'at most one message arrives in twenty seconds, each typed for 2 to 6 s (seed %i)',
  async (seed) => {
    const { clock, people, acts, all, hear } = demo({ seed })
    people.turn(true)
    for (let turn = 0; turn < 120; turn += 1) {
      if (turn % 3 === 0) await hear(`Message ${turn}?`, turn % 2 === 0 ? { cid: DIRECT } : { cid: RELEASE })
      await clock.advance(10_000)
    }
    const said = all('says')
    expect(said.length).toBeGreaterThan(10)
    said.slice(1).forEach(({ at }, index) => expect(at - (said[index]?.at ?? 0)).toBeGreaterThanOrEqual(ARRIVAL_GAP_MS))
    for (const one of said) {
      const began = acts.findLast(({ did, who, at }) => did === 'types' && who === one.who && at < one.at)
      expect(one.at - (began?.at ?? 0)).toBeGreaterThanOrEqual(2_000)
      expect(one.at - (began?.at ?? 0)).toBeLessThanOrEqual(6_000)
    }
  },
)

test('a direct message is read, and answered in its language by the person it went to', async () => {
  const { clock, people, acts, hear, online } = demo()
  people.turn(true)
  await clock.advance(30_000)
  await hear('Dziękuję za listę!')
  await clock.advance(25_000)
  const inDirect = acts.filter(({ place }) => place === DIRECT)
  expect(inDirect.map(({ who, did }) => `${who} ${did}`)).toEqual([
    'priya reads',
    'priya types',
    'priya stops',
    'priya says',
  ])
  expect(answersFor('Dziękuję', 'en')).toContain(inDirect.at(-1)?.text)
  expect(online.has('priya')).toBe(true)
})

test('several messages in a row get one answer', async () => {
  const { clock, people, all, hear } = demo()
  people.turn(true)
  for (const text of ['One', 'Two', 'Three']) await hear(text)
  await clock.advance(55_000)
  expect(all('says').filter(({ place }) => place === DIRECT)).toHaveLength(1)
})

test('a reply in a thread is answered there by its author, a mention by the person mentioned', async () => {
  const { clock, people, all, hear } = demo()
  people.turn(true)
  await hear('In the thread', { cid: RELEASE, parentId: 'by-jonas' })
  await hear('Hello @hana', { cid: RELEASE }, { id: 'm2', mentioned: ['hana'] })
  await clock.advance(50_000)
  expect(all('says').map(({ who, place }) => `${who} ${place}`)).toEqual([
    `jonas ${RELEASE}/by-jonas`,
    `hana ${RELEASE}`,
  ])
})

test('nothing arrives in a channel that is scrolled back, or while the demo is not on screen', async () => {
  const { clock, people, all, hear, state } = demo()
  people.turn(true)
  state.held.add(RELEASE)
  await clock.advance(10 * MINUTES)
  expect(all('says')).toEqual([])
  await hear('Hello')
  await clock.advance(30_000)
  expect(all('says').map(({ place }) => place)).toEqual([DIRECT])
  state.held.clear()
  state.shown = false
  await clock.advance(10 * MINUTES)
  expect(all('says')).toHaveLength(1)
  state.shown = true
  await clock.advance(30_000)
  expect(all('says')[1]).toMatchObject({ place: RELEASE })
})

test('a channel that is scrolled back while someone types gets no message, and the typing ends', async () => {
  const { clock, people, all, hear, state } = demo()
  people.turn(true)
  await clock.advance(30_000)
  await hear('Hello')
  while (all('types').length === 0) await clock.advance(100)
  state.held.add(DIRECT)
  await clock.advance(10_000)
  expect(all('stops')).toHaveLength(1)
  expect(all('says')).toEqual([])
})

test('switched off, everyone stays as they are and no one types; switched on, the day goes on', async () => {
  const { clock, people, acts, all, hear, online } = demo()
  people.turn(true)
  await clock.advance(30_000)
  await hear('Hello')
  while (all('types').length === 0) await clock.advance(100)
  people.turn(false)
  await clock.settle()
  expect(acts.at(-1)).toMatchObject({ did: 'stops' })
  const before = { acts: acts.length, online: [...online] }
  await hear('Anyone?')
  await clock.advance(30 * MINUTES)
  expect({ acts: acts.length, online: [...online] }).toEqual(before)
  expect(clock.pending).toBe(0)
  people.turn(true)
  await clock.advance(10 * MINUTES)
  expect(all('says').length).toBeGreaterThan(0)
})

test('when the demo closes everyone leaves, and no timer is left', async () => {
  const { clock, people, online } = demo()
  people.turn(true)
  await clock.advance(5 * MINUTES)
  people.stop()
  expect(online.size).toBe(0)
  expect(clock.pending).toBe(0)
})

test('a person whom the user is signed in as does nothing by themselves', async () => {
  const talk = {
    cid: RELEASE,
    lines: [
      { who: 'jonas', text: 'Hi' },
      { who: 'priya', text: 'Hello' },
    ],
  }
  const { clock, people, acts, online, state } = demo({ talk })
  state.viewers = ['priya']
  people.turn(true)
  await clock.advance(30 * MINUTES)
  expect(online.has('priya')).toBe(false)
  expect(acts).toEqual([])
})

test('reactions of small talk follow the message', async () => {
  const talk = { cid: RELEASE, lines: [{ who: 'jonas', text: 'Hi', reactions: { '🥾': ['nadia', 'lena'] } }] }
  const { clock, people, all } = demo({ talk })
  people.turn(true)
  await clock.advance(3 * MINUTES)
  expect(all('reacts')).toMatchObject([{ who: 'nadia', text: '🥾' }])
})

test('a server that refuses ends nothing', async () => {
  const { clock, people, all, hear, state, warnings } = demo()
  people.turn(true)
  state.refuses = true
  await hear('Hello')
  await clock.advance(1 * MINUTES)
  expect(warnings).toContain('not-done')
  state.refuses = false
  await hear('Hello again')
  await clock.advance(1 * MINUTES)
  expect(all('says').length).toBeGreaterThan(0)
})

test.each([
  ['Cześć!', 'pl'],
  ['Gdzie jest plan', 'pl'],
  ['Привет', 'ru'],
  ['Hello there', 'en'],
  ['👍', 'ru'],
] as const)('“%s” is in the language %s', (text, language) => {
  expect(languageOfText(text, 'ru')).toBe(language)
})

test.each([
  ['hi', 'Dzięki', 'en'],
  ['Czy to działa?', 'Спасибо', 'pl'],
])('answers to “%s” and “%s” fit what was said', (one, other) => {
  expect(answersFor(one, 'en')).not.toEqual(answersFor(other, 'en'))
})
