import type { HandlersOf } from '#shared/bridge/index.ts'
import type { VotePayload } from '#shared/domain/intent.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { AppError, type Issue } from '#shared/lib/app-error.ts'
import { type MessageId, asPollId, asMessageId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { mayCastVote, mayRemoveVote, isOver } from '#shared/rules/polls/polls.ts'
import {
  updatePollPartial,
  castVote,
  createPollOption,
  deletePoll,
  deletePollOption,
  getPoll,
  removeVote,
  updatePollOption,
} from '#shared/wire/polls.ts'
import * as polls from '#main/cache/messages/polls.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx, Touched } from '#main/cache/store.ts'
import type { PollRow } from '#main/cache/rows.ts'
import type { Stop } from '#main/lib/clock.ts'
import { type Core, type Requests, type Submissions, requireConnection } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleChannel, visiblePoll, pollOf } from '../../changes/visible.ts'
import type { CallContext, ClientId } from '../../context.ts'
import type { HandledEvent } from '../../decode/events.ts'
import { decodePoll, decodeVote } from '../../decode/poll.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'
import { vote, pollLists, unvotedPoll, cachedPoll } from './requests.ts'
import { ApiError } from '../../api/errors.ts'
import { writePoll } from '../../sync/write.ts'
import { asWire, idOf, timeIn } from '../../decode/read.ts'
import { submitContent } from '../messages/unsent.ts'

type VoteEvent = HandledEvent<'poll.vote_casted'>

/** See docs/wire.md 4.10 and 7.12. The viewer's own votes follow only events about own votes. */
const pollEvents: Appliers = {
  'poll.updated': (tx, event, context) => applyPoll(tx, event.poll, context),
  'poll.closed': (tx, event, context) => applyPoll(tx, { ...event.poll, is_closed: true }, context),
  'poll.deleted': (tx, event) => polls.remove(tx, asPollId(event.poll.id)),
  'poll.vote_casted': (tx, event, context) => applyVote(tx, event, context, 'put'),
  'poll.vote_changed': (tx, event, context) => applyVote(tx, event, context, 'put'),
  'poll.vote_removed': (tx, event, context) => applyVote(tx, event, context, 'remove'),
}

function applyPoll(tx: Tx, wire: unknown, context: ApplyContext): void {
  const decoded = decodePoll(wire, { viewerId: context.me, asOf: context.at, isAnswer: false })
  if (!decoded) return
  users.putMany(tx, decoded.users)
  polls.define(tx, decoded.row)
}

function applyVote(tx: Tx, event: VoteEvent, context: ApplyContext, change: 'put' | 'remove'): void {
  const source = { viewerId: context.me, asOf: context.at, isAnswer: false }
  const decoded = decodePoll(event.poll, source)
  const cast = decodeVote(event.poll_vote, source)
  if (!decoded) return
  users.putMany(tx, decoded.users)
  if (cast?.userId === context.me) polls.ownVote(tx, decoded.row, change, cast)
  else polls.put(tx, decoded.row)
}

type Parts = Submissions & Requests & Pick<Core, 'background' | 'context' | 'log' | 'me'>

export const pollsFeature = defineFeature({
  events: pollEvents,
  kinds: { 'cast-vote': { perform: vote }, 'remove-vote': { perform: vote } },
  create(core: Parts) {
    const closing = createPollClosing(core)
    return {
      calls: { polls: pollCalls(core) },
      start: [{ phase: 'before-queue', order: 20, run: () => closing.start() }],
      onTouched: [{ order: 10, run: (touched) => closing.committed(touched) }],
    }
  },
})

/** Votes are queued like other intents: shown at once, sent in the order of the channel. */
function pollCalls(core: Parts): HandlersOf<'polls', CallContext> {
  return {
    ...managePolls(core),
    ...pollLists(core),
    castVote: ({ messageId, optionId }) => {
      const { poll, ...place } = found(core, messageId)
      refuse(core, mayCastVote(poll, optionId, core.serverNow()))
      if (isOwn(poll, optionId)) return
      const alone = !poll.enforceUniqueVote || poll.options.every((option) => !option.own)
      core.outbox.add({ ...place, kind: 'cast-vote', payload: { ...voteOf(poll, optionId, place), alone } })
      core.runner.kick()
    },
    removeVote: ({ messageId, optionId }) => {
      const { poll, ...place } = found(core, messageId)
      refuse(core, mayRemoveVote(poll, core.serverNow()))
      if (!isOwn(poll, optionId)) return
      core.outbox.add({ ...place, kind: 'remove-vote', payload: voteOf(poll, optionId, place) })
      core.runner.kick()
    },
  }
}

/** A vote in an unsent poll waits for it, and identifies the option by its text. */
function voteOf(poll: Poll, optionId: string, { dependsOn }: { readonly dependsOn: string | undefined }): VotePayload {
  const text = poll.options.find((option) => option.id === optionId)?.text
  return { pollId: poll.id, optionId, optionText: dependsOn === undefined || text === undefined ? undefined : text }
}

const isOwn = (poll: Poll, optionId: string): boolean =>
  poll.options.some((option) => option.id === optionId && option.own)

function found(core: Pick<Core, 'context' | 'outbox'>, messageId: MessageId) {
  const message = visibleMessage(core.context, messageId)
  const poll = message?.pollId === undefined ? undefined : visiblePoll(core.context, message.pollId)
  if (message === undefined || message.type === 'deleted' || poll === undefined) throw new AppError('message/gone')
  const channel = visibleChannel(core.context, message.cid)
  if (channel && !may(channel, 'cast-poll-vote')) throw new AppError('server/not-allowed')
  const unsent = core.outbox.about(messageId).find((intent) => intent.kind === 'send-message')
  return { poll, cid: message.cid, parentId: message.parentId, messageId, dependsOn: unsent?.id }
}

/** Exceeding the limit also shows the notice of the contract. See docs/wire.md 7.12. */
function refuse(core: Pick<Core, 'notify'>, issues: readonly Issue[]): void {
  const issue = issues[0]
  if (issue === undefined) return
  if (issue.code === 'poll/vote-limit') {
    core.notify(NOTICES.voteLimit)
  }
  throw new AppError(issue.code, issue.params === undefined ? {} : { params: { ...issue.params } })
}

/** Parlor's own server closes polls itself: the creator's engine only acts if that has not happened. */
const GRACE_MS = 15_000
/** Timers stop while the device sleeps: times are checked at least this often. */
const CHECK_EVERY_MS = 30_000
/** Users who have not voted are reminded this long before, or at the last quarter of the time if that is shorter. */
const LEAD_MS = 3_600_000
const LEAD_PART = 4

type Ending = PollRow & { readonly closesAt: number }

type PollClosing = { readonly start: () => void; readonly committed: (touched: Touched) => void }

type ClosingParts = Requests & Pick<Core, 'background' | 'cache' | 'context' | 'me' | 'notify' | 'ports' | 'serverNow'>

/** Polls with a closing time: reminds users who have not voted, and closes the viewer's own polls. */
function createPollClosing(core: ClosingParts): PollClosing {
  const open = new Set<string>()
  const notified = new Set<string>()
  const closing = new Set<string>()
  /** The server refuses to close these: not retried while the program runs. */
  const refused = new Set<string>()
  let stop: Stop | undefined

  function check(): void {
    stop = undefined
    if (core.life.aborted) return
    const now = core.serverNow()
    for (const id of open) {
      const poll = polls.byId(core.cache.reader, id)
      if (!isEnding(poll)) open.delete(id)
      else if (now < poll.closesAt) remind(poll, now)
      else if (now >= poll.closesAt + GRACE_MS && poll.createdBy === core.me) close(id)
    }
    if (open.size > 0) stop = core.ports.clock.after(CHECK_EVERY_MS, check)
  }

  function remind(poll: Ending, now: number): void {
    const lead = Math.min(LEAD_MS, (poll.closesAt - poll.createdAt) / LEAD_PART)
    if (notified.has(poll.id) || poll.closesAt - now > lead) return
    const messageId = polls.messageOf(core.cache.reader, poll.id)
    const waits = messageId === undefined ? undefined : unvotedPoll(core, asMessageId(messageId))
    if (waits === undefined || visibleChannel(core.context, waits.cid)?.muted) return
    notified.add(poll.id)
    core.notify({ code: 'poll/closing', type: 'local:poll:closing', severity: 'info', params: { name: poll.name } })
  }

  function close(pollId: string): void {
    if (closing.has(pollId) || refused.has(pollId) || !core.isHealthy()) return
    closing.add(pollId)
    core.background('close-poll', async () => {
      try {
        const asOf = core.asOf()
        const body = { set: { is_closed: true } }
        const { poll } = await core.api.send(updatePollPartial, { params: { pollId }, body, signal: core.life })
        core.write((tx) => writePoll(tx, { ...poll, is_closed: true }, asOf))
      } catch (error) {
        if (error instanceof ApiError && error.verdict.task === 'park') refused.add(pollId)
        throw error
      } finally {
        closing.delete(pollId)
      }
    })
  }

  core.life.addEventListener('abort', () => stop?.())
  return {
    start() {
      for (const id of polls.endingIds(core.cache.reader)) open.add(id)
      check()
    },
    committed(touched) {
      for (const id of touched.entities.get('polls') ?? []) {
        if (isEnding(polls.byId(core.cache.reader, id))) open.add(id)
      }
      if (open.size > 0) stop ??= core.ports.clock.after(0, check)
    },
  }
}

const isEnding = (poll: PollRow | undefined): poll is Ending =>
  poll !== undefined && !poll.closed && poll.closesAt !== undefined

type Managing = 'create' | 'edit' | 'close' | 'remove' | 'addOption' | 'answer' | 'removeAnswer'
type Calls = Pick<HandlersOf<'polls', CallContext>, Managing>
type NewPoll = Parameters<Calls['create']>[0]

type ManageParts = Submissions & Requests & Pick<Core, 'context' | 'me'>

/** Creating, changing and closing polls, and text answers. See docs/wire.md 3.7 and 7.12. */
function managePolls(core: ManageParts): Calls {
  return {
    create: (input, { client }) => create(core, input, client),
    edit: (input) => edit(core, input),
    close: async ({ messageId }) => {
      const { poll } = open(core, messageId)
      const asOf = core.asOf()
      const reply = await core.api.send(updatePollPartial, {
        params: { pollId: poll.id },
        body: { set: { is_closed: true } },
        signal: core.life,
      })
      store(core, { ...reply.poll, is_closed: true }, asOf)
    },
    remove: async ({ messageId }) => {
      requireConnection(core)
      const poll = cachedPoll(core, messageId)
      await core.api.send(deletePoll, { params: { pollId: poll.id }, signal: core.life })
      core.write((tx) => polls.remove(tx, poll.id))
    },
    addOption: async ({ messageId, text }) => {
      const { poll } = open(core, messageId)
      if (!poll.allowSuggestions && poll.createdBy !== core.me) throw new AppError('server/not-allowed')
      if (poll.options.some((option) => option.text === text)) throw new AppError('poll/option-exists')
      await core.api.send(createPollOption, { params: { pollId: poll.id }, body: { text }, signal: core.life })
      await refresh(core, poll)
    },
    answer: async ({ messageId, text }) => {
      const { poll } = open(core, messageId)
      if (!poll.allowAnswers) throw new AppError('server/not-allowed')
      const asOf = core.asOf()
      const reply = await core.api.send(castVote, {
        params: { messageId, pollId: poll.id },
        body: { vote: { answer_text: text } },
        signal: core.life,
      })
      if (reply.poll) store(core, reply.poll, Math.max(asOf, timeIn(reply.vote, 'updated_at') ?? 0))
      else await refresh(core, poll)
    },
    removeAnswer: async ({ messageId }) => {
      const { poll } = open(core, messageId)
      const own = poll.ownVotes?.find((vote) => vote.answerText !== undefined)
      if (own === undefined) return
      const params = { messageId, pollId: poll.id, voteId: own.id }
      await core.api.send(removeVote, { params, signal: core.life })
      await refresh(core, poll)
    },
  }
}

/** The poll of a message, if it can still be changed. */
function open(
  core: Pick<Core, 'cache' | 'context' | 'isHealthy' | 'serverNow'>,
  messageId: MessageId,
): { readonly poll: PollRow } {
  requireConnection(core)
  const poll = cachedPoll(core, messageId)
  if (isOver(pollOf(poll), core.serverNow())) throw new AppError('poll/closed')
  return { poll }
}

const store = (core: Pick<Core, 'write'>, wire: unknown, asOf: number): void =>
  core.write((tx) => writePoll(tx, wire, asOf))

async function refresh(core: Pick<Core, 'api' | 'asOf' | 'life' | 'write'>, { id }: PollRow): Promise<void> {
  const reply = await core.api.send(getPoll, { params: { pollId: id }, signal: core.life })
  // Requested after the change: the response is newer than any copy known, including an event of the same moment.
  store(core, reply.poll, Math.max(core.asOf(), timeIn(reply.poll, 'updated_at') ?? 0))
}

type Edit = Parameters<Calls['edit']>[0]

/** One request per part: if one fails, earlier parts are shown. Options are merged before others are removed. */
async function edit(core: ManageParts, { messageId, name, description, ...options }: Edit): Promise<void> {
  const { poll } = open(core, messageId)
  const params = { pollId: poll.id }
  const signal = core.life
  const textOf = (id: string): string => poll.options.find((option) => option.id === id)?.text ?? id
  try {
    const set = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) }
    if (Object.keys(set).length > 0) await core.api.send(updatePollPartial, { params, body: { set }, signal })
    for (const { id, into } of options.merged) {
      const body = { id, text: textOf(id), merged_into: into }
      const reply = await core.api.send(updatePollOption, { params, body, signal })
      // The option still exists: the server does not support merging.
      if (idOf(asWire(reply.poll_option)?.['id']) === id) throw new AppError('poll/not-merged')
    }
    for (const id of options.removed) {
      await core.api.send(deletePollOption, { params: { ...params, optionId: id }, signal })
    }
    for (const body of options.renamed) await core.api.send(updatePollOption, { params, body, signal })
    for (const text of options.added) await core.api.send(createPollOption, { params, body: { text }, signal })
  } finally {
    if (core.isHealthy()) await refresh(core, poll)
  }
}

/** Queued together with its message, so that neither can be lost or sent twice. */
function create(core: ManageParts, { cid, replaces, again, options, ...rules }: NewPoll, client: ClientId): MessageId {
  const channel = visibleChannel(core.context, cid)
  if (channel && (!channel.config.polls || !may(channel, 'send-poll'))) throw new AppError('server/not-allowed')
  const { maxVotes, closesAt, ...rest } = rules
  const limit = maxVotes === undefined || rest.enforceUniqueVote ? {} : { maxVotes }
  const end = closesAt === undefined ? {} : { closesAt }
  const poll = { ...rest, ...limit, ...end, options: [...new Set(options)] }
  const content = { pollId: asPollId(core.ports.ids.uuid()), poll }
  return submitContent(core, { cid, content, replaces, again }, client)
}
