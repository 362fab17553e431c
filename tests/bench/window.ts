import type { Page } from 'playwright'
import { fillCache } from './client-seed.ts'
import { benchFolder, removeFolder } from './folders.ts'
import { bareEcho, bareNodeOpen, barePost, bareTransaction, minimalListSwitch, withBlankPage } from './limits.ts'
import { heapOf, startChrome, timeNavigation, timeSend, timeSwitch, type Chrome } from './page.ts'
import { pssOf, startAppProcess, startDemoProcess, startServerProcess, type Running } from './processes.ts'
import { channelCid, totalOf, type SeedSize } from './seeds.ts'
import { seedServer } from './server-seed.ts'
import { scrollChannel, scrollFigures, scrollFloor } from './scrolling.ts'
import { figure, type Figure } from './stats.ts'

export type WindowRuns = { readonly runs: number; readonly log: (text: string) => void }

const NO_PEER = 'peer figures of The Lounge and Converse.js cannot be taken here: they were measured before'

/** Everything that needs the built app in a browser, on one seed. */
export async function measureWindow(size: SeedSize, { runs, log }: WindowRuns): Promise<Figure[]> {
  const [serverFolder, dataFolder] = [benchFolder('server'), benchFolder('app')]
  log(`seed ${size.name}: writing ${totalOf(size)} messages into a server`)
  await seedServer(serverFolder, size)
  const server = await startServerProcess(serverFolder, 0)
  let app: Running | undefined
  let chrome: Chrome | undefined
  try {
    log(`seed ${size.name}: scrolling all of it into a cache`)
    await fillCache(dataFolder, server.url, size)
    app = await startAppProcess(dataFolder, server.url)
    chrome = await startChrome()
    const page = await chrome.context.newPage()
    const floors = await measureFloors(page, runs)
    log(`seed ${size.name}: switching and sending`)
    const online = await measureOnline(page, app, size, floors, runs)
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
    const memory = await measureMemory(page, size, { chrome, app, server })
    await server.stop()
    log(`seed ${size.name}: sending with the server down`)
    const offline = await measureOffline(page, size, floors, runs)
    await app.stop()
    log(`seed ${size.name}: cold starts with the server down`)
    app = undefined
    const cold = await measureCold(page, dataFolder, server.url, size, floors, runs)
    return [...cold, ...online, ...scrolled, ...offline, ...memory]
  } finally {
    await chrome?.stop()
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

async function measureOnline(
  page: Page,
  app: Running,
  size: SeedSize,
  floors: Floors,
  runs: number,
): Promise<Figure[]> {
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

async function measureMemory(
  page: Page,
  size: SeedSize,
  { chrome, app, server }: { chrome: Chrome; app: Running; server: Running },
): Promise<Figure[]> {
  const what = `${totalOf(size)} messages`
  const pss = { browser: pssOf(chrome.pid), app: pssOf(app.pid), server: pssOf(server.pid) }
  const heap = await heapOf(page)
  return [
    figure(`page heap after use, ${what}`, 'MiB', [heap]),
    ...Object.entries(pss).flatMap(([name, value]) =>
      value === undefined ? [] : [figure(`memory of the ${name} (PSS), ${what}`, 'MiB', [value])],
    ),
  ]
}

async function measureCold(
  page: Page,
  dataFolder: string,
  serverUrl: string,
  size: SeedSize,
  floors: Floors,
  runs: number,
): Promise<Figure[]> {
  const starts: number[] = []
  const wholes: number[] = []
  let app: Running | undefined
  for (let index = 0; index < Math.min(5, runs); index += 1) {
    await app?.stop()
    const startedAt = performance.now()
    app = await startAppProcess(dataFolder, serverUrl)
    starts.push(app.readyMs)
    await timeNavigation(page, app.url)
    wholes.push(performance.now() - startedAt)
  }
  const opened: number[] = []
  for (let index = 0; index < runs; index += 1) opened.push(await timeNavigation(page, app?.url ?? ''))
  await app?.stop()
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

/** Memory of a first start on the demo workspace, and of a Chromium with a blank page for comparison. */
export async function measureDemo({ log }: WindowRuns): Promise<Figure[]> {
  const dataFolder = benchFolder('demo')
  log('demo: first start')
  const chrome = await startChrome()
  const page = await chrome.context.newPage()
  let app: Running | undefined
  try {
    await withBlankPage((url) => timeNavigation(page, url))
    const blank = pssOf(chrome.pid)
    const startedAt = performance.now()
    app = await startDemoProcess(dataFolder)
    await timeNavigation(page, app.url)
    const firstMs = performance.now() - startedAt
    await page.waitForTimeout(3_000)
    const items = await reachable(page)
    for (const cid of items) await timeSwitch(page, cid)
    const [browser, own, heap] = [pssOf(chrome.pid), pssOf(app.pid), await heapOf(page)]
    return [
      figure('first start on the demo: process start to a channel painted', 'ms', [firstMs]),
      figure('page heap after use, demo', 'MiB', [heap]),
      ...(browser === undefined || blank === undefined || own === undefined
        ? []
        : [
            figure('memory of the browser (PSS), demo', 'MiB', [browser], {
              limit: { name: 'Chromium with a blank page', values: [blank] },
            }),
            figure('memory of the app and its server (PSS), demo', 'MiB', [own]),
          ]),
    ]
  } finally {
    await chrome.stop()
    await app?.stop()
    removeFolder(dataFolder)
  }
}
