import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asPollId, type MessageId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { isOver } from '#shared/rules/polls/polls.ts'
import {
  castVote,
  createPollOption,
  deletePoll,
  deletePollOption,
  getPoll,
  removeVote,
  updatePollOption,
  updatePollPartial,
} from '#shared/wire/polls.ts'
import * as polls from '#main/cache/messages/polls.ts'
import type { PollRow } from '#main/cache/rows.ts'
import { pollOf, visibleChannel } from '../../changes/visible.ts'
import type { CallContext, ClientId } from '../../context.ts'
import { type Core, type Requests, type Submissions, requireConnection } from '../../core.ts'
import { asWire, idOf, timeIn } from '../../decode/read.ts'
import { writePoll } from '../../sync/write.ts'
import { submitContent } from '../messages/unsent.ts'
import { cachedPoll } from './lists.ts'

type Managing = 'create' | 'edit' | 'close' | 'remove' | 'addOption' | 'answer' | 'removeAnswer'
type Calls = Pick<HandlersOf<'polls', CallContext>, Managing>
type NewPoll = Parameters<Calls['create']>[0]

type Parts = Submissions & Requests & Pick<Core, 'context' | 'me'>

/** Creating, changing and closing polls, and text answers. See docs/wire.md 3.7 and 7.12. */
export function managePolls(core: Parts): Calls {
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
async function edit(core: Parts, { messageId, name, description, ...options }: Edit): Promise<void> {
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
function create(core: Parts, { cid, replaces, again, options, ...rules }: NewPoll, client: ClientId): MessageId {
  const channel = visibleChannel(core.context, cid)
  if (channel && (!channel.config.polls || !may(channel, 'send-poll'))) throw new AppError('server/not-allowed')
  const { maxVotes, closesAt, ...rest } = rules
  const limit = maxVotes === undefined || rest.enforceUniqueVote ? {} : { maxVotes }
  const end = closesAt === undefined ? {} : { closesAt }
  const poll = { ...rest, ...limit, ...end, options: [...new Set(options)] }
  const content = { pollId: asPollId(core.ports.ids.uuid()), poll }
  return submitContent(core, { cid, content, replaces, again }, client)
}
