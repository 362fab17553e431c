import { AppError, err, ok, type Result } from '#shared/lib/app-error.ts'

/** Hosts of this device. Plain http is allowed to them only. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname)

/** Whether a token may be sent there: TLS, or this device. See docs/wire.md 2.1. */
export function isSecureAddress(url: string): boolean {
  const parsed = URL.parse(url)
  if (!parsed) return false
  if (parsed.protocol === 'https:' || parsed.protocol === 'wss:') return true
  return (parsed.protocol === 'http:' || parsed.protocol === 'ws:') && isLoopbackHost(parsed.hostname)
}

/** Checks a server address typed by the user; returns it without a trailing slash, or `session/invalid-url`. */
export function checkServerUrl(text: string): Result<string, AppError> {
  const refuse = (detail: string): Result<string, AppError> => err(new AppError('session/invalid-url', { detail }))
  const parsed = URL.parse(text.trim())
  if (!parsed) return refuse('not an address')
  if (!isSecureAddress(parsed.href)) return refuse('only https, or http on this device')
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return refuse('only https, or http on this device')
  if (parsed.username || parsed.password) return refuse('no user name or password in the address')
  if (parsed.search || parsed.hash) return refuse('no query or fragment in the address')
  return ok(parsed.href.replace(/\/+$/, ''))
}

/**
 * Whether main may fetch this address for a picture or a file. Addresses come from other users' messages, so those on this
 * device or the local network are refused unless they are the server's own. `own` also means that the token is sent.
 */
export function mayDownload(url: string, baseUrl: string): Result<'own' | 'foreign', AppError> {
  const parsed = URL.parse(url)
  const base = URL.parse(baseUrl)
  if (!parsed || !base) return err(new AppError('media/address-refused'))
  if (parsed.origin === base.origin && !parsed.username && !parsed.password) return ok('own')
  const isPublic = parsed.protocol === 'https:' && !parsed.username && !parsed.password && isPublicName(parsed.hostname)
  return isPublic ? ok('foreign') : err(new AppError('media/address-refused'))
}

/** The URL parser writes every IPv4 form as four numbers and puts IPv6 in brackets. */
const isAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname)

/** A name with a dot that is neither an IP address nor one of the names reserved for local use. */
function isPublicName(hostname: string): boolean {
  const bare = hostname.replace(/\.$/, '')
  if (isAddress(bare) || !bare.includes('.')) return false
  return !/\.(localhost|local|internal|home\.arpa|lan|test|invalid)$/i.test(`.${bare}`)
}
