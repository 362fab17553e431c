import type { HandlersOf } from '#shared/bridge/index.ts'
import type { VotePayload } from '#shared/domain/intent.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { AppError, type Issue } from '#shared/lib/app-error.ts'
import { type MessageId, asPollId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { mayCastVote, mayRemoveVote } from '#shared/rules/polls/polls.ts'
import * as polls from '#main/cache/messages/polls.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Core, Requests, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleChannel, visiblePoll } from '../../changes/visible.ts'
import type { CallContext } from '../../context.ts'
import type { HandledEvent } from '../../decode/events.ts'
import { decodePoll, decodeVote } from '../../decode/poll.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'
import { createPollClosing } from './closing.ts'
import { vote } from './requests.ts'
import { pollLists } from './lists.ts'
import { managePolls } from './manage.ts'

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
