import { existsSync, readdirSync, readFileSync, mkdirSync, chownSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { SERVER } from '#kit/certificates.ts'
import { isRoot, ORDINARY_USER } from './kit/installation.ts'
import { CID, expect, Parlor, test } from './kit/parlor.ts'

let parlor: Parlor
test.beforeAll(async ({ desktop }) => {
  parlor = await Parlor.start(desktop, 'failures')
})
test.afterAll(() => parlor.quit())

test('after the server’s process is killed, what was written meanwhile is sent', async () => {
  const { screen } = parlor
  const before = await serverPid()
  process.kill(before, 'SIGKILL')
  await screen.send(CID, 'Written without a server')
  await expect.poll(serverPid).not.toBe(before)
  await expect(screen.message(CID, 'Written without a server')).not.toContainText(/Sending|Queued/)
})

test('a window that is closed while it loads is not a failure', async () => {
  await parlor.app.evaluate(({ app }) => {
    app.once('browser-window-created', (_event, window) => {
      window.webContents.once('did-start-loading', () => window.destroy())
    })
  })
  await parlor.call('app.openWindowAs', { userId: 'jonas' })
  expect(parlor.app.windows()).toHaveLength(1)
})

test('a certificate that no authority signed is refused, in a page and in main’s own requests', async () => {
  const server = createServer(SERVER, (_request, response) => void response.end('secret'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const outcome = await parlor.app.evaluate(async ({ BrowserWindow, session }, url) => {
    const window = new BrowserWindow({ show: false })
    const loaded = await window.loadURL(url).then(
      () => 'loaded',
      (error: Error) => error.message,
    )
    window.destroy()
    const fetched = await session.defaultSession.fetch(url).then(
      () => 'fetched',
      (error: Error) => error.message,
    )
    return [loaded, fetched]
  }, `https://127.0.0.1:${port}/`)
  expect(outcome[0]).toMatch(/ERR_CERT_AUTHORITY_INVALID/)
  expect(outcome[1]).toMatch(/ERR_CERT_AUTHORITY_INVALID/)
  server.close()
})

test('a file of the page is saved into the chosen folder under a safe and free name; an address of the web is not', async ({
  desktop,
}) => {
  const folder = join(desktop.home, 'downloads')
  mkdirSync(folder)
  if (isRoot) chownSync(folder, ORDINARY_USER, ORDINARY_USER)
  await parlor.chooseDesktop({ downloadFolder: folder })
  const save = (name: string): Promise<void> =>
    parlor.page.evaluate((as) => {
      const anchor = document.createElement('a')
      anchor.href = URL.createObjectURL(new Blob(['what I wrote'], { type: 'text/plain' }))
      anchor.download = as
      anchor.click()
    }, name)
  const saved = (): string[] => readdirSync(folder).toSorted()
  await save('notes.txt')
  await expect.poll(saved).toEqual(['notes.txt'])
  await save('notes.txt')
  await expect.poll(saved).toHaveLength(2)
  await save('../../up.desktop')
  await expect.poll(saved).toHaveLength(3)
  expect(existsSync(join(desktop.home, 'up.desktop'))).toBe(false)
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('what I wrote')
  const listed = await parlor.call<readonly { readonly state: string }[]>('desktop.downloads', undefined)
  expect(listed.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  await parlor.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.session.downloadURL('http://127.0.0.1:1/a.exe'),
  )
  await save('last.txt')
  await expect.poll(saved).toHaveLength(4)
  expect(await parlor.call<readonly unknown[]>('desktop.downloads', undefined)).toHaveLength(4)
})

test('spelling is checked in the chosen languages only, and not before one is chosen', async () => {
  const checked = () =>
    parlor.app.evaluate(({ BrowserWindow }) => {
      const session = BrowserWindow.getAllWindows()[0]?.webContents.session
      return [session?.isSpellCheckerEnabled(), session?.getSpellCheckerLanguages()]
    })
  expect(await checked()).toEqual([false, []])
  const { spelling } = await parlor.call<{ readonly spelling: { readonly languages: readonly string[] } }>(
    'desktop.state',
    undefined,
  )
  expect(spelling.languages).toEqual(expect.arrayContaining(['en-US', 'pl', 'ru']))
  await parlor.chooseDesktop({ spelling: ['pl', 'en-US'] })
  await expect.poll(checked).toEqual([true, ['pl', 'en-US']])
  await parlor.chooseDesktop({ spelling: [] })
  await expect.poll(checked).toEqual([false, []])
})

test('a window whose renderer dies loads again with its text; the third time in a minute a safe page leads back', async () => {
  let crashes = 0
  /** The page after it: loaded again, in another process. */
  const crash = async (): Promise<Page> => {
    crashes += 1
    await parlor.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    )
    await expect.poll(() => parlor.logged('electron-host', 'page-gone').length).toBe(crashes)
    const isLoaded = () =>
      parlor.app.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        return contents?.isCrashed() === false && !contents.isLoading()
      })
    await expect.poll(isLoaded).toBe(true)
    await parlor.app.reconnect()
    return parlor.app.firstWindow()
  }
  const field = `[data-composer="${CID}"]`
  await parlor.screen.composer(CID).fill('Not sent yet')
  // Leaving a conversation saves what is written in it; while typing it is saved shortly after.
  await parlor.screen.openChannel('team:design-crit')
  await parlor.screen.openChannel(CID)
  await expect(parlor.screen.composer(CID)).toHaveValue('Not sent yet')
  for (const time of [1, 2]) {
    const page = await crash()
    await expect(page.locator(field), `after crash ${time}`).toHaveValue('Not sent yet')
  }
  const page = await crash()
  await expect(page.getByRole('heading', { name: 'This window stopped three times in a minute' })).toBeVisible()
  await page.getByRole('button', { name: 'Open again' }).click()
  await expect(page.locator(field)).toHaveValue('Not sent yet')
})

/** The process of the local server, as the system knows it. */
const serverPid = (): Promise<number> =>
  parlor.app.evaluate(({ app }) => app.getAppMetrics().find(({ name }) => name === 'Parlor local server')?.pid ?? 0)
