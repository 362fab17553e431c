import type { DeepLink } from '../../domain/desktop/desktop.ts'
import type { Session } from '#shared/domain/session.ts'

export const LINK_SCHEME = 'parlor'
const MAX_LENGTH = 512

/** Character sets of the contract. See docs/wire.md 1. */
const WORKSPACE = /^[\w.-]{1,64}$/
const CID = /^[\w-]{1,64}:[\w!-]{1,64}$/
const MESSAGE_ID = /^[\w-]{1,255}$/
const USER_ID = /^[\w@-]{1,255}$/
const CODE = /^[\w-]{8,128}$/
const SECTION = /^[a-z]{1,32}$/
/** Addresses and port, then fingerprint and secret: see `readInvitation`. */
const INVITATION = /^[\d.,:a-f[\]%]{3,255}:\d{1,5}\/[\w-]{43}\.[\w-]{22}$/i

/**
 * Parses `parlor://open/<workspace>/channel/<cid>`, `…/message/<cid>/<id>`, `…/user/<id>` and `…/invite/<code>`,
 * `parlor://new`, `parlor://settings/<page>`, `parlor://search/<text>` and invitations, `parlor://join/…`. Anything else is `undefined`. Only the
 * search text is percent-decoded: a valid id needs no percent sign.
 */
export function parseDeepLink(text: string): DeepLink | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const prefix = `${LINK_SCHEME}://`
  if (!text.startsWith(prefix)) return undefined
  const [host = '', ...path] = text.slice(prefix.length).split('/')
  const [only = '', ...more] = path
  switch (host) {
    case 'open':
      return readPlace(path)
    case 'new':
      return path.length === 0 ? { route: 'new' } : undefined
    case 'settings':
      return more.length === 0 && SECTION.test(only) ? { route: 'settings', section: only } : undefined
    case 'join':
      return path.length === 2 && INVITATION.test(path.join('/')) ? { route: 'join', text } : undefined
    case 'search':
      return more.length === 0 ? readSearch(only) : undefined
    default:
      return undefined
  }
}

function readPlace(path: readonly string[]): DeepLink | undefined {
  const [workspace = '', route = '', first = '', second, ...rest] = path
  if (!WORKSPACE.test(workspace) || rest.length > 0) return undefined
  if (route === 'message') {
    return CID.test(first) && MESSAGE_ID.test(second ?? '')
      ? { route, workspace, cid: first, messageId: second ?? '' }
      : undefined
  }
  if (second !== undefined) return undefined
  switch (route) {
    case 'channel':
      return CID.test(first) ? { route, workspace, cid: first } : undefined
    case 'user':
      return USER_ID.test(first) ? { route, workspace, userId: first } : undefined
    case 'invite':
      return CODE.test(first) ? { route, workspace, code: first } : undefined
    default:
      return undefined
  }
}

function readSearch(coded: string): DeepLink | undefined {
  if (!/^(?:[\w.~-]|%[0-9A-Fa-f]{2})+$/.test(coded)) return undefined
  try {
    const text = decodeURIComponent(coded).trim()
    return text === '' || /\p{C}/u.test(text) ? undefined : { route: 'search', text }
  } catch {
    return undefined // Malformed percent-encoding.
  }
}

export const channelLink = (workspace: string, cid: string): string =>
  `${LINK_SCHEME}://open/${workspace}/channel/${cid}`

/** The host of a URL that was validated at sign-in; shared code has no `URL`. */
const HOST = /^https?:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/i

/** A workspace in deep links: a local one by its folder's name, a hosted one by its host. */
export function linkWorkspace({ kind, demo, url }: NonNullable<Session['workspace']>): string {
  if (kind === 'local') return demo ? 'demo' : 'own'
  const host = HOST.exec(url)?.[1]?.toLowerCase() ?? ''
  return host.replace(/[^\w.-]/g, '-').slice(0, 64) || 'hosted'
}
