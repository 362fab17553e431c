import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '#shared/bridge/index.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { ClientWindow, Host, LocalServerOptions, MediaFile, NewFile } from '#main/hosts/host.ts'
import { TransportError } from '#main/engine/ports.ts'
import { createDispatch, type Dispatch } from '#main/bridge/dispatch.ts'
import { nodeFiles } from '#main/hosts/node/ports.ts'
import { createNewFile } from '#main/hosts/node/folders.ts'
import type { ProxyChoice } from '#main/hosts/rules/network/proxy.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { memorySecrets } from '#main/hosts/node/secrets-file.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { FakeHttp } from './fake-http.ts'
import { FakeSockets } from './fake-sockets.ts'
import { ManualClock } from './manual-clock.ts'
import { seededIds } from './seeded-ids.ts'

export type FakeServer = LocalServerOptions & { readonly url: string; stopped: boolean; end(reason: string): void }

/**
 * A host whose outside is controlled by the test: network, clock and local servers are fakes, the disk is a temporary
 * folder. `dispose` removes it.
 */
export class FakeHost {
  readonly clock = new ManualClock()
  readonly http = new FakeHttp()
  readonly sockets = new FakeSockets()
  readonly servers: FakeServer[] = []
  readonly secrets = memorySecrets()
  readonly opened: { asUserId?: string; place?: WindowPlace }[] = []
  /** The networks this device is in. */
  certificateAt: (host: string, port: number) => Promise<string> = () =>
    Promise.reject(new TransportError('network', false))
  ownAddresses: readonly string[] = ['192.168.1.24']
  addresses = 'here'
  /** Output of programs, by their command line. */
  readonly commands = new Map<string, string>()
  /** Every proxy that was chosen, the newest last. */
  readonly proxies: ProxyChoice[] = []
  /** Authorities that are trusted besides the usual ones. */
  trusted: readonly string[] = []
  /** The host that the user's certificate is sent to. */
  identified: string | undefined
  readonly badges: number[] = []
  /** Where the user saves a new file; undefined: the dialog is canceled. */
  destination: string | undefined
  /** Creates a file outside Parlor's folder; a test replaces it to have a disk that refuses. */
  newFile: (path: string) => Promise<NewFile> = createNewFile
  /** Folders and files that the system was asked to show. */
  readonly shown: string[] = []
  /** Files passed to other programs. */
  readonly handedOver: string[] = []
  readonly logged: { area: string; event: string; fields: object }[] = []
  readonly data = mkdtempSync(join(tmpdir(), 'parlor-host-'))
  readonly host: Host
  readonly dispatch: Dispatch
  #resume: () => void = () => {}

  constructor() {
    const log: LogSink = (_level, area, event, fields) => this.logged.push({ area, event, fields })
    this.dispatch = createDispatch({ contract, clock: this.clock, log })
    this.host = {
      info: {
        kind: 'browser',
        os: 'linux',
        version: '0.0.0',
        titleBar: 'none',
        capabilities: { nativeNotifications: false, badge: true, tray: false, severalWindows: true, files: true },
      },
      paths: { data: this.data, renderer: this.data, notices: join(this.data, 'notices.txt'), resources: this.data },
      log,
      openSettingsFile: confFile,
      ports: { clock: this.clock, ids: seededIds(), http: this.http, sockets: this.sockets, files: nodeFiles(), log },
      secrets: this.secrets,
      commands: {
        run: (argv) => {
          const output = this.commands.get(argv.join(' '))
          return output === undefined ? Promise.reject(new Error('there is no such program')) : Promise.resolve(output)
        },
      },
      network: {
        set: (choice) => void this.proxies.push(choice),
        setAuthorities: (certificates) => void (this.trusted = certificates),
        setClientCertificate: (host, identity) => void (this.identified = identity && host),
        certificateAt: (host, port) => this.certificateAt(host, port),
        ownAddresses: () => this.ownAddresses,
        addresses: () => this.addresses,
        discovery: { announce: () => () => {}, listen: () => () => {} },
      },
      windows: {
        open: (options) => {
          this.opened.push(options)
          return Promise.resolve(undefined)
        },
        focus: () => {},
      },
      server: {
        start: (options) => Promise.resolve(this.#start(options)),
        run: () => Promise.reject(new Error('there is no server program')),
      },
      external: { open: () => Promise.resolve() },
      folders: {
        placeFor: () => Promise.resolve(this.destination),
        newFile: (path) => this.newFile(path),
        show: (path) => Promise.resolve(void this.shown.push(path)),
        open: (path) => Promise.resolve(void this.handedOver.push(path)),
      },
      badge: { set: (count) => void this.badges.push(count) },
      power: { onSuspend: () => {}, onResume: (fn) => void (this.#resume = fn), onLock: () => {}, onUnlock: () => {} },
    }
  }

  /** A page that opened: it can call, and records what was pushed to it. */
  window(id = 'w1', asUserId?: string): FakeWindow {
    const pushes: Push[] = []
    const window: ClientWindow = {
      id,
      asUserId,
      push: (message) => pushes.push(message),
    }
    return {
      pushes,
      call: (name, input) => this.dispatch.call(window, name, input),
      media: (ref, variant = 'full') => this.dispatch.media(window, ref, variant),
      close: () => this.dispatch.closed(window),
    }
  }

  wake(): void {
    this.#resume()
  }

  dispose(): void {
    rmSync(this.data, { recursive: true, force: true })
  }

  #start(options: LocalServerOptions) {
    let ended: (reason: string) => void = () => {}
    const port = options.port || 5_000 + this.servers.length
    const url = `http://127.0.0.1:${port}`
    const server: FakeServer = { ...options, url, stopped: false, end: (reason) => ended(reason) }
    this.servers.push(server)
    return {
      url,
      onExit: (fn: (reason: string) => void) => void (ended = fn),
      stop: () => Promise.resolve(void (server.stopped = true)),
    }
  }
}

export type FakeWindow = {
  readonly pushes: Push[]
  call(name: string, input?: unknown): Promise<Reply>
  media(ref: string, variant?: 'full' | 'thumb'): Promise<MediaFile | undefined>
  close(): void
}
