import { DAY, post, type Line, type Scene } from './script.ts'
import { exchanges, slots, type Exchange } from './phrases.ts'

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
