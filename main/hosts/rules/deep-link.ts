/** The four places a link may lead to. A link never changes a setting, never sends, never loads an address. */
export type DeepLink =
  | { readonly route: 'channel'; readonly workspace: string; readonly cid: string }
  | { readonly route: 'message'; readonly workspace: string; readonly cid: string; readonly messageId: string }
  | { readonly route: 'user'; readonly workspace: string; readonly userId: string }
  | { readonly route: 'invite'; readonly workspace: string; readonly code: string }

export const LINK_SCHEME = 'parlor'
const MAX_LENGTH = 512

/** Character sets of the contract. Source: wire contract, chapter 1. */
const WORKSPACE = /^[\w.-]{1,64}$/
const CID = /^[\w-]{1,64}:[\w!-]{1,64}$/
const MESSAGE_ID = /^[\w-]{1,255}$/
const USER_ID = /^[\w@-]{1,255}$/
const CODE = /^[\w-]{8,128}$/

/**
 * Reads `parlor://open/<workspace>/channel/<cid>`, `…/message/<cid>/<id>`, `…/user/<id>` and `…/invite/<code>`.
 * Anything else, whatever it looks like, is `undefined`. Nothing is decoded: a legal id needs no percent sign.
 */
export function parseDeepLink(text: string): DeepLink | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const prefix = `${LINK_SCHEME}://open/`
  if (!text.startsWith(prefix)) return undefined
  const [workspace = '', route = '', first = '', second = '', ...rest] = text.slice(prefix.length).split('/')
  if (!WORKSPACE.test(workspace) || rest.length > 0) return undefined
  if (route === 'message') {
    return CID.test(first) && MESSAGE_ID.test(second) ? { route, workspace, cid: first, messageId: second } : undefined
  }
  if (second !== '' || text.endsWith('/')) return undefined
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
