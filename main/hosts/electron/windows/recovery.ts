import { app, dialog, type BrowserWindow } from 'electron'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { SAFE_PAGE } from '../../rules/pages/app-url.ts'
import { afterCrash, type Crashes } from '../../rules/windows/recovery.ts'

/** After this long without a response the user is asked. */
const HUNG_MS = 10_000

/** Texts of the system's dialogs, looked up when they are shown, in the current language. */
type RecoveryTexts = (
  key: `crash.${'title' | 'text' | 'reload' | 'quit'}` | `hang.${'title' | 'text' | 'wait' | 'reload'}`,
) => string

type Options = { readonly clock: Clock; readonly log: Logger; readonly translate: RecoveryTexts }

/**
 * Reloads a page that crashed: main has its whole state, drafts too. After three crashes in a minute a small safe page
 * is loaded instead; if that crashes too, or a page hangs, a dialog asks the user.
 */
export function recover(window: BrowserWindow, { clock, log, translate }: Options): void {
  const { webContents } = window
  let crashes: Crashes = []
  let stopWaiting: Stop = () => undefined
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const decision = afterCrash(crashes, clock.now())
    crashes = decision.crashes
    log.error('page-gone', { reason, exitCode, next: decision.next })
    if (decision.next === 'reload') webContents.reload()
    else if (webContents.getURL().startsWith(SAFE_PAGE)) void ask(window, ['crash.reload', 'crash.quit'], translate)
    else showSafePage(window, log)
  })
  window.on('unresponsive', () => {
    stopWaiting()
    stopWaiting = clock.after(HUNG_MS, () => {
      log.warn('page-hangs', {})
      if (!window.isDestroyed()) void ask(window, ['hang.wait', 'hang.reload'], translate)
    })
  })
  window.on('responsive', () => stopWaiting())
  window.once('closed', () => stopWaiting())
}

/** With the window's query, which names its content: reloading from the safe page uses it. */
function showSafePage({ webContents }: BrowserWindow, log: Logger): void {
  const query = /\?[^#]*/.exec(webContents.getURL())?.[0] ?? ''
  webContents
    .loadURL(`${SAFE_PAGE}${query}`)
    .catch((error: unknown) => log.error('safe-page', { error: String(error) }))
}

async function ask(
  window: BrowserWindow,
  buttons: readonly ['crash.reload', 'crash.quit'] | readonly ['hang.wait', 'hang.reload'],
  translate: RecoveryTexts,
): Promise<void> {
  const hangs = buttons[0] === 'hang.wait'
  const { response } = await dialog.showMessageBox({
    type: hangs ? 'question' : 'error',
    message: translate(hangs ? 'hang.title' : 'crash.title'),
    detail: translate(hangs ? 'hang.text' : 'crash.text'),
    buttons: buttons.map((key) => translate(key)),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (hangs && response === 0) return
  if (!hangs && response === 1) return app.quit()
  if (window.isDestroyed()) return
  // A page that hangs cannot be reloaded.
  if (hangs) window.webContents.forcefullyCrashRenderer()
  else window.webContents.reload()
}
