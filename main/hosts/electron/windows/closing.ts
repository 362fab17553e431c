import { app, dialog, type BrowserWindow } from 'electron'
import type { Closing } from '#shared/rules/desktop/desktop.ts'
import type { ClosingCapability } from '../../host.ts'
import type { EndingWatch } from '../desktop/ending.ts'

type ClosingTexts = (key: `close.${'title' | 'text' | 'keep' | 'quit'}`) => string

type Options = {
  /** No other window can be seen. */
  readonly isLast: (window: BrowserWindow) => boolean
  readonly translate: ClosingTexts
  readonly ending: Pick<EndingWatch, 'isEnding' | 'mustAsk'>
}

export type ClosingWatch = ClosingCapability & { watch(window: BrowserWindow): void }

/**
 * What happens to a window that is closed: gone, or put away beside the clock. Quitting always closes, and so does the
 * system when it ends: neither is asked about.
 */
export function watchClosing({ isLast, translate, ending }: Options): ClosingWatch {
  let decide = (): Closing => 'stay'
  let chosen = (_answer: 'tray' | 'quit'): void => undefined
  let computerEnds = false
  let asking = false

  async function ask(window: BrowserWindow): Promise<void> {
    if (asking) return
    asking = true
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: translate('close.title'),
      detail: translate('close.text'),
      buttons: [translate('close.keep'), translate('close.quit')],
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
        if (computerEnds || ending.isEnding() || !isLast(window)) return
        const what = decide()
        const asks = what === 'quit' && ending.mustAsk()
        if (what !== 'tray' && what !== 'ask' && !asks) return
        event.preventDefault()
        if (what === 'tray') window.hide()
        else if (what === 'ask') void ask(window)
        // With the window still there: anyone who stays has somewhere to be.
        else app.quit()
      })
      // Windows is being shut down: nothing may hold it up.
      window.on('session-end', () => void (computerEnds = true))
    },
  }
}
