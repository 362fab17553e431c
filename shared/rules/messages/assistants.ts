import type { AssistantWork } from '#shared/domain/channel.ts'
import { cleanName } from '#shared/lib/clean-text.ts'

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
