import { chromium, type BrowserContext } from '@playwright/test'
import { expect, test } from '../kit/world.ts'

/** Seen once, Chromium notes the time; seen twice, it keeps the compiled code. */
const STARTS_BEFORE = 3

test('a window that has been open before uses the compiled code that Chromium kept', async ({ world }, { project }) => {
  const app = await world.app(world.folder('demo'), '--demo')
  // Kept on disk, which the windows of other stories have not.
  const context = await chromium.launchPersistentContext(world.folder('profile'), project.use.launchOptions)
  try {
    for (let start = 0; start < STARTS_BEFORE; start += 1) await compiledAtStart(context, app.ready['url'])
    const compiled = await compiledAtStart(context, app.ready['url'])
    for (const part of ['react', 'start']) {
      const script = compiled.find(({ url }) => new RegExp(`/assets/${part}-`).test(url))
      expect(script, part).toMatchObject({ cacheRejected: false })
      expect(script?.consumedCacheSize, part).toBeGreaterThan(50_000)
    }
  } finally {
    await context.close()
  }
})

type Compiled = { readonly url: string; readonly consumedCacheSize?: number; readonly cacheRejected?: boolean }

/** Opens the app in a new tab; what was compiled until its newest messages were there. */
async function compiledAtStart(context: BrowserContext, url = ''): Promise<readonly Compiled[]> {
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  const compiled: Compiled[] = []
  tools.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as { name: string; args?: { data?: Compiled } }[]) {
      if (event.name.startsWith('v8.compile') && event.args?.data?.url !== undefined) compiled.push(event.args.data)
    }
  })
  await tools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'v8'] },
  })
  await page.goto(url)
  await page.locator('[data-message-list][data-settled]').waitFor()
  const ended = new Promise((resolve) => tools.once('Tracing.tracingComplete', resolve))
  await tools.send('Tracing.end')
  await ended
  await page.close()
  return compiled
}
