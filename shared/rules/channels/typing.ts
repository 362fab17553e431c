import type { Channel, AssistantWork } from '../../domain/channel.ts'
import type { Cid, UserId } from '../../lib/brand.ts'
import type { Session } from '../../domain/session.ts'
import type { Settings } from '../../domain/settings.ts'
import { TYPING_EXPIRY_MS, TYPING_RESEND_MS } from '../../constants.ts'
import { cleanName } from '../../lib/clean-text.ts'
import { isChosen } from './channels.ts'

/** Who is typing in a channel or thread, with the monotonic time of their last event. */
export type Typists = ReadonlyMap<UserId, { readonly name: string; readonly at: number }>

/** More are not counted: the text says "several" from here on. */
export const MAX_TYPISTS = 10

export function withTypist(
  typists: Typists,
  { id, name }: { readonly id: UserId; readonly name: string },
  at: number,
): Typists {
  if (typists.size >= MAX_TYPISTS && !typists.has(id)) return typists
  return new Map(typists).set(id, { name, at })
}

export function withoutTypist(typists: Typists, userId: UserId): Typists {
  if (!typists.has(userId)) return typists
  const left = new Map(typists)
  left.delete(userId)
  return left
}

/** Received typing expires 7 s after its last event. */
export function withoutExpired(typists: Typists, now: number): Typists {
  const left = new Map([...typists].filter(([, { at }]) => now - at < TYPING_EXPIRY_MS))
  return left.size === typists.size ? typists : left
}

/** Milliseconds until the next entry expires; absent if no one is typing. */
export function nextExpiry(typists: Typists, now: number): number | undefined {
  if (typists.size === 0) return undefined
  const first = Math.min(...[...typists.values()].map(({ at }) => at))
  return Math.max(0, first + TYPING_EXPIRY_MS - now)
}

/** typing.start is sent at most every 2 s. See docs/wire.md, appendix B. */
export function mayResendTyping(lastSentAt: number | undefined, now: number): boolean {
  return lastSentAt === undefined || now - lastSentAt >= TYPING_RESEND_MS
}

/** Channel configuration, connection and the user's setting must all allow it. See docs/wire.md 7.11. */
export function mayPublishTyping(input: {
  readonly config: Pick<Channel['config'], 'typingEvents'>
  readonly capabilities: readonly string[]
  readonly healthy: boolean
  readonly publishTyping: boolean
}): boolean {
  const allowed = input.capabilities.length === 0 || input.capabilities.includes('send-typing-events')
  return input.config.typingEvents && allowed && input.healthy && input.publishTyping
}

/** The viewer publishes typing in this channel: it is not turned off globally or for the channel. */
export const sharesTyping = (
  { publishTyping, quietTyping }: Pick<Settings, 'publishTyping' | 'quietTyping'>,
  session: Session,
  cid: Cid,
): boolean => publishTyping && !isChosen(quietTyping, session, cid)

const STATES: Readonly<Record<string, AssistantWork['state']>> = {
  AI_STATE_THINKING: 'thinking',
  AI_STATE_CHECKING_SOURCES: 'checking',
  AI_STATE_GENERATING: 'generating',
  AI_STATE_ERROR: 'error',
}
const MAX_TEXT = 80

/** An assistant without updates for this long is considered idle. Ours: the contract specifies no time. */
export const ASSISTANT_EXPIRY_MS = 120_000

/** Decodes the state of an `ai_indicator.update`; `undefined` for an unusable one. See docs/wire.md 4.9. */
export function assistantWork(state: unknown): Pick<AssistantWork, 'state' | 'text'> | undefined {
  if (typeof state !== 'string') return undefined
  const known = Object.hasOwn(STATES, state) ? STATES[state] : undefined
  if (known !== undefined) return { state: known }
  const text = cleanName(state, MAX_TEXT)
  return text === '' ? undefined : { state: 'other', text }
}

/** Whether it can be stopped. */
export const isAtWork = (work: AssistantWork | undefined): boolean => work !== undefined && work.state !== 'error'
