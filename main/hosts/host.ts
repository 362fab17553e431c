import type { HostInfo } from '#shared/bridge/host-info.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Download } from '#shared/domain/desktop/download.ts'
import type { Theme } from '#shared/domain/settings.ts'
import type { NoUpdates } from '#shared/domain/desktop/updates.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { Closing } from '#shared/rules/desktop/desktop.ts'
import type { LogSink } from '#main/lib/logger.ts'
import type { ClientIdentity } from '#main/settings/client-certificate.ts'
import type { ProxyChoice } from './rules/network/proxy.ts'
import type { Ports } from '#main/engine/ports.ts'

/**
 * Where Parlor runs: a set of small capability objects, some of them absent. No member ever answers "not implemented".
 */
export type Host = {
  readonly info: HostInfo
  readonly paths: HostPaths
  readonly log: LogSink
  readonly ports: Ports
  readonly secrets: SecretStore
  readonly windows: WindowCapability
  readonly server: ServerCapability
  readonly media: MediaCapability
  readonly network: NetworkCapability
  readonly commands?: CommandCapability
  readonly external: { open(url: string): Promise<void> }
  readonly folders?: FolderCapability
  readonly notifier?: NotifierCapability
  readonly badge?: BadgeCapability
  readonly attention?: AttentionCapability
  readonly look?: LookCapability
  /** Whether the graphics card draws this run. Decided before anything is read but the settings' file. */
  readonly graphics?: { readonly inUse: boolean }
  readonly power?: PowerCapability
  readonly tray?: TrayCapability
  readonly closing?: ClosingCapability
  readonly startup?: StartupCapability
  readonly shortcut?: ShortcutCapability
  readonly jumps?: JumpCapability
  /** Accounts in the menu bar, to go to; none: no menu of them. */
  readonly menuBar?: { use(accounts: readonly SystemMenuItem[]): void }
  readonly downloads?: DownloadCapability
  /** Pictures and recordings of the screen leave the windows out, those that open later too. */
  readonly protection?: { use(on: boolean): void }
  readonly spelling?: SpellingCapability
  readonly progress?: ProgressCapability
  /** Absent: Parlor is run from its files, and is as new as they are. */
  readonly updates?: UpdateCapability | { readonly unable: NoUpdates }
  readonly ending?: EndingCapability
  /** Ends the program, after everything is flushed. */
  readonly quit?: () => void
  /** Dialogs and menus of the system speak the person's language once it is known. */
  readonly speak?: (translate: HostTranslate) => void
}

/** Files that leave Parlor's own folder, and folders as the system shows them. */
export type FolderCapability = {
  /** The system asks for a folder; nothing when the person thought better of it. Absent where it has no such dialog. */
  chooseFolder?(): Promise<string | undefined>
  /**
   * Where a new file of this name is to be: the person is asked, or it is a free name among the downloads. Nothing when
   * they thought better of it; what stands at the answered path may be written over.
   */
  placeFor(name: string): Promise<string | undefined>
  /** Shows a folder, or a file in its folder. Rejects with `data/not-shown`. */
  show(path: string): Promise<void>
  /**
   * Hands a file that came from someone else to the system's program for its kind, marked as such where the system has
   * marks. What may be opened at all is decided before. Rejects with `data/not-opened`.
   */
  open(path: string): Promise<void>
}

/** A text of the windows' own locale files: area, key inside it, and what stands in its blanks. */
export type HostTranslate = (area: string, key: string, params?: Readonly<Record<string, string | number>>) => string

/** The number on the icon; 0 takes it away. `words` say it to who cannot see it. */
export type BadgeCapability = { set(count: number, translate: string): void }

/** What the system draws around and beside the windows looks like what is in them. */
export type LookCapability = { use(theme: Theme): void }

/** Draws someone's eyes to the icon: for a moment, or until Parlor is opened. Nothing while it is in front. */
export type AttentionCapability = { draw(how: 'once' | 'until-opened'): void }

export type PowerCapability = {
  onSuspend(fn: () => void): void
  onResume(fn: () => void): void
  /** No one is in front of the screen any more, and someone is again. */
  onLock(fn: () => void): void
  onUnlock(fn: () => void): void
  /** For how long no one has touched mouse or keys, in any program. Milliseconds. */
  idleMs?(): number
  /** Told at once, and whenever the cable is pulled or put in. */
  onBattery?(fn: (onBattery: boolean) => void): void
}

/** The mark beside the clock. */
export type TrayCapability = {
  /** Someone on this desktop shows such marks. Asked again each time: panels come and go. */
  hasPlace(): Promise<boolean>
  /** The mark as it is now; `undefined` takes it away. */
  show(picture: TrayPicture | undefined): void
}

/** `mention`: something meant for the viewer; `quiet`: no one is told anything now; `attention`: someone must sign in. */
export type TrayMark = 'plain' | 'unread' | 'mention' | 'quiet' | 'offline' | 'attention'

export type TrayPicture = {
  readonly mark: TrayMark
  readonly tooltip: string
  readonly items: readonly SystemMenuItem[]
  readonly onPress: () => void
}

/** A line of a menu that the system draws. */
export type SystemMenuItem =
  | { readonly label: string; readonly checked?: boolean; readonly run: () => void }
  | { readonly label: string; readonly items: readonly SystemMenuItem[] }
  | { readonly gap: true }

/** What becomes of the program when its last window is closed. */
export type ClosingCapability = {
  /** `chosen`: what someone answered who was asked. */
  use(decide: () => Closing, chosen: (answer: 'tray' | 'quit') => void): void
}

/** How much of what is under way is done, 0 to 1, over the icon in the dock or taskbar; `undefined` takes it away. */
export type ProgressCapability = { show(share: number | undefined): void }

/** Newer versions, from the feed this one was packaged with or a policy names. */
export type UpdateCapability = {
  /** The newest version, if it is newer than this one. Rejects with `update/unreachable` or `update/untrusted`. */
  look(): Promise<string | undefined>
  /** Fetches what the last look found, and checks it; `onShare` hears how much is here, 0 to 1. Rejects as `look`. */
  fetch(onShare: (share: number) => void): Promise<void>
  /** The last thing the program does: it is started again as the new version, or as it was where that fails. */
  install(): void
}

/** The end of the program, asked about and in order. */
export type EndingCapability = {
  use(work: EndingWork): void
  /**
   * As when someone chooses to quit. `last` is done when all is closed, and ends the program itself. Resolves with
   * whether it ends.
   */
  begin(last?: () => void): Promise<boolean>
  /** A question of the system; answers which button was pressed. `cancel`: the one that changes nothing. */
  ask(question: SystemQuestion): Promise<number>
  /** The windows out of the way, while Parlor waits for what it was asked to wait for. */
  putAway(): void
}

export type EndingWork = {
  /** Someone must be asked before it ends. */
  readonly mustAsk: () => boolean
  /** Asks, and answers whether it ends now. */
  readonly ask: () => Promise<boolean>
  /** Flushes and closes everything. */
  readonly stop: () => Promise<void>
}

export type SystemQuestion = {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly cancel: number
}

/** Starting with the computer. */
export type StartupCapability = {
  /** Rejects with `desktop/startup` when the system does not take it. */
  use(choice: { readonly on: boolean; readonly hidden: boolean }): Promise<void>
  /** The system started this run by itself. Not every system tells; there the command line does. */
  startedBySystem(): boolean
}

/** Keys that work in every program of this computer. */
export type ShortcutCapability = {
  /**
   * Takes the place of the keys that were held for the same. `taken`: the system or another program has them, and none are
   * held for it now.
   */
  use(what: string, accelerator: string | undefined, run: () => void): 'held' | 'taken' | 'none'
}

/** Checks spelling while someone writes. */
export type SpellingCapability = {
  /** What it can be asked for. None: the system chooses by what is written. */
  languages(): readonly string[]
  /** None: nothing is checked. A dictionary that is not here yet is fetched now. */
  use(languages: readonly string[]): void
}

/** The menu of the icon in the dock or taskbar. */
export type JumpCapability = { use(jumps: Jumps): void }

export type Jumps = {
  readonly tasks: readonly Jump[]
  readonly places: readonly Jump[]
  /** Of the profile, where there are several. Systems that keep links only have none of them. */
  readonly accounts: readonly Jump[]
  /** Over the places, where the system shows a heading. */
  readonly placesTitle: string
}

/** `link`: what a new start is given where the system keeps no functions; without one it stands elsewhere only. */
export type Jump = { readonly label: string; readonly link?: string; readonly run: () => void }

export type DownloadCapability = {
  /** Downloads go there without a question; empty: the system asks. */
  into(folder: string): void
  /** Newest first, of this start. */
  list(): readonly Download[]
  /** Where one lies that is done. */
  pathOf(id: string): string | undefined
  /** A broken one goes on where it stopped, or begins again. */
  again(id: string): void
  cancel(id: string): void
  /** Takes those that have ended off the list; the files stay. */
  clear(): void
}

/** Notifications of the system. What a system cannot do (buttons, a reply field, groups) it leaves out. */
export type NotifierCapability = {
  /** One with the id of an earlier one takes its place. */
  show(notice: SystemNotice): void
  withdraw(id: string): void
  /**
   * A notification was pressed or answered that no one holds any more: it is from before this start. Not every system
   * tells. `reply`: what was written in it.
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
  /** The system says that it stands on the screen. Not every system does. */
  readonly onShown?: () => void
  /** The system would not show it: not allowed, or not signed. */
  readonly onRefused: () => void
}

export type NoticeAction = { readonly label: string; readonly run: () => void }

/** The way out of this computer, for everything that main asks for. The local server is never asked through a proxy. */
export type NetworkCapability = {
  use(proxy: ProxyChoice): void
  /** Authorities (PEM) that hold besides the usual ones from now on, in place of those of the last call. */
  trust(certificates: readonly string[]): void
  /** Shows this host, and no other, who is there, in place of what the last call said. */
  identify(host: string, identity: ClientIdentity | undefined): void
  /** The addresses this computer has in its networks, in one text that is another once they change. Empty: in none. */
  addresses(): string
}

/** Runs a program that the person named on the command line, for its output. Rejects with a plain reason. */
export type CommandCapability = { run(argv: readonly string[]): Promise<string> }

type HostPaths = {
  /** The profile folder: accounts, settings, logs. Mode 0700. */
  readonly data: string
  /** Built renderer files. */
  readonly renderer: string
  /** Icons, locales, sounds, demo pictures. */
  readonly resources: string
  /** File of the thread that searches a cache. Absent: searches run in main (tests, tools). */
  readonly searchReader?: string
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
  /** The person this window is signed in as, in a local workspace; absent means the profile's own account. */
  readonly asUserId?: string
  push(message: Push): void
}

export type WindowCapability = {
  /** Registers what to do with calls; the host has already checked who asks. */
  onCall(handler: (window: ClientWindow, name: string, input: unknown) => Promise<Reply>): void
  onClosed(handler: (window: ClientWindow) => void): void
  /** Opens another window of this app. Answers an address, good once, when it cannot: a page that is open may then. */
  open(options: { asUserId?: string; place?: WindowPlace; minimized?: boolean }): Promise<string | undefined>
  focus(windowId?: string): void
  /** Away if it is in front, else to the front. Absent where main cannot move windows. */
  toggle?(awayIs: 'hide' | 'minimize'): void
}

/** Runs the local server in its own process and keeps it running. */
export type ServerCapability = {
  start(options: LocalServerOptions): Promise<LocalServer>
}

export type LocalServerOptions = {
  readonly dataFolder: string
  readonly seed: 'demo' | 'none'
  readonly apiKey: string
  /** HS256 signing secret, handed over through the environment, never argv. */
  readonly secret: string
  readonly port: number
}

export type LocalServer = {
  readonly url: string
  /** The process ended by itself: code, or the signal's name. */
  onExit(fn: (reason: string) => void): void
  stop(): Promise<void>
}

/** Serves bytes of attachments and portraits to windows by entity id; the resolver is registered by app/compose. */
type MediaCapability = {
  serve(resolve: (window: ClientWindow, ref: string, variant: 'full' | 'thumb') => Promise<MediaFile | undefined>): void
}

/** A file in the account's media cache, with the type found by looking at its bytes. */
export type MediaFile = { readonly path: string; readonly mimeType: string; readonly sizeBytes: number }
