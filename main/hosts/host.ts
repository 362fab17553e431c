import type { HostInfo } from '#shared/bridge/transport.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Download, NoUpdates } from '#shared/domain/desktop/desktop.ts'
import type { Theme } from '#shared/domain/settings.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { Closing } from '#shared/rules/desktop/desktop.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { LogSink } from '#main/lib/logger.ts'
import type { ClientIdentity } from '#main/settings/certificates.ts'
import type { OpenSettingsFile } from '#main/settings/store.ts'
import type { Ports } from '#main/engine/ports.ts'
import type { ProxyChoice } from './rules/network/proxy.ts'

/**
 * Where Parlor runs: a set of small capability objects, some of them absent. No member is ever "not implemented".
 */
export type Host = {
  readonly info: HostInfo
  readonly paths: HostPaths
  readonly log: LogSink
  readonly ports: Ports
  readonly openSettingsFile: OpenSettingsFile
  readonly secrets: SecretStore
  readonly windows: WindowCapability
  readonly server: ServerCapability
  readonly network: NetworkCapability
  readonly commands?: CommandCapability
  /** The full name of the user's account on this device; empty without one. Never rejects. */
  readonly systemName?: () => Promise<string>
  readonly external: { open(url: string): Promise<void> }
  readonly folders?: FolderCapability
  readonly notifier?: NotifierCapability
  readonly badge?: BadgeCapability
  readonly attention?: AttentionCapability
  readonly theme?: ThemeCapability
  /** Whether hardware acceleration is on in this run. Decided from the settings file before anything else is read. */
  readonly graphics?: { readonly inUse: boolean }
  readonly power?: PowerCapability
  readonly tray?: TrayCapability
  readonly closing?: ClosingCapability
  readonly startup?: StartupCapability
  readonly shortcut?: ShortcutCapability
  readonly jumps?: JumpCapability
  /** Accounts in the menu bar, to switch to; empty: no such menu. */
  readonly menuBar?: { set(accounts: readonly SystemMenuItem[]): void }
  readonly downloads?: DownloadCapability
  /** Excludes the windows, later ones too, from screenshots and screen recordings. */
  readonly protection?: { set(on: boolean): void }
  readonly spelling?: SpellingCapability
  readonly progress?: ProgressCapability
  /** Absent: Parlor runs from its sources and cannot update itself. */
  readonly updates?: UpdateCapability | { readonly unable: NoUpdates }
  readonly ending?: EndingCapability
  /** Ends the program, after everything is flushed. */
  readonly quit?: () => void
  /** Sets the texts of dialogs and menus of the system once the user's language is known. */
  readonly localize?: (translate: HostTranslate) => void
}

/** Files outside Parlor's folder, and folders in the file manager of the system. */
export type FolderCapability = {
  /** Shows the dialog of the system for a folder; `undefined` when it is canceled. Absent without such a dialog. */
  chooseFolder?(): Promise<string | undefined>
  /**
   * The path for a new file of this name: from a dialog, or a free name in the downloads folder. `undefined` when the
   * dialog is canceled; a file at the returned path may be overwritten.
   */
  placeFor(name: string): Promise<string | undefined>
  /** A new file at such a path, which gets its name when it is complete. Rejects with the error of the disk. */
  newFile(path: string): Promise<NewFile>
  /** Shows a folder, or a file in its folder. Rejects with `data/not-shown`. */
  show(path: string): Promise<void>
  /**
   * Opens a file from another user in the system's program for its type, marked as downloaded where the system supports
   * it. The caller has checked that it may be opened. Rejects with `data/not-opened`.
   */
  open(path: string): Promise<void>
}

/** A file that is being written. Until it is finished, what stood at its path is unchanged. */
export type NewFile = {
  write(bytes: Uint8Array): Promise<void>
  /** Flushes it to disk and gives it its name, over a file that has it. */
  finish(): Promise<void>
  /** Removes what was written. Never rejects. */
  discard(): Promise<void>
}

/** A text of the windows' locale files: area, key in it, and its parameters. */
export type HostTranslate = (area: string, key: string, params?: Readonly<Record<string, string | number>>) => string

/** The number on the icon; 0 removes it. `translate` is the text for screen readers. */
export type BadgeCapability = { set(count: number, translate: string): void }

/** The theme of menus, dialogs and window frames that the system draws. */
export type ThemeCapability = { set(theme: Theme): void }

/** Animates the icon: for a moment, or until Parlor is opened. Does nothing while a window is focused. */
export type AttentionCapability = { draw(how: 'once' | 'until-opened'): void }

export type PowerCapability = {
  onSuspend(fn: () => void): void
  onResume(fn: () => void): void
  /** The screen was locked; `onUnlock`: it was unlocked. */
  onLock(fn: () => void): void
  onUnlock(fn: () => void): void
  /** Milliseconds since the last mouse or keyboard input in any program. */
  idleMs?(): number
  /** Called at once, and whenever the device changes between battery and mains. */
  onBattery?(fn: (onBattery: boolean) => void): void
}

/** The tray icon. */
export type TrayCapability = {
  /** Whether this desktop shows tray icons. Checked each time: panels can start and stop. */
  hasPlace(): Promise<boolean>
  /** Shows or updates the icon; `undefined` removes it. */
  show(picture: TrayPicture | undefined): void
}

/**
 * `mention`: something unread that is meant for the viewer; `quiet`: notifications are paused; `attention`: the user
 * must sign in.
 */
export type TrayMark = 'plain' | 'unread' | 'mention' | 'quiet' | 'offline' | 'attention'

export type TrayPicture = {
  readonly mark: TrayMark
  readonly tooltip: string
  readonly items: readonly SystemMenuItem[]
  readonly onPress: () => void
}

/** An item of a menu that the system draws. */
export type SystemMenuItem =
  | { readonly label: string; readonly checked?: boolean; readonly run: () => void }
  | { readonly label: string; readonly items: readonly SystemMenuItem[] }
  | { readonly gap: true }

/** What happens when the last window is closed. */
export type ClosingCapability = {
  /** `chosen`: called with the user's choice, if they were asked. */
  set(decide: () => Closing, chosen: (answer: 'tray' | 'quit') => void): void
}

/** A progress bar, 0 to 1, on the icon in the dock or taskbar; `undefined` removes it. */
export type ProgressCapability = { show(share: number | undefined): void }

/** Newer versions, from the feed in the package or in a policy. */
export type UpdateCapability = {
  /**
   * The newest version and the checksum of its file, if it is newer than this one. Rejects with `update/unreachable` or
   * `update/untrusted`.
   */
  check(): Promise<{ readonly version: string; readonly file: string } | undefined>
  /**
   * Downloads the version that was found last, and checks it; `onShare` gets the progress, 0 to 1. Rejects with
   * `update/not-downloaded`, `update/no-space` or `update/untrusted`; no part of the file remains then.
   */
  download(onShare: (share: number) => void): Promise<void>
  /** Checks the downloaded file again. Rejects with `update/gone`; it is deleted then. */
  verify(): Promise<void>
  /** Deletes what was downloaded. */
  tidy(): Promise<void>
  /** Ends the program and starts the new version, or the old one if that fails. Both are called before it ends. */
  install(outcome: {
    /** The new version has replaced this one; some systems do that later. */
    readonly onPlaced: () => void
    /** The system asked the user, who did not allow it. */
    readonly onDeclined: () => void
  }): void
  /** The command that installs an older version over this one. Absent where this one must be removed first. */
  commandBack?(version: string): string | undefined
}

/** Quitting: asks the user if needed, then closes everything in order. */
export type EndingCapability = {
  set(work: EndingWork): void
  /**
   * Quits as from the menu. `last` runs when everything is closed, and ends the program itself. Resolves with
   * whether the program ends.
   */
  begin(last?: () => void): Promise<boolean>
  /** A dialog of the system; returns the index of the pressed button. `cancel`: the button that changes nothing. */
  ask(question: SystemQuestion): Promise<number>
  /** Hides the windows while Parlor waits for transfers before it ends. */
  hideWindows(): void
}

export type EndingWork = {
  /** The user must be asked before it ends. */
  readonly mustAsk: () => boolean
  /** Asks the user; returns whether it ends now. */
  readonly ask: () => Promise<boolean>
  /** Before the windows close: from now on they close because the program ends. */
  readonly closing: () => void
  /** Flushes and closes everything. */
  readonly stop: () => Promise<void>
}

export type SystemQuestion = {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly cancel: number
}

/** Launch at login. */
export type StartupCapability = {
  /** Rejects with `desktop/startup` when the system refuses. */
  set(choice: { readonly on: boolean; readonly hidden: boolean }): Promise<void>
  /** Whether the system started this run by itself. Some systems do not report it; there the command line does. */
  startedBySystem(): boolean
}

/** Keys that work in every program of this device. */
export type ShortcutCapability = {
  /**
   * Replaces the shortcut registered for the same action. `taken`: the system or another program uses the keys, and no
   * shortcut is registered now.
   */
  register(what: string, accelerator: string | undefined, run: () => void): 'held' | 'taken' | 'none'
}

/** Checks spelling in text fields. */
export type SpellingCapability = {
  /** The languages it supports. Empty: the system detects the language. */
  languages(): readonly string[]
  /** Empty: nothing is checked. A missing dictionary is downloaded now. */
  setLanguages(languages: readonly string[]): void
}

/** The menu of the icon in the dock or taskbar. */
export type JumpCapability = { set(jumps: Jumps): void }

export type Jumps = {
  readonly tasks: readonly Jump[]
  readonly places: readonly Jump[]
  /** Accounts of the profile if there are several. Not on systems that store only links. */
  readonly accounts: readonly Jump[]
  /** The heading of the places, where the system shows one. */
  readonly placesTitle: string
}

/**
 * `link`: passed to a new start where the system stores links, not functions; an item without one is left out there.
 */
export type Jump = { readonly label: string; readonly link?: string; readonly run: () => void }

export type DownloadCapability = {
  /** Downloads are saved there; empty: a dialog asks where. */
  into(folder: string): void
  /** Downloads of this run, newest first. */
  list(): readonly Download[]
  /** The path of a finished download. */
  pathOf(id: string): string | undefined
  /** Resumes an interrupted download, or starts it again. */
  retry(id: string): void
  cancel(id: string): void
  /** Removes ended downloads from the list; the files stay. */
  clear(): void
}

/** Notifications of the system. Features a system lacks (buttons, a reply field, groups) are left out. */
export type NotifierCapability = {
  /** Replaces an earlier one with the same id. */
  /** Whether this system shows notifications of programs at all. */
  isAvailable(): boolean
  show(notice: SystemNotice): void
  withdraw(id: string): void
  /**
   * A notification of an earlier run was clicked or replied to. Not every system reports it. `reply`: the text of the
   * reply.
   */
  onForgotten?(handler: (id: string, reply?: string) => void): void
}

export type SystemNotice = {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly silent: boolean
  readonly group?: { readonly id: string; readonly title: string }
  readonly stays?: boolean
  readonly actions?: readonly NoticeAction[]
  readonly reply?: { readonly placeholder: string; readonly onReply: (text: string) => void }
  readonly onClick: () => void
  /** It appeared on the screen. Not every system reports it. */
  readonly onShown?: () => void
  /** The system did not show it: not allowed, or the program is not signed. */
  readonly onRefused: () => void
}

export type NoticeAction = { readonly label: string; readonly run: () => void }

/** Proxies and certificates for every request of main. The local server is never reached through a proxy. */
export type NetworkCapability = {
  set(proxy: ProxyChoice): void
  /** Trusts these authorities (PEM) besides the usual ones from now on, replacing those of the last call. */
  setAuthorities(certificates: readonly string[]): void
  /** Sets the client certificate for this host, and no other, replacing the one of the last call. */
  setClientCertificate(host: string, identity: ClientIdentity | undefined): void
  /**
   * The certificate (PEM) that answers there, whether or not it is trusted; nothing is sent. Rejects with a
   * `TransportError`.
   */
  certificateAt(host: string, port: number): Promise<string>
  /**
   * The addresses under which other devices of a network may reach this one, the likeliest first; if it has none of those,
   * the ones that it gave itself, which lead nowhere.
   */
  ownAddresses(): readonly string[]
  /** The network addresses of this device as one text, to detect changes. Empty: no network. */
  addresses(): string
  readonly discovery: DiscoveryCapability
}

/** What a device says on its network about a workspace that it shares. Anyone can say anything. */
export type Announcement = {
  readonly name: string
  readonly owner: string
  /** IPv4. */
  readonly addresses: readonly string[]
  readonly port: number
  /** SHA-256 of the certificate that answers there, base64url. */
  readonly fingerprint: string
}

/** An announcement as it was heard: nothing of it is checked. */
export type Heard = {
  /** The address that it came from. */
  readonly from: string
  readonly said: Readonly<Record<keyof Announcement, unknown>>
  /** It is withdrawn. */
  readonly gone: boolean
}

/** Multicast DNS on the networks of this device. `onFailed`: the system or another program does not allow it. */
export type DiscoveryCapability = {
  /** Announces on the networks of these addresses, and answers those who ask, until stopped. */
  announce(announcement: Announcement, onFailed: () => void): Stop
  /** Asks on the networks of these addresses of this device, and passes on what is heard, until stopped. */
  listen(addresses: readonly string[], onHeard: (heard: Heard) => void, onFailed: () => void): Stop
}

/** Runs a program named on the command line and returns its output. Rejects with a plain reason. */
export type CommandCapability = { run(argv: readonly string[]): Promise<string> }

type HostPaths = {
  /** The profile folder: accounts, settings, logs. Mode 0700. */
  readonly data: string
  /** Built renderer files. */
  readonly renderer: string
  /** The licenses of the software Parlor includes, as text. Made by the build. */
  readonly notices: string
  /** Icons, locales, sounds, demo pictures. */
  readonly resources: string
  /** File of the thread beside a cache, which searches it and moves its log. Absent: main does both (tests, tools). */
  readonly cacheWorker?: string
}

/** Tokens and signing secrets. Never in settings, logs, addresses or arguments. */
export type SecretStore = {
  readonly kind: 'keychain' | 'file' | 'memory'
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}

/** One window as main sees it. */
export type ClientWindow = {
  readonly id: string
  /** The user this window is signed in as, in a local workspace; absent means the profile's own account. */
  readonly asUserId?: string
  push(message: Push): void
}

export type WindowCapability = {
  /** Opens another window of this app. Returns a one-time URL when it cannot: an open page may then open it. */
  open(options: { asUserId?: string; place?: WindowPlace; minimized?: boolean }): Promise<string | undefined>
  focus(windowId?: string): void
  /** Hides the windows if one is focused, otherwise focuses them. Absent where main cannot control windows. */
  toggle?(awayIs: 'hide' | 'minimize'): void
  /** Opens a window that stays hidden until it has painted, and closes it. Rejects with why it could not. */
  tryOne?(): Promise<void>
}

/** Runs the local server in its own process and keeps it running. */
export type ServerCapability = {
  start(options: LocalServerOptions): Promise<LocalServer>
  /**
   * Runs a command of the server program in its own process, and passes on the lines of JSON that it prints. Resolves when
   * it has ended; aborted, it is ended at once.
   */
  run(task: ServerTask): Promise<void>
}

export type ServerTask = {
  readonly args: readonly string[]
  /** What no other user of the device may see; never in argv. */
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onLine: (line: Readonly<Record<string, unknown>>) => void
}

export type LocalServerOptions = {
  readonly dataFolder: string
  readonly seed: 'demo' | 'none'
  readonly apiKey: string
  /** HS256 signing secret, passed in the environment, never in argv. */
  readonly secret: string
  readonly port: number
}

export type LocalServer = {
  readonly url: string
  /** Called when the process ends unasked, with its exit code or signal. */
  onExit(fn: (reason: string) => void): void
  /** Called when someone waits to join on the network, comes or goes. */
  onSharing?(fn: () => void): void
  stop(): Promise<void>
}

/**
 * What windows ask of the app. It exists before its host, which hands on the requests of the windows that it has
 * authenticated.
 */
export type WindowRequests = {
  /** Never rejects. The reply is `bridge/starting` until the app serves windows. */
  call(window: ClientWindow, name: string, input: unknown): Promise<Reply>
  closed(window: ClientWindow): void
  /** An attachment or portrait by entity id; absent if there is none for this window. */
  media(window: ClientWindow, ref: string, variant: 'full' | 'thumb'): Promise<MediaFile | undefined>
}

/** A file in the account's media cache, with the type detected from its bytes. */
export type MediaFile = { readonly path: string; readonly mimeType: string; readonly sizeBytes: number }
