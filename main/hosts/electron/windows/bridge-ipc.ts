import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { CALL_CHANNEL, PUSH_CHANNEL, WINDOW_CONTROLS, type WindowControl } from '#shared/bridge/transport.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { ClientWindow } from '../../host.ts'
import { APP_ORIGIN } from '../../rules/pages/app-url.ts'

export type RegisteredWindow = { readonly client: ClientWindow; readonly browserWindow: BrowserWindow }

/** Pushes go to the window's page, and nowhere once it is destroyed. */
export function clientOf(id: string, browserWindow: BrowserWindow, asUserId: string | undefined): ClientWindow {
  return {
    id,
    asUserId,
    push(message: Push) {
      if (!browserWindow.isDestroyed()) browserWindow.webContents.send(PUSH_CHANNEL, message)
    },
  }
}

/** One channel for every call. The sender is checked here; the call itself, in the bridge. */
export function answerCalls(
  windowOf: (contentsId: number) => RegisteredWindow | undefined,
  onCall: (client: ClientWindow, name: string, input: unknown) => Promise<Reply>,
  log: Logger,
): void {
  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, input: unknown): Promise<Reply> | Reply => {
    const window = isOurPage(event) ? windowOf(event.sender.id) : undefined
    if (!window || typeof name !== 'string') {
      log.warn('call-refused', {})
      return { ok: false, error: { code: 'bridge/refused' } }
    }
    if (isControl(name)) return control(window.browserWindow, name)
    return onCall(window.client, name, input)
  })
}

/** The top frame of one of our windows, at exactly our origin; never a prefix of it. */
function isOurPage(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  return frame !== null && frame === event.sender.mainFrame && frame.origin === APP_ORIGIN
}

const isControl = (name: string): name is WindowControl => (WINDOW_CONTROLS as readonly string[]).includes(name)

function control(window: BrowserWindow, name: WindowControl): Reply {
  switch (name) {
    case 'window.minimize':
      window.minimize()
      break
    case 'window.toggleMaximize':
      if (window.isMaximized()) window.unmaximize()
      else window.maximize()
      break
    case 'window.close':
      window.close()
      break
  }
  return { ok: true, value: undefined }
}
