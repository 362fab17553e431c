import { fillCache } from './client-seed.ts'
import type { Runs } from './hosts/host.ts'
import { inApp } from './in-app.ts'
import { scrollChannel, scrollFigures } from './scrolling.ts'
import { channelCid, SEED_D, totalOf } from './seeds.ts'
import type { Figure } from './stats.ts'

/** Scrolling up a channel of 100,000 messages, from its newest, with all of it in the cache. */
export function measureDeep({ log, host }: Runs): Promise<Figure[]> {
  log(`seed D: writing ${totalOf(SEED_D)} messages into a server`)
  const before = async (serverUrl: string, dataFolder: string): Promise<void> => {
    log('seed D: scrolling all of it into a cache')
    await fillCache(dataFolder, serverUrl, SEED_D)
  }
  return inApp(host, { size: SEED_D, before }, async ({ page, floor }) => {
    await page.locator(`[data-channel-item="${channelCid(0)}"]`).click()
    await page.locator(`[data-message-list="${channelCid(0)}"][data-settled="1"]`).waitFor()
    log('seed D: scrolling')
    return scrollFigures('100,000 messages', await scrollChannel(page, channelCid(0)), floor)
  })
}
