import { app, dialog, type BrowserWindow } from 'electron'
import type { Closing } from '#shared/rules/desktop/desktop.ts'
import type { ClosingCapability } from '../../host.ts'
import type { EndingWatch } from '../desktop/ending.ts'

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
