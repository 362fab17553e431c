import { app, shell, type Session, type WebContents } from 'electron'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import {
  externalDecision,
  type ExternalDecision,
  navigationDecision,
  windowOpenDecision,
  permissionDecision,
} from '../rules/pages/navigation.ts'

export type SecurityOptions = {
  readonly clock: Clock
  readonly log: Logger
  readonly isOurWindow: (contents: WebContents | null) => boolean
  /** Asks the user about an address in a dialog of the system. */
  readonly confirm: (question: Extract<ExternalDecision, { action: 'ask' }>) => Promise<boolean>
  readonly policies: Policies
}

/** Before `ready`: every renderer is sandboxed, and all web contents of any kind are guarded from their creation. */
export function guardEverything(options: SecurityOptions): ExternalOpener {
  app.enableSandbox()
  const external = externalOpener(options)
  // Per contents, not per window: a view created elsewhere must not escape.
  app.on('web-contents-created', (_event, contents) => guardContents(contents, options, external))
  // An invalid certificate cannot be overridden.
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, callback) => {
    event.preventDefault()
    callback(false)
  })
  return external
}

function guardContents(contents: WebContents, { log }: SecurityOptions, external: ExternalOpener): void {
  const handOver = (url: string): void => {
    external.open(url).catch((error: unknown) => log.warn('link-refused', { reason: String(error) }))
  }
  const guard = (event: { preventDefault(): void; url: string; isMainFrame: boolean }): void => {
    const decision = navigationDecision(event.url, event.isMainFrame)
    if (decision === 'stay') return
    event.preventDefault()
    log.warn('navigation-refused', { decision })
    if (decision === 'hand-over') handOver(event.url)
  }
  contents.on('will-navigate', guard)
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) guard(event)
  })
  contents.on('will-redirect', guard)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (windowOpenDecision(url) === 'hand-over') handOver(url)
    return { action: 'deny' }
  })
}

/** Permissions and devices of one session. Cleared first, so that no earlier grant survives. */
export function guardSession(session: Session, options: SecurityOptions): void {
  session.setPermissionRequestHandler(null)
  session.setPermissionCheckHandler(null)
  session.setPermissionRequestHandler((contents, name, callback, details) => {
    const origin = originOf(details.requestingUrl)
    const context = {
      origin,
      isMainFrame: details.isMainFrame,
      isOurWindow: options.isOurWindow(contents),
      media: 'mediaTypes' in details ? (details.mediaTypes ?? []) : [],
      microphone: options.policies.AllowMicrophone !== false,
    }
    callback(permissionDecision(name, context) === 'allow')
  })
  session.setPermissionCheckHandler((contents, name, requestingOrigin, details) => {
    const context = {
      origin: requestingOrigin,
      isMainFrame: details.isMainFrame,
      isOurWindow: options.isOurWindow(contents),
      media: details.mediaType === undefined ? [] : [details.mediaType],
      microphone: options.policies.AllowMicrophone !== false,
    }
    return permissionDecision(name, context) === 'allow'
  })
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null))
  session.setUSBProtectedClassesHandler(() => [])
  session.setBluetoothPairingHandler((_details, callback) => callback({ confirmed: false }))
  session.on('select-hid-device', (event, _details, callback) => {
    event.preventDefault()
    callback(null)
  })
  session.on('select-serial-port', (event, _ports, _contents, callback) => {
    event.preventDefault()
    callback('')
  })
  session.on('select-usb-device', (event, _details, callback) => {
    event.preventDefault()
    callback()
  })
}

/** The origin of a page, written the way Electron writes ours; a custom scheme has none for the URL parser. */
function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? ''
}

type ExternalOpener = { open(url: string): Promise<void> }

/** The only place that opens a URL with the system. */
function externalOpener({ clock, confirm, policies }: SecurityOptions): ExternalOpener {
  let opened: number[] = []
  return {
    async open(text) {
      if (policies.AllowExternalLinks === false) throw new AppError('policy/links')
      const now = clock.now()
      const decision = externalDecision(text, opened, now)
      if (decision.action === 'refuse') throw new AppError('link/refused', { detail: decision.reason })
      if (decision.action === 'ask' && !(await confirm(decision))) return
      opened = [...opened.slice(-10), now]
      await shell.openExternal(decision.url)
    },
  }
}
