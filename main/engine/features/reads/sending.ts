import type { IntentFor } from '#shared/domain/intent.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { markRead } from '#shared/wire/channels.ts'
import { markChannelsRead } from '#shared/wire/receipts.ts'
import type { WireEvent } from '#shared/wire/events.ts'
import * as reads from '#main/cache/channels/reads.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core } from '../../core.ts'
import { timeOf } from '../../decode/read.ts'
import { travelsWithOthers } from '../../outbox/lanes.ts'
import type { Done } from '../../outbox/runner.ts'

type Mark = IntentFor<'mark-read'>
type Waiting = {
  readonly mark: Mark
  readonly signal: AbortSignal
  readonly resolve: (done: Done) => void
  readonly reject: (error: unknown) => void
}

/** Sends a mark to the server; marks of the same turn share one request. */
export type SendMark = (mark: Mark, signal: AbortSignal) => Promise<Done>

export function createSendMark(core: Pick<Core, 'api' | 'life' | 'me' | 'ports'>): SendMark {
  let waiting: Waiting[] = []

  function sendAll(): void {
    const batch = waiting
    waiting = []
    const [first] = batch
    if (batch.length === 1 && first) return void alone(first)
    void together(batch)
  }

  async function alone({ mark, signal, resolve, reject }: Waiting): Promise<void> {
    await readOne(core, mark, signal).then(resolve, reject)
  }

  async function together(batch: readonly Waiting[]): Promise<void> {
    try {
      const byChannel = batch.map(({ mark: { cid, payload } }) => [cid, payload.upTo ?? ''] as const)
      const body = { read_by_channel: Object.fromEntries(byChannel) }
      const { event } = await core.api.send(markChannelsRead, { body, signal: core.life })
      for (const { mark, resolve } of batch) resolve(readTo(core, mark, event))
    } catch (error) {
      // One of them may be refused, or the server does not support the request: each is sent alone.
      if (error instanceof ApiError && error.failure.kind === 'answer' && error.verdict.task === 'park') {
        for (const each of batch) await alone(each)
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  return (mark, signal) => {
    if (!travelsWithOthers(mark)) return readOne(core, mark, signal)
    return new Promise((resolve, reject) => {
      waiting.push({ mark, signal, resolve, reject })
      if (waiting.length === 1) core.ports.clock.after(0, sendAll)
      signal.addEventListener('abort', () =>
        reject(
          new ApiError({ kind: 'transport', transport: 'aborted', sent: true }, { operation: 'MarkChannelsRead' }),
        ),
      )
    })
  }
}

async function readOne(core: Pick<Core, 'api' | 'me'>, mark: Mark, signal: AbortSignal): Promise<Done> {
  const { cid, parentId, payload } = mark
  const { event } = await core.api.send(markRead, {
    params: splitCid(cid),
    body: {
      thread_id: parentId,
      // If it is sent hours later, it marks what was seen then, not later messages.
      ...(parentId === undefined && payload.upTo !== undefined ? { message_id: payload.upTo } : {}),
    },
    signal,
  })
  return readTo(core, mark, event)
}

function readTo(core: Pick<Core, 'me'>, { cid, parentId, payload }: Mark, event: WireEvent | undefined): Done {
  const { readAt, upTo } = payload
  return {
    apply: (tx) =>
      reads.put(tx, {
        cid,
        userId: core.me,
        threadId: parentId,
        lastReadAt: readAt,
        lastReadMessageId: upTo,
        unread: 0,
        countedAt: readAt,
        asOf: timeOf(event?.created_at) ?? readAt,
      }),
  }
}
