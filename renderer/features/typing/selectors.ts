import type { AppState } from '../../store/store.ts'
import { selectSession, selectTypingIds } from '../../store/selectors.ts'

/** Somebody else types here (key: the cid, or `cid/parentId` in a thread): the three dots of a sidebar row. */
export function selectIsTyping(state: AppState, key: string): boolean {
  const me = selectSession(state).userId
  return selectTypingIds(state, key).some((id) => id !== me)
}

/** Names of the others who type here, as one string so that a selector can compare it. */
export function selectTypistNames(state: AppState, key: string): string {
  const me = selectSession(state).userId
  return selectTypingIds(state, key)
    .filter((id) => id !== me)
    .map((id) => state.entities.users[id]?.name ?? id)
    .join('\n')
}
