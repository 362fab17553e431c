import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test'
import { aPdf } from '../kit/sample-documents.ts'
import { temporaryFolder } from '../kit/processes.ts'
import { Screen } from '../kit/screen.ts'

/**
 * The built app in Electron: the real binary where it is installed, else the stand-in of tests/kit. The checks are the
 * same, so nothing here may depend on which of them runs.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const real = join(root, 'node_modules/electron/dist')
const dist = existsSync(join(real, 'version')) ? real : join(root, 'tests/kit/electron-standin')
const binary = join(dist, process.platform === 'win32' ? 'electron.exe' : 'electron')
const CID = 'team:release-4-2'
/** Needed where tests run as root; the app's own windows are sandboxed by their options either way. */
const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : []

type Running = { readonly app: ElectronApplication; readonly page: Page; readonly screen: Screen }
type Start = () => Promise<Running>

const test = base.extend<{ data: string; start: Start }>({
  data: async ({ headless: _headless }, use) => {
    const folder = temporaryFolder('electron')
    await use(folder.path)
    folder.remove()
  },
  start: async ({ data }, use) => {
    const started: Running[] = []
    await use(async () => {
      process.env['ELECTRON_OVERRIDE_DIST_PATH'] = dist
      const app = await _electron.launch({ args: [...flags, root, '--data', data], timeout: 60_000 })
      const page = await app.firstWindow()
      const screen = new Screen(page)
      started.push({ app, page, screen })
      await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
      return { app, page, screen }
    })
    for (const { app } of started) await app.close()
    expect(started.flatMap(({ screen }) => screen.complaints)).toEqual([])
  },
})

test('a window opens with the demo, and a message is sent and shown', async ({ start }) => {
  const { page, screen } = await start()
  expect(await page.locator('[data-channel-item]').count()).toBeGreaterThanOrEqual(10)
  await expect(page).toHaveTitle(/Cairn Maps|release-4-2|Parlor/)
  await screen.send(CID, 'Hello from the desktop')
  await expect(screen.message(CID, 'Hello from the desktop')).not.toContainText('Sending')
})

test('a PDF is rendered under the content policy of the page, and a picture is copied', async ({ start }) => {
  const { page, screen } = await start()
  const picture = readFileSync(join(root, 'resources/demo/landscape-dawn.png'))
  await page.locator('[data-file-field]').setInputFiles([
    { name: 'walk.pdf', mimeType: 'application/pdf', buffer: aPdf(['Over the ridge']) },
    { name: 'dawn.png', mimeType: 'image/png', buffer: picture },
  ])
  await screen.composer(CID).fill('To look at')
  await expect(page.locator('[data-send="ready"]')).toBeVisible()
  await screen.composer(CID).press('Enter')
  await expect(screen.message(CID, 'To look at')).not.toContainText('Sending')
  await page.evaluate(() => {
    const seen = globalThis as unknown as { copied: string[] }
    seen.copied = []
    navigator.clipboard.write = async ([item]) => {
      const made = await item?.getType('image/png')
      seen.copied.push(`${made?.type} ${(made?.size ?? 0) > 1_000}`)
    }
  })
  await screen.message(CID, 'To look at').focus()
  await page.keyboard.press('v')
  await expect(page.getByRole('region', { name: 'Page 1 of 1' }).getByText('Over the ridge')).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ControlOrMeta+c')
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied))
    .toEqual(['image/png true'])
})

test('the page has one object of the preload script, nothing of Node or Electron, and the content policy as a header', async ({
  start,
}) => {
  const { page } = await start()
  const seen = await page.evaluate(() => ({
    bridge: typeof (window as unknown as { parlor: unknown }).parlor,
    foreign: ['require', 'process', 'module', 'ipcRenderer', 'electron', 'Buffer', 'global'].filter(
      (name) => name in window,
    ),
  }))
  expect(seen).toEqual({ bridge: 'object', foreign: [] })
  const answer = await page.reload()
  const policy = answer?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'none'")
  expect(policy).not.toContain('unsafe-')
})

test('the windows are restored in their places, that of a channel too, and so is the message', async ({ start }) => {
  const first = await start()
  await first.screen.send(CID, 'Before the restart')
  await expect(first.screen.message(CID, 'Before the restart')).not.toContainText('Sending')
  const opening = first.app.waitForEvent('window')
  await first.screen.row('team:map-data').click({ modifiers: ['ControlOrMeta'] })
  await expect((await opening).getByRole('main', { name: 'map-data' })).toBeVisible()
  await first.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) {
      const isOwn = window.webContents.getURL().includes('?channel=')
      window.setBounds(isOwn ? { x: 90, y: 70, width: 700, height: 640 } : { x: 60, y: 40, width: 1_100, height: 760 })
    }
  })
  await first.app.close()
  const second = await start()
  const sizes = () =>
    second.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => {
        const { width, height } = window.getNormalBounds()
        return `${window.webContents.getURL().replace(/^.*index.html/, '')} ${width} ${height}`
      }),
    )
  await expect.poll(sizes).toEqual([' 1100 760', '?channel=team%3Amap-data 700 640'])
  await expect(second.screen.message(CID, 'Before the restart')).toBeVisible()
})

test('a second start of the same profile passes its link to the first and ends', async ({ start, data }) => {
  const { app, screen } = await start()
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const focused = globalThis as unknown as { timesFocused: number }
    focused.timesFocused = 0
    if (window) window.focus = () => void (focused.timesFocused += 1)
  })
  const child = spawn(binary, [...flags, root, '--data', data], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (part: Buffer) => (complaint += part.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).not.toBe(0)
  expect(complaint.includes('already open in another Parlor')).toBe(true)
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { timesFocused: number }).timesFocused))
    .toBeGreaterThan(0)
  await screen.send(CID, 'The first one still works')
})

test('a link in a message is opened by the system, never by the window', async ({ start }) => {
  const { app, page, screen } = await start()
  await app.evaluate(({ shell }) => {
    const seen = globalThis as unknown as { opened: string[] }
    seen.opened = []
    shell.openExternal = (url: string) => Promise.resolve(void seen.opened.push(url))
  })
  await screen.send(CID, 'Look at https://example.org/atlas')
  await screen.message(CID, 'Look at').getByRole('link', { name: 'https://example.org/atlas' }).click()
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual(['https://example.org/atlas'])
  expect(app.windows()).toHaveLength(1)
  expect(page.url()).toMatch(/^app:\/\/main\/|^http:\/\//)
})

test('a notification is replied to, marked read and pressed: the reply is sent, the message is read, the window shows it', async ({
  start,
}) => {
  const { app, page, screen } = await start()
  await holdNotifications(app)
  const cid = await sendAs(app, page, 'jonas', 'Is the **banner** ready?')
  await expect.poll(() => notified(app)).toMatchObject([{ body: 'Is the banner ready?' }])

  await answer(app, 'reply', { reply: 'Ready since noon' })
  await screen.openChannel(cid)
  await expect(screen.message(cid, 'Ready since noon')).not.toContainText('Sending')

  await screen.openChannel(CID)
  await sendAs(app, page, 'jonas', 'And the map?')
  await expect.poll(() => notified(app)).toHaveLength(2)
  await expect(screen.row(cid)).toContainText('1')
  await answer(app, 'action', { actionIndex: 0 })
  await expect(screen.row(cid)).not.toContainText('1')

  await sendAs(app, page, 'jonas', 'Here it is')
  await expect.poll(() => notified(app)).toHaveLength(3)
  await answer(app, 'click', {})
  await expect(screen.message(cid, 'Here it is')).toBeVisible()
  await expect(screen.list(CID)).toHaveCount(0)
})

test('notifications that the system refuses are shown inside the window; a locked screen shows no text', async ({
  start,
}) => {
  const { app, page } = await start()
  await holdNotifications(app)
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('lock-screen'))
  await sendAs(app, page, 'jonas', 'For your eyes only')
  await expect.poll(() => notified(app)).toHaveLength(1)
  expect(JSON.stringify(await notified(app))).not.toContain('eyes')
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('unlock-screen'))
  await answer(app, 'failed', {})
  await expect(page.getByRole('status').filter({ hasText: 'New message' })).toBeVisible()
})

test('a link from another program opens its channel, and a link to another server only says so', async ({ start }) => {
  const { app, page, screen } = await start()
  await secondStart(app, 'parlor://open/demo/channel/team:design-crit')
  await expect(screen.list('team:design-crit')).toBeVisible()
  await secondStart(app, 'parlor://open/chat.example.com/channel/team:design-crit')
  await expect(page.getByRole('dialog', { name: 'This link opens another workspace' })).toBeVisible()
})

test('a window whose page crashes loads again with its text; the third time in a minute a page to recover is shown', async ({
  start,
}) => {
  const { app, page, screen } = await start()
  await screen.composer(CID).fill('Not sent yet')
  for (const time of [1, 2]) {
    await Promise.all([page.waitForEvent('load'), crash(app)])
    await expect(screen.composer(CID), `after crash ${time}`).toHaveValue('Not sent yet')
  }
  await crash(app)
  await expect(page.getByRole('heading', { name: 'This window stopped three times in a minute' })).toBeVisible()
  await page.getByRole('button', { name: 'Open again' }).click()
  await expect(screen.composer(CID)).toHaveValue('Not sent yet')
})

type Held = { notifications: { options: unknown; emit(event: string, ...args: unknown[]): boolean }[] }

/** The user of the first window, as others see her. */
const VIEWER_NAME = 'Ola Wiśniewska'

/**
 * Notifications are captured for the test to respond to; none reaches the screen. Events about her own messages reach
 * the window of the other user, sooner or later, and are left out.
 */
async function holdNotifications(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ Notification }, viewerName) => {
    const held = globalThis as unknown as { notifications: object[] }
    held.notifications = []
    Notification.prototype.show = function show() {
      const one = this as unknown as { title?: string; options?: { title?: string } }
      const title = one.options?.title ?? one.title ?? ''
      if (!title.includes(viewerName)) held.notifications.push(this)
    }
  }, VIEWER_NAME)
}

const notified = (app: ElectronApplication): Promise<{ title: string; body: string }[]> =>
  app.evaluate(() =>
    (globalThis as unknown as Held).notifications.map((one) => {
      const { title, body } = { ...(one as unknown as { title: string; body: string }), ...(one.options as object) }
      return { title, body }
    }),
  )

/** What the user does with the newest notification. */
async function answer(app: ElectronApplication, event: string, details: object): Promise<void> {
  await app.evaluate(
    (_electron, [name, what]) => {
      ;(globalThis as unknown as Held).notifications.at(-1)?.emit(name, what)
    },
    [event, details] as const,
  )
}

/** Another user of the demo writes to the user of this window, in their direct conversation. Returns its cid. */
async function sendAs(app: ElectronApplication, page: Page, userId: string, text: string): Promise<string> {
  const known = app.windows().find((each) => each !== page)
  const other = known ?? (await openAs(app, page, userId))
  return other.evaluate(
    async ([toId, text]) => {
      const { parlor } = window as unknown as {
        parlor: { call(name: string, input: unknown): Promise<{ value: never }> }
      }
      const { value: cid } = await parlor.call('channels.direct', { userIds: [toId] })
      await parlor.call('messages.send', { cid, text })
      return cid
    },
    ['ola', text] as const,
  )
}

async function openAs(app: ElectronApplication, page: Page, userId: string): Promise<Page> {
  const opening = app.waitForEvent('window')
  await page.evaluate(async (id) => {
    const { parlor } = window as unknown as { parlor: { call(name: string, input: unknown): Promise<unknown> } }
    await parlor.call('app.openWindowAs', { userId: id })
  }, userId)
  const other = await opening
  await expect(other.locator('[data-channel-item]').first()).toBeVisible()
  return other
}

/** What the system does when a link is pressed in another program while Parlor runs. */
const secondStart = (app: ElectronApplication, link: string): Promise<boolean> =>
  app.evaluate(({ app: running }, url) => running.emit('second-instance', {}, ['electron', url], ''), link)

const crash = (app: ElectronApplication): Promise<boolean | undefined> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }),
  )
