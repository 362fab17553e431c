import type { Page } from 'playwright'
import { putCampaign, putSegment, putTarget } from '#main/server/campaigns/campaign-tables.ts'
import { putUser, userById } from '#main/server/users/user-tables.ts'
import type { Work } from '#main/server/work.ts'
import { inApp } from './in-app.ts'
import { storeSecret, TABLE_ROW, timeRows } from './manage.ts'
import type { App, Runs } from './hosts/host.ts'
import { pssOf, type Running } from './processes.ts'
import { scrollFigures, scrollList } from './scrolling.ts'
import { SEED_A, VIEWER } from './seeds.ts'
import { figure, type Figure } from './stats.ts'

const SEGMENTS = 200
const TARGETS = 100_000
const LISTED = '[role="table"] [data-region="messages"]'
const LARGE = 'Large audience'
const CAMPAIGN = 'To all of them'

/** 200 segments, and one with a list of 100,000 people, in the window. */
export function measureSegments({ runs, log, host }: Runs): Promise<Figure[]> {
  log(`seed A: writing ${SEGMENTS} segments and a list of ${TARGETS} people into a server`)
  return inApp(host, { size: SEED_A, write: writeSegments }, async ({ page, floor, app, server }) => {
    await storeSecret(page)
    log('segments: the list')
    const before = memoryOf(app, server)
    const list = await measureList(page, runs)
    const scrolled = await scrollList(page, LISTED)
    log('segments: a list of people')
    const { opened, jumped, targets } = await measureLarge(page, runs)
    const after = memoryOf(app, server)
    log('segments: a dry run over a list of people')
    const counted = await measureDryRun(page)
    const counting = memoryOf(app, server)
    return [
      ...list,
      ...scrollFigures('the segments', scrolled, floor, 'scrolling through'),
      figure('opening a segment of 100,000 people at its list: click to painted', 'ms', opened),
      figure('jumping to an id in that list, with the pause of typing: key to painted', 'ms', jumped),
      ...scrollFigures('that list', targets, floor, 'scrolling through'),
      ...(before === undefined || after === undefined
        ? []
        : [figure('memory of app and server that all of this added', 'MiB', [after - before])]),
      figure('a dry run of a campaign over these 100,000 people: click to the number', 'ms', counted),
      ...(after === undefined || counting === undefined
        ? []
        : [figure('memory of app and server that two of these added', 'MiB', [counting - after])]),
    ]
  })
}

/** Proportional set size of both; `undefined` where the system does not tell. */
function memoryOf(app: App, server: Running): number | undefined {
  const [ofApp, ofServer] = [app.memory()?.app, pssOf(server.pid)]
  return ofApp === undefined || ofServer === undefined ? undefined : ofApp + ofServer
}

function writeSegments(work: Work): void {
  const viewer = userById(work.db, VIEWER)
  if (viewer === undefined) throw new Error(`no ${VIEWER}`)
  putUser(work.db, { ...viewer, role: 'admin' })
  const row = { type: 'user', description: 'For the bench', all_users: 0, all_sender_channels: 0 } as const
  for (let at = 0; at < SEGMENTS; at += 1) {
    const filter = JSON.stringify({ name: { $autocomplete: `person ${at}` } })
    const times = { created_at: work.now + at, updated_at: work.now + at }
    putSegment(work.db, { ...row, ...times, id: `s${at}`, name: `Segment ${at}`, filter })
  }
  const times = { created_at: work.now + SEGMENTS, updated_at: work.now + SEGMENTS }
  putSegment(work.db, { ...row, ...times, id: 'large', name: LARGE, filter: '{}' })
  writeCampaign(work)
  for (let at = 0; at < TARGETS; at += 1) {
    const id = `target-${String(at).padStart(6, '0')}`
    putUser(work.db, { ...viewer, id, name: `Target ${at}`, name_words: ` target ${at}`, role: 'user' })
    putTarget(work.db, 'large', id, work.now)
  }
}

function writeCampaign(work: Work): void {
  const message_template = { text: 'Hi {{receiver.name}}' }
  const input = { sender_id: VIEWER, message_template, create_channels: true, segment_ids: ['large'] }
  const ends = {
    scheduled_for: null,
    stop_at: null,
    started_at: null,
    completed_at: null,
    channels_created: 0,
    gathering: null,
  }
  const times = { created_at: work.now, updated_at: work.now }
  const about = { id: 'c', name: CAMPAIGN, sender_id: VIEWER, status: 'draft', segment_ids: '["large"]' } as const
  putCampaign(work.db, { ...about, ...ends, ...times, input: JSON.stringify(input) })
}

/** Twice: the second one replaces the first. */
async function measureDryRun(page: Page): Promise<number[]> {
  const counted: number[] = []
  for (let index = 0; index < 2; index += 1) {
    await page.getByRole('navigation').getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByRole('row', { name: CAMPAIGN }).click()
    const review = page.getByRole('button', { name: 'Review and send…' })
    await review.waitFor()
    const startedAt = performance.now()
    await review.click()
    await page.getByRole('heading', { name: /people get it/ }).waitFor({ timeout: 300_000 })
    counted.push(performance.now() - startedAt)
    await page.getByRole('navigation').getByRole('link', { name: 'Commands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Commands' }).waitFor()
  }
  return counted
}

async function measureList(page: Page, runs: number): Promise<Figure[]> {
  const opened: number[] = []
  const found: number[] = []
  for (let index = 0; index < runs; index += 1) {
    opened.push(await timeRows(page, { press: 'Segments' }, TABLE_ROW, 'For the bench'))
    found.push(await timeRows(page, { type: `Segment ${index + 111}` }, TABLE_ROW, `Segment ${index + 111}`))
    await page.getByRole('navigation').getByRole('link', { name: 'Commands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Commands' }).waitFor()
  }
  await timeRows(page, { press: 'Segments' }, TABLE_ROW, 'For the bench')
  return [
    figure('opening a list of 200 segments: click to painted', 'ms', opened),
    figure('finding a segment in it, with the pause of 250 ms in typing', 'ms', found),
  ]
}

async function measureLarge(page: Page, runs: number) {
  const opened: number[] = []
  const jumped: number[] = []
  for (let index = 0; index < runs; index += 1) {
    await page.getByRole('searchbox', { name: 'Find a segment' }).fill(LARGE)
    await page.getByRole('row', { name: LARGE }).click()
    await page.getByRole('heading', { level: 1, name: LARGE }).waitFor()
    opened.push(await timePress(page, 'List'))
    jumped.push(await timeRows(page, { type: `target-0${index + 1}0000` }, TABLE_ROW, `target-0${index + 1}0`))
    if (index === runs - 1) break
    await page.getByRole('main').getByRole('button', { name: 'Back', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Find a segment' }).waitFor()
  }
  return { opened, jumped, targets: await scrollList(page, LISTED) }
}

/** From the press of a view to the first frame with its rows. */
function timePress(page: Page, name: string): Promise<number> {
  return page.evaluate(
    async ({ name, rows }) => {
      const button = [...document.querySelectorAll<HTMLElement>('[role="radio"]')].find(
        (each) => each.textContent === name,
      )
      if (button === undefined) throw new Error(`no ${name}`)
      const startedAt = performance.now()
      button.click()
      const isThere = (): boolean => document.querySelectorAll(rows).length > 0
      return (await window.parlorProbe.painted(isThere)) - startedAt
    },
    { name, rows: TABLE_ROW },
  )
}
