import type { Session } from './session.ts'

/** Chromium knows neither `app:` nor `media:`; here they are hosts of the machine's own name that Chromium treats as secure. */
const HOSTS: Record<string, string> = { app: 'app.localhost', media: 'media.localhost' }

export const PATTERNS = [
  ...Object.values(HOSTS).map((host) => ({ urlPattern: `http://*.${host}/*` })),
  { urlPattern: 'media://*' },
  { urlPattern: 'app://*' },
]

/** `app://main/x` → `http://main.app.localhost/x`. */
export function toChromium(url: string): string {
  const match = /^(app|media):\/\/([^/]+)(.*)$/s.exec(url)
  return match ? `http://${match[2]}.${HOSTS[match[1] ?? '']}${match[3]}` : url
}

export function toElectron(url: string): string {
  const match = /^http:\/\/([^/]+)\.(app|media)\.localhost(.*)$/s.exec(url)
  return match ? `${match[2]}://${match[1]}${match[3]}` : url
}

export type Paused = {
  readonly requestId: string
  readonly request: { readonly url: string; readonly method: string; readonly headers: Record<string, string> }
}
type Send = (method: string, params: Record<string, unknown>) => Promise<unknown>

/** Lets the app's own scheme handler answer, headers and all. */
export async function answerPaused({ requestId, request }: Paused, session: Session, send: Send): Promise<void> {
  const url = toElectron(request.url)
  const handler = session.schemes.get(url.slice(0, url.indexOf(':')))
  if (!handler) return void (await send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' }))
  const response = await handler(new Request(url, { method: request.method, headers: request.headers }))
  const body = Buffer.from(await response.arrayBuffer())
  await send('Fetch.fulfillRequest', {
    requestId,
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: body.toString('base64'),
  }).catch(() => undefined)
}
