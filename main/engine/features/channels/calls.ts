import { createHash } from 'node:crypto'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Intent } from '#shared/domain/intent.ts'
import { SUGGESTION_PAGE } from '#shared/constants.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, type Cid, type UserId } from '#shared/lib/brand.ts'
import { channelIdFrom, channelIdRefusal, isDirect, splitCid, NOTES_ID } from '#shared/rules/channels/channels.ts'
import { queryMembers, queryUsers } from '#shared/wire/app.ts'
import { getChannel, pinnedMessages, queryChannel, queryDistinctChannel, updateChannel } from '#shared/wire/channels.ts'
import * as meta from '#main/cache/meta.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as users from '#main/cache/people/users.ts'
import { ApiError } from '../../api/errors.ts'
import type { CallContext } from '../../context.ts'
import { type Core, type Recovery, requireConnection } from '../../core.ts'
import { fetchFirst, walkAll } from '../../sync/list.ts'
import { writeChannelState, writeLoose, writeMember, writeUser } from '../../sync/write.ts'
import { asList, asWire } from '../../decode/read.ts'
import { type ReadMarker, sendUnread } from '../reads/marker.ts'
import { recount, unreadPlaces } from '../reads/many.ts'
import { isReadWithoutTrace, storeLocalUnread } from '../reads/traceless.ts'
import { explainUnread } from '../reads/why.ts'
import { stopAssistant } from '../assistants/assistants.ts'
import { typingCall } from '../typing/typing.ts'
import { manageCalls } from './manage.ts'
import { openList, pageList } from './windows.ts'

const MEMBERS_PAGE = 100
/** Order of members found by name. See docs/wire.md 7.18. */
const BY_ID = [{ field: 'user_id', direction: 1 }] as const
/** See docs/wire.md 6.5. */
const PEOPLE_PAGE = 100

type Parts = Recovery &
  Pick<
    Core,
    | 'assistants'
    | 'background'
    | 'context'
    | 'delivery'
    | 'log'
    | 'me'
    | 'notify'
    | 'outbox'
    | 'ports'
    | 'serverNow'
    | 'stagingFolder'
    | 'stores'
    | 'syncState'
  >

/** What matters since a time is answered by `reads/since.ts`. */
export function channelCalls(
  core: Parts,
  marker: ReadMarker,
): Omit<HandlersOf<'channels', CallContext>, 'catchUp' | 'loadSince'> {
  return {
    open: async ({ cid, ...aim }, { client }) => {
      // Opening creates a missing channel: a deleted one must not be created again.
      const isDeleted = core.memory.deleted.has(cid) && channels.byCid(core.cache.reader, cid) === undefined
      if (isDeleted) throw new AppError('server/not-found')
      return openList(core, client, { cid }, aim)
    },
    close: ({ cid }, { client }) => core.collector.close(client, `timeline:${cid}`),
    page: ({ cid, direction }, { client }) => pageList(core, client, { cid }, direction),
    markRead: ({ cid }) => marker.mark(cid),
    markUnread: async ({ cid, messageId }) => {
      if (isReadWithoutTrace(core, cid) && storeLocalUnread(core, { cid }, messageId)) return
      requireConnection(core)
      const isOurs = (intent: Intent): boolean => intent.kind === 'mark-read' && intent.parentId === undefined
      const waiting = core.outbox.in(cid).filter((intent) => isOurs(intent) && intent.state !== 'inflight')
      core.outbox.remove(waiting.map((intent) => intent.id))
      await sendUnread(core, cid, messageId)
    },
    ...manageCalls(core, marker),
    whyUnread: ({ cid, parentId }) => core.cache.read(() => explainUnread(core.context, cid, parentId)),
    unreadPlaces: () => unreadPlaces(core),
    recount: ({ cid, parentId }) => recount(core, cid, parentId),
    typing: typingCall(core),
    stopAssistant: (place) => stopAssistant(core, place),
    create: (input) => createChannel(core, input),
    direct: ({ userIds }) => openDirect(core, userIds),
    members: ({ cid, text }) => listMembers(core, cid, text),
    people: () => listPeople(core),
    reload: async () => {
      requireConnection(core)
      const pending = core.errands.retry('list')
      if (pending) {
        core.collector.setLoading('channels', 'newer')
        const error = await pending
        if (error === undefined) return
        core.collector.setLoading('channels', 'none', error instanceof AppError ? error.code : 'app/internal')
        throw error
      }
      core.collector.setLoading('channels', 'newer')
      try {
        const { complete } = await fetchFirst(core)
        if (!complete && !core.syncState.caughtUp)
          core.background('walk', () => core.once('walk', () => walkAll(core, () => core.isHealthy())))
        core.collector.setLoading('channels', 'none')
      } catch (error) {
        core.collector.setLoading('channels', 'none', error instanceof AppError ? error.code : 'app/internal')
        throw error
      }
    },
    openPinned: ({ cid }, { client }) => {
      core.collector.openPlain(client, `pinned:${cid}`)
      fetchPinned(core, cid)
    },
    closePinned: ({ cid }, { client }) => core.collector.close(client, `pinned:${cid}`),
  }
}

async function createChannel(
  core: Parts,
  input: {
    readonly name: string
    readonly id?: string
    readonly isPrivate: boolean
    readonly memberIds: readonly UserId[]
  },
): Promise<Cid> {
  requireConnection(core)
  const id = input.id ?? channelIdFrom(input.name, core.ports.ids.uuid().slice(0, 8))
  const refusal = channelIdRefusal(id)
  // Such an id would be shown as a direct conversation.
  if (refusal !== undefined || isDirect(id))
    throw new AppError('channel/invalid-id', { detail: refusal, params: { id } })
  if (input.id !== undefined) await requireFree(core, id)
  const asOf = core.asOf()
  const data = { name: input.name, private: input.isPrivate, members: withMe(core, input.memberIds) }
  const params = { type: CHANNEL_TYPE, id }
  const body = { data, state: true, watch: true, presence: true }
  const reply = await core.api.send(queryChannel, { params, body, signal: core.life }).catch((error: unknown) => {
    throw isHidden(error) ? new AppError('channel/id-taken', { params: { id }, cause: error }) : error
  })
  return opened(core, reply, asOf)
}

/** The channel exists, but the viewer may not read it: that could not be checked before. */
const isHidden = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.failure.kind === 'answer' &&
  error.failure.message?.includes('ReadChannel') === true

/** A request with an existing id would open that channel and rename it. */
async function requireFree(core: Pick<Core, 'api' | 'life'>, id: string): Promise<void> {
  const query = { state: false, messages_limit: 1, members_limit: 1 }
  try {
    await core.api.send(getChannel, { params: { type: CHANNEL_TYPE, id }, query, signal: core.life })
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return
    if (!(error instanceof AppError) || error.code !== 'server/not-allowed') throw error
  }
  throw new AppError('channel/id-taken', { params: { id } })
}

async function openDirect(core: Parts, userIds: readonly UserId[]): Promise<Cid> {
  const participants = withMe(core, userIds)
  if (participants.length === 1) return openNotes(core, (reply, asOf) => opened(core, reply, asOf))
  const known = knownDirect(core, participants)
  if (known) return known
  requireConnection(core)
  const asOf = core.asOf()
  const reply = await core.api.send(queryDistinctChannel, {
    params: { type: DIRECT_TYPE },
    body: { data: { members: participants }, state: true, watch: true, presence: true },
    signal: core.life,
  })
  return opened(core, reply, asOf)
}

const withMe = (core: Pick<Core, 'me'>, ids: readonly UserId[]): UserId[] => [...new Set([core.me, ...ids])]

/** The conversation with exactly these users if it is cached: opens without a connection. */
function knownDirect(core: Pick<Core, 'cache'>, userIds: readonly UserId[]): Cid | undefined {
  return channels.listedCids(core.cache.reader).find((cid) => {
    if (!isDirect(splitCid(cid).id)) return false
    const present = members.of(core.cache.reader, cid, userIds.length + 1).map((member) => member.userId)
    return present.length === userIds.length && present.every((id) => userIds.includes(id))
  })
}

function opened(
  core: Pick<Core, 'watched' | 'write'>,
  reply: Parameters<typeof writeChannelState>[1],
  asOf: number,
): Cid {
  const facts = core.write((tx) =>
    writeChannelState(tx, reply, { asOf }, { query: { kind: 'newest' }, requested: MEMBERS_PAGE }),
  )
  if (!facts) throw new AppError('channel/unusable')
  core.watched.add(facts.channel.cid)
  return asCid(facts.channel.cid)
}

async function listMembers(core: Parts, cid: Cid, text: string): Promise<readonly UserId[]> {
  const cached = () => members.of(core.cache.reader, cid).map((member) => member.userId)
  if (!core.isHealthy()) return cached()
  const { type, id } = splitCid(cid)
  const asOf = core.asOf()
  try {
    const payload =
      text === ''
        ? { type, id, filter_conditions: {}, limit: MEMBERS_PAGE }
        : { type, id, filter_conditions: { name: { $autocomplete: text } }, sort: BY_ID, limit: SUGGESTION_PAGE }
    const reply = await core.api.send(queryMembers, { query: { payload }, signal: core.life })
    core.write((tx) => asList(reply.members).forEach((member) => writeMember(tx, member, cid, asOf)))
  } catch (error) {
    core.log('members').info('cached', { cid, code: error instanceof AppError ? error.code : 'unknown' })
  }
  return cached()
}

async function listPeople(core: Parts): Promise<readonly UserId[]> {
  const cached = () => users.all(core.cache.reader).map((user) => user.id)
  if (!core.isHealthy()) return cached()
  const asOf = core.asOf()
  try {
    const payload = { filter_conditions: {}, limit: PEOPLE_PAGE }
    const reply = await core.api.send(queryUsers, { query: { payload }, signal: core.life })
    core.write((tx) => asList(reply.users).forEach((user) => writeUser(tx, user, asOf)))
  } catch (error) {
    core.log('people').info('cached', { code: error instanceof AppError ? error.code : 'unknown' })
  }
  return cached()
}

function fetchPinned(core: Parts, cid: Cid): void {
  if (!core.isHealthy()) return
  const key = `pinned:${cid}` as const
  const work = async (isFirst: boolean): Promise<void> => {
    const asOf = core.asOf()
    if (isFirst) core.collector.setLoading(key, 'initial')
    try {
      const { messages } = await core.api.send(pinnedMessages, {
        params: splitCid(cid),
        query: { payload: { limit: 100 } },
        signal: core.life,
      })
      core.write((tx) => {
        writeLoose(tx, asList(messages), { asOf, cid })
        meta.noteAnswered(tx, key)
      })
      core.collector.setLoading(key, 'none')
    } catch (error) {
      core.collector.setLoading(key, 'none', error instanceof AppError ? error.code : 'app/internal')
      throw error
    }
  }
  core.errands.begin({ key, part: 'messages', work })
}

/** Types of the local server: named channels are `team`, direct conversations `messaging`. */
export const CHANNEL_TYPE = 'team'
const DIRECT_TYPE = 'messaging'

/** The same on every device of the user. A user's id may be longer than a channel's, and has other characters. */
export const notesOf = (userId: UserId): Cid =>
  asCid(`${DIRECT_TYPE}:${NOTES_ID}${createHash('sha256').update(userId).digest('base64url')}`)

type NotesParts = Pick<Core, 'api' | 'asOf' | 'cache' | 'isHealthy' | 'life' | 'me'>

/**
 * Opens the viewer's notes to self; they are created on first use, which needs a connection. Another user who guessed the
 * id could have created the channel with themselves in it: that is refused (`channel/notes-shared`).
 *
 * @param open stores the server's response and returns the channel
 */
async function openNotes(core: NotesParts, open: (reply: unknown, asOf: number) => Cid): Promise<Cid> {
  const cid = notesOf(core.me)
  if (channels.byCid(core.cache.reader, cid) !== undefined && members.own(core.cache.reader, cid) !== undefined)
    return cid
  requireConnection(core)
  const asOf = core.asOf()
  const ask = () =>
    core.api.send(queryChannel, {
      params: splitCid(cid),
      body: { data: { members: [core.me] }, state: true, watch: true, presence: true },
      signal: core.life,
    })
  let reply = await ask()
  if (asList(reply.members).length === 0) {
    await core.api.send(updateChannel, { params: splitCid(cid), body: { add_members: [core.me] }, signal: core.life })
    reply = await ask()
  }
  const inside = asList(reply.members).map((member) => asWire(member)?.['user_id'])
  if (inside.some((id) => id !== core.me)) throw new AppError('channel/notes-shared')
  return open(reply, asOf)
}
