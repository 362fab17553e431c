import type { EngineClient } from '#shared/bridge/index.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import {
  EXCLUSIONS,
  type CampaignContent,
  type DryRunPerson,
  type DryRunStep,
  type DryRunSummary,
  type Exclusion,
  type Reach,
} from '#shared/domain/manage/campaigns.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  Audience,
  exclusionOf,
  sourcesIn,
  type Standing,
  fieldsOf,
  renderText,
  type FieldSource,
  type FieldSources,
} from '#shared/rules/campaigns/campaigns.ts'
import { isNightIn, isTimeZone } from '#shared/rules/people/local-time.ts'
import { hasParts } from '#shared/rules/search/search-fold.ts'
import { isLongerThan, textLength } from '#shared/rules/messages/text.ts'
import { listChannelTypes } from '#shared/wire/admin.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { getSegment, querySegmentTargets } from '#shared/wire/campaigns.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import type { Filter } from '#shared/wire/endpoint.ts'
import { pause } from '#main/lib/clock.ts'
import { distinctId } from '#main/lib/ids.ts'
import { ApiError } from '../../../api/errors.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, countOf, cursorOf, idOf, nameOf, textOf, timeOf, type Wire } from '../../../decode/read.ts'
import { isOurs } from '../authority.ts'
import type { ExportPiece } from '../../export/pieces.ts'
import { DryRunPeople, dryRunTable, returnsBy, type Returns } from './dry-run-people.ts'

type Parts = Pick<Requests, 'life'> & Pick<Core, 'cache' | 'ports' | 'serverNow'>

type Of = {
  readonly content: CampaignContent
  /** The stored version that it is about. */
  readonly campaign?: { readonly id: string; readonly version: string }
}

/** Requests in one step: a window shows how far it is in between. */
const STEP = 8
const USERS = 100
const CHANNELS = 30
const TARGETS = 10_000
/** Messages rendered, and people looked at, before others have their turn. */
const PART = 1_000
const LOOKED_AT = 5_000
/** Of a larger audience it is not asked who already has a channel, where that changes nothing about who gets it. */
const MOST_LOOKED_UP = 10_000
const LISTED = 100
const DIRECT = 'messaging'

type DryRunQuery = Omit<Parameters<EngineClient['campaigns']['people']>[0], 'run'>

/**
 * Who would get a campaign, found out as the contract allows: from the segments and the people it names, with the rules by
 * which the server sends. Changes nothing.
 */
export class DryRun {
  readonly id: string
  readonly #core: Parts
  readonly #api: EngineApi
  readonly #of: Of
  readonly #steps: AsyncGenerator<void, DryRunSummary>
  #people: DryRunPeople | undefined = new DryRunPeople()
  #sender: FieldSource | undefined
  readonly #segmentNames = new Map<string, string>()
  #longest = 0
  #checked = 0
  #summary: DryRunSummary | undefined

  constructor(core: Parts, api: EngineApi, of: Of) {
    this.id = core.ports.ids.uuid()
    this.#core = core
    this.#api = api
    this.#of = of
    this.#steps = this.#walk()
  }

  async step(): Promise<DryRunStep> {
    for (let count = 0; count < STEP && this.#summary === undefined; count += 1) {
      const { done, value } = await this.#steps.next()
      if (done === true) this.#summary = value
    }
    return { run: this.id, checked: this.#checked, summary: this.#summary }
  }

  /** How many people get this version, if it was found out since. */
  countOf(id: string, version: string, since: number): number | undefined {
    const { campaign } = this.#of
    if (campaign?.id !== id || campaign.version !== version || this.#summary === undefined) return undefined
    return this.#finishedAt >= since ? this.#summary.people : undefined
  }
  #finishedAt = 0

  /** Its people are not looked at any more; what was counted stays. */
  release(): void {
    this.#people = undefined
  }

  async list(query: DryRunQuery): Promise<{ people: readonly DryRunPerson[]; count: number }> {
    const { offset = 0 } = query
    const people = this.#known
    const matches = this.#matcher(people, query)
    const shown: DryRunPerson[] = []
    let count = 0
    for (let row = 0; row < people.size; row += 1) {
      if (row > 0 && row % LOOKED_AT === 0) await this.#breathe()
      if (!matches(row)) continue
      if (count >= offset && shown.length < LISTED) shown.push(this.#shown(people, row))
      count += 1
    }
    return { people: shown, count }
  }

  /** Everyone, as a table for spreadsheets, in parts. `at`: when they would get it. */
  table(at: number): Iterable<ExportPiece> {
    const { segmentIds } = this.#of.content
    return dryRunTable(this.#known, ['by name', ...segmentIds.map((id) => this.#segmentNames.get(id) || id)], at)
  }

  get #known(): DryRunPeople {
    if (this.#people === undefined) throw new AppError('campaigns/no-run')
    return this.#people
  }

  /** Others have their turn. */
  #breathe(): Promise<void> {
    return pause(this.#core.ports.clock, 0, this.#core.life)
  }

  #matcher(people: DryRunPeople, query: DryRunQuery): (row: number) => boolean {
    const { view, find, missing, reach, why, twice, nightAt, zoneless } = query
    const isNight = (zone: string | undefined): boolean =>
      zone !== undefined && nightAt !== undefined && isNightIn(zone, nightAt)
    return (row) =>
      (view === 'gets') === (people.whyAt(row) === undefined) &&
      (missing === undefined || people.missingAt(row).includes(missing)) &&
      (reach === undefined || people.reachAt(row) === reach) &&
      (why === undefined || people.whyAt(row) === why) &&
      (twice !== true || sourcesIn(people.fromAt(row)).length > 1) &&
      (nightAt === undefined || isNight(people.zoneAt(row))) &&
      (zoneless !== true || people.zoneAt(row) === undefined) &&
      (find === undefined || find === '' || isNamed(people.sourceAt(row), find))
  }

  async *#walk(): AsyncGenerator<void, DryRunSummary> {
    const { content } = this.#of
    const people = this.#known
    const audience = new Audience()
    audience.add(0, content.userIds)
    const channels = new Set<string>()
    let follows = false
    for (const [index, id] of content.segmentIds.entries()) {
      const segment = await this.#segment(id)
      yield
      if (segment === undefined) continue
      follows ||= segment.filters.length > 0
      if (segment.isOfUsers) yield* this.#gatherPeople(people, segment, audience, index + 1)
      else yield* this.#gatherChannels(segment, channels)
    }
    const ids = audience.ids()
    yield* this.#lookUp(people, [...ids, content.senderId, ...(content.channel?.members ?? [])])
    this.#sender = people.sourceOf(content.senderId)
    const type = content.channel?.type ?? DIRECT
    const settings = await this.#channelType(type)
    const maxLength = Math.min(MAX_MESSAGE_LENGTH, countOf(settings?.['max_message_length']) || MAX_MESSAGE_LENGTH)
    yield
    const access = { api: this.#api, signal: this.#core.life }
    const returns = this.#isOurs ? await returnsBy(access, { type, settings, senderId: content.senderId }) : undefined
    yield
    yield* this.#render(people, audience, ids, { maxLength, returns })
    this.#finishedAt = this.#core.ports.clock.now()
    return this.#summarize(people, audience, { channels: channels.size, maxLength, follows })
  }

  /** Of a list the ids are named once; of those who match, each time that they are found by another filter. */
  async *#gatherPeople(people: DryRunPeople, segment: Segment, audience: Audience, source: number) {
    for await (const ids of this.#segmentPeople(people, segment)) {
      audience.add(
        source,
        ids.filter((id) => (audience.from(id) & (1 << source)) === 0),
      )
      yield
    }
  }

  async *#gatherChannels(segment: Segment, channels: Set<string>) {
    for await (const cids of this.#segmentChannels(segment)) {
      for (const cid of cids) channels.add(cid)
      yield
    }
  }

  async #segment(id: string): Promise<Segment | undefined> {
    const { senderId } = this.#of.content
    try {
      const reply = await this.#api.send(getSegment, { params: { id }, signal: this.#core.life })
      const wire = asWire(reply.segment) ?? {}
      this.#segmentNames.set(id, nameOf(wire['name']) ?? '')
      const isOfUsers = wire['type'] !== 'channel'
      const filter = asWire(wire['filter']) ?? {}
      const whole: Filter[] = isOfUsers
        ? wire['all_users'] === true
          ? [{}]
          : []
        : wire['all_sender_channels'] === true
          ? [{ members: { $in: [senderId] } }]
          : []
      const own = Object.keys(filter).length > 0 && !(isOfUsers && whole.length > 0) ? [filter] : []
      return { id, isOfUsers, filters: [...whole, ...own] }
    } catch (error) {
      // One that was deleted since adds nobody, as when the server sends.
      if (error instanceof ApiError && error.class === 'gone') return undefined
      throw error
    }
  }

  /** Ids in parts: those added by hand, then those who match. */
  async *#segmentPeople(people: DryRunPeople, { id, filters }: Segment): AsyncGenerator<readonly string[]> {
    yield* this.#targets(id)
    for (const filter of filters) {
      let after: string | undefined
      do {
        const bound: Filter[] = after === undefined ? [] : [{ id: { $gt: after } }]
        const users = await this.#users(people, { $and: [...(isEmpty(filter) ? [] : [filter]), ...bound] }, false)
        yield users
        after = users.length < USERS ? undefined : users.at(-1)
      } while (after !== undefined)
    }
  }

  async *#segmentChannels({ id, filters }: Segment): AsyncGenerator<readonly string[]> {
    yield* this.#targets(id)
    for (const filter of filters) {
      let after: string | undefined
      do {
        const bound: Filter[] = after === undefined ? [] : [{ cid: { $gt: after } }]
        const cids = [...(await this.#channels({ $and: [filter, ...bound] })).keys()]
        yield cids
        after = cids.length < CHANNELS ? undefined : cids.at(-1)
      } while (after !== undefined)
    }
  }

  async *#targets(id: string): AsyncGenerator<readonly string[]> {
    let next: string | undefined
    do {
      const body = { limit: TARGETS, ...(next === undefined ? {} : { next }) }
      const reply = await this.#api.send(querySegmentTargets, { params: { id }, body, signal: this.#core.life })
      yield asList(reply.targets).flatMap((each) => idOf(asWire(each)?.['target_id']) ?? [])
      next = cursorOf(reply.next, next)
    } while (next !== undefined)
  }

  /** Remembers what is found about people, and returns their ids in order. */
  async #users(people: DryRunPeople, filter: Filter, inactive: boolean): Promise<readonly string[]> {
    const conditions = asList(filter['$and'])
    const payload = {
      filter_conditions: conditions.length === 1 ? (conditions[0] as Filter) : conditions.length === 0 ? {} : filter,
      sort: [{ field: 'id', direction: 1 as const }],
      limit: USERS,
      include_deactivated_users: inactive,
      ...(inactive && this.#isOurs ? { include_deleted_users: true } : {}),
    }
    const reply = await this.#api.send(queryUsers, { query: { payload }, signal: this.#core.life })
    const ids: string[] = []
    for (const value of asList(reply.users)) {
      const wire = asWire(value)
      const id = idOf(wire?.['id'])
      if (!wire || id === undefined) continue
      const about = { source: this.#sourceOf(id, wire), standing: standingOf(wire), ...zoneOf(wire) }
      if (people.note(id, about)) this.#checked += 1
      ids.push(id)
    }
    return ids
  }

  /** Only the fields that the text names: an audience may be long. */
  #sourceOf(id: string, wire: Wire): FieldSource {
    const names = this.#names
    return {
      id,
      name: nameOf(wire['name']),
      language: textOf(wire['language'], 64),
      custom: names.some((name) => Object.hasOwn(wire, name))
        ? Object.fromEntries(names.flatMap((name) => (Object.hasOwn(wire, name) ? [[name, wire[name]]] : [])))
        : NOTHING,
    }
  }

  get #isOurs(): boolean {
    return isOurs(this.#core)
  }

  get #names(): readonly string[] {
    this.#fieldNames ??= [...new Set(fieldsOf(this.#of.content.text).map(({ name }) => name))]
    return this.#fieldNames
  }
  #fieldNames: readonly string[] | undefined

  /** The text names a field of the channel. */
  get #namesChannel(): boolean {
    return fieldsOf(this.#of.content.text).some(({ owner }) => owner === 'channel')
  }

  async *#lookUp(people: DryRunPeople, ids: readonly string[]): AsyncGenerator<void> {
    const unknown = [...new Set(ids.filter((id) => !people.isKnown(id)))]
    for (let at = 0; at < unknown.length; at += USERS) {
      await this.#users(people, { $and: [{ id: { $in: unknown.slice(at, at + USERS) } }] }, true)
      yield
    }
  }

  /** Their ids, with the fields that the text names. */
  async #channels(filter: Filter): Promise<ReadonlyMap<string, FieldSource>> {
    const body = {
      filter_conditions: filter,
      sort: [{ field: 'cid', direction: 1 as const }],
      limit: CHANNELS,
      state: false,
      watch: false,
      presence: false,
    }
    const reply = await this.#api.send(queryChannels, { body, signal: this.#core.life })
    const found = new Map<string, FieldSource>()
    for (const each of asList(reply.channels)) {
      const wire = asWire(asWire(each)?.['channel'])
      const cid = idOf(wire?.['cid'])
      if (wire && cid !== undefined) found.set(cid, this.#sourceOf(idOf(wire['id']) ?? '', wire))
    }
    return found
  }

  async #channelType(type: string): Promise<Wire | undefined> {
    const { channel_types: types } = await this.#api.send(listChannelTypes, { signal: this.#core.life })
    return asWire(asWire(types)?.[type])
  }

  /** Where the message of each of these people stands. Only our server's ids of channels can be told in advance. */
  async *#render(people: DryRunPeople, audience: Audience, ids: readonly string[], limits: Limits) {
    const { content } = this.#of
    const at = this.#core.serverNow()
    const { attachments } = content
    const refusal = (id: string, text: string): Exclusion | undefined =>
      refusalOf(content, text, limits.maxLength) ??
      (limits.returns?.({ text, cid: this.#cidFor(id), attachments: attachments.length, at }) === true
        ? 'returned'
        : undefined)
    const gets = ids.filter((id) => exclusionOf(id, content.senderId, people.standingOf(id)) === undefined)
    const { atOnce, find } = await this.#places(gets.length)
    yield
    for (let at = 0; at < gets.length; at += atOnce) {
      const some = gets.slice(at, at + atOnce)
      const places = await find(some)
      for (const id of some) {
        const { reach, channel } = places.get(id) ?? UNKNOWN_PLACE
        const rendered = renderText(content.text, this.#sources(people.sourceOf(id), channel))
        this.#longest = Math.max(this.#longest, textLength(rendered.text))
        const isUnreachable = reach === 'new' && !content.createChannels
        const why = isUnreachable ? 'no-channel' : refusal(id, rendered.text)
        people.addRow(id, { reach, why, channel, from: audience.from(id), missing: rendered.missing })
      }
      if (atOnce === PART) await this.#breathe()
      yield
    }
    for (const id of ids) {
      const why = exclusionOf(id, content.senderId, people.standingOf(id))
      if (why !== undefined) people.addRow(id, { why, reach: 'unknown', from: audience.from(id), missing: [] })
    }
    people.close()
  }

  /** Asks about the channels of some people at a time. */
  async #places(count: number): Promise<Places> {
    const { channel, createChannels } = this.#of.content
    if (channel?.id !== undefined) {
      const cid = this.#cidFor('')
      const place = this.#placeIn(cid, await this.#channels({ cid: { $in: [cid] } }))
      return { atOnce: PART, find: (ids) => Promise.resolve(new Map(ids.map((id) => [id, place]))) }
    }
    const isNeeded = !createChannels || this.#namesChannel || count <= MOST_LOOKED_UP
    if (!isOurs(this.#core) || !isNeeded) return { atOnce: PART, find: () => Promise.resolve(NO_PLACES) }
    const find = async (ids: readonly string[]): Promise<ReadonlyMap<string, Place>> => {
      const cids = ids.map((id) => this.#cidFor(id))
      const there = await this.#channels({ cid: { $in: cids } })
      return new Map(ids.map((id, index) => [id, this.#placeIn(cids[index] ?? '', there)]))
    }
    return { atOnce: CHANNELS, find }
  }

  /** The channel in which this person gets it. */
  #cidFor(id: string): string {
    const { channel, senderId } = this.#of.content
    const others = [...(channel?.members ?? []), ...memberTemplates(channel?.membersJson)]
    return `${channel?.type ?? DIRECT}:${channel?.id ?? distinctId([senderId, id, ...others])}`
  }

  /** As the server fills it in: a channel that exists has its own fields, a new one those of the template. */
  #placeIn(cid: string, there: ReadonlyMap<string, FieldSource>): Place {
    const found = there.get(cid)
    const reach = found === undefined ? 'new' : 'existing'
    if (!this.#namesChannel) return { reach }
    return { reach, channel: found ?? this.#made(cid.slice(cid.indexOf(':') + 1)) }
  }

  #made(id: string): FieldSource {
    const fields = Object.entries(this.#of.content.channel?.fields ?? {})
    const custom = Object.fromEntries(fields.filter(([, value]) => typeof value !== 'object'))
    return { id, name: textOf(custom['name'], 255), custom }
  }

  /** Those who are left out for who they are get no text. */
  #shown(people: DryRunPeople, row: number): DryRunPerson {
    const { content } = this.#of
    const source = people.sourceAt(row)
    const [why, place, timeZone] = [people.whyAt(row), people.placeAt(row), people.zoneAt(row)]
    const isRendered = why === undefined || RENDERED_TOO.has(why)
    return {
      id: source.id,
      name: source.name ?? source.id,
      from: sourcesIn(people.fromAt(row)).map((number) => content.segmentIds[number - 1] ?? null),
      reach: people.reachAt(row),
      missing: people.missingAt(row),
      text: isRendered ? renderText(content.text, this.#sources(source, people.channelAt(row))).text : '',
      ...(place === undefined ? {} : { place }),
      ...(why === undefined ? {} : { why }),
      ...(timeZone === undefined ? {} : { timeZone }),
    }
  }

  #sources(receiver: FieldSource | undefined, channel: FieldSource | undefined): FieldSources {
    const { channel: template } = this.#of.content
    return {
      sender: this.#sender,
      receiver: template?.id === undefined ? receiver : undefined,
      channel: channel ?? this.#made(template?.id ?? ''),
    }
  }

  #summarize(
    people: DryRunPeople,
    { found, twice }: Audience,
    { channels, maxLength, follows }: Pick<DryRunSummary, 'channels' | 'maxLength' | 'follows'>,
  ): DryRunSummary {
    const excluded: Partial<Record<Exclusion, number>> = {}
    const reach: Partial<Record<Reach, number>> = {}
    const missing: Record<string, number> = {}
    const zones: Record<string, number> = {}
    let count = 0
    for (let row = 0; row < people.size; row += 1) {
      const why = people.whyAt(row)
      if (why !== undefined) {
        excluded[why] = (excluded[why] ?? 0) + 1
        continue
      }
      count += 1
      const where = people.reachAt(row)
      reach[where] = (reach[where] ?? 0) + 1
      const zone = people.zoneAt(row)
      if (zone !== undefined) zones[zone] = (zones[zone] ?? 0) + 1
      for (const name of people.missingAt(row)) missing[name] = (missing[name] ?? 0) + 1
    }
    const ordered = Object.fromEntries(
      EXCLUSIONS.flatMap((why) => (excluded[why] === undefined ? [] : [[why, excluded[why]]])),
    )
    const at = this.#core.serverNow()
    const about = { reach, zones, missing, longest: this.#longest, maxLength, follows }
    return { at, people: count, channels, found, twice, excluded: ordered, ...about }
  }
}

/** Where the message of somebody stands. `channel`: only where the text names a field of it. */
type Place = { readonly reach: Reach; readonly channel?: FieldSource }
type Places = {
  readonly atOnce: number
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Place>>
}
const UNKNOWN_PLACE: Place = { reach: 'unknown' }
const NO_PLACES: ReadonlyMap<string, Place> = new Map()

const isNamed = ({ id, name }: FieldSource, find: string): boolean => hasParts(`${name ?? id} ${id}`, find)

function zoneOf(wire: Wire): { readonly timeZone?: string } {
  const timeZone = wire['timezone']
  return typeof timeZone === 'string' && isTimeZone(timeZone) ? { timeZone } : {}
}

const NOTHING: FieldSource['custom'] = {}

/** Reasons that follow from the text, or from the channel that it would stand in. */
const RENDERED_TOO: ReadonlySet<Exclusion> = new Set(['no-channel', 'too-long', 'empty', 'returned'])

/** What a message may be. `returns`: absent where no rule returns any. */
type Limits = { readonly maxLength: number; readonly returns: Returns | undefined }

type Segment = { readonly id: string; readonly isOfUsers: boolean; readonly filters: readonly Filter[] }

const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0

function standingOf(wire: Wire): Standing {
  if (timeOf(wire['deleted_at']) !== undefined) return 'deleted'
  return timeOf(wire['deactivated_at']) === undefined ? 'active' : 'deactivated'
}

/** Why the server would refuse the message of one person. */
function refusalOf(content: CampaignContent, text: string, maxLength: number): Exclusion | undefined {
  if (isLongerThan(text, maxLength)) return 'too-long'
  const isEmptyMessage = isBlank(text) && content.attachments.length === 0 && content.pollId === undefined
  return isEmptyMessage ? 'empty' : undefined
}

function memberTemplates(json: string | undefined): readonly string[] {
  if (json === undefined) return []
  return asList(JSON.parse(json)).flatMap((each) => idOf(asWire(each)?.['user_id']) ?? [])
}
