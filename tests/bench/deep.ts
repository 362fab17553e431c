import { fillCache } from './client-seed.ts'
import { benchFolder, removeFolder } from './folders.ts'
import { startChrome } from './page.ts'
import { startAppProcess, startServerProcess } from './processes.ts'
import { scrollChannel, scrollFigures, scrollFloor } from './scrolling.ts'
import { channelCid, SEED_D, totalOf } from './seeds.ts'
import { seedServer } from './server-seed.ts'
import type { Figure } from './stats.ts'
import type { WindowRuns } from './window.ts'

/** Scrolling up a channel of 100,000 messages, from its newest, with all of it in the cache. */
export async function measureDeep({ log }: WindowRuns): Promise<Figure[]> {
  const [serverFolder, dataFolder] = [benchFolder('server'), benchFolder('app')]
  log(`seed D: writing ${totalOf(SEED_D)} messages into a server`)
  await seedServer(serverFolder, SEED_D)
  const server = await startServerProcess(serverFolder, 0)
  try {
    log('seed D: scrolling all of it into a cache')
    await fillCache(dataFolder, server.url, SEED_D)
    const app = await startAppProcess(dataFolder, server.url)
    const chrome = await startChrome()
    try {
      const page = await chrome.context.newPage()
      const floor = await scrollFloor(page)
      await page.goto(app.url)
      await page.locator(`[data-channel-item="${channelCid(0)}"]`).click()
      await page.locator(`[data-message-list="${channelCid(0)}"][data-settled="1"]`).waitFor()
      log('seed D: scrolling')
      return scrollFigures('100,000 messages', await scrollChannel(page, channelCid(0)), floor)
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
