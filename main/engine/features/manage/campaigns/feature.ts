import type { HandlersOf } from '#shared/bridge/index.ts'
import {
  CAMPAIGN_PEOPLE,
  type CampaignReplies,
  type CampaignStats,
  type ListedCampaign,
  type NotSent,
  type OpenCampaign,
} from '#shared/domain/manage/campaigns.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { hasParts } from '#shared/rules/search/search-fold.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { may, type CampaignAct } from '#shared/rules/campaigns/campaigns.ts'
import {
  createCampaign,
  deleteCampaign,
  getCampaign,
  queryCampaigns,
  startCampaign,
  stopCampaign,
  updateCampaign,
} from '#shared/wire/campaigns.ts'
import * as users from '#main/cache/people/users.ts'
import { ApiError } from '../../../api/errors.ts'
import { createPoll, getPoll } from '#shared/wire/polls.ts'
import type { Filter } from '#shared/wire/endpoint.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, cursorOf, eachOf, idOf } from '../../../decode/read.ts'
import { storeSeen, meet } from '../directory/people.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { createStoredList } from '../stored-list.ts'
import { connectedApi, isOurs, requireRight, topicChanged } from '../authority.ts'
import { readCampaign, readNotSent, readPoll, writeContent } from './decode.ts'
import { DryRun } from './dry-run.ts'
import type { ExportPiece } from '../../export/pieces.ts'
import { CampaignAnswers, forgetReadings, noteReadings, readingsOf } from './replies.ts'
import { fileCalls, draftCalls, forgetDraft } from './files.ts'

const PAGE = 50
/** A dry run of the same version counts for a start if it is not older. */
const FRESH_MS = 60_000

type Parts = Requests &
  Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'ports' | 'server' | 'serverNow' | 'stagingFolder' | 'stores'>
type Handlers = HandlersOf<'campaigns', CallContext>

/** The campaigns that the server listed last. */
const LISTED = createStoredList('campaigns', readCampaign)
/** The one that was opened last: it may be newer than the list, or in none of its pages. */
const OPENED = createStoredList('campaign', readCampaign)

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** What the server counts of a campaign, and whom it did not reach, as a table for spreadsheets. */
    campaignTable(id: string): Promise<{ readonly text: string; readonly rows: number }>
    /** Everyone whom the last dry run found, as such a table in parts. `at`: when they would get it. */
    dryRunTable(run: string, at: number): Iterable<ExportPiece>
  }
}

/** See docs/wire.md 3.15. */
export const campaignsFeature = defineFeature({
  create(core: Parts) {
    /** The latest only: its people stay until the next one, or until nobody looks at them. */
    const latest: { run?: DryRun } = {}
    const answers = new CampaignAnswers(core)
    const opened: Opened = { asked: new Set() }
    const replies = (campaign: ListedCampaign) => answers.of(campaign, LISTED.read(core.cache.reader)?.rows ?? [])
    const campaigns: Handlers = {
      ...reading(core, opened),
      async replies({ id }) {
        const known = needId(id)
        requireRight(core, 'campaigns')
        opened.campaign =
          opened.campaign?.id === known ? opened.campaign : (await load(core, await open(core), known)).campaign
        return { replies: await replies(opened.campaign) }
      },
      ...changing(core),
      ...sending(core, latest),
      ...trying(core, latest),
      ...draftCalls(core),
      ...fileCalls(core),
    }
    return {
      calls: { campaigns },
      offers: {
        campaignTable: (id: string) => campaignTable(core, id, replies),
        dryRunTable(run: string, at: number) {
          requireRight(core, 'campaigns')
          return sameRun(latest, run).table(at)
        },
      },
      onTouched: [{ order: 30, run: (touched) => answers.committed(touched) }],
    }
  },
})

/**
 * The latest only: a screen shows one, and asks for what changes about it again and again. `asked`: people whose names it
 * needed, who are not asked for again.
 */
type Opened = { campaign?: ListedCampaign; readonly asked: Set<string> }

const open = (core: Parts): Promise<EngineApi> => connectedApi(core, 'campaigns')

/** The contract's refusal of a call without an id. */
const needId = (id: string | undefined): string => {
  if (id === undefined || id === '') throw new AppError('campaigns/id-missing')
  return id
}

function reading(core: Parts, opened: Opened): Pick<Handlers, 'list' | 'get'> {
  return {
    async list({ find, states, senderId, segmentId, after }) {
      if (!core.isHealthy()) {
        const before = after === undefined ? listedOffline(core) : undefined
        if (before !== undefined) return { campaigns: matching(before.rows, find, states), asOf: before.at }
      }
      const api = await open(core)
      const filter = {
        ...(states === undefined ? {} : { status: { $in: states } }),
        ...(senderId === undefined ? {} : { sender_id: senderId }),
        ...(segmentId === undefined ? {} : { segments: { $contains: segmentId } }),
      }
      if (find !== '') return { campaigns: await searched(core, api, filter, find) }
      const { values, ...page } = await pageOf(core, api, { filter, limit: PAGE, next: after })
      if (Object.keys(filter).length === 0) {
        core.write((tx) => LISTED.write(tx, values.map(withoutSender), core.serverNow(), after === undefined))
      }
      return page
    },
    async get({ id, notSent }) {
      const known = needId(id)
      if (!core.isHealthy()) {
        const before = openedOffline(core, known)
        if (before !== undefined) {
          opened.campaign = before.campaign
          return { ...before, readings: readingsOf(core.cache.reader, known) }
        }
      }
      const api = await open(core)
      const loaded = await load(core, api, known, notSent)
      if (opened.campaign?.id !== known) opened.asked.clear()
      opened.campaign = loaded.campaign
      const ids = shownOf(loaded).filter((each) => !opened.asked.has(each))
      for (const each of ids) opened.asked.add(each)
      await meet(core, api, ids)
      return loaded
    },
  }
}

async function pageOf(
  core: Parts,
  api: EngineApi,
  { next, ...query }: { readonly filter: Filter; readonly limit: number; readonly next?: string },
) {
  const sort = [{ field: 'created_at', direction: -1 as const }]
  const body = { ...query, sort, user_limit: 0, ...(next === undefined ? {} : { next }) }
  const asOf = core.asOf()
  const reply = await api.send(queryCampaigns, { body, signal: core.life })
  const values = asList(reply.campaigns)
  const senders = values.map((each) => asWire(each)?.['sender'])
  const campaigns = eachOf(values, readCampaign)
  core.write((tx) => {
    storeSeen(tx, senders, asOf)
    noteReadings(tx, campaigns, core.serverNow())
  })
  return { values, campaigns, next: cursorOf(reply.next, next) }
}

/** The person is stored with the others, without what only a server token is told of them. */
const withoutSender = (value: unknown): unknown => ({ ...asWire(value), sender: undefined })

/** Pages of a search at most. */
const SEARCHED = 20
const LARGEST_PAGE = 100

/** No server searches within names: all of them are read. */
async function searched(core: Parts, api: EngineApi, filter: Filter, find: string) {
  const found: ListedCampaign[] = []
  let next: string | undefined
  for (let page = 0; page === 0 || (next !== undefined && page < SEARCHED); page += 1) {
    const reply: Awaited<ReturnType<typeof pageOf>> = await pageOf(core, api, { filter, limit: LARGEST_PAGE, next })
    found.push(...matching(reply.campaigns, find, undefined))
    next = reply.next
  }
  return found
}

/** Refused as everything else to those who lost the right. */
function listedOffline(core: Parts) {
  requireRight(core, 'campaigns')
  return LISTED.read(core.cache.reader)
}

/** As it was loaded last, alone or in the list. */
function openedOffline(core: Parts, id: string) {
  const stored = [listedOffline(core), OPENED.read(core.cache.reader)].flatMap((known) => {
    const campaign = known?.rows.find((each) => each.id === id)
    return known === undefined || campaign === undefined ? [] : [{ campaign, storedAt: known.at }]
  })
  return stored.toSorted((a, b) => b.storedAt - a.storedAt)[0]
}

const matching = (campaigns: readonly ListedCampaign[], find: string, states: readonly string[] | undefined) =>
  campaigns.filter(
    ({ state, content }) => (states === undefined || states.includes(state)) && hasParts(content.name, find),
  )

async function load(core: Parts, api: EngineApi, id: string, notSent = 0) {
  const query = { limit: 1, ...(isOurs(core) ? { not_sent_limit: notSent } : {}) }
  const asOf = core.asOf()
  const reply = await orGone(() => api.send(getCampaign, { params: { id }, query, signal: core.life }))
  const campaign = read(reply)
  core.write((tx) => {
    storeSeen(tx, [asWire(reply.campaign)?.['sender']], asOf)
    noteReadings(tx, [campaign], core.serverNow())
    OPENED.write(tx, [withoutSender(reply.campaign)], core.serverNow(), true)
  })
  const found = readNotSent(reply.not_sent)
  const readings = readingsOf(core.cache.reader, id)
  return {
    campaign,
    ...(found === undefined ? {} : { notSent: found }),
    ...(readings.length === 0 ? {} : { readings }),
  }
}

/** People whom a screen names: the first of those the campaign names, and whoever it did not reach. */
function shownOf({ campaign: { content, state }, notSent }: OpenCampaign): readonly string[] {
  // Before their turn comes, they are only counted.
  const missed = (notSent?.rows ?? []).filter((row) => row.state !== 'pending' || state !== 'in_progress')
  return [...content.userIds.slice(0, NAMED), ...peopleOf(missed).slice(0, MISSED)]
}
const NAMED = 12
const MISSED = 100

const peopleOf = (rows: readonly NotSent[]): readonly string[] =>
  rows.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []))

function read(reply: { readonly campaign: unknown }): ListedCampaign {
  const campaign = readCampaign(reply.campaign)
  if (!campaign) throw new AppError('server/unavailable')
  return campaign
}

async function orGone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') throw new AppError('campaigns/gone', { cause: error })
    throw error
  }
}

/** Servers that do not know the expected version are asked first; a refusal of ours is looked into afterwards. */
async function checked<T>(
  core: Parts,
  api: EngineApi,
  { id, version, act }: { readonly id: string; readonly version?: string; readonly act: CampaignAct },
  work: (campaign: ListedCampaign) => Promise<T>,
): Promise<T> {
  const look = async (): Promise<ListedCampaign> => {
    const { campaign } = await load(core, api, id)
    if (!may(act, campaign.state)) throw new AppError('campaigns/state', { params: { state: campaign.state, act } })
    if (version !== undefined && campaign.version !== version) throw new AppError('campaigns/changed')
    return campaign
  }
  const campaign = await look()
  try {
    return await orGone(() => work(campaign))
  } catch (error) {
    if (error instanceof ApiError && error.class === 'invalid') await look()
    throw error
  }
}

function changing(core: Parts): Pick<Handlers, 'create' | 'change' | 'remove' | 'createPoll' | 'poll'> {
  return {
    async create({ content }) {
      const api = await open(core)
      const reply = await api.send(createCampaign, { body: writeContent(content), signal: core.life })
      topicChanged(core, 'campaigns')
      return read(reply)
    },
    async change({ id, version, content }) {
      const known = needId(id)
      const api = await open(core)
      const body = { ...writeContent(content), expected_updated_at: version }
      const reply = await checked(core, api, { id: known, version, act: 'change' }, () =>
        api.send(updateCampaign, { params: { id: known }, body, signal: core.life }),
      )
      topicChanged(core, 'campaigns')
      return read(reply)
    },
    async createPoll({ senderId, question, options }) {
      const api = await open(core)
      const body = { name: question, options: options.map((text) => ({ text })), user_id: senderId }
      const id = idOf(asWire((await api.send(createPoll, { body, signal: core.life })).poll)?.['id'])
      if (id === undefined) throw new AppError('server/unavailable')
      return { id }
    },
    async poll({ id }) {
      const api = await open(core)
      try {
        const reply = await api.send(getPoll, { params: { pollId: id }, signal: core.life })
        const poll = readPoll(reply.poll)
        return poll === undefined ? {} : { poll }
      } catch (error) {
        if (error instanceof ApiError && error.class === 'gone') return {}
        throw error
      }
    },
    async remove({ id }) {
      const known = needId(id)
      const api = await open(core)
      await checked(core, api, { id: known, act: 'delete' }, () =>
        api.send(deleteCampaign, { params: { id: known }, signal: core.life }),
      )
      core.stores.outbox.transaction((tx) => forgetDraft(tx, known))
      core.write((tx) => {
        forgetReadings(tx, known)
        OPENED.write(tx, [], core.serverNow(), true)
      })
      topicChanged(core, 'campaigns')
    },
  }
}

type Latest = { run?: DryRun }

function sending(core: Parts, latest: Latest): Pick<Handlers, 'start' | 'stop'> {
  return {
    async start({ id, version, people, scheduledFor, stopAt }) {
      const known = needId(id)
      const api = await open(core)
      const body = {
        expected_updated_at: version,
        ...(scheduledFor === undefined ? {} : { scheduled_for: formatTime(scheduledFor) }),
        ...(stopAt === undefined ? {} : { stop_at: formatTime(stopAt) }),
      }
      const reply = await checked(core, api, { id: known, version, act: 'start' }, async (campaign) => {
        const count = await recount(core, api, latest, campaign)
        if (count > people) throw new AppError('campaigns/grew', { params: { count } })
        return api.send(startCampaign, { params: { id: known }, body, signal: core.life })
      })
      topicChanged(core, 'campaigns')
      return read(reply)
    },
    async stop({ id }) {
      const known = needId(id)
      const api = await open(core)
      const reply = await checked(core, api, { id: known, act: 'stop' }, () =>
        api.send(stopCampaign, { params: { id: known }, body: {}, signal: core.life }),
      )
      topicChanged(core, 'campaigns')
      return read(reply)
    },
  }
}

/** How many people would get it now. */
async function recount(
  core: Parts,
  api: EngineApi,
  latest: Latest,
  { id, version, content }: ListedCampaign,
): Promise<number> {
  const known = latest.run?.countOf(id, version, core.ports.clock.now() - FRESH_MS)
  if (known !== undefined) return known
  const run = new DryRun(core, api, { content, campaign: { id, version } })
  while (!(await run.step()).summary);
  latest.run = run
  // Nobody looks at them.
  run.release()
  return run.countOf(id, version, 0) ?? 0
}

function trying(core: Parts, latest: Latest): Pick<Handlers, 'dryRun' | 'endDryRun' | 'people'> {
  return {
    async dryRun({ run, ...of }) {
      const api = await open(core)
      if (run === undefined) latest.run = new DryRun(core, api, of)
      return sameRun(latest, run ?? latest.run?.id).step()
    },
    endDryRun: ({ run }) => {
      if (latest.run?.id === run) latest.run.release()
    },
    people: async ({ run, ...query }) => sameRun(latest, run).list(query),
  }
}

function sameRun(latest: Latest, id: string | undefined): DryRun {
  if (latest.run === undefined || latest.run.id !== id) throw new AppError('campaigns/no-run')
  return latest.run
}

/** Only what the server says and this device knows: a figure that neither gives has no line. */
async function campaignTable(
  core: Parts,
  id: string,
  repliesTo: (campaign: ListedCampaign) => Promise<CampaignReplies | undefined>,
): Promise<{ text: string; rows: number }> {
  const api = await open(core)
  const { campaign, notSent, readings = [] } = await load(core, api, id, CAMPAIGN_PEOPLE)
  await meet(core, api, peopleOf(notSent?.rows ?? []))
  const { content, state, stats, scheduledFor } = campaign
  const replies = await repliesTo(campaign)
  const at = (time: number | undefined): string => (time === undefined ? '' : formatTime(time))
  const names = new Map(
    users
      .byIds(
        core.cache.reader,
        (notSent?.rows ?? []).map((row) => asUserId(row.id)),
      )
      .map((user) => [user.id, user.name]),
  )
  const figures: readonly (readonly string[])[] = [
    ['campaign', id, content.name, state],
    ['scheduled_for', '', '', at(scheduledFor)],
    ['started_at', '', '', at(stats.startedAt)],
    ['completed_at', '', '', at(stats.completedAt)],
    ['people_sent', '', '', String(stats.usersSent)],
    ...delivered('', stats),
    ['people_read', '', '', String(stats.usersRead)],
    ['messages_sent', '', '', String(stats.messagesSent)],
    ['channels_created', '', '', String(stats.channelsCreated)],
    ...(notSent === undefined ? [] : [['not_sent', '', '', String(notSent.count)]]),
    ...(replies === undefined || replies.known === 0
      ? []
      : [
          ['replies_known_here', '', '', String(replies.count)],
          ['conversations_known_here', '', '', String(replies.known)],
          ['conversations', '', '', String(replies.all)],
        ]),
  ]
  const course = readings.flatMap((reading) => {
    const time = formatTime(reading.at)
    return [
      ['people_sent', time, '', String(reading.usersSent)],
      ...delivered(time, reading),
      ['people_read', time, '', String(reading.usersRead)],
    ]
  })
  const missed = (notSent?.rows ?? []).map((row) => [row.state, row.id, names.get(asUserId(row.id)) ?? '', row.reason])
  const rows = [...figures, ...course, ...missed]
  return { text: csvOf([['what', 'id', 'name', 'value'], ...rows]), rows: rows.length }
}

const delivered = (time: string, { usersDelivered }: Pick<CampaignStats, 'usersDelivered'>): string[][] =>
  usersDelivered === undefined ? [] : [['people_delivered', time, '', String(usersDelivered)]]
