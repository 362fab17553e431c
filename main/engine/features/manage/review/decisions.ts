import { type IntentFor, type ModeratePayload, NO_CHANNEL } from '#shared/domain/intent.ts'
import type { ReviewAction, ReviewItem } from '#shared/domain/manage/review.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { queryReviewQueue, submitModerationAction } from '#shared/wire/moderation.ts'
import * as users from '#main/cache/people/users.ts'
import { ApiError } from '../../../api/errors.ts'
import type { Core } from '../../../core.ts'
import { asList, asWire, countOf } from '../../../decode/read.ts'
import { type Done, Refusal } from '../../../outbox/runner.ts'
import { apiFor, topicChanged, mayManage } from '../authority.ts'
import { readItem } from './decode.ts'

type Moderate = IntentFor<'moderate'>

/** Names of the contract. */
const WIRE: Readonly<Record<ReviewAction, string>> = {
  approve: 'mark_reviewed',
  delete: 'delete_message',
  'delete-forever': 'delete_message',
  restore: 'restore',
  ban: 'ban',
  unban: 'unban',
  reopen: 'reopen',
}

/** What takes a decision back; the item waits again after it. Deletion for good has none. */
const OPPOSITE: Readonly<Partial<Record<ReviewAction, ReviewAction>>> = {
  approve: 'reopen',
  delete: 'restore',
  ban: 'unban',
}

type Parts = Waiting & Pick<Core, 'asOf' | 'background' | 'outbox' | 'ports' | 'runner' | 'write'>

/** Sends one decision. Repeating it changes nothing but the list of decisions. See docs/wire.md 3.14. */
export async function moderate(core: Parts, intent: Moderate, signal: AbortSignal): Promise<Done> {
  const { payload } = intent
  const { api, asServer } = await authority(core, payload)
  // Servers without the condition are asked first, so that only a decision in the same moment is overruled.
  if (core.memory.review.notifies !== true) await refuseIfDecided(core, payload)
  const send = (action: ReviewAction, more: object = {}) =>
    api.send(submitModerationAction, {
      body: {
        action_type: WIRE[action],
        item_id: payload.itemId,
        if_unchanged_since: formatTime(payload.seenAt),
        [WIRE[action]]: optionsOf({ ...payload, action }),
        ...(asServer ? { user_id: core.me } : {}),
        ...more,
      },
      signal,
    })
  const asOf = core.asOf()
  const item = await answered(core, payload, () => send(payload.action))
  const reopened = payload.reopens && payload.action !== 'reopen' && canReopen(core) ? await send('reopen') : undefined
  return {
    apply: (tx) => {
      const now = readItem(tx, reopened?.item ?? item, asOf, core.memory.review.pictures)
      if (payload.reopens) core.memory.review.done.delete(intent.id)
      else remember(core, intent, now?.updatedAt ?? asOf)
    },
    after() {
      topicChanged(core, 'review')
      if (payload.action === 'ban' || payload.action === 'unban') topicChanged(core, 'bans')
      if (core.memory.review.notifies !== true) core.background('review', () => askWaiting(core))
    },
  }
}

const canReopen = ({ memory }: Pick<Core, 'memory'>): boolean => memory.review.actions.message.includes('reopen')

async function authority(core: Parts, { action, ban }: ModeratePayload) {
  const isBan = action === 'ban' || action === 'unban'
  const right = isBan ? (ban?.scope === 'everywhere' ? 'ban-everywhere' : 'ban') : 'review'
  try {
    return await apiFor(core, right)
  } catch (error) {
    if (error instanceof AppError && error.code === 'manage/not-allowed') throw new Refusal('review/right-taken', true)
    throw error
  }
}

/** The item of the answer. A message that is gone already is deleted for good. */
async function answered(core: Parts, payload: ModeratePayload, send: () => Promise<{ item?: unknown }>) {
  try {
    return (await send()).item
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.class === 'gone' && payload.action === 'delete-forever') return undefined
    if (error.class === 'invalid') await refuseIfDecided(core, payload)
    throw error
  }
}

/** Refuses with who was first, if another moderator has decided since the viewer saw the item. */
async function refuseIfDecided(core: Parts, { itemId, seenAt }: ModeratePayload): Promise<void> {
  const item = (await fetchItems(core, [itemId]))[0]
  if (!item || item.status === 'waiting' || item.decidedById === core.me) return
  if (item.decidedAt === undefined || item.decidedAt <= seenAt) return
  const by = item.decidedById === undefined ? undefined : users.byId(core.cache.reader, item.decidedById)
  topicChanged(core, 'review')
  throw new Refusal('review/decided', false, {
    by: by?.name ?? item.decidedById ?? '',
    action: item.decisions.at(-1)?.action ?? 'other',
    at: item.decidedAt,
  })
}

/** These items as they are now; those that no longer exist are left out. */
export async function fetchItems(
  core: Waiting & Pick<Core, 'asOf' | 'write'>,
  ids: readonly string[],
): Promise<ReviewItem[]> {
  const { api } = await apiFor(core, 'review')
  const asOf = core.asOf()
  const body = { filter: { id: { $in: ids } }, limit: ids.length }
  const { items } = await api.send(queryReviewQueue, { body, signal: core.life })
  return core.write((tx) =>
    asList(items).flatMap((each) => readItem(tx, each, asOf, core.memory.review.pictures) ?? []),
  )
}

function optionsOf({ action, ban, channelCid }: ModeratePayload): object {
  if (action === 'delete-forever' || action === 'delete') return { hard_delete: action === 'delete-forever' }
  if ((action !== 'ban' && action !== 'unban') || ban === undefined) return {}
  const place = ban.scope === 'channel' ? { channel_ban_only: true, channel_cid: channelCid } : {}
  if (action === 'unban') return place
  return {
    ...place,
    timeout: ban.minutes,
    reason: ban.reason === '' ? undefined : ban.reason,
    shadow: ban.shadow,
    delete_messages: ban.messages,
  }
}

type Input = Pick<ModeratePayload, 'action' | 'ban'> & {
  readonly items: readonly {
    readonly id: string
    readonly seenAt: number
    readonly summary: string
    readonly cid?: ModeratePayload['channelCid']
  }[]
}

/** Queued without a connection too; the last decision about an item wins over one that was not sent yet. */
export function decide(core: Pick<Parts, 'outbox' | 'runner'>, { action, ban, items }: Input): string[] {
  const ids = items.map(({ id: itemId, seenAt, summary, cid: channelCid }) => {
    const payload = { itemId, action, seenAt, summary, channelCid, ban }
    return core.outbox.add({ kind: 'moderate', cid: NO_CHANNEL, payload }).added?.id ?? ''
  })
  core.runner.kick()
  return ids
}

/** Drops what was not sent; of the rest the opposite is queued. Returns how many are undone. */
export function undo(core: Pick<Parts, 'memory' | 'outbox' | 'runner'>, ids: readonly string[]): number {
  const undone = ids.filter((id) => {
    const intent = core.outbox.byId(id)
    if (intent?.kind === 'moderate' && (intent.state === 'parked' || isUnsent(intent))) {
      core.outbox.remove([id])
      return true
    }
    const made = intent?.kind === 'moderate' ? intent.payload : core.memory.review.done.get(id)
    const action = made && OPPOSITE[made.action]
    if (made === undefined || action === undefined || (action === 'reopen' && !canReopen(core))) return false
    core.outbox.add({ kind: 'moderate', cid: NO_CHANNEL, payload: { ...made, action, reopens: true } })
    core.memory.review.done.delete(id)
    return true
  })
  core.runner.kick()
  return undone.length
}

const isUnsent = ({ state, attempts }: Moderate): boolean => state !== 'inflight' && attempts === 0

/** More decisions than a person takes back. */
const REMEMBERED = 500

function remember({ memory }: Pick<Core, 'memory'>, { id, payload }: Moderate, seenAt: number): void {
  const { done } = memory.review
  done.set(id, { ...payload, seenAt: Math.max(seenAt, payload.seenAt) })
  const [oldest] = done.keys()
  if (done.size > REMEMBERED && oldest !== undefined) done.delete(oldest)
}

export type Waiting = Pick<Core, 'api' | 'cache' | 'collector' | 'isHealthy' | 'life' | 'me' | 'memory' | 'server'>

/** A server that does not say the number: more than this are shown as one more than 99. */
const COUNTED = 100

/** Stores what the server says of the whole queue. Only servers that count it notify of its changes too. */
export function noteStats(core: Pick<Core, 'collector' | 'memory'>, stats: unknown): boolean {
  const waiting = countOf(asWire(stats)?.['needs_review'])
  core.memory.review.notifies = waiting !== undefined
  if (waiting !== undefined) noteWaiting(core, waiting)
  return waiting !== undefined
}

function noteWaiting({ collector, memory }: Pick<Core, 'collector' | 'memory'>, waiting: number): void {
  if (memory.manage.waiting === waiting) return
  memory.manage = { ...memory.manage, waiting }
  collector.touch('manage', 'self')
}

/** Asks how many items wait, for those who may review; screens that show the queue load it again. */
export async function askWaiting(core: Waiting): Promise<void> {
  if (!mayManage(core, 'review') || !core.isHealthy()) return
  const { api } = await apiFor(core, 'review')
  const body = { filter: { reviewed: false }, sort: [{ field: 'created_at', direction: -1 as const }], limit: COUNTED }
  const reply = await api.send(queryReviewQueue, { body, signal: core.life })
  const items = asList(reply.items)
  if (!noteStats(core, reply.stats)) noteWaiting(core, items.length)
  topicChanged(core, 'review')
}
