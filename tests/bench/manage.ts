import type { Page } from 'playwright'
import { SignJWT } from 'jose'
import { putCampaign, putSegment } from '#main/server/campaigns/campaign-tables.ts'
import { flag } from '#main/server/moderation/flags.ts'
import { putUser, userById } from '#main/server/users/user-tables.ts'
import type { Work } from '#main/server/work.ts'
import type { Runs } from './hosts/host.ts'
import { inApp } from './in-app.ts'
import { scrollFigures, scrollList } from './scrolling.ts'
import { membersOf, SEED_A, VIEWER } from './seeds.ts'
import { API_KEY, SECRET } from './server-seed.ts'
import { figure, type Figure } from './stats.ts'

const REASONS = ['spam', 'insult', 'private', 'other']
const QUEUE_MESSAGE = '[data-review-message]'
export const TABLE_ROW = '[role="table"] [data-roving-id]'
const QUEUE_ROW = '[aria-multiselectable] > [role="option"]'

/** A directory of 10,000 people, a queue of 5,000 reports and 500 campaigns: asked of the server, and in the window. */
export function measureManage({ runs, log, host }: Runs): Promise<Figure[]> {
  log('seed A: writing 10,000 people and 5,000 reports into a server')
  let asked: readonly Figure[] = []
  const before = async (url: string): Promise<void> => {
    log('seed A: asking the server')
    asked = await measureRequests(url, runs)
  }
  return inApp(host, { size: SEED_A, write: reportEverything, before }, async ({ page, floor }) => {
    await storeSecret(page)
    log('seed A: directory')
    const directory = await measureDirectory(page, runs)
    const table = await scrollList(page, '[role="table"] [data-region="messages"]')
    log('seed A: review queue')
    const queue = await measureQueue(page, runs)
    const list = await scrollList(page, ':has(> [aria-multiselectable])')
    log('seed A: campaigns')
    const campaigns = await measureCampaigns(page, runs)
    const rows = await scrollList(page, '[role="table"] [data-region="messages"]')
    return [
      ...asked,
      ...directory,
      ...scrollFigures('the directory', table, floor, 'scrolling through'),
      ...queue,
      ...scrollFigures('the review queue', list, floor, 'scrolling through'),
      ...campaigns,
      ...scrollFigures('the campaigns', rows, floor, 'scrolling through'),
    ]
  })
}

/** The viewer administers the app; each message is reported by one member who did not write it. */
function reportEverything(work: Work): void {
  const viewer = userById(work.db, VIEWER)
  if (viewer !== undefined) putUser(work.db, { ...viewer, role: 'admin' })
  writeCampaigns(work)
  const members = membersOf(SEED_A, 0)
  const messages = work.db.all<{ id: string; user_id: string }>('SELECT id, user_id FROM messages ORDER BY id')
  messages.forEach(({ id, user_id: author }, index) => {
    const userId = members.find((each) => each !== author && each !== VIEWER) ?? VIEWER
    const who = { userId, role: 'user', banned: false, server: false, expiresAtMs: undefined }
    flag(work, who, { kind: 'message', targetId: id, reason: REASONS[index % REASONS.length] })
  })
}

const CAMPAIGNS = 500
const EVERYONE = 'everyone'

/** Drafts to a segment of all people, the newest of them `Campaign 499`. */
function writeCampaigns(work: Work): void {
  const times = { created_at: work.now, updated_at: work.now }
  const segment = { type: 'user', name: 'Everyone', description: '', filter: '{}', all_sender_channels: 0 } as const
  putSegment(work.db, { ...segment, id: EVERYONE, all_users: 1, ...times })
  const input = { sender_id: VIEWER, message_template: { text: 'Hi {{receiver.name}}' }, create_channels: true }
  const ends = {
    scheduled_for: null,
    stop_at: null,
    started_at: null,
    completed_at: null,
    channels_created: 0,
    gathering: null,
  }
  for (let index = 0; index < CAMPAIGNS; index += 1) {
    const at = work.now + index
    const segment_ids = JSON.stringify([EVERYONE])
    const text = JSON.stringify({ ...input, segment_ids: [EVERYONE] })
    const row = { id: `c${index}`, name: `Campaign ${index}`, sender_id: VIEWER, status: 'draft', input: text } as const
    putCampaign(work.db, { ...row, ...ends, segment_ids, created_at: at, updated_at: at })
  }
}

async function measureCampaigns(page: Page, runs: number): Promise<Figure[]> {
  const opened: number[] = []
  const counted: number[] = []
  for (let index = 0; index < runs; index += 1) {
    await page.getByRole('navigation').getByRole('link', { name: 'Commands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Commands' }).waitFor()
    opened.push(await timeRows(page, { press: 'Campaigns' }, TABLE_ROW, 'Campaign'))
    await page.locator(TABLE_ROW).first().click()
    const review = page.getByRole('button', { name: 'Review and send…' })
    await review.waitFor()
    const startedAt = performance.now()
    await review.click()
    await page.getByRole('heading', { name: /people get it/ }).waitFor()
    counted.push(performance.now() - startedAt)
    await page.getByRole('main').getByRole('button', { name: 'Back', exact: true }).click()
    await page.getByRole('main').getByRole('button', { name: 'Back', exact: true }).click()
    await page.locator(TABLE_ROW).first().waitFor()
  }
  return [
    figure('opening a list of 500 campaigns: click to painted', 'ms', opened),
    figure('a dry run over 10,000 people: click to the number', 'ms', counted),
  ]
}

async function measureRequests(url: string, runs: number): Promise<Figure[]> {
  const token = await new SignJWT({ server: true })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET))
  const timed = async (method: string, path: string, body: object): Promise<number[]> => {
    const query = new URLSearchParams({ api_key: API_KEY })
    if (method === 'GET') query.set('payload', JSON.stringify(body))
    const found: number[] = []
    for (let index = 0; index < runs; index += 1) {
      const startedAt = performance.now()
      const reply = await fetch(`${url}${path}?${query}`, {
        method,
        headers: { authorization: token, 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      found.push(performance.now() - startedAt)
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    }
    return found
  }
  const people = (more: object) =>
    timed('GET', '/users', { filter_conditions: {}, sort: [{ field: 'name', direction: 1 }], limit: 100, ...more })
  const items = (filter: object) => timed('POST', '/api/v2/moderation/review_queue', { filter, limit: 100 })
  return [
    figure('server: the first 100 of 10,000 people, by name', 'ms', await people({})),
    figure('server: the same from the 1,000th on', 'ms', await people({ offset: 1_000 })),
    figure(
      'server: people whose name contains a text',
      'ms',
      await people({ filter_conditions: { name: { $autocomplete: 'person 99' } } }),
    ),
    figure('server: the first 100 of 5,000 waiting reports', 'ms', await items({ reviewed: false })),
    figure('server: the same of one reason', 'ms', await items({ reviewed: false, reason: 'insult' })),
  ]
}

/** As the owner of a hosted server does it: people are managed with its API secret. */
export async function storeSecret(page: Page): Promise<void> {
  await page.locator('[data-channel-item]').first().waitFor()
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation').getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByLabel('API secret').fill(SECRET)
  await page.keyboard.press('Enter')
  await page.getByText('The API secret is stored.').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page
    .getByRole('link', { name: /^Manage/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Directory' }).waitFor()
}

/** From an act in the page to the end of the first frame in which the rows are as they should be. */
export function timeRows(
  page: Page,
  act: { readonly press?: string; readonly type?: string },
  rows: string,
  holds: string,
) {
  return page.evaluate(
    async ({ press, type, rows, holds }) => {
      const isThere = (): boolean => {
        const texts = [...document.querySelectorAll(rows)].map((row) => row.textContent)
        return texts.length > 0 && texts.every((text) => text.includes(holds))
      }
      const startedAt = performance.now()
      if (press !== undefined) {
        const link = [...document.querySelectorAll<HTMLElement>('nav [role="link"]')].find((each) =>
          each.textContent.includes(press),
        )
        if (link === undefined) throw new Error(`no page ${press}`)
        link.click()
      } else {
        const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, type)
        field?.dispatchEvent(new Event('input', { bubbles: true }))
      }
      return (await window.parlorProbe.painted(isThere)) - startedAt
    },
    { ...act, rows, holds },
  )
}

async function measureDirectory(page: Page, runs: number): Promise<Figure[]> {
  const opened: number[] = []
  const found: number[] = []
  for (let index = 0; index < runs; index += 1) {
    opened.push(await timeRows(page, { press: 'Directory' }, TABLE_ROW, 'Person'))
    found.push(await timeRows(page, { type: `Person ${index + 11}` }, TABLE_ROW, `Person ${index + 11}`))
    await page.getByRole('navigation').getByRole('link', { name: 'Commands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Commands' }).waitFor()
  }
  await timeRows(page, { press: 'Directory' }, TABLE_ROW, 'Person')
  return [
    figure('opening a directory of 10,000 people: click to painted', 'ms', opened),
    figure('finding a person in it, with the pause of 250 ms in typing', 'ms', found),
  ]
}

async function measureQueue(page: Page, runs: number): Promise<Figure[]> {
  const opened: number[] = []
  for (let index = 0; index < runs; index += 1) {
    await page.getByRole('navigation').getByRole('link', { name: 'Commands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Commands' }).waitFor()
    opened.push(await timeRows(page, { press: 'Review queue' }, QUEUE_ROW, 'Room 0'))
  }
  const decided: number[] = []
  await page.locator(QUEUE_ROW).first().click()
  for (let index = 0; index < runs; index += 1) {
    await page.locator(QUEUE_MESSAGE).waitFor()
    decided.push(await timeDecision(page))
  }
  const filtered: number[] = []
  for (let index = 0; index < runs; index += 1) filtered.push(await timeFilter(page))
  return [
    figure('opening a queue of 5,000 reports: click to painted', 'ms', opened),
    figure('approving a report: key to the next one painted', 'ms', decided),
    figure('filtering the queue by a reason: click to painted', 'ms', filtered),
  ]
}

/** From the key to the next item with its message. */
async function timeDecision(page: Page): Promise<number> {
  await page.evaluate((detail) => {
    const current = (): string | undefined =>
      document.querySelector<HTMLElement>('[role="option"][aria-current="true"]')?.dataset['rovingId']
    const before = current()
    const textBefore = document.querySelector(detail)?.textContent
    const isNext = (): boolean => {
      const text = document.querySelector(detail)?.textContent
      return current() !== before && text !== undefined && text !== textBefore
    }
    let startedAt = 0
    addEventListener('keydown', () => (startedAt = performance.now()), { capture: true, once: true })
    const done = window.parlorProbe.painted(isNext).then((at) => at - startedAt)
    Object.assign(window, { parlorDecided: done })
  }, QUEUE_MESSAGE)
  await page.keyboard.press('a')
  return page.evaluate(() => (window as unknown as { parlorDecided: Promise<number> }).parlorDecided)
}

async function timeFilter(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Reason', exact: true }).click()
  const choice = page.getByRole('option', { name: 'Insult', exact: true })
  await choice.waitFor()
  const startedAt = await page.evaluate(() => performance.now())
  await choice.click()
  const painted = await page.evaluate(
    (rows) =>
      window.parlorProbe.painted(() => {
        const found = [...document.querySelectorAll(rows)]
        return found.length > 0 && found.every((row) => /Insult/.test(row.textContent))
      }),
    QUEUE_ROW,
  )
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await page.waitForFunction(
    (rows) => [...document.querySelectorAll(rows)].some((row) => !/Insult/.test(row.textContent)),
    QUEUE_ROW,
  )
  return painted - startedAt
}
