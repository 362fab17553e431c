import * as v from 'valibot'
import { icon, type SmallPicture } from '#shared/bridge/schemas.ts'
import { WORKSPACE_NAME_LENGTH } from '#shared/constants.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { getApp } from '#shared/wire/app.ts'
import { listChannelTypes } from '#shared/wire/admin.ts'
import { OPEN_CHANNELS, queryChannels } from '#shared/wire/channels.ts'
import { Api } from '#main/engine/api/client.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { checkServerUrl } from '#main/engine/session/server-url.ts'
import { userOfToken, createTokenManager } from '../../engine/session/token.ts'
import type { Host } from '#main/hosts/host.ts'
import type { AccountRef, Profile } from '#main/settings/profile.ts'
import { createServerApi, CLIENT_NAME } from '../network/server-token.ts'
import { type Credential, loadToken, writeCredential } from './credential.ts'
import type { LaunchOptions } from '../launch-options.ts'
import { DEMO_PERSON } from '../local-workspace/local-workspace.ts'

type HostedRef = Extract<AccountRef, { kind: 'hosted' }>

/**
 * Checks what the user typed before any request, and reads the user of the token. Throws `session/invalid-url`,
 * `session/token-…`.
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

/** The same for a guest, with a separate id. */
export function readGuest(given: { url: string; apiKey: string }, userId: string): HostedRef {
  const url = checkServerUrl(given.url)
  if (!url.ok) throw url.error
  return { kind: 'hosted', url: url.value, apiKey: given.apiKey.trim(), userId, guest: true }
}

const apiOf = (host: Pick<Host, 'ports'>, ref: HostedRef, token = ''): Api =>
  new Api({
    baseUrl: ref.url,
    apiKey: ref.apiKey,
    userId: ref.userId,
    clientName: CLIENT_NAME,
    tokens: createTokenManager(ref.guest ? { kind: 'anonymous' } : { kind: 'static', token }),
    serverClock: createServerClock(host.ports.clock),
    ports: host.ports,
  })

/**
 * Sends one request that only a compatible server accepts (for guests: a list of channels), to report errors before
 * anything is stored. Returns what the server calls itself, if it has a name of its own.
 */
export async function probe(host: Host, ref: HostedRef, token = ''): Promise<string | undefined> {
  const api = apiOf(host, ref, token)
  try {
    if (!ref.guest) return serverNameOf((await api.send(getApp, {})).app.name)
    await api.send(queryChannels, { body: { filter_conditions: OPEN_CHANNELS, limit: 1 } })
    return undefined
  } catch (error) {
    // A certificate problem can be solved in the sign-in form; otherwise the address or the network is likely wrong.
    if (error instanceof ApiError && error.class === 'network' && error.code !== 'network/certificate')
      throw new AppError('session/unreachable', { cause: error })
    if (ref.guest && isForbidden(error)) throw new AppError('session/no-guests', { cause: error })
    throw error
  }
}

/**
 * Times one request without a token. A server of the contract refuses it with a code of the contract; what answers in any
 * other way is something else.
 */
export async function timeServer(
  host: Pick<Host, 'ports'>,
  given: { readonly url: string; readonly apiKey: string },
): Promise<{ readonly ms: number; readonly knowsKey: boolean }> {
  const { clock, ids } = host.ports
  const api = apiOf(host, readGuest(given, ids.uuid()))
  const start = clock.monotonic()
  const took = (knowsKey: boolean) => ({ ms: Math.max(1, Math.round(clock.monotonic() - start)), knowsKey })
  try {
    await api.send(getApp, {})
    return took(true)
  } catch (error) {
    if (error instanceof ApiError && error.wireCode !== undefined) return took(error.code !== 'server/access-key')
    if (error instanceof ApiError && error.code === 'network/certificate') throw error
    throw new AppError('session/unreachable', { cause: error })
  }
}

const UNDECIDED: ReadonlySet<string> = new Set(['network', 'server', 'rate'])

/** Whether the server accepts a credential. One that does not answer, or is busy, has not refused it. */
export async function accepts(host: Host, ref: HostedRef, credential: Credential): Promise<boolean> {
  try {
    await probe(host, ref, await loadToken(credential, host))
    return true
  } catch (error) {
    if (error instanceof ApiError) return UNDECIDED.has(error.class)
    return error instanceof AppError && error.code === 'session/unreachable'
  }
}

/** Sends one request that only a server token may make, to report errors before the secret is stored. */
export async function probeSecret(host: Pick<Host, 'ports'>, ref: HostedRef, secret: string): Promise<void> {
  const api = createServerApi({ baseUrl: ref.url, apiKey: ref.apiKey, secret }, host.ports)
  try {
    await api.send(listChannelTypes, {})
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.class === 'network') throw new AppError('session/unreachable', { cause: error })
    if (error.class === 'auth' || error.class === 'forbidden') {
      throw new AppError('session/secret-refused', { cause: error })
    }
    throw error
  }
}

/** A server that no one named is called like the program. */
export const UNNAMED_SERVER = 'Parlor'

/** What a server calls itself, if it has a name of its own. */
export function serverNameOf(given: unknown): string | undefined {
  const name = typeof given === 'string' ? cleanName(given).trim() : ''
  return name === '' || name === UNNAMED_SERVER ? undefined : name.slice(0, WORKSPACE_NAME_LENGTH)
}

const wireIcon = v.object({ base64: icon.entries.base64, mime_type: icon.entries.mimeType })

/** The icon of a workspace as its server sends it, if it is one that can be shown. */
export function serverIconOf(given: unknown): SmallPicture | undefined {
  const { output, success } = v.safeParse(wireIcon, given)
  return success ? { base64: output.base64, mimeType: output.mime_type } : undefined
}

/** The server knows the key but refuses access: neither the address nor the key is wrong. */
const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.class === 'forbidden'

/** The account shown first, the credential if it came from the command line, and whether the profile stores it. */
export type Start = { readonly ref: AccountRef | undefined; readonly credential?: string; readonly save: boolean }

/**
 * The command line first, then the account of the last run; a profile without one shows the start page. A server given on
 * the command line is stored like one from the sign-in form, and so is the demo; a user of the local workspace applies to
 * this run only.
 */
export async function startOf(options: LaunchOptions, profile: Profile, host: Host): Promise<Start> {
  if (options.connect) {
    const { ref } = await readHosted(options.connect, host)
    return { ref, credential: writeCredential(options.connect.credential), save: true }
  }
  const { asUserId, demo } = options
  const stored = profile.account ?? profile.accounts[0]?.ref
  if (asUserId !== undefined) {
    const ref = stored?.kind === 'own' ? { ...stored, userId: asUserId } : { kind: 'demo' as const, userId: asUserId }
    return { ref, save: false }
  }
  const known = profile.accounts.find(({ ref }) => ref.kind === 'demo')?.ref
  return { ref: demo === true ? (known ?? { kind: 'demo', userId: DEMO_PERSON }) : stored, save: true }
}
