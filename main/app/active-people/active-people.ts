import type { AppLanguage } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid } from '#shared/lib/brand.ts'
import { isDirect, splitCid } from '#shared/rules/channels/channels.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'

/** A channel, or one of its threads. */
export type Place = { readonly cid: string; readonly parentId?: string }

/** What invented people do on the server of the demo, each as themselves. */
export type PeopleCalls = {
  /** Comes online until the result is called. */
  arrive(who: string): Stop
  typing(who: string, place: Place, on: boolean): Promise<void>
  read(who: string, place: Place): Promise<void>
  say(who: string, place: Place, message: { readonly id: string; readonly text: string }): Promise<void>
  react(who: string, messageId: string, type: string): Promise<void>
  members(cid: string): Promise<readonly string[]>
  /** Who wrote a message. */
  author(messageId: string): Promise<string | undefined>
}

/** A message by the user of the demo. */
export type Heard = {
  readonly id: string
  readonly place: Place
  readonly text: string
  readonly mentioned: readonly string[]
}

/** A few lines by invented people in one channel. */
export type SmallTalk = {
  readonly cid: string
  readonly lines: readonly {
    readonly who: string
    readonly text: string
    readonly reactions?: Readonly<Record<string, readonly string[]>>
  }[]
}

type ActivePeopleOptions = {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly ids: Ids
  readonly calls: PeopleCalls
  /** Everyone invented who comes and goes, the most talkative first. */
  readonly people: readonly string[]
  /** Users that windows are signed in as: they speak for themselves. */
  readonly viewers: () => readonly string[]
  /** Whether a message may arrive there now: the demo is on screen, and no one is reading back in that channel. */
  readonly mayArrive: (cid: string) => boolean
  readonly language: () => AppLanguage
  readonly draw: (random: () => number) => SmallTalk
  readonly log: Logger
}

/** A message that someone is going to write. */
type Turn = {
  readonly who: string
  readonly place: Place
  readonly text: string
  readonly reactions?: Readonly<Record<string, readonly string[]>>
  readonly dueAt: number
  readonly isAnswer: boolean
}

/** At most one message arrives within this time, over the whole demo. */
export const ARRIVAL_GAP_MS = 20_000
/** How long someone types before a message. */
const TYPING_MS = [2_000, 6_000] as const
const READ_AFTER_MS = [1_500, 4_000] as const
const REACT_AFTER_MS = [2_000, 6_000] as const
/** Between small talk and the next; lines of one talk follow each other sooner. */
const TALK_EVERY_MS = [60_000, 150_000] as const
const LINE_EVERY_MS = [22_000, 45_000] as const
const COME_AND_GO_MS = [25_000, 70_000] as const
const FIRST_COME_MS = [600, 2_500] as const
/** A message that may not arrive now is tried again after this time. */
const HELD_MS = 3_000
/** How many are online at a time. */
const [FEWEST_HERE, MOST_HERE] = [4, 7]
/** Others than the one who answers who read a message of the user. */
const OTHER_READERS = 2
const REACTION_CHANCE = 0.5
/** A message to a whole channel is answered in a thread this often. */
const THREAD_CHANCE = 0.5

/** The ids of messages by invented people begin like this, so that they can be told from those of other windows. */
const ID_PREFIX = 'invented-'
export const inventedId = (ids: Pick<Ids, 'uuid'>): string => ID_PREFIX + ids.uuid()
export const isInventedId = (id: string): boolean => id.startsWith(ID_PREFIX)

/**
 * The life of the demo: its invented people come online and go, type before they write, react, read what the user writes
 * and answer in direct messages and threads.
 *
 * Everything is planned with the clock and happens through the calls, so that switching it off leaves all as it is.
 */
export class ActivePeople {
  readonly #options: ActivePeopleOptions
  readonly #here = new Map<string, Stop>()
  readonly #timers = new Set<Stop>()
  #turns: Turn[] = []
  /** Ends the wait for the next turn, while no one types. */
  #stopWaiting: Stop | undefined
  #writing: Turn | undefined
  #lastArrival = 0
  #lastAnswer = ''
  #on = false

  constructor(options: ActivePeopleOptions) {
    this.#options = options
  }

  /** Off: presence and messages stay as they are, and no one types. */
  turn(on: boolean): void {
    if (on === this.#on) return
    this.#on = on
    if (!on) return this.#freeze()
    // Nothing arrives while the user looks around for the first time.
    this.#lastArrival = this.#options.clock.monotonic()
    this.#comeFirst()
    this.#later(COME_AND_GO_MS, () => this.#comeAndGo())
    this.#later(TALK_EVERY_MS, () => this.#talk())
  }

  /** The demo closed: everyone leaves. */
  stop(): void {
    this.turn(false)
    for (const leave of this.#here.values()) leave()
    this.#here.clear()
  }

  /** The user wrote something. */
  async hear(heard: Heard): Promise<void> {
    if (!this.#on) return
    const { calls } = this.#options
    const invented = await this.#attempt(
      calls.members(heard.place.cid).then((all) => this.#present().filter((who) => all.includes(who))),
    )
    if (!invented || invented.length === 0 || !this.#isOn()) return
    const { who, place } = await this.#addressee(heard, invented)
    const readers = new Set(who === undefined ? [] : [who])
    for (const one of this.#shuffled(invented.filter((each) => this.#here.has(each)))) {
      if (readers.size <= OTHER_READERS) readers.add(one)
    }
    for (const reader of readers) this.#later(READ_AFTER_MS, () => this.#read(reader, heard.place))
    const [fan] = this.#shuffled([...readers])
    if (fan !== undefined && this.#random() < REACTION_CHANCE) {
      const type = this.#pick(REACTIONS)
      // Read first, then liked.
      this.#later([READ_AFTER_MS[1] + REACT_AFTER_MS[0], READ_AFTER_MS[1] + REACT_AFTER_MS[1]], () => {
        void this.#attempt(calls.react(fan, heard.id, type))
      })
    }
    if (who !== undefined) this.#answer(who, place, heard.text)
  }

  /** Who answers a message, and where; a message to a whole channel is often only read. */
  async #addressee(heard: Heard, invented: readonly string[]): Promise<{ who?: string; place: Place }> {
    const { place, mentioned } = heard
    const named = mentioned.find((one) => invented.includes(one))
    if (named !== undefined) return { who: named, place }
    if (place.parentId !== undefined) {
      const author = await this.#attempt(this.#options.calls.author(place.parentId))
      return { who: invented.find((one) => one === author) ?? this.#pick(invented), place }
    }
    if (isDirect(splitCid(asCid(place.cid)).id)) return { who: this.#pick(invented), place }
    if (this.#random() >= THREAD_CHANCE) return { place }
    return { who: this.#pick(invented), place: { ...place, parentId: heard.id } }
  }

  /** Answers once to several messages in a row. */
  #answer(who: string, place: Place, about: string): void {
    const { clock, language } = this.#options
    const answers = answersFor(about, language())
    const text = this.#pick(answers.filter((one) => one !== this.#lastAnswer))
    this.#lastAnswer = text
    this.#turns = this.#turns.filter((turn) => !(turn.isAnswer && isSamePlace(turn.place, place)))
    this.#turns.push({
      who,
      place,
      text,
      dueAt: clock.monotonic() + READ_AFTER_MS[1] + this.#between(TYPING_MS),
      isAnswer: true,
    })
    this.#plan()
  }

  #talk(): void {
    this.#later(TALK_EVERY_MS, () => this.#talk())
    if (this.#turns.length > 0) return
    const { cid, lines } = this.#options.draw(() => this.#random())
    const viewers = this.#options.viewers()
    if (lines.some(({ who }) => viewers.includes(who))) return
    let dueAt = this.#options.clock.monotonic() + this.#between(TYPING_MS)
    for (const { who, text, reactions } of lines) {
      this.#turns.push({ who, place: { cid }, text, reactions, dueAt, isAnswer: false })
      dueAt += this.#between(LINE_EVERY_MS)
    }
    this.#plan()
  }

  /** Waits for the next turn: answers first, then what is due first; someone types before it. */
  #plan(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    if (!this.#on || this.#writing) return
    const { clock, mayArrive } = this.#options
    const [next] = this.#turns
      .filter(({ place }) => mayArrive(place.cid))
      .toSorted((a, b) => Number(b.isAnswer) - Number(a.isAnswer) || a.dueAt - b.dueAt)
    if (!next) {
      if (this.#turns.length > 0) this.#stopWaiting = this.#later([HELD_MS, HELD_MS], () => this.#plan())
      return
    }
    const typingMs = this.#between(TYPING_MS)
    const writesAt = Math.max(next.dueAt, this.#lastArrival + ARRIVAL_GAP_MS)
    const wait = Math.max(0, writesAt - typingMs - clock.monotonic())
    this.#stopWaiting = this.#later([wait, wait], () => this.#type(next, typingMs))
  }

  #type(turn: Turn, ms: number): void {
    this.#stopWaiting = undefined
    if (!this.#options.mayArrive(turn.place.cid)) return this.#plan()
    this.#writing = turn
    this.#come(turn.who)
    void this.#attempt(this.#options.calls.typing(turn.who, turn.place, true))
    // Not sooner than planned, even if the one before was a moment late.
    const wait = Math.max(ms, this.#lastArrival + ARRIVAL_GAP_MS - this.#options.clock.monotonic())
    this.#later([wait, wait], () => void this.#write(turn))
  }

  async #write(turn: Turn): Promise<void> {
    const { calls, clock, ids, mayArrive } = this.#options
    const { who, place, text } = turn
    this.#writing = undefined
    void this.#attempt(calls.typing(who, place, false))
    if (!mayArrive(place.cid)) return this.#plan()
    this.#turns = this.#turns.filter((one) => one !== turn)
    this.#lastArrival = clock.monotonic()
    const id = inventedId(ids)
    await this.#attempt(calls.say(who, place, { id, text }))
    if (!this.#isOn()) return
    const viewers = this.#options.viewers()
    for (const [type, fans] of Object.entries(turn.reactions ?? {})) {
      for (const fan of fans.filter((one) => !viewers.includes(one))) {
        this.#later(REACT_AFTER_MS, () => void this.#attempt(calls.react(fan, id, type)))
      }
    }
    this.#plan()
  }

  #read(who: string, place: Place): void {
    this.#come(who)
    void this.#attempt(this.#options.calls.read(who, place))
  }

  #comeFirst(): void {
    for (const who of this.#present().slice(0, FEWEST_HERE)) this.#later(FIRST_COME_MS, () => this.#come(who))
  }

  #comeAndGo(): void {
    this.#later(COME_AND_GO_MS, () => this.#comeAndGo())
    const here = this.#present().filter((who) => this.#here.has(who))
    const away = this.#present().filter((who) => !this.#here.has(who))
    const comes = here.length <= FEWEST_HERE || (here.length < MOST_HERE && this.#random() < 0.5)
    const busy = new Set([this.#writing, ...this.#turns].map((turn) => turn?.who))
    const idle = here.filter((who) => !busy.has(who))
    if (comes && away.length > 0) return this.#come(this.#pick(away))
    if (idle.length > 0) this.#go(this.#pick(idle))
  }

  #come(who: string): void {
    if (this.#options.people.includes(who) && !this.#here.has(who)) this.#here.set(who, this.#options.calls.arrive(who))
  }

  #go(who: string): void {
    this.#here.get(who)?.()
    this.#here.delete(who)
  }

  /** The people who are not signed in to a window. */
  #present(): readonly string[] {
    const viewers = this.#options.viewers()
    return this.#options.people.filter((who) => !viewers.includes(who))
  }

  #freeze(): void {
    const typing = this.#writing
    for (const stop of this.#timers) stop()
    this.#timers.clear()
    this.#stopWaiting = undefined
    this.#writing = undefined
    this.#turns = []
    if (typing) void this.#attempt(this.#options.calls.typing(typing.who, typing.place, false))
  }

  #isOn(): boolean {
    return this.#on
  }

  /** The server may refuse, or be restarting: the demo goes on. */
  async #attempt<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      this.#options.log.warn('not-done', { code: error instanceof AppError ? error.code : 'unknown' })
      return undefined
    }
  }

  #later(range: readonly [number, number], run: () => void): Stop {
    const cancel = this.#options.clock.after(this.#between(range), () => {
      this.#timers.delete(stop)
      run()
    })
    const stop = (): void => {
      this.#timers.delete(stop)
      cancel()
    }
    this.#timers.add(stop)
    return stop
  }

  #random(): number {
    return this.#options.ids.random()
  }

  #between([least, most]: readonly [number, number]): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }

  #pick<T>(all: readonly [T, ...T[]] | readonly T[]): T {
    const one = all[Math.floor(this.#random() * all.length)]
    if (one === undefined) throw new Error('Nothing to choose from')
    return one
  }

  #shuffled<T>(all: readonly T[]): readonly T[] {
    return all
      .map((value) => ({ value, at: this.#random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value)
  }
}

const isSamePlace = (a: Place, b: Place): boolean => a.cid === b.cid && a.parentId === b.parentId

/** What an answer responds to. */
type Subject = 'greeting' | 'thanks' | 'question' | 'other'

const GREETING = /^\W*(hi|hello|hey|good morning|cześć|czesc|hej|dzień dobry|witaj|привет|здравствуй|добрый день)/iu
const THANKS = /(^|[^\p{L}])(thanks|thank you|thx|dzięki|dziękuję|dzieki|спасибо)(?!\p{L})/iu

/** Words that only Polish has, for texts typed without Polish letters. */
const POLISH_WORDS =
  /(^|[^\p{L}])(czesc|hej|tak|nie|jest|jestem|czy|dlaczego|jak|dzieki|dobrze|prosze|gdzie|kiedy)($|[^\p{L}])/iu

/**
 * The language of a text by a plain rule: Cyrillic letters are Russian, Polish letters or words are Polish, other Latin
 * letters are English. A text without letters has the language of the interface.
 */
export function languageOfText(text: string, otherwise: AppLanguage): AppLanguage {
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru'
  if (/[ąćęłńśźż]/iu.test(text) || POLISH_WORDS.test(text)) return 'pl'
  return /\p{Script=Latin}/u.test(text) ? 'en' : otherwise
}

/** All answers that fit a text, in its language. */
export function answersFor(text: string, otherwise: AppLanguage): readonly string[] {
  return ANSWERS[languageOfText(text, otherwise)][subjectOf(text)]
}

function subjectOf(text: string): Subject {
  if (text.includes('?')) return 'question'
  if (THANKS.test(text)) return 'thanks'
  return GREETING.test(text) ? 'greeting' : 'other'
}

/** Reactions to what the user writes. */
const REACTIONS = ['👍', '❤️', '👀', '🎉', '🥾', '🙌'] as const

const ANSWERS: Readonly<Record<AppLanguage, Readonly<Record<Subject, readonly string[]>>>> = {
  en: {
    greeting: [
      'Hello! Good to have you here. How do you like it so far?',
      'Hi! Pull up a chair, the kettle is on.',
      'Hey! You picked a good week: the release is almost out.',
    ],
    thanks: ['Any time!', 'You’re welcome.', 'Glad that helped.', 'My pleasure. Gerald sends his regards.'],
    question: [
      'Good question. I’d ask Hana, she knows every screen by heart.',
      'I think so, but I’m invented, so take it with a pinch of salt.',
      'Let me check with the team and come back to you.',
      'Short answer: yes. Long answer: after the release.',
      'Hard to say from up here. What would you choose?',
    ],
    other: [
      'Got it, thanks for telling me.',
      'That makes sense. Could you add it to the release thread too?',
      'Noted! I’ll look at it after the walk.',
      'I like it. Let’s try it that way.',
      'Sounds like a plan.',
      'Ha, I was about to write the same.',
    ],
  },
  pl: {
    greeting: [
      'Cześć! Miło Cię tu widzieć. Jak pierwsze wrażenia?',
      'Hej! Rozgość się, herbata już się parzy.',
      'Dzień dobry! Dobry moment: wydanie tuż-tuż.',
    ],
    thanks: ['Nie ma za co!', 'Proszę bardzo.', 'Cieszę się, że pomogło.', 'Polecam się na przyszłość.'],
    question: [
      'Dobre pytanie. Najlepiej wie Hana, ona zna każdy ekran na pamięć.',
      'Chyba tak, ale jestem tylko postacią z demo, więc to nic pewnego.',
      'Dopytam w zespole i dam znać.',
      'Krótko: tak. Dłużej: po wydaniu.',
      'Trudno powiedzieć. A jakie jest Twoje zdanie?',
    ],
    other: [
      'Jasne, dzięki za wiadomość.',
      'To ma sens. Dopiszesz to też w wątku o wydaniu?',
      'Zapisuję. Zajrzę do tego po spacerze.',
      'Podoba mi się. Spróbujmy w ten sposób.',
      'Brzmi dobrze.',
      'Ha, mam dokładnie tę samą myśl.',
    ],
  },
  ru: {
    greeting: [
      'Привет! Рады вас видеть. Как первые впечатления?',
      'Здравствуйте! Располагайтесь, чайник уже закипает.',
      'Привет! Вы вовремя: релиз вот-вот выйдет.',
    ],
    thanks: ['Не за что!', 'Пожалуйста!', 'Хорошо, что помогло.', 'Всегда рады помочь.'],
    question: [
      'Хороший вопрос. Лучше спросить Хану, она знает каждый экран.',
      'Думаю, да. Но я выдуманный персонаж, так что лучше проверить.',
      'Уточню у команды и напишу.',
      'Коротко: да. Подробнее — после релиза.',
      'Сложно сказать. А вы бы что выбрали?',
    ],
    other: [
      'Понятно, спасибо, что написали.',
      'Звучит разумно. Добавите это и в обсуждение релиза?',
      'Записано! Посмотрим после прогулки.',
      'Мне нравится. Давайте так и сделаем.',
      'Отличный план.',
      'О, как раз об этом и думали.',
    ],
  },
}
