import type { Page } from 'playwright'
import type { Work } from '#main/server/work.ts'
import { benchFolder, removeFolder } from './folders.ts'
import type { App, Host } from './hosts/host.ts'
import type { Running } from './processes.ts'
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
  /** Scrolling of a page that holds nothing, in the same window. */
  readonly floor: Awaited<ReturnType<typeof scrollFloor>>
  readonly app: App
  readonly server: Running
}

/** Runs a server with a seed and the app of its viewer, with a window at the app, and ends and removes all of it. */
export async function inApp(
  host: Host,
  { size, write, before, between }: Seeded,
  measure: (parts: InApp) => Promise<Figure[]>,
): Promise<Figure[]> {
  const [serverFolder, dataFolder] = [benchFolder('server'), benchFolder('app')]
  await seedServer(serverFolder, size, write)
  const server = await host.startServer(serverFolder)
  try {
    await before?.(server.url, dataFolder)
    const app = await host.startApp(dataFolder, (await between?.(server.url)) ?? server.url)
    try {
      await app.show()
      const { page } = app
      const floor = await scrollFloor(page)
      await page.goto(app.url)
      return await measure({ page, floor, app, server })
    } finally {
      await app.stop()
    }
  } finally {
    await server.stop()
    removeFolder(serverFolder)
    removeFolder(dataFolder)
  }
}
