import { AppError } from '#shared/lib/app-error.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { TransportError } from '#main/engine/ports.ts'
import type { Host } from '#main/hosts/host.ts'
import { proxyIssue } from '#main/hosts/rules/network/proxy.ts'

const PASSWORD = 'proxy-password'
const TEST_TIMEOUT_MS = 10_000

type ProxySettings = Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyUser' | 'proxyBypass'>

/** Applies the proxy from the settings and the secret store to the host, before any request. */
export async function useProxy(host: Pick<Host, 'network' | 'secrets'>, settings: ProxySettings): Promise<void> {
  host.network.set({
    mode: settings.proxyMode,
    url: settings.proxyUrl,
    user: settings.proxyUser,
    // only read if the proxy needs a password: a key store may have to be unlocked manually
    password: settings.proxyUser === '' ? '' : ((await host.secrets.get(PASSWORD)) ?? ''),
    bypass: settings.proxyBypass,
  })
}

/** Throws `network/proxy-url` or `network/pac-url`. */
export function checkProxy(settings: ProxySettings): void {
  const issue = proxyIssue({ mode: settings.proxyMode, url: settings.proxyUrl })
  if (issue) throw new AppError(issue)
}

export const changesProxy = (changes: { readonly [Name in keyof Settings]?: unknown }): boolean =>
  ['proxyMode', 'proxyUrl', 'proxyUser', 'proxyBypass'].some((name) => Object.hasOwn(changes, name))

export async function saveProxyPassword({ secrets }: Pick<Host, 'secrets'>, password: string): Promise<void> {
  if (password === '') await secrets.remove(PASSWORD)
  else await secrets.set(PASSWORD, password)
}

const WHY: { readonly [Kind in TransportError['kind']]?: string } = {
  timeout: 'network/timeout',
  certificate: 'network/certificate',
}

/** Any response shows that the network works; a proxy that requires a sign-in reports that itself. */
export async function testNetwork(
  { ports }: Pick<Host, 'ports'>,
  url: string,
): Promise<{ status: number; tookMs: number }> {
  const startedAt = ports.clock.monotonic()
  try {
    const { status } = await ports.http.request({ method: 'GET', url, headers: {}, timeoutMs: TEST_TIMEOUT_MS })
    if (status === 407) throw new AppError('network/proxy-sign-in')
    return { status, tookMs: Math.round(ports.clock.monotonic() - startedAt) }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    throw new AppError(WHY[error.kind] ?? 'network/offline', { cause: error })
  }
}
