import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csp } from '#main/hosts/rules/pages/headers.ts'
import { build } from '../../.ci/build.ts'
import type { Entry } from '../kit/electron-standin/record.ts'
import { chromiumPath } from './kit/chromium.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The real binary if there is one: the checks below are the same. */
const realElectron = existsSync(join(root, 'node_modules/electron/dist/version'))

type Globals = { standinLog: Entry[] }

describe.skipIf(chromiumPath === undefined || realElectron)('the built app in the Electron stand-in', () => {
  let data: string
  let app: ElectronApplication
  let page: Page
  let log: Entry[]

  beforeAll(async () => {
    build()
    data = mkdtempSync(join(tmpdir(), 'parlor-standin-'))
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] = join(root, 'tests/kit/electron-standin')
    app = await _electron.launch({ args: [root, '--data', data], timeout: 60_000 })
    page = await app.firstWindow()
    await page.waitForSelector('[data-channel-item]', { timeout: 60_000 })
    log = await app.evaluate(() => (globalThis as unknown as Globals).standinLog)
  }, 180_000)

  afterAll(async () => {
    await app?.close()
    rmSync(data, { recursive: true, force: true })
  }, 30_000)

  const at = (what: string): number => log.findIndex((entry) => entry.what === what)

  test('the sandbox is on before Electron is ready', () => {
    expect(log[at('app.enableSandbox')]?.args).toEqual([{ ready: false }])
  })

  test('every guard is installed before the first page is loaded', () => {
    const load = at('loadURL')
    for (const what of [
      'session.setPermissionRequestHandler',
      'session.setPermissionCheckHandler',
      'session.setDevicePermissionHandler',
      'session.setDisplayMediaRequestHandler',
      'protocol.handle',
      'app.enableSandbox',
      'protocol.registerSchemesAsPrivileged',
    ]) {
      expect(at(what)).toBeGreaterThanOrEqual(0)
      expect(at(what)).toBeLessThan(load)
    }
    expect(log.filter((entry) => entry.what === 'loadURL').map((entry) => entry.args[0])).toEqual([
      'app://main/index.html',
    ])
  })

  test('all web contents have their five guards', async () => {
    const counts = await app.evaluate(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => ({
        events: ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'].map((name) =>
          contents.listenerCount(name),
        ),
        opens: typeof (contents as unknown as { openHandler: unknown }).openHandler,
      })),
    )
    expect(counts).toEqual([{ events: [1, 1, 1, 1], opens: 'function' }])
  })

  test('a navigation away is prevented, and an ordinary address goes to the system', async () => {
    const outcome = await app.evaluate(async ({ webContents }) => {
      const [contents] = webContents.getAllWebContents()
      const prevented: string[] = []
      for (const url of ['https://example.org/', 'file:///etc/passwd', 'app://main/index.html']) {
        const event = { url, isMainFrame: true, preventDefault: () => prevented.push(url) }
        contents?.emit('will-navigate', event)
      }
      await Promise.resolve()
      const opened = (globalThis as unknown as Globals).standinLog.filter(
        (entry) => entry.what === 'shell.openExternal',
      )
      return { prevented, opened: opened.map((entry) => entry.args[0]) }
    })
    expect(outcome).toEqual({
      prevented: ['https://example.org/', 'file:///etc/passwd'],
      opened: ['https://example.org/'],
    })
  })

  test('the page has one object of the preload script and nothing of Node or Electron', async () => {
    const seen = await page.evaluate(() => ({
      bridge: Object.keys((window as unknown as { parlor: object }).parlor).toSorted(),
      foreign: ['require', 'process', 'module', 'ipcRenderer', 'Buffer', 'global'].filter((name) => name in window),
    }))
    expect(seen).toEqual({ bridge: ['call', 'host', 'mediaUrl', 'subscribe', 'windowControls'], foreign: [] })
  })

  test('the page is served with the policy, and the network is closed to it', async () => {
    const outcome = await page.evaluate(() =>
      fetch('/index.html').then(
        () => 'sent',
        () => 'blocked',
      ),
    )
    expect(outcome).toBe('blocked')
    expect(csp({ host: 'electron' })).toContain("connect-src 'none'")
  })

  test('the title bar buttons drawn by the page reach the window', async () => {
    await page.evaluate(() =>
      (window as unknown as { parlor: { windowControls: { minimize(): void } } }).parlor.windowControls.minimize(),
    )
    await expect
      .poll(() =>
        app.evaluate(() =>
          (globalThis as unknown as Globals).standinLog.some((entry) => entry.what === 'window.minimize'),
        ),
      )
      .toBe(true)
  })

  test('an unknown sender is refused by the one channel', async () => {
    const reply = await page.evaluate(() =>
      (window as unknown as { parlor: { call(name: string, input: unknown): Promise<unknown> } }).parlor.call(
        'no.such',
        {},
      ),
    )
    expect(reply).toMatchObject({ ok: false })
  })

  test('secrets are encrypted in their file', () => {
    const stored = Object.values(JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as Record<string, string>)
    expect(stored.length).toBeGreaterThan(0)
    for (const value of stored) expect(Buffer.from(value, 'base64').toString()).toMatch(/^sealed:/)
  })
})
