import type { Page } from 'playwright'
import type { Work } from '#main/server/work.ts'
import { benchFolder, removeFolder } from './folders.ts'
import { startChrome, type Chrome } from './page.ts'
import { startAppProcess, startServerProcess, type Running } from './processes.ts'
import { scrollFloor } from './scrolling.ts'
import type { SeedSize } from './seeds.ts'
import { seedServer } from './server-seed.ts'
import type { Figure } from './stats.ts'

type Seeded = {
  readonly size: SeedSize
  /** What is written into the server beside the seed. */
  readonly write?: (work: Work) => void
  /** Before the app is started, with the server and the folder of the app. */
  readonly before?: (serverUrl: string, dataFolder: string) => Promise<void>
  /** Returns the address that the app connects to instead of the server's own. */
  readonly between?: (serverUrl: string) => Promise<string>
}
type InApp = {
  readonly page: Page
  /** Scrolling of a page that holds nothing, in the same browser. */
  readonly floor: Awaited<ReturnType<typeof scrollFloor>>
  readonly app: Running
  readonly server: Running
  readonly chrome: Chrome
}

/** Runs a server with a seed, the app of its viewer, and a browser at the app, and ends and removes all of it. */
export async function inApp(
  { size, write, before, between }: Seeded,
  measure: (parts: InApp) => Promise<Figure[]>,
): Promise<Figure[]> {
  const [serverFolder, dataFolder] = [benchFolder('server'), benchFolder('app')]
  await seedServer(serverFolder, size, write)
  const server = await startServerProcess(serverFolder, 0)
  try {
    await before?.(server.url, dataFolder)
    const app = await startAppProcess(dataFolder, (await between?.(server.url)) ?? server.url)
    const chrome = await startChrome()
    try {
      const page = await chrome.context.newPage()
      const floor = await scrollFloor(page)
      await page.goto(app.url)
      return await measure({ page, floor, app, server, chrome })
    } finally {
      await chrome.stop()
      await app.stop()
    }
  } finally {
    await server.stop()
    removeFolder(serverFolder)
    removeFolder(dataFolder)
  }
}
