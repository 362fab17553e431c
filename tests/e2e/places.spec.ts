import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  DEEP,
  DEEP_CID,
  deepId,
  MENTIONS,
  PINNED,
  QUOTED,
  QUOTING,
  seedDeepChannel,
  SIDE_CID,
  STEP,
} from './kit/deep-channel.ts'
import { connectArgs } from './kit/processes.ts'
import type { Screen } from './kit/screen.ts'
import { expect, test, type Client, type Team, type World } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

/**
 * Each jump into a channel of 20,000 messages ends at the message, in one step: no frame without rows where rows are
 * cached, no list that keeps scrolling, no count of new messages that are not new.
 */

/** What one frame shows of the list: how many rows are in view, whether it is loading, where the target is. */
type Frame = {
  readonly rows: number
  readonly busy: boolean
  readonly height: number
  readonly loaded: number
  readonly first: string
  readonly target: number | null
}

type Recorder = { frames: Frame[]; going: boolean }

/** Records the list of a channel frame by frame, from now on. */
async function record(page: Page, list: string, target: string): Promise<void> {
  await page.evaluate(
    ([name, id]) => {
      const recorder: Recorder = { frames: [], going: true }
      Object.assign(globalThis, { recorder })
      const look = (): void => {
        if (!recorder.going) return
        requestAnimationFrame(look)
        // A hit in context has a separate list, which closes when its channel is opened.
        const lists = [...document.querySelectorAll<HTMLElement>(`[data-message-list="${name}"]`)]
        const found = lists.find((one) => one.closest('[aria-label="In context"]') === null)
        if (found === undefined) return
        const edge = found.getBoundingClientRect()
        const seen = [...found.querySelectorAll<HTMLElement>('[data-message-id]')].filter((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          return bottom > edge.top && top < edge.bottom
        })
        const row = seen.find(({ dataset }) => dataset['messageId'] === id)
        recorder.frames.push({
          rows: seen.length,
          height: found.clientHeight,
          busy: found.getAttribute('aria-busy') === 'true',
          loaded: Number(found.dataset['loaded']),
          first: seen[0]?.dataset['messageId'] ?? '',
          target: row === undefined ? null : Math.round(row.getBoundingClientRect().top - edge.top),
        })
      }
      requestAnimationFrame(look)
    },
    [list, target] as const,
  )
}

/** Half a second of further frames, in which a scrolling list would move far away. */
const recorded = (page: Page): Promise<Frame[]> =>
  page.evaluate(async () => {
    const { recorder } = globalThis as unknown as { recorder: Recorder }
    const until = performance.now() + 800
    while (performance.now() < until) await new Promise((done) => requestAnimationFrame(done))
    recorder.going = false
    return recorder.frames
  })

type Jump = {
  readonly act: () => Promise<unknown>
  readonly to: string
  readonly list?: string
  /** Going back shows the previous rows: there is no frame without any. */
  readonly held?: boolean
  /** A message that was jumped to is tinted. */
  readonly tinted?: boolean
}

/** Makes one jump and checks it against the rules of all jumps. */
async function checkNavigation(
  { page }: Screen,
  { act, to, list = DEEP_CID, held = false, tinted = true }: Jump,
): Promise<void> {
  await record(page, list, to)
  await act()
  const row = page.locator(`[data-message-list="${list}"] [data-message-id="${to}"]`)
  await expect(row).toBeInViewport({ timeout: 10_000 })
  const mark = tinted ? '[data-target]' : ''
  await expect(page.locator(`[data-message-list="${list}"] [data-row="${to}"]${mark}`)).toBeAttached()
  const frames = await recorded(page)
  const blank = frames.filter(({ rows, busy }) => rows === 0 && (held || !busy))
  expect(blank, 'frames without a row').toEqual([])
  const landed = frames.findIndex(({ target }) => target !== null)
  expect(
    frames.slice(landed).filter(({ target }) => target === null),
    'frames without the target',
  ).toEqual([])
  const after = frames.slice(landed)
  expect([...new Set(after.map(({ height }) => height))], 'nothing below the list comes late').toHaveLength(1)
  const tops = after.map(({ target }) => target ?? Number.NaN)
  expect(Math.max(...tops) - Math.min(...tops), `the target stays: ${tops.join(' ')}`).toBeLessThanOrEqual(1)
  expect(new Set(after.map(({ first }) => first)).size, 'the top row stays').toBe(1)
  expect(Math.max(...frames.map(({ loaded }) => loaded)), 'never more than a window').toBeLessThanOrEqual(300)
  await expect(page.getByRole('button', { name: /\d new message/ })).toHaveCount(0)
}

type DeepChannelClient = Omit<Team, 'cid'> & Client

async function openDeepChannel(world: World): Promise<DeepChannelClient> {
  const team = await world.seededTeam(seedDeepChannel)
  const client = await world.client(team.url, 'alice')
  await client.screen.openChannel(DEEP_CID)
  return { ...team, ...client }
}

const away = (screen: Screen) => screen.openChannel(SIDE_CID)
const back = (screen: Screen) => screen.row(DEEP_CID).click()
const pill = (screen: Screen, name: string) => screen.page.getByRole('button', { name, exact: true })

async function showPinned(screen: Screen): Promise<void> {
  await screen.page.getByRole('button', { name: '1 pinned message' }).click()
  await screen.page.getByRole('button', { name: 'Show', exact: true }).click()
}

/** Opens the one hit of a search in the panel beside the results. */
async function find(screen: Screen, text: string): Promise<void> {
  const { page } = screen
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search messages' }).fill(text)
  await expect(page.locator('[data-hit]')).toHaveCount(1)
  await expect(page.locator('[data-hit]')).toContainText(text.replaceAll('"', ''))
}

test('jumps inside a channel: pinned, quote, back and forward, and back from another channel', async ({ world }) => {
  const { screen } = await openDeepChannel(world)
  const { page } = screen

  await test.step('a pinned message, 19,850 up', () =>
    checkNavigation(screen, { act: () => showPinned(screen), to: deepId(PINNED) }))
  await test.step('another channel and back: the same rows at once', async () => {
    await away(screen)
    await checkNavigation(screen, { act: () => back(screen), to: deepId(PINNED), held: true, tinted: false })
  })
  await test.step('a position that was scrolled to is restored as well', async () => {
    await screen.list(DEEP_CID).hover()
    await page.mouse.wheel(0, -600)
    await expect.poll(() => topOf(screen)).not.toBe(deepId(PINNED))
    const top = await settledTop(screen)
    await away(screen)
    await checkNavigation(screen, { act: () => back(screen), to: top, held: true, tinted: false })
  })
  await test.step('to the newest and to the message it quotes, 17,495 up, and back to the reply', async () => {
    await checkNavigation(screen, {
      act: () => pill(screen, 'Jump to latest').click(),
      to: deepId(DEEP),
      held: true,
      tinted: false,
    })
    const quote = screen.list(DEEP_CID).getByRole('button', { name: /Go to the quoted message/ })
    await checkNavigation(screen, { act: () => quote.click(), to: deepId(QUOTED), held: true })
    await checkNavigation(screen, {
      act: () => pill(screen, 'Back to the reply').click(),
      to: deepId(QUOTING),
      held: true,
    })
  })
  await test.step('Back and Forward, from place to place of the same list', async () => {
    await checkNavigation(screen, {
      act: () => page.keyboard.press('Alt+ArrowLeft'),
      to: deepId(QUOTED),
      held: true,
      tinted: false,
    })
    await checkNavigation(screen, {
      act: () => page.keyboard.press('Alt+ArrowRight'),
      to: deepId(QUOTING),
      held: true,
      tinted: false,
    })
  })
})

const topOf = (screen: Screen): Promise<string> =>
  screen.list(DEEP_CID).evaluate((list) => {
    const edge = list.getBoundingClientRect().top
    const rows = [...list.querySelectorAll<HTMLElement>('[data-message-id]')]
    return rows.find((row) => row.getBoundingClientRect().top >= edge)?.dataset['messageId'] ?? ''
  })

/** The row at the top edge once nothing moves anymore. */
async function settledTop(screen: Screen): Promise<string> {
  let last = ''
  await expect
    .poll(async () => {
      const before = last
      last = await topOf(screen)
      await screen.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      return last !== '' && last === before && (await screen.list(DEEP_CID).getAttribute('aria-busy')) === 'false'
    })
    .toBe(true)
  return last
}

test('jumps from elsewhere: a search, a link, a link to a deleted message', LONG, async ({ world }) => {
  const { screen, admin } = await openDeepChannel(world)
  const { page } = screen

  await test.step('a hit in the middle, in context and in its channel; the same with another place remembered', async () => {
    for (const n of [10_000, 12_345]) {
      await find(screen, String(n))
      await page.locator('[data-hit]').first().click()
      const context = page.getByRole('complementary', { name: 'In context' })
      await expect(context.locator(`[data-message-id="${deepId(n)}"]`)).toBeInViewport()
      const open = context.getByRole('button', { name: 'Open in channel' })
      await checkNavigation(screen, { act: () => open.click(), to: deepId(n), held: true })
      await away(screen)
      await checkNavigation(screen, { act: () => back(screen), to: deepId(n), held: true, tinted: false })
    }
  })
  await test.step('a link in another channel', async () => {
    await admin.send(SIDE_CID, 'bob', `[a link](parlor://open/127.0.0.1/message/${DEEP_CID}/${deepId(7_000)})`)
    await away(screen)
    await checkNavigation(screen, { act: () => screen.list(SIDE_CID).getByText('a link').click(), to: deepId(7_000) })
  })
  await test.step('a link to a deleted message says so, and opens the channel', async () => {
    await admin.send(SIDE_CID, 'bob', `[a dead link](parlor://open/127.0.0.1/message/${DEEP_CID}/nowhere)`)
    await away(screen)
    await screen.list(SIDE_CID).getByText('a dead link').click()
    await expect(page.getByText('This message no longer exists.').first()).toBeVisible()
    await expect(screen.list(DEEP_CID).locator(`[data-message-id="${deepId(DEEP)}"]`)).toBeInViewport()
  })
})

test(
  'offline, a place that is not cached is refused with a message, a cached one is found',
  LONG,
  async ({ world }) => {
    const { screen, server } = await openDeepChannel(world)
    const { page } = screen
    await checkNavigation(screen, { act: () => showPinned(screen), to: deepId(PINNED) })
    await pill(screen, 'Back to where you were').or(pill(screen, 'Jump to latest')).first().click()
    await expect(screen.list(DEEP_CID).locator(`[data-message-id="${deepId(DEEP)}"]`)).toBeInViewport()
    await server.stop('SIGKILL')
    await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
    const quote = screen.list(DEEP_CID).getByRole('button', { name: /Go to the quoted message/ })
    await quote.click()
    await expect(page.getByRole('region', { name: 'Notices' })).toContainText(/offline/i)
    await expect(screen.list(DEEP_CID).locator(`[data-message-id="${deepId(DEEP)}"]`)).toBeInViewport()
    await checkNavigation(screen, {
      act: () => page.getByRole('button', { name: 'Show', exact: true }).click(),
      to: deepId(PINNED),
    })
  },
)

test('jumps from the lists: mentions, reminders, drafts, a day', LONG, async ({ world }) => {
  const { screen, admin } = await openDeepChannel(world)
  const { page } = screen
  const [mention, next] = MENTIONS

  await test.step('a mention from its list, and from there the next one by key', async () => {
    await page.getByRole('link', { name: /^Catch up/ }).click()
    await page.getByRole('link', { name: /^Mentions/ }).click()
    const hit = page.locator(`[data-hit="${deepId(mention)}"]`)
    await hit.hover()
    await checkNavigation(screen, {
      act: () => hit.getByRole('button', { name: 'Jump to message' }).click(),
      to: deepId(mention),
    })
    await screen
      .list(DEEP_CID)
      .locator(`[data-message-id="${deepId(mention)}"]`)
      .focus()
    await checkNavigation(screen, { act: () => page.keyboard.press('n'), to: deepId(next), held: true, tinted: false })
  })
  await test.step('a reminder from its toast, and one from the list', async () => {
    const remind = (n: number, ms: number) => {
      const remindAt = new Date(Date.now() + ms).toISOString()
      return admin.call('POST', `/messages/${deepId(n)}/reminders`, { remind_at: remindAt }, 'alice')
    }
    await away(screen)
    await remind(9_000, 2_000)
    const toast = page.getByRole('group', { name: 'Reminder' })
    await expect(toast).toContainText('Number 9000')
    await checkNavigation(screen, {
      act: () => toast.getByRole('button', { name: 'Open message' }).click(),
      to: deepId(9_000),
    })
    await remind(11_111, 3_600_000)
    await page.getByRole('link', { name: /^Later/ }).click()
    const row = page.locator('[data-later]').getByRole('button', { name: /Number 11111/ })
    await checkNavigation(screen, { act: () => row.first().click(), to: deepId(11_111) })
  })
  await test.step('a draft opens its channel, at its previous position', async () => {
    await screen.composer(DEEP_CID).fill('half a thought')
    await away(screen)
    await page.getByRole('link', { name: /^Later/ }).click()
    const draft = page.locator('[data-later]').getByRole('button', { name: /half a thought/ })
    await checkNavigation(screen, { act: () => draft.click(), to: deepId(11_111), held: true, tinted: false })
    await screen.composer(DEEP_CID).fill('')
  })
  await test.step('a day, by its date', async () => {
    const known = (await admin.call('GET', `/messages/${deepId(6_000)}`, undefined)) as {
      message: { created_at: string }
    }
    const from = Date.parse(known.message.created_at)
    const midnight = new Date(from)
    midnight.setHours(24, 0, 0, 0)
    const first = 6_000 + Math.ceil((midnight.getTime() - from) / (STEP * 60_000))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('>jump to a day')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Jump to a day' })
    await dialog.getByLabel('Day').first().fill(midnight.toLocaleDateString('en-GB'))
    await checkNavigation(screen, { act: () => page.keyboard.press('Enter'), to: deepId(first), held: true })
  })
})

test('a position is restored beside, in a separate window and after a restart', LONG, async ({ world }) => {
  const { app, screen, data, url } = await openDeepChannel(world)
  const { page } = screen
  const choose = async (keys: string): Promise<void> => {
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('deep')
    await expect(page.getByRole('option', { selected: true })).toContainText('deep')
    await page.getByRole('combobox').press(keys)
  }
  await checkNavigation(screen, { act: () => showPinned(screen), to: deepId(PINNED) })
  await expect.poll(() => readFileSync(join(data, 'settings.json'), 'utf8')).toContain(deepId(PINNED))

  await test.step('beside another channel', async () => {
    await away(screen)
    await checkNavigation(screen, { act: () => choose('Alt+Enter'), to: deepId(PINNED), held: true, tinted: false })
    await page.getByRole('complementary', { name: 'deep' }).getByRole('button', { name: 'Close this side' }).click()
  })
  await test.step('in a separate window', async () => {
    const opened = page.waitForEvent('popup')
    await choose('Control+Enter')
    const own = world.watch(await opened)
    await expect(own.list(DEEP_CID).locator(`[data-message-id="${deepId(PINNED)}"]`)).toBeInViewport()
    await own.page.close()
  })
  await back(screen)
  await expect(screen.list(DEEP_CID).locator(`[data-message-id="${deepId(PINNED)}"]`)).toBeInViewport()
  await test.step('a kill and another start', async () => {
    await screen.close()
    await app.stop('SIGKILL')
    const again = await world.app(data, ...(await connectArgs(url, 'alice')))
    const later = await world.open(again.ready['url'])
    await checkNavigation(later, { act: () => later.list(DEEP_CID).waitFor(), to: deepId(PINNED), tinted: false })
  })
})

test('of two jumps at once the last one wins, whichever is found first', LONG, async ({ world }) => {
  const { screen } = await openDeepChannel(world)
  const { page } = screen
  await page.getByRole('button', { name: '1 pinned message' }).click()
  const show = page.getByRole('button', { name: 'Show', exact: true })
  const quote = screen.list(DEEP_CID).getByRole('button', { name: /Go to the quoted message/ })
  const both = async (first: typeof show, then: typeof show): Promise<void> => {
    const [a, b] = [await first.elementHandle(), await then.elementHandle()]
    await page.evaluate(
      (pressed) => {
        for (const one of pressed) (one as HTMLElement).click()
      },
      [a, b],
    )
  }
  await checkNavigation(screen, { act: () => both(show, quote), to: deepId(QUOTED), held: true })
  await pill(screen, 'Back to the reply').or(pill(screen, 'Jump to latest')).first().click()
  await expect(screen.list(DEEP_CID).locator(`[data-message-id="${deepId(QUOTING)}"]`)).toBeInViewport()
  await checkNavigation(screen, { act: () => both(quote, show), to: deepId(PINNED), held: true })
})

test(
  'a notification about an old message jumps to it, and the key for the next mention finds one far beyond',
  LONG,
  async ({ world }) => {
    const { screen, admin } = await openDeepChannel(world)
    const { page } = screen
    await page.addInitScript(() => {
      document.hasFocus = () => false
      const notified: EventTarget[] = []
      class Recorded extends EventTarget {
        static permission = 'granted'
        constructor() {
          super()
          notified.push(this)
        }
        close(): void {
          this.dispatchEvent(new Event('close'))
        }
      }
      Object.assign(globalThis, { Notification: Recorded, notified })
    })
    await page.reload()
    await screen.openChannel(SIDE_CID)
    const count = () => page.evaluate(() => (globalThis as unknown as { notified: EventTarget[] }).notified.length)
    const remindAt = new Date(Date.now() + 1_500).toISOString()
    await admin.call('POST', `/messages/${deepId(8_000)}/reminders`, { remind_at: remindAt }, 'alice')
    await expect.poll(count, { timeout: 15_000 }).toBe(1)
    const press = () =>
      page.evaluate(() => {
        const { notified } = globalThis as unknown as { notified: EventTarget[] }
        notified[0]?.dispatchEvent(new Event('click'))
      })
    await checkNavigation(screen, { act: press, to: deepId(8_000) })
    const row = (n: number) => screen.list(DEEP_CID).locator(`[data-message-id="${deepId(n)}"]`)
    await row(8_000).focus()
    await checkNavigation(screen, { act: () => page.keyboard.press('Shift+N'), to: deepId(MENTIONS[1]), held: true })
    await expect(row(MENTIONS[1])).toBeFocused()
    await page.keyboard.press('n')
    await expect(page.getByRole('region', { name: 'Notices' })).toContainText('No newer mentions of you here.')
    await expect(row(MENTIONS[1])).toBeInViewport()
  },
)

test(
  'a message in another conversation, and a missing conversation, are reported, and the view does not change',
  LONG,
  async ({ world }) => {
    const { screen, admin } = await openDeepChannel(world)
    const { page } = screen
    const notices = page.getByRole('region', { name: 'Notices' })
    const link = (text: string, place: string) => `[${text}](parlor://open/127.0.0.1/message/${place})`
    await admin.send(
      DEEP_CID,
      'bob',
      `${link('from elsewhere', `${DEEP_CID}/side-1`)} ${link('nowhere', 'team:gone/x')}`,
    )
    const row = screen.message(DEEP_CID, 'from elsewhere')
    await row.getByText('from elsewhere').click()
    await expect(notices).toContainText('This message isn’t in this conversation.')
    await expect(row).toBeInViewport()
    await row.getByText('nowhere').click()
    await expect(notices).toContainText('You can’t open this conversation. It was deleted, or you aren’t a member.')
    await expect(row).toBeInViewport()
    await expect(screen.composer(DEEP_CID)).toBeVisible()
  },
)

test('another account and back: the position and the draft are restored', LONG, async ({ world }) => {
  const { screen } = await openDeepChannel(world)
  const { page } = screen
  await checkNavigation(screen, { act: () => showPinned(screen), to: deepId(PINNED) })
  await screen.composer(DEEP_CID).fill('Half a thought')
  await screen.workspace('Add a workspace…')
  await page.getByLabel('Your name').fill('Alice')
  await page.getByRole('button', { name: /^Create a workspace/ }).click()
  await page.getByLabel('Workspace name').fill('Kitchen table')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await expect(page.getByRole('button', { name: 'Workspace Kitchen table' })).toBeVisible()
  const first = page.getByRole('navigation', { name: 'Accounts' }).getByRole('button').first()
  await checkNavigation(screen, { act: () => first.click(), to: deepId(PINNED), tinted: false })
  await expect(screen.composer(DEEP_CID)).toHaveValue('Half a thought')
})
