import type { AppState } from '../../store/store.ts'
import { selectSession } from '../../store/selectors.ts'
import type { ThreadPlace } from './commands.ts'

/** Anyone who began the thread, and those who may change any: as the server decides. See docs/wire.md 8.1. */
export function mayRename(state: AppState, { cid, parentId }: ThreadPlace): boolean {
  const message = state.entities.messages[parentId]
  const channel = state.entities.channels[cid]
  if (message?.thread === undefined || channel === undefined || channel.frozen) return false
  const own = message.userId === selectSession(state).userId && channel.capabilities.includes('update-own-message')
  return own || channel.capabilities.includes('update-thread')
}
