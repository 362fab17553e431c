import * as v from 'valibot'
import type {
  CampaignContent,
  CampaignReplies,
  ListedCampaign,
  CampaignReading,
} from '#shared/domain/manage/campaigns.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { fieldsOf, renderText, type FieldSource } from '#shared/rules/campaigns/campaigns.ts'
import { isDirect, splitCid } from '#shared/rules/channels/channels.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as answers from '#main/cache/messages/answers.ts'
import * as users from '#main/cache/people/users.ts'
import { type Reader, type Touched, type Tx, fromJson, toJson } from '#main/cache/store.ts'
import { pause, type Stop } from '#main/lib/clock.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../../core.ts'
import { topicChanged } from '../authority.ts'

type Parts = Pick<Core, 'cache' | 'collector' | 'life' | 'memory' | 'ports' | 'serverNow'>

/** Windows are told at most this often that there is another answer, and less often where counting takes long. */
const TELL_EVERY_MS = 1_000
const SHARE_OF_COUNTING = 20
/** A screen asks at least every minute. */
const FOLLOWED_MS = 150_000
/** The server's times of a campaign and of its messages are told in different precision. */
const SLACK_MS = 1_000
/** Channels that are looked at in one turn: an account may have 10,000. */
const PART = 500

/**
 * What was answered to campaigns. The contract neither counts answers nor says which messages a campaign sent: they are
 * found in the viewer's own channels as they are cached, and only what is certain is counted.
 */
export class CampaignAnswers {
  readonly #core: Parts
  #followed: { readonly cids: Set<string>; readonly until: number } | undefined
  #telling: Stop | undefined
  #tellEvery = TELL_EVERY_MS

  constructor(core: Parts) {
    this.#core = core
    core.life.addEventListener('abort', () => this.#telling?.())
  }

  /** `undefined`: it has not started, or its messages cannot be told from those of one of `others`. */
  async of(campaign: ListedCampaign, others: readonly ListedCampaign[]): Promise<CampaignReplies | undefined> {
    const { cache, life, ports } = this.#core
    const { startedAt, messagesSent } = campaign.stats
    if (startedAt === undefined || others.some((other) => isAlike(campaign, other))) return undefined
    const sending = { from: startedAt - SLACK_MS, to: Math.min(this.#core.serverNow(), endOf(campaign)) + SLACK_MS }
    const followed = { cids: new Set<string>(), until: ports.clock.monotonic() + FOLLOWED_MS }
    this.#followed = followed
    let [count, known, spent] = [0, 0, 0]
    const cids = members.cidsOf(cache.reader, cache.reader.viewerId)
    for (let at = 0; at < cids.length && !life.aborted; at += PART) {
      if (at > 0) await pause(ports.clock, 0, life)
      const startedPart = ports.clock.monotonic()
      const found = messagesOf(cache.reader, campaign, cids.slice(at, at + PART), sending)
      for (const { cid } of found) followed.cids.add(cid)
      for (const answered of answersTo(cache.reader, campaign, found, sending.from)) {
        known += 1
        count += answered
      }
      spent += ports.clock.monotonic() - startedPart
    }
    this.#tellEvery = Math.max(TELL_EVERY_MS, spent * SHARE_OF_COUNTING)
    return { count, known, all: Math.max(messagesSent, known) }
  }

  /** Screens count again when something was written in a channel that they count in. */
  committed(touched: Touched): void {
    const cids = touched.entities.get('channels')
    if (this.#followed === undefined || cids === undefined || !touched.entities.has('messages')) return
    if (this.#core.ports.clock.monotonic() > this.#followed.until) this.#followed = undefined
    const { cids: followed = NONE } = this.#followed ?? {}
    if ([...cids].some((cid) => followed.has(cid))) {
      this.#telling ??= this.#core.ports.clock.after(this.#tellEvery, () => {
        this.#telling = undefined
        if (!this.#core.life.aborted) topicChanged(this.#core, 'campaign-replies')
      })
    }
  }
}

const NONE: ReadonlySet<string> = new Set()

const endOf = ({ stats, state }: ListedCampaign): number =>
  state === 'in_progress' ? Infinity : (stats.completedAt ?? Infinity)

/** Both send the same text in the name of the same person at the same time. */
function isAlike(one: ListedCampaign, other: ListedCampaign): boolean {
  const [from, otherFrom] = [one.stats.startedAt, other.stats.startedAt]
  if (one.id === other.id || from === undefined || otherFrom === undefined) return false
  const isSameText = one.content.senderId === other.content.senderId && one.content.text === other.content.text
  return isSameText && from - SLACK_MS <= endOf(other) + SLACK_MS && otherFrom - SLACK_MS <= endOf(one) + SLACK_MS
}

type Sending = { readonly from: number; readonly to: number }

/**
 * Its messages in these channels: those that its sender sent while it was going out, with its text as it is for that
 * person. Where two are alike, or somebody has edited it, it is not known which one it is.
 */
function messagesOf(reader: Reader, { content }: ListedCampaign, cids: readonly Cid[], sending: Sending) {
  const sent = answers
    .sent(reader, cids, { ...sending, senderId: asUserId(content.senderId) })
    .filter((message) => hasExtras(message, content))
  const alike = sent.filter(textMatcher(reader, content, sent))
  const perChannel = new Map<string, number>()
  for (const { cid } of alike) perChannel.set(cid, (perChannel.get(cid) ?? 0) + 1)
  return alike.filter(({ cid }) => perChannel.get(cid) === 1)
}

/** How often each of these was answered, where that is known. */
function answersTo(
  reader: Reader,
  { content }: ListedCampaign,
  found: readonly answers.SentMessage[],
  from: number,
): readonly number[] {
  const counts = answers.toEach(
    reader,
    found.map(({ id }) => id),
  )
  return found.flatMap(({ id, cid, madeAt, madeBy }) => {
    const { inThread, later } = counts.get(id) ?? {}
    if (inThread === undefined || later === undefined) return []
    // A direct message, or a channel that was made for it: there everything is an answer, elsewhere only its thread.
    const isMade = madeBy === content.senderId && madeAt !== undefined && madeAt >= from
    return [inThread + (isMade || isDirect(splitCid(cid).id) ? later : 0)]
  })
}

/** Files, poll and data of the template; a server may add previews of links. */
function hasExtras({ attachments, pollId, custom }: answers.SentMessage, content: CampaignContent): boolean {
  const files = content.attachments.length
  if (content.text.trim() === '' ? attachments !== files : attachments < files) return false
  if ((pollId === undefined) !== (content.pollId === undefined)) return false
  return Object.entries(content.fields).every(([name, value]) => typeof value === 'object' || custom[name] === value)
}

/** Whether a message has the text of the campaign, as the server fills it in. */
function textMatcher(
  reader: Reader,
  content: CampaignContent,
  sent: readonly answers.SentMessage[],
): (message: answers.SentMessage) => boolean {
  const owners = new Set(fieldsOf(content.text).map(({ owner }) => owner))
  const senders = [...sourcesOf(users.byId(reader, asUserId(content.senderId))), undefined]
  const isToNobody = !owners.has('receiver') || content.channel?.id !== undefined
  const ours = sent.filter(({ cid, madeBy }) => madeBy === content.senderId || isDirect(splitCid(cid).id))
  const inEach = isToNobody ? new Map<string, never>() : members.inEach(reader, cidsOf(ours))
  const templated = new Set<string>([content.senderId, ...(content.channel?.members ?? [])])
  const receiversIn = (cid: string) => (inEach.get(cid) ?? []).filter((id: string) => !templated.has(id))
  const ids = new Set(ours.flatMap(({ cid }) => receiversIn(cid)))
  const people = new Map<string, readonly FieldSource[]>(
    users.byIds(reader, [...ids]).map((user) => [user.id, sourcesOf(user)]),
  )
  return ({ cid, text }) => {
    const channel = owners.has('channel') ? channelSource(reader, cid) : undefined
    const receivers = [...receiversIn(cid).flatMap((id) => people.get(id) ?? []), undefined]
    return senders.some((sender) =>
      receivers.some((receiver) => isWritten(text, renderText(content.text, { sender, receiver, channel }).text)),
    )
  }
}

const isWritten = (text: string, rendered: string): boolean => text.trim() === rendered.trim()

const cidsOf = (sent: readonly answers.SentMessage[]): readonly Cid[] => [...new Set(sent.map(({ cid }) => cid))]

type Person = { readonly id: string; readonly name: string; readonly language?: string; readonly custom: object }

/** Somebody who is called by their id here may be so called, or have no name. */
function sourcesOf(user: Person | undefined): readonly FieldSource[] {
  if (user === undefined) return []
  const { id, name, language } = user
  const source = { id, name, language, custom: { ...user.custom } }
  return name === id ? [source, { ...source, name: null }] : [source]
}

function channelSource(reader: Reader, cid: Cid): FieldSource | undefined {
  const row = channels.byCid(reader, cid)
  return row && { id: row.id, name: row.name === '' ? null : row.name, custom: row.custom }
}

/** No server tells how a campaign went over time: this device remembers what it was told, and when. */
const KEY = 'campaign-readings'
const CAMPAIGNS = 100
/** Of more, every second one is dropped: the whole course stays, less finely. */
const READINGS = 60

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const reading = v.object({
  at: v.number(),
  usersSent: count,
  usersDelivered: v.optional(count),
  usersRead: count,
  messagesSent: count,
  channelsCreated: count,
})
const stored = v.record(v.string(), v.array(reading))
type Stored = Readonly<Record<string, readonly CampaignReading[]>>

/** Oldest first. */
export const readingsOf = (reader: Reader, id: string): readonly CampaignReading[] => read(reader)[id] ?? []

/** Remembers the figures of campaigns that are on their way or over, where they have changed. `at`: server time. */
export function noteReadings(tx: Tx, campaigns: readonly ListedCampaign[], at: number): void {
  const known = read(tx)
  const changed = campaigns.flatMap(({ id, stats }): [string, readonly CampaignReading[]][] => {
    const { usersSent, usersDelivered, usersRead, messagesSent, channelsCreated } = stats
    const next = { at, usersSent, usersDelivered, usersRead, messagesSent, channelsCreated }
    const before = known[id] ?? []
    return stats.startedAt === undefined || isSame(before.at(-1), next) ? [] : [[id, thinned([...before, next])]]
  })
  if (changed.length === 0) return
  const all = Object.entries({ ...known, ...Object.fromEntries(changed) })
  const newest = all.toSorted(([, a], [, b]) => (b.at(-1)?.at ?? 0) - (a.at(-1)?.at ?? 0))
  write(tx, Object.fromEntries(newest.slice(0, CAMPAIGNS)))
}

export function forgetReadings(tx: Tx, id: string): void {
  const { [id]: gone, ...others } = read(tx)
  if (gone !== undefined) write(tx, others)
}

const isSame = (a: CampaignReading | undefined, b: CampaignReading): boolean =>
  a !== undefined && toJson({ ...a, at: b.at }) === toJson(b)

const thinned = (all: readonly CampaignReading[]): readonly CampaignReading[] =>
  all.length <= READINGS ? all : all.filter((_, at) => at % 2 === 0 || at === all.length - 1)

function read(reader: Reader): Stored {
  const text = meta.get(reader, KEY)
  if (text === undefined) return {}
  const checked = v.safeParse(stored, fromJson(reader.db, text))
  return checked.success ? checked.output : {}
}

const write = (tx: Tx, all: Stored): void => meta.set(tx, KEY, toJson(all))
