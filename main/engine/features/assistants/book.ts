import type { AssistantWork } from '#shared/domain/channel.ts'
import { isSame } from '#shared/lib/same.ts'
import { ASSISTANT_EXPIRY_MS } from '#shared/rules/messages/assistants.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'

/** What assistants are at, as heard, by place. An entry is dropped when nothing more is heard of it. */
export type AssistantBook = {
  note(key: string, work: AssistantWork): void
  forget(key: string): void
  /** The connection is gone: no one is known to be at anything. */
  clear(): void
}

/**
 * @param works   the map in the engine's memory; this book alone writes it
 * @param changed tells that there is something else in one place
 */
export function createAssistantBook(
  clock: Pick<Clock, 'after'>,
  works: Map<string, AssistantWork>,
  changed: (key: string) => void,
): AssistantBook {
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
