import type { WebSocket } from 'ws'
import {
  type HostInfo,
  CLOSE_REFUSED,
  CLOSE_SILENT,
  type HostFrame,
  type PageFrame,
  type Resume,
  type Welcome,
} from '#shared/bridge/transport.ts'
import type { Reply } from '#shared/lib/contract.ts'
import { isMediaRef, isMediaVariant } from '#shared/bridge/media-url.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Access, Admission, MediaLinks, PageSession } from './access.ts'
import type { ClientWindow } from '../host.ts'

/** A window whose socket dropped waits this long for its page to come back before it counts as closed. */
const RESUME_GRACE_MS = 30_000
/** Pushes buffered for a page that reconnects; a page that missed more attaches again. */
const MAX_BUFFERED_PUSHES = 500
/** Replies stored for calls that a page may repeat after a drop. */
const MAX_STORED_REPLIES = 256

type Send = (frame: HostFrame) => void

/**
 * One page across dropped sockets. A call that the page repeats after a drop gets the reply of the first run:
 * nothing is done twice.
 */
class PageWindow implements ClientWindow {
  readonly id: string
  readonly asUserId?: string
  readonly session: PageSession
  #send: Send | undefined
  #drop: (() => void) | undefined
  #lastPush = 0
  #buffer: { n: number; push: Push }[] = []
  #calls = new Map<number, Promise<Reply>>()

  constructor(id: string, session: PageSession) {
    this.id = id
    this.session = session
    if (session.asUserId !== undefined) this.asUserId = session.asUserId
  }

  push(message: Push): void {
    this.#lastPush += 1
    this.#buffer.push({ n: this.#lastPush, push: message })
    if (this.#buffer.length > MAX_BUFFERED_PUSHES) this.#buffer.shift()
    this.#send?.({ push: message, n: this.#lastPush })
  }

  /** Whether every push after the page's last one is still in the buffer. */
  canResume(resume: Resume): boolean {
    const first = this.#buffer[0]?.n ?? this.#lastPush + 1
    return resume.lastPush <= this.#lastPush && resume.lastPush >= first - 1
  }

  /** Gives the window a socket. The previous one, if any, is closed: its connection was lost unnoticed. */
  connect(send: Send, drop: () => void, lastPush: number): void {
    this.#drop?.()
    this.#send = send
    this.#drop = drop
    this.#buffer = this.#buffer.filter(({ n }) => n > lastPush)
    for (const { n, push } of this.#buffer) send({ push, n })
  }

  disconnect(send: Send): boolean {
    if (this.#send !== send) return false
    this.#send = undefined
    this.#drop = undefined
    return true
  }

  get connected(): boolean {
    return this.#send !== undefined
  }

  /** Runs a call once, even if its page repeats it, and replies on the window's current socket. */
  answer(id: number, run: () => Promise<Reply>): void {
    let reply = this.#calls.get(id)
    if (!reply) {
      reply = run()
      this.#calls.set(id, reply)
      for (const old of this.#calls.keys()) {
        if (this.#calls.size <= MAX_STORED_REPLIES) break
        this.#calls.delete(old)
      }
    }
    void reply.then((value) => this.#send?.({ id, reply: value }))
  }
}

/** All pages: opened, dropped, resumed, closed permanently. */
export class PageWindows {
  readonly #clock: Clock
  readonly #onClosed: (window: PageWindow) => void
  readonly #open = new Map<string, PageWindow>()
  readonly #waiting = new Map<string, Stop>()
  readonly #run: string
  #lastId = 0

  /** `run` tells the windows of this run from those that a page had in an earlier one. */
  constructor(clock: Clock, run: string, onClosed: (window: PageWindow) => void) {
    this.#run = run
    this.#clock = clock
    this.#onClosed = onClosed
  }

  get(id: string): PageWindow | undefined {
    return this.#open.get(id)
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Continues the window the page names, if it belongs to the page and no push is missing; otherwise opens a new one.
   */
  enter(session: PageSession, resume: Resume | undefined): { window: PageWindow; resumed: boolean } {
    const known = resume && this.#open.get(resume.window)
    if (known && known.session.id === session.id && known.canResume(resume)) {
      this.#stopWaiting(known.id)
      return { window: known, resumed: true }
    }
    this.#lastId += 1
    const window = new PageWindow(`${this.#run}-${this.#lastId}`, session)
    this.#open.set(window.id, window)
    return { window, resumed: false }
  }

  /** The window's socket was closed. A page that sent `bye` is closed at once, any other may reconnect. */
  dropped(window: PageWindow, ending: boolean): void {
    this.#stopWaiting(window.id)
    const close = (): void => {
      this.#waiting.delete(window.id)
      if (this.#open.delete(window.id)) this.#onClosed(window)
    }
    if (ending) close()
    else this.#waiting.set(window.id, this.#clock.after(RESUME_GRACE_MS, close))
  }

  closeAll(): void {
    for (const window of this.#open.values()) this.dropped(window, true)
  }

  #stopWaiting(id: string): void {
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }
}

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
