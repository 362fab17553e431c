import { test as base, expect, type Browser, type Page } from '@playwright/test'
import { Admin } from './admin.ts'
import { Cable } from './cable.ts'
import { connectArgs, startApp, startPickyServer, startServer, temporaryFolder, type Running } from './processes.ts'
import { Screen } from './screen.ts'

/** A server with users and a channel they share, as most stories need it. */
export type Team = {
  readonly cid: string
  readonly admin: Admin
  readonly server: Running
  readonly url: string
  readonly data: string
}

/** A running app, and the window that shows it. */
export type Client = { readonly app: Running; readonly screen: Screen; readonly data: string }

/** Everything a story starts. All of it ends with the story, whatever the result. */
export class World {
  readonly #browser: Browser
  readonly #endings: (() => unknown)[] = []
  readonly #screens: Screen[] = []
  readonly #expected: RegExp[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  folder(name: string): string {
    const folder = temporaryFolder(name)
    this.#endings.push(() => folder.remove())
    return folder.path
  }

  async server(data = this.folder('server'), port = 0): Promise<Running> {
    return this.#track(await startServer(data, { port }))
  }

  async app(data: string, ...args: readonly string[]): Promise<Running> {
    return this.#track(await startApp(data, ...args))
  }

  async cable(serverUrl: string): Promise<Cable> {
    const cable = await Cable.to(serverUrl)
    this.#endings.push(() => cable.end())
    return cable
  }

  async open(url: string | undefined, options: Parameters<Browser['newContext']>[0] = {}): Promise<Screen> {
    const screen = await Screen.open(this.#browser, url ?? '', options)
    this.#screens.push(screen)
    return screen
  }

  /** A window that the app opened itself. */
  watch(page: Page): Screen {
    const screen = new Screen(page)
    this.#screens.push(screen)
    return screen
  }

  /** The demo team as Ola, without the start page. */
  async demo(options: Parameters<Browser['newContext']>[0] = {}): Promise<Client> {
    const data = this.folder('demo')
    const app = await this.app(data, '--demo')
    return { app, data, screen: await this.open(app.ready['url'], options) }
  }

  async team(...names: readonly string[]): Promise<Team> {
    const data = this.folder('server')
    return this.#settle(await this.server(data), data, names)
  }

  /** A team whose server's store was written before it started. */
  async seededTeam(seed: (folder: string) => Promise<void>): Promise<Omit<Team, 'cid'>> {
    const data = this.folder('server')
    await seed(data)
    const server = await this.server(data)
    const url = server.ready['url'] ?? ''
    return { server, url, data, admin: new Admin(url) }
  }

  /** A team whose server refuses programs. */
  async pickyTeam(...names: readonly string[]): Promise<Team> {
    const data = this.folder('server')
    return this.#settle(this.#track(await startPickyServer(data)), data, names)
  }

  async #settle(server: Running, data: string, names: readonly string[]): Promise<Team> {
    const url = server.ready['url'] ?? ''
    const admin = new Admin(url)
    await admin.people(...names)
    return { server, url, data, admin, cid: await admin.channel('plans', names) }
  }

  /** One user of a server on a separate device. */
  async client(serverUrl: string, userId: string, data = this.folder(userId)): Promise<Client> {
    const app = await this.app(data, ...(await connectArgs(serverUrl, userId)))
    return { app, data, screen: await this.open(app.ready['url']) }
  }

  /** What pages reported: CSP violations and errors. Must stay empty in every story. */
  complaints(): string[] {
    return this.#screens
      .flatMap(({ complaints }) => complaints)
      .filter((complaint) => !this.#expected.some((pattern) => pattern.test(complaint)))
  }

  /** Messages of the browser itself about what the story does on purpose. */
  expectComplaint(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#screens.map(({ page }) => page.context().close()))
    for (const end of this.#endings.toReversed()) await end()
  }

  #track(running: Running): Running {
    this.#endings.push(() => running.stop())
    return running
  }
}

export const test = base.extend<{ world: World }>({
  world: async ({ browser }, use) => {
    const world = new World(browser)
    try {
      await use(world)
      expect(world.complaints()).toEqual([])
    } finally {
      await world.end()
    }
  },
})

export { expect }
