import type { Page } from 'playwright'
import { seededIds } from '#kit/seeded-ids.ts'
import type { Runs } from './hosts/host.ts'
import { inApp } from './in-app.ts'
import { startRelay, type Relay } from './relay.ts'
import { channelCid, SEED_S } from './seeds.ts'
import { figure, quantile, type Figure } from './stats.ts'
import { newMessageFrames } from './wire.ts'

const AT_ONCE = 1_000
const PACED = { perSecond: 2_000, seconds: 10 }
const EVERY_MS = 5

type Flooded = {
  /** From the first frame sent to the last message painted. */
  readonly ms: number
  /** Of that, after the last frame was sent. */
  readonly behindMs: number
  /** Tasks of the page's main thread that took over 50 ms, and the times between its frames. */
  readonly long: readonly number[]
  readonly gaps: readonly number[]
}

/** Messages of others into the open channel, faster than a server could store them: what app and window can take. */
export async function measureFlood({ runs, log, host }: Runs): Promise<Figure[]> {
  let relay: Relay | undefined
  const between = async (serverUrl: string): Promise<string> => {
    relay = await startRelay(serverUrl)
    return relay.url
  }
  try {
    return await inApp(host, { size: SEED_S, between }, async ({ page }) => {
      if (!relay) throw new Error('The app is connected to no relay')
      const cid = channelCid(0)
      await page.locator(`[data-channel-item="${cid}"]`).click()
      await page.locator(`[data-message-list="${cid}"][data-settled="1"]`).waitFor()
      await page.waitForTimeout(2_000)
      const atOnce: Flooded[] = []
      for (let run = -1; run < Math.min(5, runs); run += 1) {
        log(`flood: ${AT_ONCE} messages at once`)
        const one = await flood(page, relay, AT_ONCE, 0)
        if (run >= 0) atOnce.push(one)
      }
      log(`flood: ${PACED.perSecond} a second for ${PACED.seconds} s`)
      const paced = await flood(page, relay, PACED.perSecond * PACED.seconds, PACED.perSecond)
      return figuresOf(atOnce, paced)
    })
  } finally {
    await relay?.stop()
  }
}

function figuresOf(atOnce: readonly Flooded[], paced: Flooded): Figure[] {
  const rate = atOnce.map(({ ms }) => (AT_ONCE * 1_000) / ms)
  const worst = (values: readonly number[]): number => Math.max(0, ...values)
  const gapMs = Math.round(
    quantile(
      atOnce.flatMap(({ gaps }) => gaps),
      0.95,
    ),
  )
  const note = `95 of 100 frames within ${gapMs} ms of the one before`
  const steady = `${PACED.perSecond} a second for ${PACED.seconds} s`
  return [
    figure(`${AT_ONCE} messages at once into the open channel: painted`, 'per second', rate, { note }),
    figure('the same: longest task of the window', 'ms', [worst(atOnce.flatMap(({ long }) => long))]),
    figure(`${steady}: painted`, 'per second', [(PACED.perSecond * PACED.seconds * 1_000) / paced.ms]),
    figure('the same: the last one painted, after it was sent', 'ms', [paced.behindMs]),
    figure('the same: longest task of the window', 'ms', [worst(paced.long)]),
    figure('the same: longest time between two frames', 'ms', [worst(paced.gaps)]),
  ]
}

let floods = 0

/** @param perSecond 0: all at once */
async function flood(page: Page, relay: Relay, count: number, perSecond: number): Promise<Flooded> {
  floods += 1
  const ids = seededIds(floods)
  const frames = newMessageFrames(`flood${floods}`, count, [0], Date.now(), () => ids.random())
  const last = `flood${floods}-${count - 1}`
  await page.evaluate((id) => {
    const seen = { long: [] as number[], gaps: [] as number[], isOver: false }
    new PerformanceObserver((list) => seen.long.push(...list.getEntries().map((task) => task.duration))).observe({
      type: 'longtask',
    })
    let before: number | undefined
    const frame = (at: number): void => {
      if (before !== undefined) seen.gaps.push(at - before)
      before = at
      if (!seen.isOver) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    const painted = window.parlorProbe.painted(() => document.querySelector(`[data-message-id="${id}"]`) !== null)
    const all = painted.then((at) => {
      seen.isOver = true
      return { at: performance.timeOrigin + at, long: seen.long, gaps: seen.gaps }
    })
    Object.assign(window, { parlorFlood: all })
  }, last)
  const startedAt = performance.timeOrigin + performance.now()
  await send(relay, frames, perSecond)
  const sentAt = performance.timeOrigin + performance.now()
  const { at, long, gaps } = await page.evaluate(
    () => (window as unknown as { parlorFlood: Promise<{ at: number; long: number[]; gaps: number[] }> }).parlorFlood,
  )
  return { ms: at - startedAt, behindMs: at - sentAt, long, gaps }
}

async function send(relay: Relay, frames: readonly string[], perSecond: number): Promise<void> {
  if (perSecond === 0) return relay.add(frames)
  const startedAt = performance.now()
  for (let sent = 0; sent < frames.length;) {
    const due = Math.min(frames.length, Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond))
    if (due > sent) relay.add(frames.slice(sent, due))
    sent = due
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
