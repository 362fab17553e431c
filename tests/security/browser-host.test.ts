import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { csp } from '#main/hosts/rules/pages/serving.ts'
import {
  CODE_LIFETIME_MS,
  LOCK_MS,
  MEDIA_LINK_LIFETIME_MS,
  type StoredPageSession,
} from '#main/hosts/browser/access.ts'
import { TRAVERSALS } from './kit/traversals.ts'
import { FakePage, raw, startTestHost, type TestHost } from './kit/test-host.ts'

let host: TestHost
const pages: FakePage[] = []

beforeEach(async () => {
  host = await startTestHost()
})
afterEach(async () => {
  for (const page of pages.splice(0)) page.drop()
  await host.stop()
})

function page(headers?: Record<string, string>): FakePage {
  const made = new FakePage(host.port, headers)
  pages.push(made)
  return made
}

const own = () => ['Host', `127.0.0.1:${host.port}`]

describe('requests that are served', () => {
  test('the page comes with every security header and is never stored', async () => {
    const answer = await raw(host.port, '/')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-security-policy': csp({ host: 'browser', port: host.port }),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test.each([
    ['missing', () => []],
    ['another name', () => ['Host', 'evil.example']],
    ['a rebound name with our port', () => ['Host', `evil.example:${host.port}`]],
    ['our address without port', () => ['Host', '127.0.0.1']],
    ['another port', () => ['Host', '127.0.0.1:1']],
    ['our address as a prefix', () => ['Host', `127.0.0.1:${host.port}.evil.example`]],
    ['IPv6 loopback', () => ['Host', `[::1]:${host.port}`]],
    ['any address', () => ['Host', `0.0.0.0:${host.port}`]],
  ])('Host %s is refused', async (_name, headers) => {
    const { status } = await raw(host.port, '/', { headers: headers() })
    expect([400, 421]).toContain(status)
  })

  test.each([
    ['GET', 200],
    ['HEAD', 200],
    ['POST', 404],
    ['OPTIONS', 403],
    ['PUT', 405],
    ['DELETE', 405],
    ['PATCH', 405],
    ['TRACE', 405],
  ])('%s / gets %i', async (method, status) => {
    expect((await raw(host.port, '/', { method, headers: own() })).status).toBe(status)
  })

  test('a preflight sent as a GET is refused', async () => {
    const headers = [...own(), 'Origin', 'https://evil.example', 'Access-Control-Request-Method', 'POST']
    expect((await raw(host.port, '/', { headers })).status).toBe(403)
  })

  test.each([
    ['cross-site', 'no-cors', 'image', 403],
    ['cross-site', 'no-cors', 'script', 403],
    ['cross-site', 'navigate', 'iframe', 403],
    ['same-site', 'cors', 'empty', 403],
    ['cross-site', 'navigate', 'document', 200],
    ['same-origin', 'no-cors', 'script', 200],
    ['none', 'navigate', 'document', 200],
  ])('a %s request (%s, %s) gets %i', async (site, mode, dest, status) => {
    const headers = [...own(), 'Sec-Fetch-Site', site, 'Sec-Fetch-Mode', mode, 'Sec-Fetch-Dest', dest]
    expect((await raw(host.port, '/', { headers })).status).toBe(status)
  })

  test.each([...TRAVERSALS, '/secret.txt', '/renderer-files.json', '/bridge', '/media/', '/media/x.y'])(
    '%s is not found',
    async (path) => {
      const answer = await raw(host.port, path)
      expect([400, 404]).toContain(answer.status)
      expect(answer.body).toBe('')
    },
  )

  test('exactly one socket listens, on 127.0.0.1', () => {
    const hex = host.port.toString(16).toUpperCase().padStart(4, '0')
    const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    const listening = tables
      .map((line) => line.trim().split(/\s+/))
      .filter((part) => part[3] === '0A' && part[1]?.endsWith(`:${hex}`))
    expect(listening.map((part) => part[1])).toEqual([`0100007F:${hex}`])
  })
})

describe('allowed callers', () => {
  test.each([
    ['none', {}],
    ['null', { Origin: 'null' }],
    ['a stranger', { Origin: 'https://evil.example' }],
    ['our address with https', { Origin: 'https://127.0.0.1:PORT' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['no port', { Origin: 'http://127.0.0.1' }],
    ['our origin as a prefix', { Origin: 'http://127.0.0.1:PORT.evil.example' }],
    ['another name of this machine', { Origin: 'http://localhost:PORT' }],
    ['a file', { Origin: 'file://' }],
    ['an extension', { Origin: 'chrome-extension://abc' }],
  ])('Origin %s cannot open the socket', async (_name, headers) => {
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(host.port))])
    expect(await page(Object.fromEntries(filled) as Record<string, string>).closed).toBe(403)
  })

  test('a cross-site upgrade is refused whatever origin it claims', async () => {
    const headers = { Origin: `http://127.0.0.1:${host.port}`, 'Sec-Fetch-Site': 'cross-site' }
    expect(await page(headers).closed).toBe(403)
  })

  test('a rebound host name cannot open the socket', async () => {
    const name = `evil.example:${host.port}`
    expect(await page({ Host: name, Origin: `http://${name}` }).closed).toBe(421)
  })

  test.each([
    ['an empty code', { code: '' }],
    ['a wrong code', { code: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['a wrong session', { session: 'B'.repeat(43) }],
    ['nothing', {}],
    ['a number', { code: 5 as unknown as string }],
    ['a list', { code: ['x'] as unknown as string }],
    ['a very long code', { code: 'A'.repeat(100_000) }],
  ])('%s opens nothing', async (_name, hello) => {
    const stranger = page()
    expect(['code', 'session']).toContain(await stranger.refusal(hello))
    expect(await stranger.closed).toBe(4_001)
    expect(host.calls).toEqual([])
  })

  test.each(['not json', '{"id":1,"name":"x","input":null}', '[]', 'null', '{}', '{"hello":null}'])(
    'a connection that begins with %s is closed',
    async (text) => {
      const stranger = await page().opened()
      stranger.send(text)
      expect(await stranger.closed).toBe(4_002)
      expect(host.calls).toEqual([])
    },
  )

  test('a frame larger than a megabyte ends the socket', async () => {
    const big = await page().opened()
    big.send('x'.repeat(1_100_000))
    expect(await big.closed).toBe(1_009)
  })

  test('five wrong codes lock sign-in for a minute, also for the right code', async () => {
    for (let index = 0; index < 5; index += 1) await page().refusal({ code: `wrong-${index}` })
    expect(await page().refusal({ code: host.code() })).toBe('locked')
    host.clock.advance(LOCK_MS)
    expect((await page().enter({ code: host.code() })).resumed).toBe(false)
  })

  test('a page with a session gets back in during the lock', async () => {
    const { session } = await page().enter({ code: host.code() })
    for (let index = 0; index < 5; index += 1) await page().refusal({ code: `wrong-${index}` })
    expect((await page().enter({ session })).session).toBe(session)
  })

  test('a reusable code opens several windows, each with its own session', async () => {
    const code = host.code()
    const first = await page().enter({ code })
    host.clock.advance(10 * CODE_LIFETIME_MS)
    const second = await page().enter({ code })
    expect(second.window).not.toBe(first.window)
    expect(second.session).not.toBe(first.session)
  })

  test('a code for another user gives a window of that user', async () => {
    const bob = page()
    await bob.enter({ code: host.code('bob') })
    bob.send({ id: 1, name: 'who', input: null })
    expect((await bob.frame('reply')).reply).toMatchObject({ ok: true, value: { as: 'bob' } })
  })
})

describe('media', () => {
  async function link(ref = 'user/alice') {
    const mine = page()
    await mine.enter({ code: host.code() })
    mine.send({ id: 1, media: { ref, variant: 'thumb' } })
    const { reply } = await mine.frame('reply')
    return { mine, url: (reply as { value: string }).value }
  }

  test('a link serves its picture, as a picture', async () => {
    const { url } = await link()
    const answer = await raw(host.port, url)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-length': '70',
    })
  })

  test('part of it can be requested', async () => {
    const { url } = await link()
    const answer = await raw(host.port, url, { headers: [...own(), 'Range', 'bytes=0-7'] })
    expect(answer.status).toBe(206)
    expect(answer.headers['content-range']).toBe('bytes 0-7/70')
  })

  test('it expires after five minutes', async () => {
    const { url } = await link()
    host.clock.advance(MEDIA_LINK_LIFETIME_MS)
    expect((await raw(host.port, url)).status).toBe(404)
  })

  test('it ends with its window', async () => {
    const { mine, url } = await link()
    mine.leave()
    await expect.poll(() => host.closed.length).toBe(1)
    expect((await raw(host.port, url)).status).toBe(404)
  })

  test('a changed link is refused', async () => {
    const { url } = await link()
    const [payload = '', mac = ''] = url.slice('/media/'.length).split('.')
    const other = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('thumb', 'full')).toString(
      'base64url',
    )
    for (const path of [
      `/media/${other}.${mac}`,
      `/media/${payload}.${mac.slice(1)}`,
      `/media/${payload}`,
      `/media/${payload}.`,
    ]) {
      expect((await raw(host.port, path)).status).toBe(404)
    }
  })

  test('an entity without bytes gets an empty response, and a place has no media', async () => {
    expect((await raw(host.port, (await link('user/nobody')).url)).status).toBe(204)
    const mine = page()
    await mine.enter({ code: host.code() })
    mine.send({ id: 1, media: { ref: '/etc/passwd', variant: 'full' } })
    mine.send({ ping: 7 })
    await mine.frame('pong')
    expect(mine.frames).toEqual([])
  })
})

describe('a dropped socket', () => {
  test('the window continues, with what it missed', async () => {
    const first = page()
    const { session, window } = await first.enter({ code: host.code() })
    first.send({ id: 1, name: 'push', input: 'one' })
    await first.frame('reply')
    first.drop()
    const second = page()
    const welcome = await second.enter({ session, resume: { window, lastPush: 0 } })
    expect(welcome).toMatchObject({ window, resumed: true })
    expect(await second.frame('push')).toMatchObject({ n: 1, push: { effect: { action: 'one' } } })
    expect(host.closed).toEqual([])
  })

  test('a repeated call is not executed again', async () => {
    const first = page()
    const { session, window } = await first.enter({ code: host.code() })
    first.send({ id: 1, name: 'send', input: 'x' })
    const before = await first.frame('reply')
    first.drop()
    const second = page()
    await second.enter({ session, resume: { window, lastPush: 0 } })
    second.send({ id: 1, name: 'send', input: 'x' })
    expect(await second.frame('reply')).toEqual(before)
    expect(host.calls).toEqual(['send'])
  })

  test('another session cannot continue it', async () => {
    const first = page()
    const { window } = await first.enter({ code: host.code() })
    const welcome = await page().enter({ code: host.code(), resume: { window, lastPush: 0 } })
    expect(welcome.resumed).toBe(false)
    expect(welcome.window).not.toBe(window)
  })
})

test('a code in a file is valid once and for a minute', async () => {
  const { Access } = await import('#main/hosts/browser/access.ts')
  const { randomBytes } = await import('node:crypto')
  const access = new Access(host.clock, randomBytes)
  const code = access.issueCode({ reusable: false })
  expect(access.enterWithCode(code).ok).toBe(true)
  expect(access.enterWithCode(code)).toEqual({ ok: false, reason: 'code' })
  const late = access.issueCode({ reusable: false })
  host.clock.advance(CODE_LIFETIME_MS)
  expect(access.enterWithCode(late)).toEqual({ ok: false, reason: 'code' })
})

test('the redirect file is readable by its owner alone and holds the only copy of the code', async () => {
  const { writeRedirectFile } = await import('#main/hosts/browser/open-page.ts')
  const { randomBytes } = await import('node:crypto')
  const { path, remove } = await writeRedirectFile(
    `${host.host.paths.data}/run`,
    'http://127.0.0.1:1/#code=abc',
    randomBytes,
  )
  expect(execFileSync('stat', ['-c', '%a', path], { encoding: 'utf8' }).trim()).toBe('600')
  expect(readFileSync(path, 'utf8')).toContain('url=http://127.0.0.1:1/#code=abc')
  await remove()
  expect(() => readFileSync(path)).toThrow('ENOENT')
})

test('a window requested without a browser is announced, and the requesting page gets a new address', async () => {
  const once = await host.host.windows.open({ asUserId: 'bob' })
  expect(once).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{22}$/)
  expect(host.announced).not.toContain(once)
  expect(host.announced).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{22}$/)])
})

test('a page of an earlier run is let in by its token and gets its code word first, but not for ever and not with the stored file', async () => {
  const { Access, SESSION_LIFETIME_MS } = await import('#main/hosts/browser/access.ts')
  const { randomBytes } = await import('node:crypto')
  let stored: readonly StoredPageSession[] = []
  const before = new Access(host.clock, randomBytes, [], (sessions) => (stored = sessions))
  const entered = before.enterWithCode(before.issueCode({ reusable: true, asUserId: 'bob' }))
  if (!entered.ok) throw new Error('the code is good')
  expect(JSON.stringify(stored)).not.toContain(entered.token)
  const later = new Access(host.clock, randomBytes, stored)
  expect(later.proofFor(entered.session.id)).toEqual(entered.word)
  expect(later.proofFor('another')).toBeUndefined()
  expect(later.enterWithSession(entered.token)).toMatchObject({ ok: true, session: { asUserId: 'bob' } })
  expect(later.proofFor(entered.session.id)).toBe(entered.word)
  for (const guess of stored.flatMap(({ hash, word, id }) => [hash, word, id])) {
    expect(later.enterWithSession(guess).ok).toBe(false)
  }
  host.clock.advance(SESSION_LIFETIME_MS)
  expect(new Access(host.clock, randomBytes, stored).enterWithSession(entered.token).ok).toBe(false)
})

test('a knock returns only the code word of that page, and opens nothing', async () => {
  const known = await page().enter({ code: host.code() })
  const back = await page().opened()
  back.send({ knock: known.knock.name })
  expect(await back.frame('word')).toEqual({ word: known.knock.word })
  back.send({ id: 1, name: 'push', input: 'x' })
  expect(await back.closed).toBe(4_002)
  const stranger = await page().opened()
  stranger.send({ knock: 'nobody' })
  expect(await stranger.frame('refused')).toMatchObject({ refused: { reason: 'session' } })
  expect(host.calls).toEqual([])
})
