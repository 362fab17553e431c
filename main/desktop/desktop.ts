import { type DesktopChoices, type DesktopState, GLOBAL_KEYS, type GlobalKeys } from '#shared/domain/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Pause } from '#shared/rules/notifications/notifying.ts'
import {
  globalAccelerator,
  spellingAt,
  wantsTray,
  closeBehavior,
  type WritingPlace,
} from '#shared/rules/desktop/desktop.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Host, HostTranslate, Jump, Jumps } from '#main/hosts/host.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { Sending } from './ending.ts'
import {
  type AccountPlace,
  type Place,
  type Places,
  accountLines,
  type TrayFacts,
  trayPicture,
} from './tray-picture.ts'

/** Commits may arrive by the hundred; the system menus need not follow each. */
const SETTLE_MS = 500
/** Quiet hours begin and end without an event. */
const REDRAW_EVERY_MS = 60_000

type Capabilities = Pick<
  Host,
  | 'info'
  | 'tray'
  | 'closing'
  | 'startup'
  | 'shortcut'
  | 'jumps'
  | 'menuBar'
  | 'downloads'
  | 'protection'
  | 'spelling'
  | 'power'
  | 'graphics'
  | 'progress'
  | 'quit'
  | 'log'
>

type DesktopOptions = {
  readonly host: Capabilities & { readonly windows: Pick<Host['windows'], 'focus' | 'toggle'> }
  readonly clock: Clock
  readonly translate: HostTranslate
  readonly choices: () => DesktopChoices
  /** Stores the answer to a question of the system, and updates the windows. */
  readonly choose: (changes: Partial<DesktopChoices>) => void
  readonly badge: () => Badge
  readonly places: () => Places
  readonly isOffline: () => boolean
  readonly isQuiet: () => boolean
  readonly isPaused: () => boolean
  readonly pause: (how: Pause) => void
  readonly isPresenting: () => boolean
  readonly present: (on: boolean) => void
  /** How long the viewer's location is still shared live, in milliseconds; absent if it is not shared. */
  readonly sharedFor: () => number | undefined
  readonly stopSharing: () => void
  readonly accounts: () => readonly AccountPlace[]
  /** Uploads in progress. */
  readonly sending: () => Sending
  /** An action of the registry, in the window in front or in a new one. */
  readonly command: (action: 'newMessage' | 'settings') => void
  /** Battery saving started or ended. */
  readonly onSaving: (on: boolean) => void
}

/** Desktop integration: applies the user's desktop settings to the system. */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #log: Logger
  #isTrayShown = false
  readonly #taken = new Set<GlobalKeys>()
  #onBattery = false
  #writing: WritingPlace | undefined
  #notifiedSaving = false
  #lastDrawn = ''
  #drawn: number | undefined
  #pendingDraw: Stop | undefined
  #stop: Stop | undefined

  constructor(options: DesktopOptions) {
    this.#options = options
    this.#log = logger('desktop', options.host.log)
  }

  /** Once, before the first window: applies the settings of an earlier run. */
  async start(): Promise<void> {
    const { host, choices, choose } = this.#options
    host.closing?.set(
      () => closeBehavior(choices(), host.info.os, this.#isTrayShown),
      (closing) => choose({ closing }),
    )
    host.power?.onBattery?.((onBattery) => {
      this.#onBattery = onBattery
      this.#notifySaving()
    })
    const now = choices()
    for (const what of GLOBAL_KEYS) this.#holdKeys(what, now[what])
    // The program may have been moved since the setting was chosen.
    if (now.startAtLogin) await this.#startup(now).catch(() => this.#log.warn('startup-refused'))
    await this.#apply(now)
    this.#scheduleCheck()
  }

  /** Before the settings are stored. Rejects with a `desktop/…` code, and then nothing is changed. */
  async accept(next: DesktopChoices): Promise<void> {
    const now = this.#options.choices()
    for (const what of GLOBAL_KEYS) {
      if (next[what] !== now[what]) this.#takeKeys(what, next[what], now[what])
    }
    const starts = next.startAtLogin !== now.startAtLogin || next.startHidden !== now.startHidden
    if (starts && (next.startAtLogin || now.startAtLogin)) await this.#startup(next)
  }

  /** After the settings were stored. */
  changed(): void {
    this.#apply(this.#options.choices()).catch((error: unknown) => this.#log.error('failed', { error: String(error) }))
  }

  /** The user is in this channel: applies its own spelling languages, if it has any. */
  writesIn(place: WritingPlace): void {
    if (place.account === this.#writing?.account && place.cid === this.#writing.cid) return
    this.#writing = place
    this.#spell()
  }

  /** Messages, places or the connection may have changed. */
  touched(): void {
    const { clock } = this.#options
    this.#pendingDraw ??= clock.after(SETTLE_MS, () => {
      this.#pendingDraw = undefined
      this.#draw()
    })
  }

  /** Whether the user can reopen Parlor without a window. */
  get canHide(): boolean {
    return this.#isTrayShown || this.#options.host.info.os === 'macos'
  }

  async state(): Promise<DesktopState> {
    const { host } = this.#options
    return {
      can: {
        tray: host.tray !== undefined,
        closing: host.closing !== undefined,
        startup: host.startup !== undefined,
        shortcut: host.shortcut !== undefined,
        protection: host.protection !== undefined,
        battery: host.power?.onBattery !== undefined,
        downloads: host.downloads !== undefined,
      },
      spelling: host.spelling ? { languages: host.spelling.languages() } : undefined,
      graphics: host.graphics,
      trayHasPlace: (await host.tray?.hasPlace()) ?? false,
      keysTaken: [...this.#taken],
    }
  }

  stop(): void {
    this.#pendingDraw?.()
    this.#stop?.()
    for (const what of GLOBAL_KEYS) this.#options.host.shortcut?.register(what, undefined, () => undefined)
    this.#options.host.tray?.show(undefined)
    this.#options.host.progress?.show(undefined)
  }

  async #apply(now: DesktopChoices): Promise<void> {
    const { host } = this.#options
    host.protection?.set(now.contentProtection)
    this.#spell()
    host.downloads?.into(now.downloadFolder)
    this.#notifySaving()
    this.#isTrayShown = wantsTray(now, host.info.os) && ((await host.tray?.hasPlace()) ?? false)
    this.#lastDrawn = ''
    this.#draw()
  }

  #spell(): void {
    this.#options.host.spelling?.setLanguages(spellingAt(this.#options.choices(), this.#writing))
  }

  #startup({ startAtLogin, startHidden }: DesktopChoices): Promise<void> {
    return this.#options.host.startup?.set({ on: startAtLogin, hidden: startHidden }) ?? Promise.resolve()
  }

  #takeKeys(what: GlobalKeys, wanted: string, before: string): void {
    if (wanted !== '' && globalAccelerator(wanted) === undefined) throw new AppError('desktop/shortcut-refused')
    this.#holdKeys(what, wanted)
    if (!this.#taken.has(what)) return
    this.#holdKeys(what, before)
    throw new AppError('desktop/shortcut-taken')
  }

  #holdKeys(what: GlobalKeys, chord: string): void {
    const accelerator = chord === '' ? undefined : globalAccelerator(chord)
    const held = this.#options.host.shortcut?.register(what, accelerator, () => this.#onKeys(what))
    if (held !== 'taken') return void this.#taken.delete(what)
    this.#taken.add(what)
    this.#log.warn('shortcut-taken', { what })
  }

  #onKeys(what: GlobalKeys): void {
    if (what === 'shortcut') this.#toggle()
    else this.#actions().pause(this.#options.isPaused() ? 'off' : 'tomorrow')
  }

  #toggle(): void {
    const { windows } = this.#options.host
    if (windows.toggle) windows.toggle(this.canHide ? 'hide' : 'minimize')
    else windows.focus()
  }

  #notifySaving(): void {
    const saving = this.#onBattery && this.#options.choices().saveOnBattery
    if (saving === this.#notifiedSaving) return
    this.#notifiedSaving = saving
    this.#options.onSaving(saving)
  }

  #scheduleCheck(): void {
    this.#stop = this.#options.clock.after(REDRAW_EVERY_MS, () => {
      this.#draw()
      this.#scheduleCheck()
    })
  }

  /** A failure of the system's UI must not affect the windows. */
  #draw(): void {
    try {
      this.#drawNow()
    } catch (error) {
      this.#log.error('draw-failed', { error: String(error) })
    }
  }

  /** Updates the tray icon and the menus if anything in them changed. */
  #drawNow(): void {
    const { host, places, translate } = this.#options
    this.#drawProgress()
    if (!host.jumps && !host.tray && !host.menuBar) return
    const { unread, recent } = places()
    const picture = this.#isTrayShown ? trayPicture(this.#facts(unread), translate, this.#actions()) : undefined
    const accounts = accountLines(this.#options.accounts(), translate)
    const jumps = this.#jumps(recent, accounts)
    const drawn = JSON.stringify([picture, jumps])
    if (drawn === this.#lastDrawn) return
    this.#lastDrawn = drawn
    host.tray?.show(picture)
    host.jumps?.set(jumps)
    host.menuBar?.set(accounts)
  }

  #drawProgress(): void {
    const { files, share } = this.#options.sending()
    const drawn = files === 0 ? undefined : share
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#options.host.progress?.show(drawn)
  }

  #facts(unread: Places['unread']): TrayFacts {
    const { sending, badge, isOffline, isQuiet, isPaused, isPresenting, sharedFor, accounts } = this.#options
    const left = sharedFor()
    return {
      badge: badge(),
      offline: isOffline(),
      quiet: isQuiet(),
      paused: isPaused(),
      presenting: isPresenting(),
      sharedMinutes: left === undefined ? undefined : Math.max(1, Math.round(left / 60_000)),
      sending: sending(),
      unread,
      accounts: accounts(),
    }
  }

  #actions() {
    const { host, command, pause, present, stopSharing } = this.#options
    return {
      press: () => this.#toggle(),
      open: () => host.windows.focus(),
      command,
      pause: (how: Pause) => {
        pause(how)
        this.#draw()
      },
      present: (on: boolean) => {
        present(on)
        this.#draw()
      },
      stopSharing: () => {
        stopSharing()
        this.#draw()
      },
      quit: () => host.quit?.(),
    }
  }

  #pauseTask(): Jump {
    const { translate, isPaused } = this.#options
    const isOn = isPaused()
    const label = translate('desktop', isOn ? 'tray.pauses.off' : 'tray.quietTomorrow')
    return { label, run: () => this.#actions().pause(isOn ? 'off' : 'tomorrow') }
  }

  #jumps(recent: readonly Place[], accounts: readonly Jump[]): Jumps {
    const { translate, command } = this.#options
    return {
      tasks: [
        { label: translate('desktop', 'tray.newMessage'), link: 'parlor://new', run: () => command('newMessage') },
        // A deep link changes no setting, so only a menu that can run code has this entry.
        this.#pauseTask(),
        {
          label: translate('desktop', 'tray.settings'),
          link: 'parlor://settings/desktop',
          run: () => command('settings'),
        },
      ],
      places: recent.map(({ name, link, open }) => ({
        label: name,
        run: open,
        link,
      })),
      accounts,
      placesTitle: translate('desktop', 'jumps.recent'),
    }
  }
}

/** `desktop.*` of the contract. */
export function desktopCalls(
  desktop: Pick<Desktop, 'state'>,
  host: Pick<Host, 'folders' | 'quit'>,
): Omit<HandlersOf<'desktop', unknown>, 'safePage' | 'downloads' | 'download' | 'clearDownloads'> {
  return {
    state: () => desktop.state(),
    async chooseFolder() {
      if (!host.folders?.chooseFolder) throw new AppError('desktop/unable')
      const folder = await host.folders.chooseFolder()
      return folder === undefined ? {} : { folder }
    },
    quit() {
      if (!host.quit) throw new AppError('desktop/unable')
      host.quit()
    },
  }
}
