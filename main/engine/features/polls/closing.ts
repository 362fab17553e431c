import { asMessageId } from '#shared/lib/brand.ts'
import { updatePollPartial } from '#shared/wire/polls.ts'
import type { PollRow } from '#main/cache/rows.ts'
import * as polls from '#main/cache/messages/polls.ts'
import type { Touched } from '#main/cache/tx.ts'
import type { Stop } from '#main/lib/clock.ts'
import { ApiError } from '../../api/errors.ts'
import { visibleChannel } from '../../changes/visible.ts'
import type { Core, Requests } from '../../core.ts'
import { writePoll } from '../../sync/write.ts'
import { unvotedPoll } from './lists.ts'

/** Parlor's own server closes polls itself: the creator's engine only acts if that has not happened. */
const GRACE_MS = 15_000
/** Timers stop while the device sleeps: times are checked at least this often. */
const CHECK_EVERY_MS = 30_000
/** Users who have not voted are reminded this long before, or at the last quarter of the time if that is shorter. */
const LEAD_MS = 3_600_000
const LEAD_PART = 4

type Ending = PollRow & { readonly closesAt: number }

type PollClosing = { readonly start: () => void; readonly committed: (touched: Touched) => void }

type Parts = Requests & Pick<Core, 'background' | 'cache' | 'context' | 'me' | 'notify' | 'ports' | 'serverNow'>

/** Polls with a closing time: reminds users who have not voted, and closes the viewer's own polls. */
export function createPollClosing(core: Parts): PollClosing {
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
