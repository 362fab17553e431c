import { formatTime } from '#shared/lib/rfc3339.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { bareBatchInsert, bareParse } from '../limits.ts'
import { createRig } from '../rig.ts'
import { channelCid, personId, SEED_L, sentence, VIEWER } from '../seeds.ts'
import { figure, verdict, type Figure } from '../stats.ts'
import { SEED_NOW, wireMessage, wireUser } from '../wire.ts'

/** The events missed in eight hours, all of them stored. */
const MISSED = 20_000
const CHANNELS = 150
/** Most events in one response. See docs/wire.md 8.19. */
const ONE_ANSWER = 2_000
const GOAL_RATIO = 3

type Wire = Record<string, unknown>

/** In the order of the server's log: mostly messages, and changes of them. */
function missedEvents(): Wire[] {
  const ids = seededIds(16)
  return Array.from({ length: MISSED }, (_, index) => missedEvent(index, () => ids.random()))
}

function missedEvent(index: number, random: () => number): Wire {
  const channel = index % CHANNELS
  const cid = channelCid(channel)
  const at = SEED_NOW + 1_000 + index
  const by = personId(1 + Math.floor(random() * 11))
  const common = { cid, created_at: formatTime(at), user: wireUser(by) }
  // A change is about the previous message of the same channel.
  const before = index - CHANNELS
  const message = wireMessage(`missed-${before}`, cid, by, sentence(random), SEED_NOW + 1_000 + before)
  const kind = before < 0 ? 0 : random()
  if (kind > 0.97) return { ...common, type: 'message.deleted', message: { ...message, type: 'deleted' } }
  if (kind > 0.92) return { ...common, type: 'message.updated', message: { ...message, updated_at: formatTime(at) } }
  if (kind > 0.87) return { ...common, ...reactionOf(message, by, at) }
  if (kind > 0.82) return { ...common, type: 'message.read', user: wireUser(by) }
  return { ...common, type: 'message.new', message: wireMessage(`missed-${index}`, cid, by, sentence(random), at) }
}

function reactionOf(message: Wire, by: string, at: number): Wire {
  const time = formatTime(at)
  const reaction = { type: 'like', user_id: by, user: wireUser(by), score: 1, created_at: time, updated_at: time }
  const group = { count: 1, sum_scores: 1, first_reaction_at: time, last_reaction_at: time }
  const reacted = { ...message, latest_reactions: [reaction], reaction_groups: { like: group } }
  return { type: 'reaction.new', reaction, message: reacted }
}

/** From the connection to everything stored: the list is loaded again, then the log is read. */
export async function catchUpFigures(repeats: number): Promise<Figure[]> {
  const events = missedEvents()
  const frames = events.map((event) => JSON.stringify(event))
  const notified = new Map<string, LoggedEvent[]>()
  for (const [at, event] of events.entries()) {
    const cid = String(event['cid'])
    notified.set(cid, [...(notified.get(cid) ?? []), { at, text: frames[at] ?? '' }])
  }
  const rates: number[] = []
  const limits: number[] = []
  const longest: number[] = []
  for (let turn = -1; turn < repeats; turn += 1) {
    const { ms, blockedMs } = await catchUpOnce(notified)
    const limitMs = (MISSED / bareParse(frames) + MISSED / bareBatchInsert(frames)) * 1_000
    if (turn < 0) continue
    rates.push((MISSED / ms) * 1_000)
    limits.push((MISSED / limitMs) * 1_000)
    longest.push(blockedMs)
  }
  const rate = figure(`engine: ${MISSED} missed events caught up`, 'per second', rates, {
    limit: { name: 'JSON.parse and a bare batch insert of the same', values: limits },
    note: `goal: 14,700, and a third of the limit`,
  })
  const ratio = rate.ratio ?? Number.NaN
  return [
    { ...rate, verdict: verdict(1 / ratio, Number.POSITIVE_INFINITY, GOAL_RATIO) },
    figure('engine: longest turn of the loop while catching up, processor time', 'ms', longest, {
      note: 'goal: 50 ms',
    }),
  ]
}

/** Of this thread; of the process where Node, in the Electron of the tests, does not tell the threads apart. */
const tellsThreads = Number(process.versions.node.split('.')[0]) >= 24
const cpuUsage = (): NodeJS.CpuUsage => (tellsThreads ? process.threadCpuUsage() : process.cpuUsage())

/** The longest turn of the event loop: processor time, since a busy machine stretches wall time. */
function watchTurns(): { stop(): number } {
  let longest = 0
  let isOver = false
  let before = cpuUsage()
  const turn = (): void => {
    const now = cpuUsage()
    longest = Math.max(longest, now.user - before.user + now.system - before.system)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    stop() {
      isOver = true
      return longest / 1_000
    },
  }
}

type LoggedEvent = { readonly at: number; readonly text: string }

/**
 * The server's log of the requested channels, read as it arrives over the network; a request for too much is refused.
 */
function answerOf(notified: ReadonlyMap<string, readonly LoggedEvent[]>, body: unknown): unknown {
  const { channel_cids: cids } = body as { channel_cids: readonly string[] }
  const events = cids.flatMap((cid) => notified.get(cid) ?? []).toSorted((a, b) => a.at - b.at)
  if (events.length <= ONE_ANSWER) return JSON.parse(`{"events":[${events.map(({ text }) => text).join()}]}`)
  throw new ApiError({ kind: 'answer', status: 400, wireCode: 4, message: 'too many events' }, { operation: 'Sync' })
}

async function catchUpOnce(
  notified: ReadonlyMap<string, readonly LoggedEvent[]>,
): Promise<{ ms: number; blockedMs: number }> {
  const rig = await createRig(SEED_L, { Sync: (body) => answerOf(notified, body) })
  rig.lose()
  await rig.settle()
  const turns = watchTurns()
  const startedAt = performance.now()
  await rig.recover()
  const ms = performance.now() - startedAt
  const blockedMs = turns.stop()
  const { reader } = rig.engine.stores.cache
  const held = reader.db.get<{ n: number }>(`SELECT count(*) AS n FROM messages WHERE id LIKE 'missed-%'`)?.n ?? 0
  const own = reader.db.get<{ n: number }>('SELECT count(*) AS n FROM messages WHERE user_id = ?', VIEWER)?.n ?? 0
  await rig.stop()
  if (held < MISSED / 2 || own > 0) throw new Error(`Of ${MISSED} missed events only ${held} messages are stored`)
  return { ms, blockedMs }
}
