import { createDispatch, type AnyArea } from '#main/bridge/dispatch.ts'
import type { Ids } from '#main/lib/ids.ts'
import { contract, type EngineClient } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aLoneEngine, aWireMessage, aWireUser, at, CID, FakeApi, SETTINGS, type LoneEngine } from '#kit/lone-engine.ts'
import { aMemoryFolder } from '#kit/stores.ts'
import type { Stage } from './drives.ts'
import { mutated } from './mutate.ts'
import type { Json, Recorded } from './recorded.ts'

type Any = Record<string, unknown>

/**
 * One engine whose server responds as the real one did, except for one operation, whose responses are broken at random.
 */
export type BrokenServer = {
  readonly lone: LoneEngine
  readonly stage: Stage
  /** How many broken responses were given. */
  readonly broken: () => number
  /** Breaks the responses of this operation from now on; of none without an operation. */
  break(operation: string | undefined): void
}

/** A failure that has no text for the user: an error in this program. */
export class Stumbled extends Error {}

/** @param form how the server writes all of its responses */
export async function aBrokenServer(
  recorded: Recorded,
  ids: Ids,
  form: (answer: Json, operation: string) => Json = (answer) => answer,
): Promise<BrokenServer> {
  const api = new FakeApi()
  let target: string | undefined
  let broken = 0
  for (const [operation, answer] of recorded.answers) {
    api.on(operation, (call) => {
      const good = form(fitting(operation, answer, call), operation)
      if (operation !== target) return good
      broken += 1
      const bad = mutated(good, ids)
      // The client itself accepts only an object as a response.
      return typeof bad === 'object' && bad !== null && !Array.isArray(bad) ? bad : {}
    })
  }
  const lone = await aLoneEngine({ api, folder: aMemoryFolder(), settings: { syncDrafts: true } })
  await lone.online()
  await lone.engine.handlers.channels.open({ cid: asCid(CID), around: undefined }, lone.client)
  await lone.clock.settle()
  let count = 0
  const addMessage = async (userId: string, more: Any = {}) => {
    const id = `new-${(count += 1)}`
    await lone.hear({
      type: 'message.new',
      cid: CID,
      created_at: at(1e7 + count),
      message: { ...aWireMessage(id, 1e7 + count), user: aWireUser(userId), ...more },
    })
    return asMessageId(id)
  }
  const ui = clientOf(lone)
  const stage: Stage = {
    ui,
    cid: asCid(CID),
    other: asUserId('ana'),
    stranger: () => asUserId(`stranger-${(count += 1)}`),
    own: () => addMessage('me'),
    theirs: () => addMessage('ana'),
    async poll() {
      const poll = {
        ...(recorded.answers.get('CreatePoll')?.['poll'] as Any),
        id: `poll-${(count += 1)}`,
        is_closed: false,
      }
      const [option] = poll['options' as never] as { id: string }[]
      const messageId = await addMessage('me', { poll, poll_id: poll.id })
      const optionId = option?.id ?? ''
      return { messageId, optionId }
    },
    next: () => (count += 1),
    async reconnect() {
      await lone.offline()
      await lone.online()
    },
    setPrivacy: (hidden) => lone.engine.publish({ settings: { ...SETTINGS, syncDrafts: true, publishReads: !hidden } }),
    settle: () => lone.clock.advance(2_500),
  }
  return { lone, stage, broken: () => broken, break: (operation) => void (target = operation) }
}

/** A response about a message, a reminder or a poll has the id of the request. */
function fitting(operation: string, answer: Json, call: { params: Record<string, string>; body: unknown }): Json {
  const { pollId, id: messageId } = call.params
  if (pollId !== undefined && answer['poll'])
    return { ...answer, ...about(answer, 'poll', { id: pollId }), ...about(answer, 'vote', { poll_id: pollId }) }
  if (answer['reminder'])
    return { ...answer, ...about(answer, 'reminder', { message_id: messageId, message: undefined }) }
  const id = operation === 'SendMessage' ? (call.body as { message?: { id?: string } }).message?.id : messageId
  if (typeof answer['message'] !== 'object' || id === undefined) return answer
  return { ...answer, message: { ...answer['message'], id } }
}

const about = (answer: Json, key: string, fields: object): object =>
  answer[key] === undefined ? {} : { [key]: { ...(answer[key] as object), ...fields } }

function clientOf(lone: LoneEngine): EngineClient {
  const window = { id: 'w1', push: () => undefined }
  let tick = 0
  let stumble: unknown
  const dispatch = createDispatch({
    contract,
    clock: { monotonic: () => (tick += 1_000) },
    log: (_level, _area, event, fields) => void (event === 'handler-failed' && (stumble = fields['error'])),
  })
  dispatch.serve({
    handlersFor: (_window, area) => ({
      handlers: (lone.engine.handlers as unknown as Record<string, AnyArea>)[area] ?? {},
      context: lone.client,
    }),
  })
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const reply = await dispatch.call(window, name, input)
    if (reply.ok) return reply.value
    if (reply.error.code === 'app/internal') throw new Stumbled(String(stumble))
    throw new AppError(reply.error.code)
  }
  return new Proxy({} as EngineClient, {
    get: (_target, area) =>
      new Proxy({}, { get: (_inner, name) => (input: unknown) => call(`${String(area)}.${String(name)}`, input) }),
  })
}
