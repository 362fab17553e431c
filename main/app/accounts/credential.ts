import { AppError } from '#shared/lib/app-error.ts'
import { isSecureAddress } from '#main/engine/session/server-url.ts'
import { checkToken, isTokenForm, type TokenSource } from '../../engine/session/token.ts'
import { TransportError } from '#main/engine/ports.ts'
import type { Host } from '#main/hosts/host.ts'

/**
 * How a user of a hosted server signs in: with a pasted token, an address that issues tokens, or a program on this device
 * that prints one. An address may contain a key and a command a password, so all three are stored in the secret store.
 * Commands come only from the command line: otherwise a window could run programs.
 */
export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'endpoint'; readonly url: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }

const ENDPOINT_TIMEOUT_MS = 15_000

/**
 * Serialized for the store: a token unchanged, the others with a prefix that no token has. A token often comes from a
 * server: one that would be read as an address or as a program is refused with `session/token-mismatch`.
 */
export function writeCredential(credential: Credential): string {
  if (credential.kind === 'token') {
    if (readCredential(credential.token).kind !== 'token') throw new AppError('session/token-mismatch')
    return credential.token
  }
  const content = credential.kind === 'endpoint' ? credential.url : JSON.stringify(credential.argv)
  return `${credential.kind} ${content}`
}

export function readCredential(text: string): Credential {
  if (text.startsWith('endpoint ')) return { kind: 'endpoint', url: text.slice('endpoint '.length) }
  if (text.startsWith('command ')) {
    return { kind: 'command', argv: JSON.parse(text.slice('command '.length)) as readonly string[] }
  }
  return { kind: 'token', token: text }
}

type Outside = Pick<Host, 'ports' | 'commands'>

/** A token of this credential, a new one if possible. Throws `session/token-endpoint` or `session/token-command`. */
export async function loadToken(credential: Credential, outside: Outside): Promise<string> {
  switch (credential.kind) {
    case 'token':
      return credential.token
    case 'endpoint':
      return fromEndpoint(credential.url, outside)
    case 'command':
      return fromCommand(credential.argv, outside)
  }
}

/** For the engine: a pasted token is final; the others are loaded again whenever the server requires a new one. */
export function sourceOf(credential: Credential, userId: string, outside: Outside): TokenSource {
  if (credential.kind === 'token') return { kind: 'static', token: credential.token }
  return {
    kind: 'provider',
    async load() {
      // Another user's token would show that user's messages here.
      const checked = checkToken(await loadToken(credential, outside), userId)
      if (!checked.ok) throw checked.error
      return checked.value
    },
  }
}

/** A token is as good as a password: it is never sent unencrypted over a network. */
function checkAddress(address: string): void {
  if (!/^https?:/.test(address) || !isSecureAddress(address)) throw new AppError('session/invalid-url')
}

/** `{"token": "…"}`, or the token as plain text. */
async function fromEndpoint(address: string, { ports }: Outside): Promise<string> {
  checkAddress(address)
  try {
    const { status, text } = await ports.http.request({
      method: 'GET',
      url: address,
      headers: { accept: 'application/json, text/plain' },
      timeoutMs: ENDPOINT_TIMEOUT_MS,
    })
    if (status < 200 || status > 299) throw new AppError('session/token-endpoint', { detail: `HTTP ${status}` })
    return tokenIn(text) ?? refuse('session/token-endpoint', 'the answer holds no token')
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    throw new AppError('session/token-endpoint', { detail: `no answer: ${error.kind}`, cause: error })
  }
}

async function fromCommand(argv: readonly string[], { commands }: Outside): Promise<string> {
  if (!commands) throw new AppError('session/token-command', { detail: 'this host runs no commands' })
  try {
    return tokenIn(await commands.run(argv)) ?? refuse('session/token-command', 'it printed no token')
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('session/token-command', {
      detail: error instanceof Error ? error.message : 'failed',
      cause: error,
    })
  }
}

function tokenIn(text: string): string | undefined {
  const plain = text.trim()
  const token = plain.startsWith('{') ? tokenField(plain) : plain
  return token !== undefined && isTokenForm(token) ? token : undefined
}

function tokenField(text: string): string | undefined {
  try {
    const { token } = JSON.parse(text) as { token?: unknown }
    return typeof token === 'string' ? token : undefined
  } catch {
    // Not JSON: the caller reports that there is no token.
    return undefined
  }
}

function refuse(code: string, detail: string): never {
  throw new AppError(code, { detail })
}
