import type { Line } from './script.ts'
import { dmTalk, almatyTalk, krakowTalk } from './phrases-offices.ts'
import { designTalk, fieldTalk, mapTalk, randomTalk, releaseTalk, supportTalk } from './phrases-work.ts'

/** A few lines that belong together: author, text with {slots}, and extras. */
export type Exchange = readonly (readonly [who: string, text: string, more?: Omit<Line, 'who' | 'text'>])[]

/** How many exchanges a day, by channel. */
export const exchanges: readonly {
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
export const slots: Readonly<Record<string, readonly string[]>> = {
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
