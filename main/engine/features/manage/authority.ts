import { type ManageRight, type ManageTopic, rightsOf } from '#shared/domain/manage/manage.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as emoji from '#main/cache/people/emoji.ts'
import * as users from '#main/cache/people/users.ts'
import type { EngineApi } from '../../context.ts'
import { type Core, requireConnection } from '../../core.ts'

type Parts = Pick<Core, 'api' | 'cache' | 'me' | 'memory' | 'server'>

/**
 * The requests that this right allows: with the viewer's own token where their role has the right, so that the server
 * records who did it, else with the server token. Rejects with `manage/not-allowed` without the right.
 */
export async function apiFor(core: Parts, right: ManageRight): Promise<{ api: EngineApi; asServer: boolean }> {
  const role = roleOf(core)
  const keepsHistory = isOurs(core)
  if (rightsOf(role, 'role', keepsHistory).includes(right)) return { api: core.api, asServer: false }
  if (core.server && rightsOf(role, core.server.source, keepsHistory).includes(right)) {
    return { api: await core.server.api(), asServer: true }
  }
  throw new AppError('manage/not-allowed', { params: { right } })
}

/** The same for calls that need a connection: rejects with `network/offline` without one. */
export async function connectedApi(core: Parts & Pick<Core, 'isHealthy'>, right: ManageRight): Promise<EngineApi> {
  requireConnection(core)
  return (await apiFor(core, right)).api
}

/** Whether the viewer has a right now. */
export const mayManage = (core: Parts, right: ManageRight): boolean =>
  rightsOf(roleOf(core), core.memory.manage.source, isOurs(core)).includes(right)

/** For what needs no request: rejects with `manage/not-allowed` without the right. */
export function requireRight(core: Parts, right: ManageRight): void {
  if (!mayManage(core, right)) throw new AppError('manage/not-allowed', { params: { right } })
}

const roleOf = ({ cache, me }: Pick<Core, 'cache' | 'me'>): string => users.byIds(cache.reader, [me])[0]?.role ?? 'user'

/** A server of our own kind, which can do more than the contract says. Only such a server has terms of custom emoji. */
export const isOurs = ({ cache }: Pick<Core, 'cache'>): boolean => emoji.terms(cache.reader) !== undefined

/** Something of this topic has changed: screens that show it load again. */
export function topicChanged({ memory, collector }: Pick<Core, 'memory' | 'collector'>, topic: ManageTopic): void {
  const { changes } = memory.manage
  memory.manage = { ...memory.manage, changes: { ...changes, [topic]: (changes[topic] ?? 0) + 1 } }
  collector.touch('manage', 'self')
}
