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
import { resolveAudience, type Audience, type AudienceSource, type Standing } from '#shared/rules/campaigns/audience.ts'
import { fieldsOf, renderText, type FieldSource, type FieldSources } from '#shared/rules/campaigns/fields.ts'
import { isNightIn, isTimeZone } from '#shared/rules/people/local-time.ts'
import { hasParts } from '#shared/rules/search/search-fold.ts'
import { isLongerThan, textLength } from '#shared/rules/messages/text.ts'
import { listChannelTypes } from '#shared/wire/admin.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { getSegment, querySegmentTargets } from '#shared/wire/campaigns.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import type { Filter } from '#shared/wire/endpoint.ts'
import { distinctId } from '#main/lib/distinct-id.ts'
import { ApiError } from '../../../api/errors.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, countOf, cursorOf, idOf, nameOf, textOf, timeOf, type Wire } from '../../../decode/read.ts'
import { isOurs } from '../authority.ts'

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
/** Messages rendered in one step. */
const RENDERED = 2_000
/** Of a larger audience it is not asked who already has a channel, where that changes nothing about who gets it. */
const MOST_LOOKED_UP = 10_000
const LISTED = 100
const DIRECT = 'messaging'

type DryRunQuery = Omit<Parameters<EngineClient['campaigns']['people']>[0], 'run'>

/** A row of the list. What is written to somebody is rendered when it is looked at: 100,000 long texts fit nowhere. */
type Row = Pick<DryRunPerson, 'id' | 'place' | 'from' | 'reach' | 'missing' | 'why'>

type Person = { readonly source: FieldSource; readonly standing: Standing; readonly timeZone?: string }

/**
 * Who would get a campaign, found out as the contract allows: from the segments and the people it names, with the rules by
 * which the server sends. Changes nothing.
 */
export class DryRun {
  readonly id: string
  readonly #core: Parts
  readonly #api: EngineApi
  readonly #of: Of
  readonly #people = new Map<string, Person>()
  readonly #steps: AsyncGenerator<void, DryRunSummary>
  #listed: readonly Row[] = []
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

  list({ view, find, missing, reach, why, twice, nightAt, zoneless, offset }: DryRunQuery) {
    const rows = this.#listed.filter(
      (person) =>
        (view === 'gets') === (person.why === undefined) &&
        (missing === undefined || person.missing.includes(missing)) &&
        (reach === undefined || person.reach === reach) &&
        (why === undefined || person.why === why) &&
        (twice !== true || person.from.length > 1) &&
        (nightAt === undefined || isNightIn(this.#people.get(person.id)?.timeZone ?? '', nightAt)) &&
        (zoneless !== true || this.#people.get(person.id)?.timeZone === undefined) &&
        (find === undefined || hasParts(`${this.#nameOf(person.id)} ${person.id}`, find)),
    )
    const people = rows.slice(offset, (offset ?? 0) + LISTED).map((row) => this.#shown(row))
    return { people, count: rows.length }
  }

  async *#walk(): AsyncGenerator<void, DryRunSummary> {
    const { content } = this.#of
    const sources: AudienceSource[] = [{ id: null, ids: content.userIds }]
    const channels = new Set<string>()
    let follows = false
    for (const id of content.segmentIds) {
      const segment = await this.#segment(id)
      yield
      if (segment === undefined) continue
      follows ||= segment.filters.length > 0
      const ids: string[] = []
      const found = segment.isOfUsers ? this.#segmentPeople(segment) : this.#segmentChannels(segment)
      for await (const some of found) {
        ids.push(...some)
        yield
      }
      const unique = [...new Set(ids)]
      if (segment.isOfUsers) sources.push({ id, ids: unique })
      else for (const cid of unique) channels.add(cid)
    }
    const named = [...sources.flatMap(({ ids }) => ids), content.senderId, ...(content.channel?.members ?? [])]
    for await (const _ of this.#lookUp(named)) yield
    const audience = resolveAudience(sources, content.senderId, (id) => this.#people.get(id)?.standing ?? 'unknown')
    const maxLength = await this.#maxLength()
    yield
    const reaches = new Map<string, Reach>()
    for await (const _ of this.#reach(audience, reaches)) yield
    for await (const _ of this.#render(audience, reaches, maxLength)) yield
    this.#finishedAt = this.#core.ports.clock.now()
    return this.#summarize(audience, { channels: channels.size, maxLength, follows })
  }

  async #segment(id: string): Promise<Segment | undefined> {
    const { senderId } = this.#of.content
    try {
      const reply = await this.#api.send(getSegment, { params: { id }, signal: this.#core.life })
      const wire = asWire(reply.segment) ?? {}
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
  async *#segmentPeople({ id, filters }: Segment): AsyncGenerator<readonly string[]> {
    yield* this.#targets(id)
    for (const filter of filters) {
      let after: string | undefined
      do {
        const bound: Filter[] = after === undefined ? [] : [{ id: { $gt: after } }]
        const users = await this.#users({ $and: [...(isEmpty(filter) ? [] : [filter]), ...bound] }, false)
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
        const cids = await this.#channels({ $and: [filter, ...bound] })
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
  async #users(filter: Filter, inactive: boolean): Promise<readonly string[]> {
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
      if (!this.#people.has(id)) this.#checked += 1
      this.#people.set(id, { source: this.#sourceOf(id, wire), standing: standingOf(wire), ...this.#zoneOf(wire) })
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

  /** One string for everyone in a zone: an audience may be long. */
  #zoneOf(wire: Wire): { readonly timeZone?: string } {
    const named = wire['timezone']
    if (typeof named !== 'string' || !isTimeZone(named)) return {}
    const timeZone = this.#zones.get(named) ?? named
    this.#zones.set(named, timeZone)
    return { timeZone }
  }
  readonly #zones = new Map<string, string>()

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
  /** Channels that exist, where the text names a field of them. */
  readonly #channelsThere = new Map<string, FieldSource>()
  readonly #cids = new Map<string, string>()

  async *#lookUp(ids: readonly string[]): AsyncGenerator<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#people.has(id))
    for (let at = 0; at < unknown.length; at += USERS) {
      await this.#users({ $and: [{ id: { $in: unknown.slice(at, at + USERS) } }] }, true)
      yield
    }
  }

  async #channels(filter: Filter): Promise<readonly string[]> {
    const body = {
      filter_conditions: filter,
      sort: [{ field: 'cid', direction: 1 as const }],
      limit: CHANNELS,
      state: false,
      watch: false,
      presence: false,
    }
    const reply = await this.#api.send(queryChannels, { body, signal: this.#core.life })
    return asList(reply.channels).flatMap((each) => {
      const wire = asWire(asWire(each)?.['channel'])
      const cid = idOf(wire?.['cid'])
      if (!wire || cid === undefined) return []
      if (this.#namesChannel) this.#channelsThere.set(cid, this.#sourceOf(idOf(wire['id']) ?? '', wire))
      return [cid]
    })
  }

  async #maxLength(): Promise<number> {
    const { channel_types: types } = await this.#api.send(listChannelTypes, { signal: this.#core.life })
    const own = asWire(asWire(types)?.[this.#of.content.channel?.type ?? DIRECT])
    return Math.min(MAX_MESSAGE_LENGTH, countOf(own?.['max_message_length']) || MAX_MESSAGE_LENGTH)
  }

  /** Who has a channel already. Only our server's ids of channels can be told in advance. */
  async *#reach({ people }: Audience, reaches: Map<string, Reach>): AsyncGenerator<void> {
    const { channel, senderId, createChannels } = this.#of.content
    const type = channel?.type ?? DIRECT
    if (channel?.id !== undefined) {
      const cid = `${type}:${channel.id}`
      const isThere = (await this.#channels({ cid: { $in: [cid] } })).includes(cid)
      yield
      for (const { id } of people) {
        reaches.set(id, isThere ? 'existing' : 'new')
        this.#cids.set(id, cid)
      }
      return
    }
    const isNeeded = !createChannels || this.#namesChannel || people.length <= MOST_LOOKED_UP
    if (!this.#isOurs || !isNeeded) return
    const others = [...(channel?.members ?? []), ...memberTemplates(channel?.membersJson)]
    const byCid = new Map(people.map(({ id }) => [`${type}:${distinctId([senderId, id, ...others])}`, id]))
    for (const [cid, id] of byCid) this.#cids.set(id, cid)
    const cids = [...byCid.keys()]
    for (let at = 0; at < cids.length; at += CHANNELS) {
      const asked = cids.slice(at, at + CHANNELS)
      const there = new Set(await this.#channels({ cid: { $in: asked } }))
      for (const cid of asked) reaches.set(byCid.get(cid) ?? '', there.has(cid) ? 'existing' : 'new')
      yield
    }
  }

  async *#render(audience: Audience, reaches: ReadonlyMap<string, Reach>, maxLength: number): AsyncGenerator<void> {
    const { content } = this.#of
    const listed: Row[] = []
    const same = createInterning()
    let place = 0
    for (const [index, { id, from }] of audience.people.entries()) {
      const reach = reaches.get(id) ?? 'unknown'
      const rendered = renderText(content.text, this.#sources(id))
      this.#longest = Math.max(this.#longest, textLength(rendered.text))
      const why =
        reach === 'new' && !content.createChannels ? 'no-channel' : refusalOf(content, rendered.text, maxLength)
      if (why === undefined) place += 1
      const standing = why === undefined ? { place } : { why }
      listed.push({ id, from: same(from), ...standing, reach, missing: same(rendered.missing) })
      if (index % RENDERED === RENDERED - 1) yield
    }
    for (const { why, id, from } of audience.excluded) {
      listed.push({ id, from: same(from), why, reach: 'unknown', missing: same<string>([]) })
    }
    this.#listed = listed
  }

  #nameOf(id: string): string {
    return this.#people.get(id)?.source.name ?? id
  }

  /** Those who are left out for who they are get no text. */
  #shown(row: Row): DryRunPerson {
    const { id, why } = row
    const timeZone = this.#people.get(id)?.timeZone
    const isRendered = why === undefined || RENDERED_TOO.has(why)
    const text = isRendered ? renderText(this.#of.content.text, this.#sources(id)).text : ''
    return { ...row, name: this.#nameOf(id), text, ...(timeZone === undefined ? {} : { timeZone }) }
  }

  /** As the server fills them in: a channel that exists has its own fields, a new one those of the template. */
  #sources(receiverId: string): FieldSources {
    const { channel, senderId } = this.#of.content
    const cid = this.#cids.get(receiverId)
    const there = cid === undefined ? undefined : this.#channelsThere.get(cid)
    const custom = Object.fromEntries(
      Object.entries(channel?.fields ?? {}).filter(([, value]) => typeof value !== 'object'),
    )
    const made = { id: channel?.id ?? cid?.split(':')[1] ?? '', name: textOf(custom['name'], 255), custom }
    return {
      sender: this.#people.get(senderId)?.source,
      receiver: channel?.id === undefined ? this.#people.get(receiverId)?.source : undefined,
      channel: there ?? made,
    }
  }

  #summarize(
    { found, twice }: Audience,
    { channels, maxLength, follows }: Pick<DryRunSummary, 'channels' | 'maxLength' | 'follows'>,
  ): DryRunSummary {
    const excluded: Partial<Record<Exclusion, number>> = {}
    const reach: Partial<Record<Reach, number>> = {}
    const missing: Record<string, number> = {}
    const zones: Record<string, number> = {}
    let people = 0
    for (const person of this.#listed) {
      if (person.why !== undefined) {
        excluded[person.why] = (excluded[person.why] ?? 0) + 1
        continue
      }
      people += 1
      reach[person.reach] = (reach[person.reach] ?? 0) + 1
      const zone = this.#people.get(person.id)?.timeZone
      if (zone !== undefined) zones[zone] = (zones[zone] ?? 0) + 1
      for (const name of person.missing) missing[name] = (missing[name] ?? 0) + 1
    }
    const ordered = Object.fromEntries(
      EXCLUSIONS.flatMap((why) => (excluded[why] === undefined ? [] : [[why, excluded[why]]])),
    )
    const at = this.#core.serverNow()
    const about = { reach, zones, missing, longest: this.#longest, maxLength, follows }
    return { at, people, channels, found, twice, excluded: ordered, ...about }
  }
}

const NOTHING: FieldSource['custom'] = {}

/** Reasons that follow from the text, or from the channel that it would stand in. */
const RENDERED_TOO: ReadonlySet<Exclusion> = new Set(['no-channel', 'too-long', 'empty'])

/** One list for all that say the same: an audience may be long. */
function createInterning(): <Item extends string | null>(list: readonly Item[]) => readonly Item[] {
  const known = new Map<string, readonly (string | null)[]>()
  return <Item extends string | null>(list: readonly Item[]) => {
    const key = JSON.stringify(list)
    const kept = (known.get(key) as readonly Item[] | undefined) ?? list
    known.set(key, kept)
    return kept
  }
}

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
