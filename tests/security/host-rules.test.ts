import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { resolveMediaUrl, mediaUrl } from '#shared/bridge/media-url.ts'
import { resolveAppUrl, resolvePath, readRange, csp, shownMimeType } from '#main/hosts/rules/pages/serving.ts'
import { argvDecision, serverWords } from '#main/hosts/rules/windows/argv.ts'
import { restoreBounds, windowOptions } from '#main/hosts/rules/windows/window-options.ts'
import { parseDeepLink } from '#shared/rules/desktop/deep-link.ts'
import {
  externalDecision,
  downloadDecision,
  navigationDecision,
  windowOpenDecision,
  ALLOWED_PERMISSIONS,
  DENIED_PERMISSIONS,
  permissionDecision,
} from '#main/hosts/rules/pages/navigation.ts'
import { TRAVERSALS } from './kit/traversals.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = new Set(['/index.html', '/assets/index-a1.js'])

describe('built files', () => {
  test.each(TRAVERSALS)('%s names no file', (path) => {
    expect(resolvePath(path, manifest)).toEqual({ status: 404 })
    expect(resolveAppUrl('GET', `app://main${path}`, manifest)).toEqual({ status: 404 })
  })
  test.each([
    ['app://main/', '/index.html'],
    ['app://main/index.html', '/index.html'],
    ['app://main/index.html#x', '/index.html'],
    ['app://main/assets/index-a1.js?v=1', '/assets/index-a1.js'],
  ])('%s is %s', (url, file) => {
    expect(resolveAppUrl('GET', url, manifest)).toEqual({ file })
  })
  test.each([
    'app://main.evil/',
    'app://mainx/index.html',
    'app://evil/index.html',
    'file:///index.html',
    'app://u@main/',
  ])('%s is not allowed', (url) => expect(resolveAppUrl('GET', url, manifest)).toEqual({ status: 404 }))
  test('only reading is possible', () => {
    expect(resolveAppUrl('POST', 'app://main/', manifest)).toEqual({ status: 405 })
  })
})

describe('media addresses', () => {
  test.each([
    'att/m-1.0',
    'user/alice@x',
    'channel/messaging:general',
    'channel/messaging:!members-a_b',
    'upload/u1',
    'emoji/parrot.1a',
    'profile/alice@x.1a',
    'preview/0b1c7a52-9d8e-4f10-8a55-2f1f3a6c9d10',
  ])('%s survives the round trip', (ref) =>
    expect(resolveMediaUrl('GET', mediaUrl(ref, 'thumb'))).toEqual({ ref, variant: 'thumb' }),
  )
  test.each([
    'media://att/m1',
    'media://att/m1/huge',
    'media://file/m1/full',
    'media://att/..%2f..%2fx/full',
    'media://att/%2e%2e/full',
    'media://att/a%2fb/full',
    'media://att/a%00/full',
    'media://att/%zz/full',
    'media://att/a b/full',
    'media://att//full',
    'media://att/m1/full?x=1',
    'media://att/m1/full#x',
    'http://att/m1/full',
    'media://ATT/m1/full',
  ])('%s names no entity', (url) => expect(resolveMediaUrl('GET', url)).toBeUndefined())
})

describe('permissions', () => {
  const ours = { origin: 'app://main', isMainFrame: true, isOurWindow: true, media: ['audio'] }
  const others = [
    { ...ours, isMainFrame: false },
    { ...ours, origin: 'https://example.org' },
    { ...ours, origin: 'app://main.evil' },
    { ...ours, isOurWindow: false },
  ]
  const names = permissionNames()

  test('every permission of the installed Electron has a decision', () => {
    expect(names.toSorted()).toEqual([...ALLOWED_PERMISSIONS, ...DENIED_PERMISSIONS].toSorted())
    expect(names).toHaveLength(46)
  })
  test.each(permissionNames())('%s', (name) => {
    expect(permissionDecision(name, ours)).toBe(ALLOWED_PERMISSIONS.has(name) ? 'allow' : 'deny')
    for (const context of others) expect(permissionDecision(name, context)).toBe('deny')
  })
  test('the microphone is allowed, a camera never, nor a request that does not say which', () => {
    expect(
      [['video'], ['audio', 'video'], ['unknown'], []].map((media) => permissionDecision('media', { ...ours, media })),
    ).toEqual(['deny', 'deny', 'deny', 'deny'])
  })
  test('an unknown permission is refused', () => {
    expect(permissionDecision('telepathy', ours)).toBe('deny')
  })
})

describe('links out of the app', () => {
  const at = (url: string, opened: readonly number[] = []) => {
    const decision = externalDecision(url, opened, 100_000)
    return decision.action === 'open' ? decision.url : `${decision.action} ${decision.reason}`
  }
  test.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['HTTPS://EXAMPLE.ORG', 'https://example.org/'],
    ['http://example.org/', 'ask not-encrypted'],
    ['https://раураl.com/', 'ask look-alike'],
    ['https://xn--80ak6aa92e.com/', 'ask look-alike'],
    ['javascript:alert(1)', 'refuse scheme'],
    ['file:///etc/passwd', 'refuse scheme'],
    ['smb://host/share', 'refuse scheme'],
    ['ms-msdt:/id', 'refuse scheme'],
    ['vbscript:x', 'refuse scheme'],
    ['data:text/html,x', 'refuse scheme'],
    ['app://main/index.html', 'refuse scheme'],
    ['https://user:pass@example.org/', 'refuse user-info'],
    ['https://good.example@evil.example/', 'refuse user-info'],
    ['https://example.org/\u202Egpj.exe', 'refuse odd-characters'],
    ['https://example.org/\u0000', 'refuse odd-characters'],
    ['https://example.org/a b', 'refuse odd-characters'],
    ['\\\\host\\share', 'refuse odd-characters'],
    ['//example.org', 'refuse not-an-address'],
    ['example.org', 'refuse not-an-address'],
    ['', 'refuse not-an-address'],
    [`https://example.org/${'a'.repeat(2_048)}`, 'refuse too-long'],
  ])('%s → %s', (url, expected) => expect(at(url)).toBe(expected))
  test('the sixth within ten seconds asks the user first', () => {
    const recent = [91_000, 92_000, 93_000, 94_000, 95_000]
    expect(at('https://example.org/', recent)).toBe('ask many')
    expect(at('https://example.org/', [1, ...recent.slice(1)])).toBe('https://example.org/')
  })
})

describe('navigation', () => {
  test.each([
    ['app://main/index.html', true, 'stay'],
    ['app://main/index.html#c', true, 'stay'],
    ['app://main/index.html', false, 'refuse'],
    ['app://main/other.html', true, 'refuse'],
    ['app://main.evil/index.html', true, 'refuse'],
    ['https://example.org/', true, 'hand-over'],
    ['https://example.org/', false, 'refuse'],
    ['mailto:a@b.c', true, 'hand-over'],
    ['file:///etc/passwd', true, 'refuse'],
    ['javascript:alert(1)', true, 'refuse'],
    ['data:text/html,x', true, 'refuse'],
    ['blob:app://main/1', true, 'refuse'],
    ['smb://x/y', true, 'refuse'],
    ['', true, 'refuse'],
  ] as const)('%s (top frame: %s) → %s', (url, top, expected) => expect(navigationDecision(url, top)).toBe(expected))
  test.each(['javascript:alert(1)', 'about:blank', 'file:///x', 'app://main/index.html', ''])(
    'window.open(%s) does nothing',
    (url) => expect(windowOpenDecision(url)).toBe('refuse'),
  )
  test('a download that the user did not start is canceled', () => {
    expect(downloadDecision('https://a/', new Set())).toBe('cancel')
    expect(downloadDecision('media://att/m/full', new Set(['media://att/m/full']))).toBe('save')
    expect(downloadDecision('blob:app://main/7c1b', new Set())).toBe('save')
    expect(downloadDecision('blob:https://a/7c1b', new Set())).toBe('cancel')
    expect(downloadDecision('blob:app://mainly/7c1b', new Set())).toBe('cancel')
  })
})

describe('links into the app', () => {
  test.each([
    ['parlor://open/demo/channel/messaging:general', { route: 'channel', workspace: 'demo', cid: 'messaging:general' }],
    [
      'parlor://open/demo/message/messaging:general/m-1',
      { route: 'message', workspace: 'demo', cid: 'messaging:general', messageId: 'm-1' },
    ],
    ['parlor://open/demo/user/alice', { route: 'user', workspace: 'demo', userId: 'alice' }],
    ['parlor://open/demo/invite/abcd1234', { route: 'invite', workspace: 'demo', code: 'abcd1234' }],
    ['parlor://new', { route: 'new' }],
    ['parlor://settings/notifications', { route: 'settings', section: 'notifications' }],
    ['parlor://search/plan%20%C5%82odzi', { route: 'search', text: 'plan łodzi' }],
  ])('%s', (text, link) => expect(parseDeepLink(text)).toEqual(link))
  test.each([
    'parlor://open/demo/settings/downloads',
    'parlor://settings/',
    'parlor://new/',
    'parlor://new/evil',
    'parlor://settings/network/proxy',
    'parlor://settings/network?proxy=evil',
    'parlor://search/',
    'parlor://search/a/b',
    'parlor://search/a b',
    'parlor://search/%ff',
    'parlor://search/%0a',
    'parlor://search/%E2%80%AE',
    'parlor:open/demo/user/a',
    'PARLOR://open/demo/user/a',
    'parlor://open/demo/user/a/b',
    'parlor://open/demo/user/',
    'parlor://open//user/a',
    'parlor://open/demo/user/a?x=1',
    'parlor://open/demo/user/a#x',
    'parlor://open/demo/user/%61',
    'parlor://open/de mo/user/a',
    'parlor://open/demo/channel/general',
    'parlor://evil/demo/user/a',
    'parlor://open/demo/channel/javascript:alert(1)',
    'https://open/demo/user/a',
    '--inspect',
    '',
    'parlor://open/demo/invite/a',
    `parlor://open/demo/user/${'a'.repeat(600)}`,
    'parlor://open/../user/a"',
    'parlor://open/demo/user/a\n--no-sandbox',
  ])('%j leads nowhere', (text) => expect(parseDeepLink(text)).toBeUndefined())
})

describe('the command line', () => {
  test('known switches are read and all others dropped', () => {
    const argv = ['.', '--data', '/x', '--as', 'bob', '--inspect=9229', '--proxy-server=evil', '--json']
    expect(argvDecision(argv, 'first')).toEqual({ dataFolder: '/x', asUserId: 'bob', json: true })
  })
  test('a switch without its value is dropped, and so is a switch instead of a value', () => {
    expect(argvDecision(['.', '--data'], 'first')).toEqual({ json: false })
    expect(argvDecision(['.', '--data=--no-sandbox', '--as='], 'first')).toEqual({ json: false })
    expect(argvDecision(['.', '-psn_0_1', '--hidden', '--data=/x'], 'first')).toEqual({
      json: false,
      hidden: true,
      dataFolder: '/x',
    })
  })
  test.each(['version', 'print-policies', 'self-test'] as const)('--%s inspects instead of starting', (inspect) => {
    expect(argvDecision([`--${inspect}`], 'first')).toEqual({ json: false, inspect })
    expect(argvDecision(['parlor://open/demo/user/alice', `--${inspect}`], 'first').inspect).toBeUndefined()
  })
  test('a link adds no switches', () => {
    const argv = ['parlor://open/demo/user/alice', '--data', '/tmp/evil']
    expect(argvDecision(argv, 'first')).toEqual({
      json: false,
      link: { route: 'user', workspace: 'demo', userId: 'alice' },
    })
  })
  test('--server runs the server alone, only as the first word, and never together with a link', () => {
    expect(serverWords(['--server', '--data', '/srv'])).toEqual({ words: ['--data', '/srv'], before: ['--server'] })
    expect(serverWords(['--server', '--ozone-platform=headless', '--help'])).toEqual({
      words: ['--help'],
      before: ['--server', '--ozone-platform=headless'],
    })
    expect(serverWords(['--data', '/srv', '--server'])).toBeUndefined()
    expect(serverWords(['--server', 'parlor://open/demo/user/alice'])).toBeUndefined()
    expect(serverWords(['parlor://open/demo/user/alice', '--server'])).toBeUndefined()
    expect(serverWords([])).toBeUndefined()
  })
  test('a second start can only pass a link', () => {
    expect(argvDecision(['--data', '/tmp/evil', '--json'], 'second')).toEqual({ json: false })
  })
})

describe('windows', () => {
  test.each(['linux', 'macos', 'windows'] as const)('on %s every protection is on', (os) => {
    const options = windowOptions(os, { kind: 'main', theme: 'dark', systemDark: false, devTools: false })
    expect(options.backgroundColor).toBe('#161512')
    expect(options.webPreferences).toEqual({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      disableBlinkFeatures: 'Auxclick',
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: true,
      autoplayPolicy: 'no-user-gesture-required',
      devTools: false,
    })
  })
  test('each system has its own title bar', () => {
    const of = (os: 'linux' | 'macos' | 'windows') =>
      windowOptions(os, { kind: 'main', theme: 'system', systemDark: false, devTools: false })
    expect(of('macos')).toMatchObject({ titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 14, y: 14 } })
    expect(of('windows')).toMatchObject({ titleBarOverlay: { height: 40, color: '#f0ede8', symbolColor: '#302d29' } })
    expect(of('linux')).toMatchObject({ frame: false })
  })
  test.each([
    ['on the screen', { x: 10, y: 10, width: 800, height: 600 }, true],
    ['mostly off but reachable', { x: -700, y: 10, width: 800, height: 600 }, true],
    ['a sliver left', { x: -760, y: 10, width: 800, height: 600 }, false],
    ['on a display that was removed', { x: 3_000, y: 10, width: 800, height: 600 }, false],
    ['too small', { x: 0, y: 0, width: 10, height: 10 }, false],
    ['not numbers', { x: '0', y: 0, width: 800, height: 600 }, false],
    ['nothing', null, false],
  ])('bounds %s', (_name, bounds, isRestored) => {
    const display = { x: 0, y: 0, width: 1_920, height: 1_080 }
    expect(restoreBounds(bounds, [display])).toEqual(isRestored ? bounds : undefined)
  })
})

test('the policies allow nothing unsafe, no wildcard host, and of Trusted Types only the PDF worker', () => {
  for (const target of [{ host: 'electron' }, { host: 'browser', port: 1 }, { host: 'page' }] as const) {
    expect(csp(target)).not.toMatch(/unsafe|data:|https?:|\*(?!;)/)
    expect(csp(target)).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(csp(target)).toContain("default-src 'none'")
  }
  expect(csp({ host: 'electron' })).toContain("connect-src 'none'")
  expect(csp({ host: 'browser', port: 81 })).toContain('connect-src ws://127.0.0.1:81;')
})

test.each([
  ['image/png', 'image/png', false],
  ['image/svg+xml', 'application/octet-stream', true],
  ['text/html', 'application/octet-stream', true],
  ['application/javascript', 'application/octet-stream', true],
  ['audio/webm', 'audio/webm', false],
  ['image/png; charset=x', 'application/octet-stream', true],
])('media of type %s is served as %s', (sniffed, type, download) => {
  expect(shownMimeType(sniffed)).toEqual({ type, download })
})

test.each([
  [undefined, 'whole'],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=0-999', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['items=0-1', 'whole'],
])('range %s of 100 bytes', (header, range) => expect(readRange(header, 100)).toEqual(range))

function permissionNames(): string[] {
  const typings = readFileSync(`${root}node_modules/electron/electron.d.ts`, 'utf8')
  const names = (method: string): string[] => {
    const declared = new RegExp(`${method}\\(handler: \\(\\(webContents: [^,]+, permission: ([^,:]+)[,:]`).exec(typings)
    return [...(declared?.[1] ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '')
  }
  return [...new Set([...names('setPermissionRequestHandler'), ...names('setPermissionCheckHandler')])]
}
