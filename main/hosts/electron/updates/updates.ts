import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, autoUpdater as system } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import type { NoUpdates } from '#shared/domain/desktop/updates.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { UpdateCapability } from '../../host.ts'
import type { Proxies } from '../../node/proxies.ts'
import { isSignedBy, noUpdatesWhy, readPackagedFeed, type ListedVersion } from '../../rules/network/update-feed.ts'
import type { Os } from '../../rules/windows/window-options.ts'
import { UpdateHttp } from './update-http.ts'

/** macOS loads the new version only now, from a server on this computer, before it ends the program. */
const PATIENCE_MS = 60_000

type ElectronUpdatesOptions = {
  readonly os: Os
  readonly policies: Policies
  readonly proxies: Proxies
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** The key is compiled in: `MAIN_VITE_UPDATE_KEY` while the program is built. */
const KEY = (import.meta as { readonly env?: Readonly<Record<string, string | undefined>> }).env?.[
  'MAIN_VITE_UPDATE_KEY'
]

/**
 * Newer versions for an installed Parlor. Nothing is requested, and the library is not loaded, before the first check.
 */
export function electronUpdates(options: ElectronUpdatesOptions): UpdateCapability | { readonly unable: NoUpdates } {
  const { os, policies, proxies, clock, log } = options
  // In development that folder is Electron's.
  const packaged = readPackagedFeed(app.isPackaged ? textOf(join(process.resourcesPath, 'app-update.yml')) : '')
  const url = policies.UpdateFeed ?? packaged.url
  const unable = noUpdatesWhy({
    os,
    forbidden: policies.UpdateMode === 'off',
    packaged: app.isPackaged,
    installed: app.isPackaged && isInstalled(os),
    url,
    namesPublisher: packaged.namesPublisher,
    hasKey: KEY !== undefined && KEY !== '',
  })
  if (unable !== undefined || url === undefined) return { unable: unable ?? 'no-feed' }
  let made: Promise<UpdateCapability> | undefined
  const ready = (): Promise<UpdateCapability> => (made ??= make(url))

  async function make(feed: string): Promise<UpdateCapability> {
    const { autoUpdater } = await import('electron-updater')
    const channel = policies.UpdateChannel
    if (channel !== undefined) autoUpdater.channel = channel
    autoUpdater.setFeedURL({ provider: 'generic', url: feed, ...(channel === undefined ? {} : { channel }) })
    return updatesBy(autoUpdater, { proxies, feed, key: KEY, log })
  }

  return {
    check: async () => (await ready()).check(),
    download: async (onShare) => (await ready()).download(onShare),
    install() {
      let isQuitting = false
      system.once('before-quit-for-update', () => void (isQuitting = true))
      // Everything is closed by now: if the update fails, the old program is started again.
      const backAgain = (): void => {
        if (isQuitting) return
        isQuitting = true
        log.error('not-installed')
        app.relaunch()
        app.quit()
      }
      clock.after(PATIENCE_MS, backAgain)
      ready()
        .then((updates) => updates.install())
        .catch(backAgain)
    },
  }
}

/** AppImages give their path; packages of a system are marked by the packager. Windows and macOS have one way each. */
const isInstalled = (os: Os): boolean =>
  os !== 'linux' || process.env['APPIMAGE'] !== undefined || existsSync(join(process.resourcesPath, 'package-type'))

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

type MakeOptions = {
  readonly proxies: Proxies
  readonly feed: string
  readonly key: string | undefined
  readonly log: Logger
}

/** The library with our rules: no automatic updates, no older versions, and only a signed list of versions. */
export function updatesBy(updater: AppUpdater, { proxies, feed, key, log }: MakeOptions): UpdateCapability {
  const http = new UpdateHttp()
  Object.assign(updater, { httpExecutor: http })
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  updater.logger = null
  // The promise rejects too; without a listener an error would end the process.
  updater.on('error', (error) => log.warn('updater', { reason: reasonOf(error) }))

  return {
    async check() {
      http.agent = await proxies.agentFor(feed)
      const result = await updater.checkForUpdates().catch((cause: unknown) => {
        throw new AppError(codeOf(cause), { cause })
      })
      if (!result?.isUpdateAvailable) return undefined
      const { updateInfo } = result
      const listed = updateInfo as ListedVersion & { readonly parlorSignature?: unknown }
      if (key !== undefined && !isSignedBy(key, listed, listed.parlorSignature)) throw new AppError('update/untrusted')
      return updateInfo.version
    },
    async download(onShare) {
      const hear = ({ percent }: { readonly percent: number }): void => onShare(percent / 100)
      updater.on('download-progress', hear)
      try {
        http.agent = await proxies.agentFor(feed)
        await updater.downloadUpdate()
      } catch (cause) {
        throw new AppError(codeOf(cause), { cause })
      } finally {
        updater.off('download-progress', hear)
      }
    },
    install: () => updater.quitAndInstall(),
  }
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code
  return error instanceof Error ? error.name : 'unknown'
}

/** Error codes of the library: the file is not the one listed, or has the wrong signature. */
const UNTRUSTED: ReadonlySet<string> = new Set(['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE'])

const codeOf = (error: unknown): 'update/untrusted' | 'update/unreachable' =>
  UNTRUSTED.has(reasonOf(error)) ? 'update/untrusted' : 'update/unreachable'
