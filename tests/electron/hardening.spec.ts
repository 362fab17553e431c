import { readFileSync, readlinkSync } from 'node:fs'
import { isRoot } from './kit/installation.ts'
import { expect, installation, Parlor, startAlone, test } from './kit/parlor.ts'

let parlor: Parlor
test.beforeAll(async ({ desktop }) => {
  // A camera and a microphone of Chromium's own: asking for one that is not there proves nothing.
  parlor = await Parlor.start(desktop, 'hardening', ['--use-fake-device-for-media-stream'])
})
test.afterAll(() => parlor.quit())

/** What the page may not do: each is run in it, and returns its outcome. */
const REFUSED: Readonly<Record<string, readonly [attempt: string, outcome: unknown]>> = {
  'require, process and the like': [
    `['require', 'process', 'module', 'exports', 'Buffer', 'global', 'ipcRenderer', 'electron', '__dirname'].filter((name) => name in window)`,
    [],
  ],
  'a change of what the preload uses': [
    // Only for a moment: the page itself uses it.
    `(() => { const { find } = Array.prototype; Array.prototype.find = () => '--parlor-host={}'; try { return Object.keys(window.parlor).sort() } finally { Array.prototype.find = find } })()`,
    ['call', 'host', 'mediaUrl', 'subscribe', 'windowControls'],
  ],
  'a change of the bridge': [
    `(() => { try { window.parlor.call = 1 } catch {} return typeof window.parlor.call })()`,
    'function',
  ],
  'code from a text': [`(() => { try { return eval('1') } catch (error) { return error.name } })()`, 'EvalError'],
  'HTML from a text': [
    `(() => { try { document.createElement('div').innerHTML = '<b>'; return 'set' } catch (error) { return error.name } })()`,
    'TypeError',
  ],
  'a policy for Trusted Types': [
    `(() => { try { trustedTypes.createPolicy('mine', {}); return 'made' } catch (error) { return error.name } })()`,
    'TypeError',
  ],
  'an inline script': [
    `(() => { const script = document.createElement('script'); try { script.text = 'window.ran = 1' } catch {} document.head.append(script); return window.ran ?? 'not run' })()`,
    'not run',
  ],
  'fetch from its own origin': [`fetch('/index.html').then(() => 'sent', () => 'refused')`, 'refused'],
  'fetch from the network': [
    `fetch('http://127.0.0.1:1/').then(() => 'sent', (error) => error.message)`,
    'Failed to fetch',
  ],
  'a socket': [
    `new Promise((resolve) => { try { const s = new WebSocket('ws://127.0.0.1:1'); s.onerror = () => resolve('failed'); setTimeout(() => resolve('waits'), 5000) } catch (error) { resolve(error.name) } })`,
    'failed',
  ],
  'a picture of the network': [
    `new Promise((resolve) => { const image = new Image(); image.onload = () => resolve('loaded'); image.onerror = () => resolve('refused'); image.src = 'http://127.0.0.1:1/a.png' })`,
    'refused',
  ],
  'a picture of the disk': [
    `new Promise((resolve) => { const image = new Image(); image.onload = () => resolve('loaded'); image.onerror = () => resolve('refused'); image.src = 'file:///usr/share/pixmaps/debian-logo.png' })`,
    'refused',
  ],
  'a frame': [
    `new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = 'app://main/index.html'; frame.onload = () => { let seen = 'closed'; try { seen = frame.contentDocument ? 'open' : 'closed' } catch {} frame.remove(); resolve(seen) }; document.body.append(frame) })`,
    'closed',
  ],
  'a webview': [
    `(() => { const view = document.createElement('webview'); view.src = 'app://main/index.html'; document.body.append(view); const kind = typeof view.loadURL; view.remove(); return kind })()`,
    'undefined',
  ],
  'a call that main does not know': [`window.parlor.call('no.such', {}).then(({ ok }) => ok)`, false],
  'a window': [`window.open('app://main/index.html') === null ? 'refused' : 'opened'`, 'refused'],
  'a window of nothing': [`window.open('') === null ? 'refused' : 'opened'`, 'refused'],
  'a worker of its own text': [
    `(() => { try { new Worker(URL.createObjectURL(new Blob(['1']))); return 'made' } catch (error) { return error.name } })()`,
    'TypeError',
  ],
  camera: [
    `navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', (error) => error.name)`,
    'NotAllowedError',
  ],
  'the screen': [
    `navigator.mediaDevices.getDisplayMedia({ video: true }).then(() => 'given', (error) => error.name)`,
    'NotAllowedError',
  ],
  location: [
    `new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('given'), (error) => resolve(error.code)))`,
    1,
  ],
  'the clipboard’s content': [
    `navigator.clipboard.readText().then(() => 'given', (error) => error.name)`,
    'NotAllowedError',
  ],
  'MIDI devices': [
    `navigator.requestMIDIAccess({ sysex: true }).then(() => 'given', (error) => error.name)`,
    'SecurityError',
  ],
  'USB devices': [
    `navigator.usb ? navigator.usb.requestDevice({ filters: [] }).then(() => 'given', (error) => error.name) : 'absent'`,
    'SecurityError',
  ],
  'idle times': [`typeof IdleDetector === 'undefined' ? 'denied' : IdleDetector.requestPermission()`, 'denied'],
  'permanent storage': [`navigator.storage.persist()`, false],
}

/** In a turn of the page's own: what a debugger evaluates directly is free of the policy. */
const inTurnOfPage = (expression: string): string =>
  `new Promise((resolve, reject) => setTimeout(() => { try { resolve(${expression}) } catch (error) { reject(error) } }))`

for (const [what, [attempt, outcome]] of Object.entries(REFUSED)) {
  test(`the page does not get: ${what}`, async () => {
    expect(await parlor.page.evaluate(inTurnOfPage(attempt))).toEqual(outcome)
  })
}

/** The same for what it needs, so that a refusal above is not one of everything. */
const GIVEN: Readonly<Record<string, readonly [attempt: string, outcome: unknown]>> = {
  'the microphone': [
    `navigator.mediaDevices.getUserMedia({ audio: true }).then((all) => all.getTracks().map((track) => { track.stop(); return track.kind }), (error) => error.name)`,
    ['audio'],
  ],
  'a text put on the clipboard': [
    `navigator.clipboard.writeText('x').then(() => 'given', (error) => error.name)`,
    'given',
  ],
  notifications: [`Notification.requestPermission()`, 'granted'],
}

for (const [what, [attempt, outcome]] of Object.entries(GIVEN)) {
  test(`the page gets: ${what}`, async () => {
    await parlor.page.bringToFront()
    expect(await parlor.page.evaluate(inTurnOfPage(attempt))).toEqual(outcome)
  })
}

/** Pages that have our preload but are not one of our windows' top frames at our origin. */
const FOREIGN: Readonly<Record<string, string>> = {
  'a page of the web': 'data:text/html,<title>web</title>',
  'our own page, in a window that is not registered': 'app://main/index.html',
}

for (const [what, url] of Object.entries(FOREIGN)) {
  test(`calls are refused from ${what}`, async () => {
    const reply = await parlor.app.evaluate(
      async ({ BrowserWindow, webContents }, [to, preload]) => {
        const [ours] = webContents.getAllWebContents()
        const window = new BrowserWindow({
          show: false,
          webPreferences: {
            preload,
            additionalArguments: ['--parlor-host={}'],
            ...(ours && { session: ours.session }),
          },
        })
        await window.loadURL(to)
        const call = `window.parlor.call('app.info', undefined)`
        const reply: unknown = await window.webContents.executeJavaScript(call)
        window.destroy()
        return reply
      },
      [url, `${installation().app}/out/preload/index.cjs`] as const,
    )
    expect(reply).toEqual({ ok: false, error: { code: 'bridge/refused' } })
  })
}

test('calls are refused from a window of ours that shows another page, and from a frame in it', async () => {
  const replies = await parlor.app.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    if (!window) return []
    await window.loadURL('data:text/html,<iframe src="data:text/html,x"></iframe>')
    const call = `window.parlor ? window.parlor.call('app.info', undefined) : 'no bridge'`
    const frames = window.webContents.mainFrame.framesInSubtree
    const answers = await Promise.all(frames.map((frame) => frame.executeJavaScript(call)))
    await window.loadURL('app://main/index.html')
    return answers
  })
  expect(replies).toEqual([{ ok: false, error: { code: 'bridge/refused' } }, 'no bridge'])
  await expect(parlor.page.locator('[data-channel-item]').first()).toBeVisible()
})

test('the page cannot leave: navigations are refused, and an ordinary address goes to the system', async () => {
  await parlor.app.evaluate(({ shell }) => {
    const seen = globalThis as unknown as { opened: string[] }
    seen.opened = []
    shell.openExternal = (url: string) => Promise.resolve(void seen.opened.push(url))
  })
  for (const url of [
    'file:///etc/passwd',
    'app://main/safe.html',
    'app://other/',
    'media://x/y',
    'data:text/html,x',
    'javascript:void 0',
    'https://example.org/',
  ]) {
    await parlor.page.evaluate((to) => void (location.href = to), url).catch(() => undefined)
  }
  const opened = () => parlor.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
  await expect.poll(opened).toEqual(['https://example.org/'])
  expect(parlor.page.url()).toBe('app://main/index.html')
})

test('every process of a page is sandboxed and isolated, and none runs as root', async () => {
  const windows = await parlor.app.evaluate(({ webContents, app }) => ({
    preferences: webContents.getAllWebContents().map((contents) => {
      const all = (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()
      return {
        sandbox: all['sandbox'],
        contextIsolation: all['contextIsolation'],
        nodeIntegration: all['nodeIntegration'],
        webSecurity: all['webSecurity'],
        webviewTag: all['webviewTag'],
      }
    }),
    pages: app.getAppMetrics().flatMap(({ type, pid }) => (type === 'Tab' ? [pid] : [])),
    main: process.pid,
    user: process.getuid?.(),
  }))
  expect(windows.preferences).toEqual([
    { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, webviewTag: false },
  ])
  expect(windows.user).not.toBe(0)
  expect(windows.pages).not.toEqual([])
  const main = confinementOf(windows.main)
  for (const pid of windows.pages) {
    const page = confinementOf(pid)
    // The kernel filters its system calls (2), and it sees no process, no network and no user but its own.
    expect(page).toMatchObject({ systemCalls: '2', privileges: '1' })
    for (const space of ['pid', 'net', 'user'] as const) expect(page[space], space).not.toBe(main[space])
  }
})

/** How the kernel confines a process. */
function confinementOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): string | undefined => new RegExp(`^${name}:\\s+(\\d+)$`, 'm').exec(status)?.[1]
  const space = (name: string): string => readlinkSync(`/proc/${pid}/ns/${name}`)
  return {
    systemCalls: field('Seccomp'),
    privileges: field('NoNewPrivs'),
    pid: space('pid'),
    net: space('net'),
    user: space('user'),
  }
}

test('the page is served with its policy and the other headers; what is not built is not found', async () => {
  const answer = await parlor.page.reload()
  const headers = answer?.headers() ?? {}
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("connect-src 'none'")
  expect(headers['content-security-policy']).not.toContain('unsafe-')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['cache-control']).toBe('no-store')
  const statuses = await parlor.app.evaluate(async ({ webContents }) => {
    const [contents] = webContents.getAllWebContents()
    const urls = [
      'app://main/index.html',
      'app://main/../main/electron.js',
      'app://main/%2e%2e/main/electron.js',
      'app://other/index.html',
      'app://main/',
      'media://none/x',
    ]
    return Promise.all(
      urls.map(async (url) => `${url} ${(await contents?.session.fetch(url).catch(() => undefined))?.status}`),
    )
  })
  expect(statuses).toEqual([
    'app://main/index.html 200',
    'app://main/../main/electron.js 404',
    'app://main/%2e%2e/main/electron.js 404',
    'app://other/index.html 404',
    'app://main/ 200',
    'media://none/x 404',
  ])
})

test('as root Parlor says why it does not start, with the sandbox and without', async ({ desktop }) => {
  test.skip(!isRoot, 'Only root can try.')
  const data = ['--data', `${desktop.home}/root`]
  const { programAsIs } = installation()
  const plain = await startAlone(desktop, data, programAsIs)
  expect(plain.code).not.toBe(0)
  expect(plain.output).toContain('Running as root')
  const open = await startAlone(desktop, ['--no-sandbox', ...data], programAsIs)
  expect(open.code).toBe(1)
  expect(open.output).toContain('Parlor does not run as root')
  // What opens no window works for an administrator.
  const version = await startAlone(desktop, ['--no-sandbox', '--version'], programAsIs)
  expect(version.code).toBe(0)
  expect(version.output).toMatch(/^Parlor \d/m)
  const policies = await startAlone(desktop, ['--no-sandbox', '--print-policies'], programAsIs)
  expect(policies.code).toBe(0)
  expect(policies.output).toContain('"understood": true')
})
