import type { AssistantWork } from '#shared/domain/channel.ts'
import { isSame } from '#shared/lib/same.ts'
import { ASSISTANT_EXPIRY_MS } from '#shared/rules/channels/typing.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { sendEvent } from '#shared/wire/channels.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { type Core, requireConnection } from '../../core.ts'

/** What assistants are doing, by place. An entry expires when no further event about it arrives. */
export type AssistantTracker = {
  note(key: string, work: AssistantWork): void
  forget(key: string): void
  /** The connection was lost: the state of assistants is unknown. */
  clear(): void
}

/**
 * @param works   the map in the engine's memory; only the tracker writes it
 * @param changed reports a change in one place
 */
export function createAssistantTracker(
  clock: Pick<Clock, 'after'>,
  works: Map<string, AssistantWork>,
  changed: (key: string) => void,
): AssistantTracker {
  const timers = new Map<string, Stop>()

  function forget(key: string): void {
    timers.get(key)?.()
    timers.delete(key)
    if (works.delete(key)) changed(key)
  }

  return {
    note(key, work) {
      timers.get(key)?.()
      timers.set(
        key,
        clock.after(ASSISTANT_EXPIRY_MS, () => forget(key)),
      )
      if (isSame(works.get(key), work)) return
      works.set(key, work)
      changed(key)
    },
    forget,
    clear() {
      for (const key of works.keys()) forget(key)
    },
  }
}

type Place = { readonly cid: Cid; readonly parentId?: MessageId }

/** Requests that the assistants in a place stop; their state is no longer shown. */
export async function stopAssistant(
  core: Pick<Core, 'api' | 'assistants' | 'isHealthy' | 'life'>,
  { cid, parentId }: Place,
): Promise<void> {
  requireConnection(core)
  const event = { type: 'ai_indicator.stop', ...(parentId === undefined ? {} : { parent_id: parentId }) }
  await core.api.send(sendEvent, { params: splitCid(cid), body: { event }, signal: core.life })
  core.assistants.forget(composerKey(cid, parentId))
}
