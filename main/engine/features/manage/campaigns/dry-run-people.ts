import { EXCLUSIONS, REACHES, type Exclusion, type Reach } from '#shared/domain/manage/campaigns.ts'
import { type Standing, sourcesIn, type FieldSource } from '#shared/rules/campaigns/campaigns.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { csvOf, csvRow } from '#shared/rules/server/csv.ts'
import { decideBy, type RuleSubject, listMatcher, readText } from '#shared/rules/moderation/decide.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { asList, asWire, textOf, timeOf, type Wire } from '../../../decode/read.ts'
import type { ExportPiece } from '../../export/pieces.ts'
import { loadConfigured, loadRules, type Access } from '../rules/ruleset.ts'

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

const TITLES = ['place', 'id', 'name', 'from', 'channel', 'sent_at', 'time_zone', 'their_time', 'missing', 'left_out']
/** Rows of one part: there may be 100,000. */
const PART = 2_000

/**
 * Everyone of a dry run: those who would get it, with their place and the moment, and those who would not, with the reason.
 *
 * @param sources the names of what people are found by, in the order of their bits
 * @param at when they would get it, in epoch milliseconds
 */
export function* dryRunTable(people: DryRunPeople, sources: readonly string[], at: number): Generator<ExportPiece> {
  const moments = new Map<string, string>()
  const rowOf = (row: number): string => {
    const { id, name } = people.sourceAt(row)
    const zone = people.zoneAt(row) ?? ''
    const why = people.whyAt(row)
    if (zone !== '' && !moments.has(zone)) moments.set(zone, momentIn(zone, at))
    const gets = why === undefined ? [people.reachAt(row), formatTime(at), zone, moments.get(zone) ?? ''] : NEVER
    return csvRow([
      String(people.placeAt(row) ?? ''),
      id,
      name ?? '',
      sourcesIn(people.fromAt(row))
        .map((source) => sources[source] ?? '')
        .join('; '),
      ...gets,
      people.missingAt(row).join('; '),
      why ?? '',
    ])
  }
  yield { text: csvOf([TITLES]), messages: 0 }
  for (let from = 0; from < people.size; from += PART) {
    const rows = Array.from({ length: Math.min(PART, people.size - from) }, (_, index) => rowOf(from + index))
    yield { text: rows.join(''), messages: rows.length }
  }
}

const NEVER = ['', '', '', '']

/** Such as `2026-11-20 23:00`; the zone is one that there is. */
const momentIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)

/** Whether the server would return a message to its sender instead of sending it. */
export type Returns = (message: Pick<RuleSubject, 'text' | 'cid' | 'attachments' | 'at'>) => boolean

type Of = {
  readonly type: string
  /** The channel type as the server has it. */
  readonly settings: Wire | undefined
  readonly senderId: string
}

/**
 * The rules of the workspace and the block lists of the channel type, as our server applies them. `undefined`: nothing
 * returns any message.
 */
export async function returnsBy(access: Access, { type, settings, senderId }: Of): Promise<Returns | undefined> {
  const [{ rules: own, lists }, configured] = await Promise.all([loadRules(access), loadConfigured(access, type)])
  const matched = lists.filter(({ foreign }) => foreign === undefined)
  const rules = [...own, ...configured].filter(({ enabled }) => enabled)
  const names = blockingLists(settings)
  const blocking = matched.filter(({ name }) => names.has(name)).map(listMatcher)
  if (blocking.length === 0 && !rules.some(({ action }) => action === 'bounce')) return undefined
  const author = await authorOf(access, senderId)
  const decide = decideBy(rules, matched)
  return (message) => {
    const decision = decide({ ...message, ...author })
    if (decision !== undefined) return decision.rule.action === 'bounce'
    const read = readText(message.text)
    return blocking.some((matcher) => matcher(read).length > 0)
  }
}

/** Those whose matches are returned: one has a setting of its own, others are listed. */
function blockingLists(settings: Wire | undefined): ReadonlySet<string> {
  const own = { blocklist: settings?.['blocklist'], behavior: settings?.['blocklist_behavior'] }
  return new Set(
    [own, ...asList(settings?.['blocklists']).map(asWire)].flatMap((list) =>
      list?.['behavior'] === 'block' ? (textOf(list['blocklist']) ?? []) : [],
    ),
  )
}

/** What rules know of the sender. */
async function authorOf({ api, signal }: Access, senderId: string): Promise<Pick<RuleSubject, 'role' | 'joinedAt'>> {
  const payload = { filter_conditions: { id: senderId }, limit: 1 }
  const [found] = asList((await api.send(queryUsers, { query: { payload }, signal })).users).map(asWire)
  return { role: textOf(found?.['role']) ?? 'user', joinedAt: timeOf(found?.['created_at']) }
}
