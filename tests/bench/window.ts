import type { Page } from 'playwright'
import { fillCache } from './client-seed.ts'
import { benchFolder, removeFolder } from './folders.ts'
import type { App, Host, Runs } from './hosts/host.ts'
import { bareEcho, bareNodeOpen, barePost, bareTransaction, minimalListSwitch, withBlankPage } from './limits.ts'
import { heapOf, startChrome, timeNavigation, timeSend, timeSwitch } from './page.ts'
import { pssOf } from './processes.ts'
import { channelCid, totalOf, type SeedSize } from './seeds.ts'
import { seedServer } from './server-seed.ts'
import { scrollChannel, scrollFigures, scrollFloor } from './scrolling.ts'
import { figure, type Figure } from './stats.ts'

const NO_PEER = 'peer figures of The Lounge and Converse.js cannot be taken here: they were measured before'

/** Everything that needs the built app in a window, on one seed. */
export async function measureWindow(size: SeedSize, { runs, log, host }: Runs): Promise<Figure[]> {
  const [serverFolder, dataFolder] = [benchFolder('server'), benchFolder('app')]
  log(`seed ${size.name}: writing ${totalOf(size)} messages into a server`)
  await seedServer(serverFolder, size)
  const server = await host.startServer(serverFolder)
  let app: App | undefined
  try {
    log(`seed ${size.name}: scrolling all of it into a cache`)
    await fillCache(dataFolder, server.url, size)
    app = await host.startApp(dataFolder, server.url)
    await app.show()
    const { page } = app
    const floors = await measureFloors(page, runs)
    log(`seed ${size.name}: switching and sending`)
    const online = await measureOnline(app, size, floors, runs)
    log(`seed ${size.name}: scrolling`)
    const floor = await scrollFloor(page)
    await page.goto(app.url)
    await page.locator(`[data-channel-item="${channelCid(0)}"]`).waitFor()
    await timeSwitch(page, channelCid(0))
    const scrolled = scrollFigures(
      `a channel of ${size.messages[0] ?? 0} messages`,
      await scrollChannel(page, channelCid(0)),
      floor,
    )
    const memory = await memoryFigures(app, `${totalOf(size)} messages`, { server: pssOf(server.pid) })
    await server.stop()
    log(`seed ${size.name}: sending with the server down`)
    const offline = await measureOffline(page, size, floors, runs)
    await app.stop()
    log(`seed ${size.name}: cold starts with the server down`)
    app = undefined
    const cold = await measureCold(host, { dataFolder, serverUrl: server.url }, size, floors, runs)
    return [...cold, ...online, ...scrolled, ...offline, ...memory]
  } finally {
    await app?.stop()
    await server.stop()
    removeFolder(serverFolder)
    removeFolder(dataFolder)
  }
}

type Floors = {
  readonly blank: readonly number[]
  readonly list: readonly number[]
  readonly node: readonly number[]
  readonly transaction: readonly number[]
  readonly post: readonly number[]
  readonly echo: readonly number[]
}

async function measureFloors(page: Page, runs: number): Promise<Floors> {
  const onBlank = await withBlankPage(async (url) => {
    const blank: number[] = []
    for (let index = 0; index < runs; index += 1) blank.push(await timeNavigation(page, url))
    return { blank, list: await minimalListSwitch(page, runs * 2) }
  })
  return {
    ...onBlank,
    node: await bareNodeOpen(Math.min(runs, 5)),
    transaction: await bareTransaction(100),
    post: await barePost(100),
    echo: await bareEcho(100),
  }
}

async function measureOnline(app: App, size: SeedSize, floors: Floors, runs: number): Promise<Figure[]> {
  const { page } = app
  await page.goto(app.url)
  await page.locator(`[data-channel-item="${channelCid(0)}"]`).waitFor()
  // The engine recovers in parallel; an idle app is what is measured.
  await page.waitForTimeout(size.name === 'L' ? 8_000 : 2_000)
  const cids = await reachable(page)
  const first: number[] = []
  for (const cid of cids.slice(0, Math.max(10, runs))) first.push(await timeSwitch(page, cid))
  const again: number[] = []
  for (let index = 0; index < runs * 4; index += 1) again.push(await timeSwitch(page, cids[index % 10] ?? ''))
  const cid = channelCid(0)
  await timeSwitch(page, cid)
  const sent: { painted: number; acknowledged: number }[] = []
  for (let index = 0; index < Math.max(10, runs); index += 1) {
    sent.push(await timeSend(page, cid, `online ${index}.`, true))
  }
  const list = { name: 'minimal list switch', values: floors.list }
  return [
    figure(`first switch to a channel (seed ${size.name})`, 'ms', first, { limit: list, note: NO_PEER }),
    figure(`switch again (seed ${size.name})`, 'ms', again, { limit: list, note: NO_PEER }),
    figure(
      `own message, Enter to painted (seed ${size.name})`,
      'ms',
      sent.map((one) => one.painted),
      { limit: list },
    ),
    figure(
      `own message, Enter to acknowledged and painted (seed ${size.name})`,
      'ms',
      sent.map((one) => one.acknowledged),
      {
        limit: { name: 'bare POST that stores', values: floors.post },
      },
    ),
    figure(`bare websocket echo`, 'ms', floors.echo),
    figure(`bare durable transaction`, 'ms', floors.transaction),
  ]
}

/** The sidebar shows as many channels as fit; those can be clicked. */
const reachable = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-channel-item]')].map((item) => item.getAttribute('data-channel-item') ?? ''),
  )

async function measureOffline(page: Page, size: SeedSize, floors: Floors, runs: number): Promise<Figure[]> {
  await page.waitForTimeout(1_000)
  const painted: number[] = []
  for (let index = 0; index < Math.max(10, runs); index += 1) {
    painted.push((await timeSend(page, channelCid(0), `offline ${index}.`, false)).painted)
  }
  const limit = { name: 'minimal list switch', values: floors.list }
  return [figure(`own message, server down, Enter to painted (seed ${size.name})`, 'ms', painted, { limit })]
}

async function memoryFigures(
  app: App,
  what: string,
  { server, blank }: { readonly server?: number; readonly blank?: number },
): Promise<Figure[]> {
  const memory = app.memory()
  const heap = await heapOf(app.page)
  const all = memory && memory.app + memory.windows
  const limit = blank === undefined ? undefined : { name: 'Chromium with a blank page', values: [blank] }
  const sizes = { 'the windows': memory?.windows, 'the app': memory?.app, 'app and windows': all, 'the server': server }
  return [
    figure(`page heap after use, ${what}`, 'MiB', [heap]),
    ...Object.entries(sizes).flatMap(([name, value]) =>
      value === undefined ? [] : [figure(`memory of ${name} (PSS), ${what}`, 'MiB', [value], { limit })],
    ),
  ]
}

async function measureCold(
  host: Host,
  { dataFolder, serverUrl }: { readonly dataFolder: string; readonly serverUrl: string },
  size: SeedSize,
  floors: Floors,
  runs: number,
): Promise<Figure[]> {
  const starts: number[] = []
  const wholes: number[] = []
  const opened: number[] = []
  const times = Math.min(5, runs)
  for (let start = 0; start < times; start += 1) {
    const app = await host.startApp(dataFolder, serverUrl)
    starts.push(app.readyMs)
    wholes.push(await app.show())
    for (let index = 0; index < Math.ceil(runs / times); index += 1) {
      opened.push(await timeNavigation(app.page, app.url))
    }
    await app.stop()
  }
  const blank = { name: 'blank page', values: floors.blank }
  const node = { name: 'bare Node and better-sqlite3', values: floors.node }
  return [
    figure(`cold start, server down: navigation to newest rows painted (seed ${size.name})`, 'ms', opened, {
      limit: blank,
      note: NO_PEER,
    }),
    figure(`cold start, server down: process start to ready (seed ${size.name})`, 'ms', starts, { limit: node }),
    figure(`cold start, server down: process start to painted (seed ${size.name})`, 'ms', wholes, {
      limit: {
        name: 'bare Node start and blank page',
        values: floors.node.map((ms, at) => ms + (floors.blank[at] ?? 0)),
      },
    }),
  ]
}

/** A first start on the demo workspace; its memory beside that of a Chromium with a blank page. */
export async function measureDemo({ log, host }: Runs): Promise<Figure[]> {
  const dataFolder = benchFolder('demo')
  log('demo: first start')
  const blank = await blankMemory()
  const app = await host.startDemo(dataFolder)
  try {
    const firstMs = await app.show()
    await app.page.waitForTimeout(3_000)
    for (const cid of await reachable(app.page)) await timeSwitch(app.page, cid)
    return [
      figure('first start on the demo: process start to a channel painted', 'ms', [firstMs]),
      ...(await memoryFigures(app, 'demo, with its server', { blank })),
    ]
  } finally {
    await app.stop()
    removeFolder(dataFolder)
  }
}

async function blankMemory(): Promise<number | undefined> {
  const chrome = await startChrome()
  try {
    const page = await chrome.context.newPage()
    await withBlankPage((url) => timeNavigation(page, url))
    return pssOf(chrome.pid)
  } finally {
    await chrome.stop()
  }
}
