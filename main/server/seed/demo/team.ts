import { DAY, post, type Line, type Scene } from './script.ts'
import {
  dmTalk,
  almatyTalk,
  krakowTalk,
  designTalk,
  fieldTalk,
  mapTalk,
  randomTalk,
  releaseTalk,
  supportTalk,
} from './phrases.ts'
import type { SeedChannel, SeedMembership, SeedPerson } from '../plan.ts'

/** The team of the demo workspace: Cairn Maps makes hiking maps in Kraków, Almaty and on the road. All invented. */
export const people: readonly SeedPerson[] = [
  {
    id: 'ola',
    name: 'Ola Wiśniewska',
    title: 'Release manager',
    image: 'portrait-ola.png',
    language: 'pl',
    role: 'admin',
  },
  { id: 'priya', name: 'Priya Raman', title: 'Product lead', image: 'portrait-priya.png', language: 'en' },
  { id: 'jonas', name: 'Jonas Lindqvist', title: 'Android', image: 'portrait-jonas.png', language: 'en' },
  { id: 'tomasz', name: 'Tomasz Zieliński', title: 'Field testing', image: 'portrait-tomasz.png', language: 'pl' },
  { id: 'nadia', name: 'Надежда Соколова', title: 'Map data', image: 'portrait-nadia.png', language: 'ru' },
  {
    id: 'ewa',
    name: 'Ewa Szczepańska-Kowalczyk',
    title: 'Office in Kraków',
    image: 'portrait-ewa.png',
    language: 'pl',
  },
  { id: 'timur', name: 'Тимур Ахметов', title: 'Backend', language: 'ru' },
  { id: 'marcus', name: 'Marcus Feld', title: 'iOS', image: 'portrait-marcus.png', language: 'en' },
  { id: 'hana', name: 'Hana Mori', title: 'Product design', image: 'portrait-hana.png', language: 'en' },
  { id: 'luis', name: 'Luis Ortega', title: 'Support', image: 'portrait-luis.png', language: 'en' },
  { id: 'sofia', name: 'Sofia Berg', title: 'Cartography', language: 'en' },
  { id: 'ci', name: 'Cairn CI', title: 'Builds', image: 'portrait-ci.png', language: 'en', bot: true },
]

const everyone: readonly string[] = people.map(({ id }) => id)
const humans: readonly string[] = people.filter(({ bot }) => bot !== true).map(({ id }) => id)

export const channels: readonly SeedChannel[] = [
  {
    type: 'team',
    id: 'announcements',
    name: 'announcements',
    topic: 'News for everybody. Low traffic, please.',
    memberIds: everyone,
    createdBy: 'priya',
  },
  {
    type: 'team',
    id: 'release-4-2',
    name: 'release-4-2',
    topic: 'Ship 4.2 to both stores. RC2 is out, please break it.',
    memberIds: everyone,
    createdBy: 'ola',
  },
  {
    type: 'team',
    id: 'design-crit',
    name: 'design-crit',
    topic: 'Work in progress, kind and honest words',
    memberIds: ['ola', 'priya', 'hana', 'jonas', 'marcus', 'sofia', 'tomasz'],
    createdBy: 'hana',
  },
  {
    type: 'team',
    id: 'field-trips',
    name: 'field-trips',
    topic: 'Who walks where, with which build',
    memberIds: humans,
    createdBy: 'tomasz',
  },
  {
    type: 'team',
    id: 'map-data',
    name: 'map-data',
    topic: 'Tiles, sources, corrections. Карты, źródła, poprawki.',
    memberIds: everyone,
    createdBy: 'nadia',
  },
  {
    type: 'team',
    id: 'support-triage',
    name: 'support-triage',
    topic: 'One line per case, thread for the rest',
    memberIds: ['ola', 'luis', 'priya', 'jonas', 'marcus', 'timur', 'nadia', 'tomasz'],
    createdBy: 'luis',
  },
  {
    type: 'team',
    id: 'biuro-krakow',
    name: 'biuro-kraków-ogłoszenia-i-sprawy-bieżące',
    topic: 'Klucze, kawa, kurierzy',
    memberIds: ['ola', 'ewa', 'tomasz', 'priya', 'hana'],
    createdBy: 'ewa',
  },
  {
    type: 'team',
    id: 'komanda-almaty',
    name: 'команда-алматы',
    topic: 'Тайлы, сервер, горы',
    memberIds: ['ola', 'nadia', 'timur', 'sofia', 'tomasz'],
    createdBy: 'nadia',
  },
  {
    type: 'team',
    id: 'random',
    name: 'random',
    topic: 'Anything that is not work',
    memberIds: humans,
    createdBy: 'marcus',
  },
  {
    type: 'messaging',
    id: 'leads',
    name: 'leads',
    topic: 'Planning for the quarter',
    memberIds: ['ola', 'priya', 'nadia', 'hana'],
    private: true,
    createdBy: 'priya',
  },
  { type: 'messaging', alias: 'dm-priya', memberIds: ['ola', 'priya'], createdBy: 'priya' },
  { type: 'messaging', alias: 'dm-tomasz', memberIds: ['ola', 'tomasz'], createdBy: 'tomasz' },
  { type: 'messaging', alias: 'dm-nadia', memberIds: ['ola', 'nadia'], createdBy: 'nadia' },
  { type: 'messaging', alias: 'dm-jonas', memberIds: ['ola', 'jonas'], createdBy: 'jonas' },
  { type: 'messaging', alias: 'dm-ewa', memberIds: ['ola', 'ewa'], createdBy: 'ewa' },
  { type: 'messaging', alias: 'dm-timur', memberIds: ['ola', 'timur'], createdBy: 'timur' },
]

export const memberships: readonly SeedMembership[] = [
  { cid: 'team:release-4-2', userId: 'ola', pinned: true },
  { cid: 'messaging:leads', userId: 'ola', pinned: true },
  { cid: 'team:random', userId: 'ola', muted: true },
  { cid: 'team:support-triage', userId: 'hana', muted: true },
  { cid: 'team:map-data', userId: 'nadia', pinned: true },
]

/**
 * Everyday conversations that fill three weeks: small exchanges with changing places, numbers and people, drawn by a
 * seeded generator so that the same demo comes out every time.
 */
export function routineScenes(): Scene[] {
  const random = seeded(20_261_120)
  return exchanges.flatMap(({ cid, perDay, talk }) => scenesOf(cid, perDay, talk, random))
}

const FIRST_DAY = 20
/** Today's conversations end this long before now, so that the scripted scenes are the newest. */
const QUIET_MINUTES = 320
const WAKING_MINUTES = 11 * 60

function scenesOf(cid: string, perDay: number, talk: readonly Exchange[], random: Random): Scene[] {
  const deck = new Deck(talk, random)
  const scenes: Scene[] = []
  for (let day = FIRST_DAY; day >= 1; day--) {
    const count = perDay + Math.floor(random() * 3) - 1
    const starts = Array.from({ length: count }, () => Math.floor(random() * WAKING_MINUTES)).toSorted((a, b) => b - a)
    for (const start of starts) {
      const ago = day * DAY - WAKING_MINUTES + start + QUIET_MINUTES
      scenes.push({ cid, ago, lines: perform(deck.draw(), random) })
    }
  }
  return scenes
}

function perform(exchange: Exchange, random: Random): Line[] {
  const values = new Map<string, string>()
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      const known = values.get(name) ?? drawSlot(name, random)
      values.set(name, known)
      return known
    })
  return exchange.map(([who, text, more]) => post(who, fill(text), { after: 1 + Math.floor(random() * 6), ...more }))
}

/** One of these small exchanges, for a channel of the team. */
export function drawTalk(random: Random): { readonly cid: string; readonly lines: readonly Line[] } {
  const inChannels = exchanges.filter(({ cid }) => cid.startsWith('team:'))
  const { cid, talk } = oneOf(inChannels, random)
  return { cid, lines: perform(oneOf(talk, random), random) }
}

function oneOf<T>(all: readonly T[], random: Random): T {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new Error('A list of the demo is empty')
  return one
}

function drawSlot(name: string, random: Random): string {
  if (name.startsWith('n')) return String(number(name, random))
  const choices = slots[name]
  if (!choices) throw new Error(`The demo has no words for {${name}}`)
  return choices[Math.floor(random() * choices.length)] ?? ''
}

/** `n20_90` is a number from 20 to 90. */
function number(name: string, random: Random): number {
  const [, low = 1, high = 10] = (/^n(\d+)_(\d+)$/.exec(name) ?? []).map(Number)
  return low + Math.floor(random() * (high - low + 1))
}

type Random = () => number

/** Draws every exchange once before any is repeated. */
class Deck {
  #left: Exchange[] = []
  readonly #all: readonly Exchange[]
  readonly #random: Random

  constructor(all: readonly Exchange[], random: Random) {
    this.#all = all
    this.#random = random
  }

  draw(): Exchange {
    if (this.#left.length === 0) this.#left = [...this.#all]
    const [drawn] = this.#left.splice(Math.floor(this.#random() * this.#left.length), 1)
    if (!drawn) throw new Error('An exchange list of the demo is empty')
    return drawn
  }
}

/** A small generator of 32 bits: mulberry32, public domain algorithm. Good enough to shuffle a script. */
function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A few lines that belong together: author, text with {slots}, and extras. */
export type Exchange = readonly (readonly [who: string, text: string, more?: Omit<Line, 'who' | 'text'>])[]

/** How many exchanges a day, by channel. */
const exchanges: readonly {
  readonly cid: string
  readonly perDay: number
  readonly talk: readonly Exchange[]
}[] = [
  { cid: 'team:release-4-2', perDay: 6, talk: releaseTalk },
  { cid: 'team:map-data', perDay: 8, talk: mapTalk },
  { cid: 'team:support-triage', perDay: 7, talk: supportTalk },
  { cid: 'team:komanda-almaty', perDay: 4, talk: almatyTalk },
  { cid: 'team:biuro-krakow', perDay: 3, talk: krakowTalk },
  { cid: 'team:design-crit', perDay: 3, talk: designTalk },
  { cid: 'team:field-trips', perDay: 2, talk: fieldTalk },
  { cid: 'team:random', perDay: 3, talk: randomTalk },
  ...dmTalk.map(({ cid, talk }) => ({ cid, perDay: 1, talk })),
]

/** Texts for the slots of the exchanges. `{n20_90}` needs no entry: it is a number. */
const slots: Readonly<Record<string, readonly string[]>> = {
  region: [
    'Tatry',
    'Pieniny',
    'Beskidy',
    'Bieszczady',
    'Alatau',
    'Charyn',
    'Jotunheimen',
    'Abisko',
    'Dolomites',
    'Durmitor',
  ],
  regionPl: ['Tatrach', 'Pieninach', 'Beskidach', 'Bieszczadach', 'Gorcach', 'Karkonoszach', 'Górach Stołowych'],
  regionRu: ['Заилийском Алатау', 'Чарыне', 'Кольсае', 'Кунгее', 'Каркаре', 'Большом Алматинском ущелье'],
  thing: ['a footbridge', 'a shelter', 'a spring', 'a gate', 'a parking place', 'a viewpoint', 'a ford', 'a signpost'],
  thingPl: ['mostek', 'wiata', 'źródło', 'bramka', 'parking', 'ławka', 'bród', 'drogowskaz'],
  thingRu: ['мостик', 'навес', 'родник', 'шлагбаум', 'стоянка', 'брод', 'указатель', 'смотровая площадка'],
  phone: ['Pixel 6a', 'Pixel 9', 'Galaxy A54', 'iPhone 13 mini', 'iPhone 16', 'Moto G7', 'Fairphone 5', 'Xperia 10'],
  os: ['Android 13', 'Android 15', 'Android 16', 'iOS 18', 'iOS 19', 'iOS 26'],
  weather: [
    'fog above the trees',
    'clear and cold',
    'wet snow',
    'wind from the west',
    'sun until noon',
    'ice on the steps',
  ],
  dish: ['żurek', 'pierogi ruskie', 'zupa pomidorowa', 'placki', 'kasza z grzybami', 'naleśniki'],
  room: ['Rysy', 'Giewont', 'Kasprowy', 'Trzy Korony', 'Babia Góra'],
  pastry: ['a cardamom bun', 'Gerald’s firstborn', 'a rye loaf', 'cinnamon knots', 'a very flat focaccia'],
  screen: [
    'the legend',
    'the offline list',
    'the route card',
    'the elevation strip',
    'the closure banner',
    'the share sheet',
  ],
  part: ['spacing', 'contrast', 'order', 'icon', 'wording', 'motion'],
  complaint: [
    'tiles missing after an update',
    'route drawn over a lake',
    'battery drained on a day trip',
    'download stuck at 99 %',
    'compass points west',
    'closure shown too late',
    'login asked twice',
    'voice cues in the wrong language',
  ],
  fix: [
    'cleared after a restart',
    'fixed in 4.2',
    'known, has a workaround',
    'needs a log',
    'could not reproduce',
    'user error, our wording',
  ],
  walk: ['the reservoir loop', 'the long way home', 'the botanical garden', 'Kopiec Kościuszki', 'the river path'],
}
