import { settledRow, timeClick, timeKey, timeNavigation, timeSend, timeSwitch } from '../page.ts'
import { scrollChannel } from '../scrolling.ts'
import { channelCid, channelId } from '../seeds.ts'
import { COMMON_WORD, messageId, RARE_WORD, replyId } from '../server/sizes.ts'
import type { Bed } from './beds.ts'

/** What a person does in the window; resolves with the milliseconds they waited. */
export type Gesture = { readonly name: string; readonly run: (bed: Bed, turn: number) => Promise<number> }

/** The largest channel: its threads, its old messages, and scrolling in it. The others are small ones. */
const LARGEST = 0
const SEEN = [1, 2, 3, 4, 5]
const UNREAD = 6
const LINKS = 7
const INCOMING = 8
const OWN = 9

const UNREAD_MESSAGES = 60
/** No further than the smallest largest channel reaches. */
const SCROLLED_FRAMES = 20
/** What follows an answer (marks of what was read, lists fetched ahead) is over. */
const REST_MS = 500

const item = (channel: number): string => `[data-channel-item="${channelCid(channel)}"]`
const path = (channel: number): string => `/channels/team/${channelId(channel)}`
const seen = (turn: number): number => SEEN[(turn + SEEN.length) % SEEN.length] ?? LARGEST
const open = ({ app: { page } }: Bed, channel: number): Promise<number> => timeSwitch(page, channelCid(channel))

async function reload({ app: { page, url } }: Bed): Promise<void> {
  await timeNavigation(page, url)
  await page.locator(item(OWN)).waitFor()
  await page.waitForTimeout(2 * REST_MS)
}

async function firstSwitch(bed: Bed, turn: number): Promise<number> {
  await reload(bed)
  return open(bed, seen(turn))
}

async function openThread(bed: Bed): Promise<number> {
  await open(bed, LARGEST)
  const parentId = messageId(bed.size, LARGEST, 0)
  const thread = settledRow(`${channelCid(LARGEST)}/${parentId}`, replyId(parentId, bed.size.replies ?? 0))
  const ms = await timeClick(bed.app.page, `[data-message-id="${parentId}"] button[aria-label^="Open thread"]`, thread)
  await bed.app.page.getByRole('button', { name: 'Close thread' }).click()
  return ms
}

/** The last letter of a word, in a search that has found something for those before it. */
async function search({ app: { page } }: Bed, word: string): Promise<number> {
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search messages' }).fill(word.slice(0, -1))
  await page.locator('[data-results][data-answered] [data-hit]').first().waitFor()
  await page.waitForTimeout(REST_MS)
  return timeKey(page, word.slice(-1), '[data-results][data-answered] [data-hit]')
}

async function quickSwitch({ app: { page } }: Bed): Promise<number> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('room ')
  await page.waitForTimeout(REST_MS)
  const ms = await timeKey(page, `${SEEN.length}`, `[id$="channel-${channelCid(SEEN.length)}"][aria-selected="true"]`)
  await page.keyboard.press('Escape')
  return ms
}

async function openUnread(bed: Bed): Promise<number> {
  const { size, viewer } = bed
  const { page } = bed.app
  await open(bed, LARGEST)
  const first = messageId(size, UNREAD, UNREAD_MESSAGES - 1)
  await viewer.call('POST', `${path(UNREAD)}/read`, {})
  await viewer.call('POST', `${path(UNREAD)}/unread`, { message_id: first })
  await page.waitForTimeout(REST_MS)
  return timeClick(page, item(UNREAD), settledRow(channelCid(UNREAD), first))
}

/** The conversations with unread messages, and the bars of the last seven days, of which the highest fills its place. */
async function catchUp(bed: Bed): Promise<number> {
  await openUnread(bed)
  await open(bed, LARGEST)
  await bed.app.page.waitForTimeout(REST_MS)
  const whole = 'main:has([data-unread-place]) i[style*="height: 100%"]'
  return timeClick(bed.app.page, '[data-region="sidebar"] [data-roving-id="catch-up"]', whole)
}

/** Each time another one from the middle of the largest channel. */
async function followLink(bed: Bed, turn: number): Promise<number> {
  const { size, other } = bed
  const { page } = bed.app
  const old = messageId(size, LARGEST, Math.floor((size.messages[LARGEST] ?? 0) / 2) + turn)
  const text = `[old ${turn}](parlor://open/127.0.0.1/message/${channelCid(LARGEST)}/${old})`
  await open(bed, LINKS)
  await other.call('POST', `${path(LINKS)}/message`, { message: { text } })
  const link = page.locator(`[data-message-list="${channelCid(LINKS)}"] a`).filter({ hasText: `old ${turn}` })
  await link.waitFor()
  await link.evaluate((element) => element.setAttribute('data-bench', ''))
  await page.waitForTimeout(REST_MS)
  return timeClick(page, '[data-bench]', `[data-row="${old}"][data-target]`)
}

async function receive(bed: Bed, turn: number): Promise<number> {
  const { other } = bed
  const { page } = bed.app
  await open(bed, INCOMING)
  await page.waitForTimeout(REST_MS)
  const id = `incoming-${turn}-${Date.now()}`
  const shown = page.evaluate(
    async (wanted) =>
      performance.timeOrigin + (await window.parlorProbe.painted(() => document.querySelector(wanted) !== null)),
    `[data-message-id="${id}"]`,
  )
  const sentAt = performance.timeOrigin + performance.now()
  await other.call('POST', `${path(INCOMING)}/message`, { message: { id, text: 'a message of another person' } })
  return (await shown) - sentAt
}

async function send(bed: Bed, turn: number, isOnline: boolean): Promise<number> {
  await open(bed, OWN)
  const text = `${isOnline ? 'online' : 'offline'} message ${turn}.`
  return (await timeSend(bed.app.page, channelCid(OWN), text, isOnline)).painted
}

async function scroll(bed: Bed): Promise<number> {
  await reload(bed)
  await open(bed, LARGEST)
  await bed.app.page.waitForTimeout(REST_MS)
  return (await scrollChannel(bed.app.page, channelCid(LARGEST), SCROLLED_FRAMES)).cpu
}

async function coldStart(bed: Bed): Promise<number> {
  await bed.restart()
  return bed.app.show()
}

export const ONLINE: readonly Gesture[] = [
  { name: 'first switch to a channel', run: firstSwitch },
  { name: 'switch again', run: (bed, turn) => open(bed, seen(turn)) },
  { name: 'opening a thread', run: openThread },
  {
    name: 'search, last key to results with the pause of 120 ms in typing, a rare word',
    run: (bed) => search(bed, RARE_WORD),
  },
  {
    name: 'search, last key to results with the pause of 120 ms in typing, a common word',
    run: (bed) => search(bed, COMMON_WORD),
  },
  { name: 'quick switcher, key to result', run: quickSwitch },
  { name: `opening a channel at the first of ${UNREAD_MESSAGES} unread messages`, run: openUnread },
  { name: 'opening Catch up', run: catchUp },
  { name: 'following a link to an old message', run: followLink },
  { name: 'incoming message, request of its sender to painted', run: receive },
  { name: 'own message, Enter to painted', run: (bed, turn) => send(bed, turn, true) },
  { name: 'scrolling up: processor time of a frame', run: scroll },
]

export const SERVER_DOWN: readonly Gesture[] = [
  { name: 'own message, server down, Enter to painted', run: (bed, turn) => send(bed, turn, false) },
  {
    name: 'cold start, server down: navigation to newest rows painted',
    run: ({ app }) => timeNavigation(app.page, app.url),
  },
  { name: 'cold start, server down: process start to painted', run: coldStart },
]
