import { app, BrowserWindow, dialog, powerMonitor } from 'electron'
import type { Closing } from '#shared/rules/desktop/desktop.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { EndingCapability, EndingWork, ClosingCapability } from '../../host.ts'

type EndingWatch = EndingCapability & {
  /** From now on closing a window is not prevented. */
  isEnding(): boolean
  /** Before the last window is closed, which would end the program: the user is asked first. */
  mustAsk(): boolean
  /** The user is not asked: the device shuts down, or a signal came. */
  endAtOnce(): void
}

/** The end of the program: the user is asked if work is in progress, then everything is flushed and closed, once. */
export function electronEnding(clock: Clock, onError: (error: unknown) => void): EndingWatch {
  let stage: 'running' | 'asking' | 'stopping' | 'stopped' = 'running'
  let work: EndingWork = {
    mustAsk: () => false,
    ask: () => Promise.resolve(true),
    closing: () => undefined,
    stop: () => Promise.resolve(),
  }
  let last: (() => void) | undefined
  let atOnce = false
  let waiting: ((ends: boolean) => void)[] = []

  async function mayEnd(): Promise<boolean> {
    if (atOnce || !work.mustAsk()) return true
    stage = 'asking'
    return work.ask()
  }

  async function end(): Promise<void> {
    const ends = (await mayEnd()) || atOnce
    for (const notify of waiting.splice(0)) notify(ends)
    // The program may have been ended while the dialog was open.
    if (stage === 'stopping' || stage === 'stopped') return
    if (!ends) {
      stage = 'running'
      last = undefined
      return
    }
    await stopNow()
  }

  async function stopNow(): Promise<void> {
    stage = 'stopping'
    work.closing()
    await closeWindows(clock)
    await work.stop().catch(onError)
    stage = 'stopped'
    if (last) last()
    else app.quit()
  }

  app.on('before-quit', (event) => {
    if (stage === 'stopped') return
    event.preventDefault()
    if (stage === 'running') end().catch(onError)
    else if (stage === 'asking' && atOnce) stopNow().catch(onError)
  })

  return {
    set: (next) => void (work = next),
    begin(lastly) {
      // An open dialog is about the first request.
      if (stage !== 'running') return Promise.resolve(false)
      last = lastly
      const answer = new Promise<boolean>((resolve) => waiting.push(resolve))
      app.quit()
      return answer
    },
    ask: askUser,
    hideWindows() {
      for (const window of BrowserWindow.getAllWindows()) if (!window.isDestroyed()) window.minimize()
    },
    isEnding: () => stage === 'stopping' || stage === 'stopped',
    mustAsk: () => stage === 'running' && !atOnce && work.mustAsk(),
    endAtOnce() {
      atOnce = true
      app.quit()
    },
  }
}

async function askUser({ message, detail, buttons, cancel }: Parameters<EndingWatch['ask']>[0]): Promise<number> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message,
    detail,
    buttons: [...buttons],
    defaultId: cancel,
    cancelId: cancel,
    noLink: true,
  })
  return response
}

/** A page that hangs may take this long; then it is not waited for. */
const CLOSING_MS = 2_000

/**
 * Before everything is flushed: a page saves what was typed last while its window closes, and needs the whole program for
 * that.
 */
async function closeWindows(clock: Clock): Promise<void> {
  const windows = BrowserWindow.getAllWindows().filter((window) => !window.isDestroyed())
  const closed = Promise.all(windows.map((window) => new Promise<void>((done) => window.once('closed', () => done()))))
  for (const window of windows) window.close()
  let stop: Stop = () => undefined
  await Promise.race([closed, new Promise<void>((late) => (stop = clock.after(CLOSING_MS, late)))])
  stop()
}

/** Once Electron is ready: the device shuts down, or a signal comes. */
export function endWithSystem(ending: EndingWatch): void {
  powerMonitor.on('shutdown', () => ending.endAtOnce())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.endAtOnce())
}

type ClosingTexts = (key: `close.${'title' | 'text' | 'stayOpen' | 'quit'}`) => string

type Options = {
  /** No other window is visible. */
  readonly isLast: (window: BrowserWindow) => boolean
  readonly translate: ClosingTexts
  readonly ending: Pick<EndingWatch, 'isEnding' | 'mustAsk'>
}

export type ClosingWatch = ClosingCapability & { watch(window: BrowserWindow): void }

/**
 * Decides whether a window that is closed is destroyed or hidden to the tray. Quitting and a shutdown of the
 * system always close it, without a question.
 */
export function watchClosing({ isLast, translate, ending }: Options): ClosingWatch {
  let decide = (): Closing => 'stay'
  let chosen = (_answer: 'tray' | 'quit'): void => undefined
  let systemEnds = false
  let asking = false

  async function ask(window: BrowserWindow): Promise<void> {
    if (asking) return
    asking = true
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: translate('close.title'),
      detail: translate('close.text'),
      buttons: [translate('close.stayOpen'), translate('close.quit')],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    })
    asking = false
    const answer = response === 0 ? 'tray' : 'quit'
    chosen(answer)
    if (answer === 'quit') app.quit()
    else if (!window.isDestroyed()) window.hide()
  }

  return {
    set(rule, onChosen) {
      decide = rule
      chosen = onChosen
    },
    watch(window) {
      window.on('close', (event) => {
        if (systemEnds || ending.isEnding() || !isLast(window)) return
        const what = decide()
        const asks = what === 'quit' && ending.mustAsk()
        if (what !== 'tray' && what !== 'ask' && !asks) return
        event.preventDefault()
        if (what === 'tray') window.hide()
        else if (what === 'ask') void ask(window)
        // The window stays open, in case the user decides to stay.
        else app.quit()
      })
      // Windows is shutting down: nothing may delay it.
      window.on('session-end', () => void (systemEnds = true))
    },
  }
}
