import { app, BrowserWindow, dialog, powerMonitor } from 'electron'
import type { EndingCapability, EndingWork } from '../../host.ts'

export type EndingWatch = EndingCapability & {
  /** Windows that close now close for good. */
  isEnding(): boolean
  /** Before the last window is closed, which would end the program: someone must be asked first. */
  mustAsk(): boolean
  /** No one is asked: the computer ends, or anyone who started the program says so. */
  endAtOnce(): void
}

/** The end of the program: asked about where something is under way, then flushed and closed, once. */
export function electronEnding(onError: (error: unknown) => void): EndingWatch {
  let stage: 'running' | 'asking' | 'stopping' | 'stopped' = 'running'
  let work: EndingWork = { mustAsk: () => false, ask: () => Promise.resolve(true), stop: () => Promise.resolve() }
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
    // While the question stood, someone may have ended the program all the same.
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
    use: (next) => void (work = next),
    begin(lastly) {
      // A question that stands is about the end that was asked for first.
      if (stage !== 'running') return Promise.resolve(false)
      last = lastly
      const answer = new Promise<boolean>((resolve) => waiting.push(resolve))
      app.quit()
      return answer
    },
    async ask({ message, detail, buttons, cancel }) {
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
    },
    putAway() {
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

/** Once Electron is ready: the computer ends, or a signal comes. */
export function endWithComputer(ending: EndingWatch): void {
  powerMonitor.on('shutdown', () => ending.endAtOnce())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.endAtOnce())
}
