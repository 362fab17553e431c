import { app, dialog, type BrowserWindow } from 'electron'
import type { Closing } from '#shared/rules/desktop.ts'
import type { ClosingCapability } from '../host.ts'

export type ClosingWords = (key: `close.${'title' | 'text' | 'keep' | 'quit'}`) => string

type Options = {
  /** No other window can be seen. */
  readonly isLast: (window: BrowserWindow) => boolean
  readonly words: ClosingWords
}

export type ClosingWatch = ClosingCapability & { watch(window: BrowserWindow): void }

/**
 * What happens to a window that is closed: gone, or put away beside the clock. Quitting always closes, and so does the
 * system when it ends: neither is asked about.
 */
export function watchClosing({ isLast, words }: Options): ClosingWatch {
  let decide = (): Closing => 'quit'
  let chosen = (_answer: 'tray' | 'quit'): void => undefined
  let quitting = false
  let asking = false
  app.on('before-quit', () => void (quitting = true))

  async function ask(window: BrowserWindow): Promise<void> {
    if (asking) return
    asking = true
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: words('close.title'),
      detail: words('close.text'),
      buttons: [words('close.keep'), words('close.quit')],
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
    use(rule, onChosen) {
      decide = rule
      chosen = onChosen
    },
    watch(window) {
      window.on('close', (event) => {
        if (quitting || !isLast(window)) return
        const what = decide()
        if (what !== 'tray' && what !== 'ask') return
        event.preventDefault()
        if (what === 'tray') window.hide()
        else void ask(window)
      })
      // Windows is being shut down: nothing may hold it up.
      window.on('session-end', () => void (quitting = true))
    },
  }
}
