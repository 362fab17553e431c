import { EXCLUSIONS, REACHES, type Exclusion, type Reach } from '#shared/domain/manage/campaigns.ts'
import type { FieldSource } from '#shared/rules/campaigns/fields.ts'
import type { Standing } from '#shared/rules/campaigns/audience.ts'

/** What the server said of a person. */
export type DryRunProfile = {
  readonly source: FieldSource
  readonly standing: Standing
  readonly timeZone?: string
}

/** A row of the list. What is written to somebody is rendered when it is looked at: 100,000 long texts fit nowhere. */
export type DryRunRow = {
  readonly reach: Reach
  /** Absent: they get it. */
  readonly why?: Exclusion
  /** Bits of the sources that name them. */
  readonly from: number
  readonly missing: readonly string[]
  /** The fields of the channel that exists, where the text names one. */
  readonly channel?: FieldSource
}

/**
 * The people of a dry run, packed: an audience may have 100,000, and a page of them is looked at at a time. Of each there
 * are some ten bytes of numbers, and the bytes of their name and of the fields that the text names.
 */
export class DryRunPeople {
  readonly #profiles = new Texts()
  readonly #standings = new Numbers()
  readonly #zones = new Known<string>()
  readonly #zoneOf = new Numbers()
  /** While people are gathered. */
  #indexOf = new Map<string, number>()

  readonly #profileOf = new Numbers()
  readonly #from = new Numbers()
  /** The reason and the reach of each row. */
  readonly #outcomes = new Numbers()
  readonly #missing = new Known<readonly string[]>()
  readonly #missingOf = new Numbers()
  readonly #channels = new Texts()
  /** From 1. */
  readonly #channelOf = new Numbers()
  readonly #places = new Numbers()
  #gets = 0

  /** Whether they were not known yet. */
  note(id: string, { source, standing, timeZone }: DryRunProfile): boolean {
    if (this.#indexOf.has(id)) return false
    const custom = Object.keys(source.custom).length === 0 ? [] : [source.custom]
    this.#indexOf.set(
      id,
      this.#profiles.add(JSON.stringify([id, source.name ?? null, source.language ?? null, ...custom])),
    )
    this.#standings.push(STANDINGS.indexOf(standing))
    this.#zoneOf.push(timeZone === undefined ? 0 : this.#zones.numberOf(timeZone, timeZone))
    return true
  }

  isKnown(id: string): boolean {
    return this.#indexOf.has(id)
  }

  sourceOf(id: string): FieldSource | undefined {
    const index = this.#indexOf.get(id)
    return index === undefined ? undefined : this.#sourceAt(index)
  }

  standingOf(id: string): Standing {
    const index = this.#indexOf.get(id)
    return (index === undefined ? undefined : STANDINGS[this.#standings.at(index)]) ?? 'unknown'
  }

  /** The next of those who were named. */
  addRow(id: string, row: DryRunRow): void {
    // Whoever the server does not know has nothing but their id.
    this.note(id, { source: { id, custom: NOTHING }, standing: 'unknown' })
    const isOut = row.why !== undefined
    const reason = row.why === undefined ? 0 : EXCLUSIONS.indexOf(row.why) + 1
    this.#profileOf.push(this.#indexOf.get(id) ?? 0)
    this.#from.push(row.from)
    this.#outcomes.push(reason * REACHES.length + REACHES.indexOf(row.reach))
    this.#missingOf.push(this.#missing.numberOf(row.missing.join('\n'), row.missing))
    this.#channelOf.push(row.channel === undefined ? 0 : this.#channels.add(JSON.stringify(row.channel)) + 1)
    this.#places.push(isOut ? 0 : (this.#gets += 1))
  }

  /** Everyone has a row: nobody is asked for by their id any more. */
  close(): void {
    this.#indexOf = new Map()
  }

  get size(): number {
    return this.#profileOf.length
  }

  whyAt(row: number): Exclusion | undefined {
    return EXCLUSIONS[Math.floor(this.#outcomes.at(row) / REACHES.length) - 1]
  }
  reachAt(row: number): Reach {
    return REACHES[this.#outcomes.at(row) % REACHES.length] ?? 'unknown'
  }
  fromAt(row: number): number {
    return this.#from.at(row)
  }
  missingAt(row: number): readonly string[] {
    return this.#missing.at(this.#missingOf.at(row)) ?? []
  }
  /** The place in the order of sending, from 1; absent for those who are left out. */
  placeAt(row: number): number | undefined {
    return this.#places.at(row) || undefined
  }
  zoneAt(row: number): string | undefined {
    return this.#zones.at(this.#zoneOf.at(this.#profileOf.at(row)))
  }
  sourceAt(row: number): FieldSource {
    return this.#sourceAt(this.#profileOf.at(row))
  }
  channelAt(row: number): FieldSource | undefined {
    const number = this.#channelOf.at(row)
    return number === 0 ? undefined : (JSON.parse(this.#channels.at(number - 1)) as FieldSource)
  }

  #sourceAt(index: number): FieldSource {
    const [id, name, language, custom = NOTHING] = JSON.parse(this.#profiles.at(index)) as Stored
    return { id, name, language, custom }
  }
}

const NOTHING: FieldSource['custom'] = {}
type Stored = [id: string, name: string | null, language: string | null, custom?: FieldSource['custom']]

const STANDINGS: readonly Standing[] = ['active', 'deactivated', 'deleted', 'unknown']

/** Few values that many people have, as numbers from 1. */
class Known<Value> {
  readonly #numbers = new Map<string, number>()
  readonly #values: Value[] = []

  numberOf(key: string, value: Value): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#values.push(value)
    this.#numbers.set(key, this.#values.length)
    return this.#values.length
  }

  at(number: number): Value | undefined {
    return this.#values[number - 1]
  }
}

/** What is full grows by half. */
const GROWTH = 1.5

/** Numbers of 32 bits. */
class Numbers {
  #numbers = new Uint32Array(256)
  #length = 0

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(this.#numbers.length * GROWTH)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#length] = value
    this.#length += 1
  }

  get length(): number {
    return this.#length
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0
  }
}

/** Many short texts in one piece of memory. */
class Texts {
  #bytes = Buffer.alloc(4_096)
  #length = 0
  readonly #ends = new Numbers()

  /** Its number, from 0. */
  add(text: string): number {
    const size = Buffer.byteLength(text)
    if (this.#length + size > this.#bytes.length) {
      const larger = Buffer.alloc(Math.ceil((this.#length + size) * GROWTH))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#length += this.#bytes.write(text, this.#length)
    this.#ends.push(this.#length)
    return this.#ends.length - 1
  }

  at(index: number): string {
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends.at(index - 1), this.#ends.at(index))
  }
}
