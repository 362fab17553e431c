import type { HandlersOf } from '#shared/bridge/index.ts'
import type { ListedPoll, NonVoters, PollView, PollVoter } from '#shared/domain/poll.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { isOver } from '#shared/rules/polls/polls.ts'
import { queryPollVotes } from '#shared/wire/polls.ts'
import type { PollVoteRow, PollRow } from '#main/cache/rows.ts'
import * as polls from '#main/cache/messages/polls.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { answerOf, visibleChannel, visiblePoll } from '../../changes/visible.ts'
import type { CallContext } from '../../context.ts'
import { type Core, type Requests, requireConnection } from '../../core.ts'
import { decodeVote } from '../../decode/poll.ts'
import { asWire, cursorOf, eachOf } from '../../decode/read.ts'
import { writeUser } from '../../sync/write.ts'
import { memberPage } from '../channels/details.ts'

type Calls = Pick<HandlersOf<'polls', CallContext>, 'answers' | 'voters' | 'nonVoters' | 'list'>

const PAGE = 25
const LISTED = 100
/** Newest polls that are looked at: a bound for one call. */
const CHECKED_POLLS = 1_000

type Parts = Requests & Pick<Core, 'cache' | 'context' | 'log' | 'me' | 'serverNow'>

/** Queries about polls. See docs/wire.md 3.7 and 7.12. */
export function pollLists(core: Parts): Calls {
  return {
    answers: async ({ messageId, cursor }) => {
      const { votes, next } = await fetchVotes(core, messageId, { is_answer: true }, cursor)
      return { answers: votes.flatMap(answerOf), ...next }
    },
    voters: async ({ messageId, optionId, cursor }) => {
      const { votes, next } = await fetchVotes(core, messageId, { option_id: optionId }, cursor)
      return { voters: votes.flatMap(voterOf), ...next }
    },
    nonVoters: ({ messageId }) => nonVoters(core, messageId),
    list: ({ view }) => listed(core, view),
  }
}

async function fetchVotes(
  core: Parts,
  messageId: MessageId,
  filter: Readonly<Record<string, unknown>>,
  cursor: string | undefined,
): Promise<{ readonly votes: readonly PollVoteRow[]; readonly next: { readonly next?: string } }> {
  requireConnection(core)
  const poll = cachedPoll(core, messageId)
  const asOf = core.asOf()
  const reply = await core.api.send(queryPollVotes, {
    params: { pollId: poll.id },
    body: {
      filter,
      sort: [{ field: 'created_at', direction: -1 }],
      limit: PAGE,
      next: cursor,
    },
    signal: core.life,
  })
  core.write((tx) => eachOf(reply.votes, (vote) => writeUser(tx, asWire(vote)?.['user'], asOf)))
  const context = { viewerId: core.me, asOf, isAnswer: true }
  const next = cursorOf(reply.next, cursor)
  return { votes: eachOf(reply.votes, (vote) => decodeVote(vote, context)), next: next === undefined ? {} : { next } }
}

/** Pages of members and of votes: bounds for one call. */
const MEMBER_PAGES = 5
const VOTE_PAGES = 40
const NON_VOTERS = 100

async function nonVoters(core: Parts, messageId: MessageId): Promise<NonVoters> {
  requireConnection(core)
  const poll = cachedPoll(core, messageId)
  if (poll.anonymous) throw new AppError('poll/anonymous')
  const cid = visibleMessage(core.context, messageId)?.cid
  if (cid === undefined) throw new AppError('message/gone')
  const voted = new Set<UserId>()
  let cursor: string | undefined
  for (let page = 0; page < VOTE_PAGES; page += 1) {
    const { votes, next } = await fetchVotes(core, messageId, { is_answer: false }, cursor)
    for (const { userId } of votes) if (userId !== undefined) voted.add(userId)
    cursor = next.next
    if (cursor === undefined) break
  }
  let people: readonly UserId[] = []
  for (let page = 0; page < MEMBER_PAGES; page += 1) {
    const { entries, hasMore } = await memberPage(core, { cid, offset: page * 100 })
    people = entries.map(({ userId }) => userId)
    if (!hasMore) break
  }
  const nonVoters = people.filter((id) => id !== core.me && !voted.has(id))
  return { userIds: nonVoters.slice(0, NON_VOTERS), total: nonVoters.length }
}

const voterOf = ({ id, userId, createdAt }: PollVoteRow): PollVoter[] =>
  userId === undefined ? [] : [{ id, userId, votedAt: createdAt }]

/** From the cache, including unsent votes: works without a connection. */
function listed(core: Pick<Core, 'cache' | 'context' | 'serverNow'>, view: PollView): readonly ListedPoll[] {
  const found: ListedPoll[] = []
  for (const id of polls.messageIds(core.cache.reader, CHECKED_POLLS)) {
    const each = pollOf(core, asMessageId(id))
    const isWanted =
      each !== undefined && (view === 'unvoted' ? isUnvoted(core, each) : each.poll.closed === (view === 'closed'))
    if (isWanted) found.push(each)
    if (found.length === LISTED) break
  }
  return found
}

/** The poll of a message if the viewer may still vote and has not; otherwise `undefined`. */
export function unvotedPoll(core: Pick<Core, 'context' | 'serverNow'>, messageId: MessageId): ListedPoll | undefined {
  const found = pollOf(core, messageId)
  return found !== undefined && isUnvoted(core, found) ? found : undefined
}

function isUnvoted({ context }: Pick<Core, 'context'>, { cid, poll }: ListedPoll): boolean {
  const channel = visibleChannel(context, cid)
  const isOpen = !poll.closed && channel !== undefined && may(channel, 'cast-poll-vote')
  return isOpen && !poll.options.some((option) => option.own)
}

/** As closed as it is by the server's clock. */
function pollOf(core: Pick<Core, 'context' | 'serverNow'>, messageId: MessageId): ListedPoll | undefined {
  const message = visibleMessage(core.context, messageId)
  const poll = message?.pollId === undefined ? undefined : visiblePoll(core.context, message.pollId)
  if (message === undefined || message.type === 'deleted' || poll === undefined) return undefined
  if (visibleChannel(core.context, message.cid) === undefined) return undefined
  const { cid, parentId, createdAt } = message
  return { messageId, cid, parentId, createdAt, poll: { ...poll, closed: isOver(poll, core.serverNow()) } }
}

/** The cached poll of a message. Throws `message/gone`. */
export function cachedPoll(core: Pick<Core, 'cache' | 'context'>, messageId: MessageId): PollRow {
  const message = visibleMessage(core.context, messageId)
  const poll = message?.pollId === undefined ? undefined : polls.byId(core.cache.reader, message.pollId)
  if (message === undefined || message.type === 'deleted' || poll === undefined) throw new AppError('message/gone')
  return poll
}
