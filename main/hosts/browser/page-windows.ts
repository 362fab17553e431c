import type { HostFrame, Resume } from '#shared/bridge/frames.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { ClientWindow } from '../host.ts'
import type { PageSession } from './access.ts'

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
export class PageWindow implements ClientWindow {
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
