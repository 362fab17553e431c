import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { getApp } from '#shared/wire/app.ts'
import { createApi } from '#main/engine/api/client.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { checkServerUrl } from '#main/engine/session/server-url.ts'
import { userOfToken } from '#main/engine/session/token.ts'
import { createTokenManager } from '#main/engine/session/token-manager.ts'
import type { Host } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { type Accounts, localKindOf } from './accounts.ts'
import type { CallWindow } from './call-window.ts'
import { CLIENT_NAME } from './client-name.ts'
import { type Credential, loadToken, writeCredential } from './credential.ts'
import { DEMO_PERSON } from './local-workspace.ts'
import { personId } from './person-id.ts'

export type SessionCallsOptions = {
  readonly host: Host
  readonly accounts: Accounts
  /** The profile's own account; windows opened "as" somebody have another. */
  readonly primary: () => AccountRef | undefined
  /** Signs the profile in as somebody else, or out; every window attaches again. */
  readonly switchTo: (ref: AccountRef | undefined, credential?: string) => Promise<void>
}

/** `session.*` of the contract. */
export function sessionCalls(options: SessionCallsOptions): HandlersOf<'session', CallWindow> {
  const { accounts, switchTo, primary, host } = options
  return {
    async localPeople() {
      const ref = primary()
      if (ref?.kind === 'hosted') return []
      return accounts.workspace(ref?.kind ?? 'demo').people()
    },
    openDemo: ({ userId }) => switchTo({ kind: 'demo', userId: userId ?? DEMO_PERSON }),
    async createWorkspace({ name, yourName }) {
      const id = personId(yourName, host.ports.ids)
      await accounts.workspace('own').addPerson({ id, name: yourName, role: 'admin' })
      await switchTo({ kind: 'own', userId: id, name })
    },
    async addPerson({ name }) {
      const workspace = accounts.workspace(localKindOf(primary()))
      if (workspace.health() !== 'running') throw new AppError('network/offline')
      const id = personId(name, host.ports.ids)
      await workspace.admit({ id, name })
      return { id: asUserId(id), name }
    },
    async deleteDemo() {
      if (primary()?.kind !== 'demo') throw new AppError('session/not-demo')
      await switchTo(undefined)
      await accounts.destroyWorkspace('demo')
    },
    async connectHosted({ url, apiKey, token, tokenUrl }) {
      const given: Credential =
        tokenUrl === undefined ? { kind: 'token', token: token.trim() } : { kind: 'endpoint', url: tokenUrl.trim() }
      const { ref, token: checked } = await readHosted({ url, apiKey, credential: given }, host)
      await probe(host, ref, checked)
      const credential = writeCredential(given)
      await accounts.keepCredential(ref, credential)
      await switchTo(ref, credential)
    },
    async signOut({ wipe }) {
      const ref = primary()
      if (ref) await accounts.leaving(ref, wipe)
      await switchTo(undefined)
      if (ref) await accounts.left(ref)
    },
    unsentCount: (_input, { account }) => account()?.engine.unsentCount() ?? 0,
    reconnect(_input, { account }) {
      account()?.workspace?.retry()
      account()?.engine.reconnectNow()
    },
  }
}

/**
 * Checks what somebody typed before the server is asked for anything, and finds out whose token it is. Throws
 * `session/invalid-url`, `session/token-…`.
 */
export async function readHosted(
  given: { url: string; apiKey: string; credential: Credential },
  outside: Pick<Host, 'ports' | 'commands'>,
) {
  const url = checkServerUrl(given.url)
  if (!url.ok) throw url.error
  const token = await loadToken(given.credential, outside)
  const user = userOfToken(token)
  if (!user.ok) throw user.error
  const ref = { kind: 'hosted' as const, url: url.value, apiKey: given.apiKey.trim(), userId: user.value }
  return { ref, token: token.trim() }
}

/** One request that only a server of the contract answers: says why it would not work before anything is stored. */
async function probe(host: Host, ref: Extract<AccountRef, { kind: 'hosted' }>, token: string): Promise<void> {
  const api = createApi({
    baseUrl: ref.url,
    apiKey: ref.apiKey,
    userId: ref.userId,
    clientName: CLIENT_NAME,
    tokens: createTokenManager({ kind: 'static', token }),
    serverClock: createServerClock(host.ports.clock),
    ports: host.ports,
  })
  try {
    await api.send(getApp, {})
  } catch (error) {
    if (error instanceof ApiError && error.class === 'network')
      throw new AppError('session/unreachable', { cause: error })
    throw error
  }
}
