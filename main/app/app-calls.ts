import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { SoundChoices, SoundKind } from '#shared/domain/notification.ts'
import type { Place } from '#shared/domain/changes.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { readSettingsFile, definedOnly, type SettingsChanges, type SettingsStore } from '#main/settings/store.ts'
import type { Account } from './accounts/account.ts'
import { localRef } from './accounts/accounts.ts'
import type { CallWindow, WindowTable } from './windows/windows.ts'
import { changesProxy, checkProxy, saveProxyPassword, testNetwork, useProxy } from './network/network.ts'

type AppCallsOptions = {
  readonly host: Host
  readonly windows: WindowTable
  /** The account a window shows; before it has attached, the one it would show. */
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  /** Opens a place of an account in one of its whole windows. */
  readonly lead: (account: Account, place: Place) => void
  /** A channel was brought to the front. */
  readonly onFront: (account: Account, cid: Cid) => void
  /** A window has its first snapshot. */
  readonly onAttached: () => void
}

/** `app.*` of the contract. */
export function appCalls({
  host,
  windows,
  refOf,
  lead,
  onFront,
  onAttached,
}: AppCallsOptions): HandlersOf<'app', CallWindow> {
  const log = logger('renderer', host.log)
  return {
    async attach({ lastChannel, own }, { window }) {
      const snapshot = await windows.attach(window, lastChannel, own)
      onAttached()
      return snapshot
    },
    async openWindowAs({ userId }, { window }) {
      windows.expect({ ...localRef(refOf(window)), userId })
      const url = await host.windows.open({ asUserId: userId })
      return url === undefined ? {} : { url }
    },
    async openPlace({ messageId, ...place }, { window, account }) {
      const { asUserId } = window
      const shown = account()
      const open = shown && windows.of(shown, place)
      if (open && host.windows.toggle) {
        if (messageId !== undefined) open.push({ kind: 'effect', effect: focusOn({ ...place, messageId }) })
        host.windows.focus(open.id)
        return {}
      }
      const ref = refOf(window)
      if (ref) windows.expect(ref, place, messageId === undefined ? undefined : focusOn({ ...place, messageId }))
      const url = await host.windows.open({ place, asUserId })
      return url === undefined ? {} : { url }
    },
    lead(place, { account }) {
      const shown = account()
      if (shown) lead(shown, place.type === 'focus' ? focusOn(place) : place)
    },
    openExternal: ({ url }) => host.external.open(url),
    reportFocus(focus, { window, account }) {
      windows.reportFocus(window, focus)
      const shown = account()
      shown?.engine.reportFocus(window.id, focus)
      if (shown && focus.focused && focus.cid !== undefined) onFront(shown, focus.cid)
    },
    noticeLog: (_input, { account }) => account()?.engine.notices() ?? [],
    diagnostics: (_input, { account }) => account()?.engine.diagnostics(),
    async thirdPartyNotices() {
      try {
        return await readFile(host.paths.notices, 'utf8')
      } catch (error) {
        throw new AppError('data/file-gone', { cause: error })
      }
    },
    logFailure({ where, message }) {
      log.error('failure', { where, message })
    },
  }
}

const focusOn = ({
  cid,
  messageId,
  parentId,
}: WindowPlace & { readonly messageId?: MessageId }): Extract<Place, { type: 'focus' }> => ({
  type: 'focus',
  cid,
  ...(messageId === undefined ? {} : { messageId }),
  parentId,
})

type SettingsCallsOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly publish: (settings: Settings) => void
  readonly reconnect: () => void
  /** The changes that may be stored. */
  readonly allowed: (changes: SettingsChanges) => SettingsChanges
  /** Called before settings are stored: rejects with the reason if they are not allowed. */
  readonly accept: (next: Settings) => Promise<void>
}

/** `settings.*` of the contract: on disk first, then to every window. */
export function settingsCalls(options: SettingsCallsOptions): HandlersOf<'settings', CallWindow> {
  const { host, store, publish, reconnect, allowed, accept } = options
  /** A changed proxy may work where the old one failed: connections do not wait for their back-off. */
  async function applyProxy(): Promise<void> {
    await useProxy(host, store.settings())
    reconnect()
  }
  async function update(changes: SettingsChanges): Promise<void> {
    const isWay = changesProxy(changes)
    if (isWay) checkProxy({ ...store.settings(), ...definedOnly(changes) })
    await accept({ ...store.settings(), ...definedOnly(changes) })
    publish(store.update(allowed(changes)))
    if (isWay) await applyProxy()
  }
  function changeSounds(changes: Partial<SoundChoices>): void {
    const { notifications } = store.settings()
    publish(store.update({ notifications: { ...notifications, sounds: { ...notifications.sounds, ...changes } } }))
  }
  return {
    update,
    async takeFile({ text }) {
      const { changes, refused } = readSettingsFile(text)
      await update(changes)
      return { refused }
    },
    async setProxyPassword({ password }) {
      await saveProxyPassword(host, password)
      await applyProxy()
    },
    async saveSound({ name, base64 }) {
      await saveSound(host.paths.data, Buffer.from(base64, 'base64'))
      changeSounds({ file: name })
    },
    async dropSound() {
      const { sounds } = store.settings().notifications
      const without = (kind: SoundKind) => (sounds[kind] === 'file' ? 'system' : sounds[kind])
      changeSounds({ file: '', meant: without('meant'), message: without('message'), reminder: without('reminder') })
      await dropSound(host.paths.data)
    },
    async soundFile() {
      const bytes = await readSound(host.paths.data)
      return bytes === undefined ? {} : { base64: Buffer.from(bytes).toString('base64') }
    },
    testNetwork: ({ url }) => testNetwork(host, url),
  }
}

/** The user's notification sound, stored unchanged: `DATA/sound`. */
const pathIn = (dataFolder: string): string => join(dataFolder, 'sound')

/** Replaced atomically, so that a crash leaves either the old or the new file. */
async function saveSound(dataFolder: string, bytes: Uint8Array): Promise<void> {
  const path = pathIn(dataFolder)
  try {
    await writeFile(`${path}.new`, bytes, { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch (cause) {
    await rm(`${path}.new`, { recursive: true, force: true })
    throw new AppError('settings/sound-not-saved', { cause })
  }
}

const readSound = (dataFolder: string): Promise<Uint8Array | undefined> =>
  readFile(pathIn(dataFolder)).catch(() => undefined)

const dropSound = (dataFolder: string): Promise<void> => rm(pathIn(dataFolder), { force: true })
