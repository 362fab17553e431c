import type { WebSocket } from 'ws'
import {
  CLOSE_REFUSED,
  CLOSE_SILENT,
  type HostFrame,
  type PageFrame,
  type Resume,
  type Welcome,
} from '#shared/bridge/frames.ts'
import type { HostInfo } from '#shared/bridge/host-info.ts'
import type { Reply } from '#shared/lib/contract.ts'
import { isMediaRef, isMediaVariant } from '#shared/bridge/media-url.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Access, Admission, MediaLinks } from './access.ts'
import type { PageWindow, PageWindows } from './page-windows.ts'

const HELLO_WITHIN_MS = 3_000
const GOING_AWAY = 1_001

type BridgeOptions = {
  readonly clock: Clock
  readonly log: Logger
  readonly access: Access
  readonly windows: PageWindows
  readonly media: MediaLinks
  readonly info: HostInfo
  readonly onCall: (window: PageWindow, name: string, input: unknown) => Promise<Reply>
}

/**
 * One socket of one page: silent → (hello) → admitted → closed. The upgrade has already been checked; here the page
 * proves that it was opened by us.
 */
export function servePage(socket: WebSocket, options: BridgeOptions): void {
  let window: PageWindow | undefined
  const send = (frame: HostFrame): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
  }
  const stopWaiting = options.clock.after(HELLO_WITHIN_MS, () => socket.close(CLOSE_SILENT))
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : readFrame((data as Buffer).toString('utf8'))
    if (window) return frame && serveFrame(frame, window, send, options)
    if (frame && 'knock' in frame) return answerKnock(frame.knock, send, socket, options)
    stopWaiting()
    window = admit(frame, send, socket, options)
  })
  // The close event that follows reports it.
  socket.on('error', () => undefined)
  socket.on('close', (code) => {
    stopWaiting()
    if (window?.disconnect(send)) options.windows.dropped(window, code === GOING_AWAY)
  })
}

/** An unknown session gets no proof: the page then knows that its session is over. */
function answerKnock(
  name: string,
  send: (frame: HostFrame) => void,
  socket: WebSocket,
  { access, log }: BridgeOptions,
): void {
  const word = access.proofFor(name)
  if (word !== undefined) return send({ word })
  log.warn('page-refused', { reason: 'unknown' })
  send({ refused: { reason: 'session' } })
  socket.close(CLOSE_REFUSED)
}

function admit(
  frame: PageFrame | undefined,
  send: (frame: HostFrame) => void,
  socket: WebSocket,
  options: BridgeOptions,
): PageWindow | undefined {
  if (!frame || !('hello' in frame)) {
    socket.close(CLOSE_SILENT)
    return undefined
  }
  const { code, session, resume } = frame.hello
  const admission = enter(options.access, code, session)
  if (!admission.ok) {
    options.log.warn('page-refused', { reason: admission.reason })
    const { reason, retryInMs } = admission
    send({ refused: { reason, retryInMs } })
    socket.close(CLOSE_REFUSED)
    return undefined
  }
  const { window, resumed } = options.windows.enter(admission.session, resume)
  const { token, word, session: page } = admission
  const knock = { name: page.id, word }
  const welcome: Welcome = { session: token, knock, window: window.id, resumed, host: options.info }
  send({ welcome })
  window.connect(send, () => socket.terminate(), resume?.lastPush ?? 0)
  options.log.info('page-entered', { window: window.id, resumed })
  return window
}

/** A page that has both sends its code first: it may be for another user than its session. */
function enter(access: Access, code: string | undefined, session: string | undefined): Admission {
  const byCode = code === undefined ? undefined : access.enterWithCode(code)
  if (byCode?.ok) return byCode
  if (session !== undefined) {
    const bySession = access.enterWithSession(session)
    if (bySession.ok) return bySession
    return byCode ?? bySession
  }
  return byCode ?? { ok: false, reason: 'session' }
}

function serveFrame(
  frame: PageFrame,
  window: PageWindow,
  send: (frame: HostFrame) => void,
  options: BridgeOptions,
): void {
  if ('ping' in frame) return send({ pong: frame.ping })
  if ('media' in frame) {
    const { ref, variant } = frame.media
    const url = options.media.issue({ ref, variant, sessionId: window.session.id, windowId: window.id })
    return send({ id: frame.id, reply: { ok: true, value: url } })
  }
  if ('name' in frame) window.answer(frame.id, () => options.onCall(window, frame.name, frame.input))
}

/** The envelope only; what a call carries is checked by the bridge against its schema. Invalid frames are dropped. */
function readFrame(text: string): PageFrame | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // Not JSON: the page is not ours, or broken. It gets no response.
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const frame = parsed as Record<string, unknown>
  if (isObject(frame['hello'])) return readHello(frame['hello'])
  if (typeof frame['knock'] === 'string' && frame['knock'].length <= 256) return { knock: frame['knock'] }
  if (Number.isSafeInteger(frame['ping'])) return { ping: frame['ping'] as number }
  const id = frame['id']
  if (!Number.isSafeInteger(id)) return undefined
  if (typeof frame['name'] === 'string') return { id: id as number, name: frame['name'], input: frame['input'] }
  const media = frame['media']
  if (!isObject(media) || !isMediaRef(media['ref']) || !isMediaVariant(media['variant'])) return undefined
  return { id: id as number, media: { ref: media['ref'], variant: media['variant'] } }
}

function readHello(hello: Record<string, unknown>): PageFrame {
  const text = (name: string): string | undefined => {
    const value = hello[name]
    return typeof value === 'string' && value.length <= 256 ? value : undefined
  }
  const code = text('code')
  const session = text('session')
  const resume = readResume(hello['resume'])
  return {
    hello: {
      ...(code === undefined ? {} : { code }),
      session,
      resume,
    },
  }
}

function readResume(value: unknown): Resume | undefined {
  if (!isObject(value) || typeof value['window'] !== 'string' || !Number.isSafeInteger(value['lastPush']))
    return undefined
  return { window: value['window'], lastPush: value['lastPush'] as number }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
