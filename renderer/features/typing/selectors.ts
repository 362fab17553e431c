import type { AssistantWork } from '#shared/domain/channel.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { isAtWork } from '#shared/rules/channels/typing.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { AppState } from '../../store/store.ts'
import { selectOpenCid, selectOpenThread, selectSession, selectTypists } from '../../store/selectors.ts'

/** Whether another user is typing here (key: the cid, or `cid/parentId` in a thread), for the dots of a sidebar row. */
export function selectIsTyping(state: AppState, key: string): boolean {
  const me = selectSession(state).userId
  return selectTypists(state, key).some(({ id }) => id !== me)
}

export const selectAssistant = (state: AppState, key: string): AssistantWork | undefined =>
  state.entities.typing[key]?.assistant

/** The place on screen where a working assistant can be stopped: the open thread, else the channel. */
export function selectBusyPlace(state: AppState): { readonly cid: Cid; readonly parentId?: MessageId } | undefined {
  const thread = selectOpenThread(state)
  if (thread !== undefined && isAtWork(selectAssistant(state, composerKey(thread.cid, thread.parentId))))
    return { cid: thread.cid, parentId: thread.parentId }
  const cid = selectOpenCid(state)
  return cid !== undefined && isAtWork(selectAssistant(state, cid)) ? { cid } : undefined
}

/** Names of the other users typing here, as one string, so that it can be compared by value. */
export function selectTypistNames(state: AppState, key: string): string {
  const me = selectSession(state).userId
  const names = selectTypists(state, key)
    .filter(({ id }) => id !== me)
    .map(({ id, name }) => cleanName(state.entities.users[id]?.name ?? name))
  return names.map((name) => shortName(name, names)).join('\n')
}

/** The first name, unless another typist has the same. */
function shortName(name: string, all: readonly string[]): string {
  const first = name.split(' ')[0] ?? name
  return all.some((other) => other !== name && other.startsWith(`${first} `)) ? name : first
}
