import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchChromium } from './kit/chromium.ts'
import { startTestHost, type TestHost } from './kit/test-host.ts'

/** What a page of another origin can see of Parlor. `refused` is the only good result. */
const PROBES: Record<string, string> = {
  img: element('img', 'src'),
  script: element('script', 'src'),
  iframe: `(url) => new Promise((done) => {
    const frame = document.createElement('iframe')
    frame.src = url
    frame.onload = () => { try { done(frame.contentDocument?.title === 'Parlor' ? 'seen' : 'refused') } catch { done('refused') } }
    document.body.append(frame)
  })`,
  'fetch no-cors': `(url) => fetch(url, { mode: 'no-cors' }).then(() => 'seen', () => 'refused')`,
  'fetch cors': `(url) => fetch(url).then((r) => 'seen', () => 'refused')`,
  'fetch post': `(url) => fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }).then(() => 'seen', () => 'refused')`,
  websocket: `(url) => new Promise((done) => {
    const socket = new WebSocket(url.replace('http', 'ws') + 'bridge')
    socket.onopen = () => done('seen')
    socket.onerror = () => done('refused')
  })`,
  'fetch own media path': `(url) => fetch(url + 'media/abc.def', { credentials: 'include' }).then(() => 'seen', () => 'refused')`,
}

function element(tag: string, attribute: string): string {
  return `(url) => new Promise((done) => {
    const element = document.createElement('${tag}')
    element.onload = () => done('seen')
    element.onerror = () => done('refused')
    element.${attribute} = url
    document.body.append(element)
  })`
}

describe.skipIf(chromiumPath === undefined)('a page of another origin, in Chromium', () => {
  let host: TestHost
  let evil: Server
  let evilUrl: string
  let browser: Browser
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    host = await startTestHost()
    evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>evil</title><body>')
    })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`
    browser = await launchChromium()
    context = await browser.newContext()
    page = await context.newPage()
    // The user has the app open in the same browser: no probe may profit from it.
    const app = await context.newPage()
    await app.goto(host.reusableUrl())
    await app.waitForFunction(() => document.title === 'welcome')
    await page.goto(evilUrl)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    evil?.close()
    await host?.stop()
  })

  test.each(Object.entries(PROBES))('%s is refused and changes nothing', async (_name, probe) => {
    const answer = await page.evaluate(`(${probe})('http://127.0.0.1:${host.port}/')`)
    expect(answer).toBe('refused')
    expect(host.calls).toEqual([])
  })

  test('a form posted to Parlor has no effect', async () => {
    const target = await context.newPage()
    await target.goto(evilUrl)
    const responded = target.waitForResponse((response) => response.url().includes(String(host.port)))
    await target.evaluate((url) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = url
      document.body.append(form)
      form.submit()
    }, `http://127.0.0.1:${host.port}/`)
    expect((await responded).status()).toBe(403)
    expect(host.calls).toEqual([])
    await target.close()
  })

  test('a visit without a code shows a page that leads nowhere', async () => {
    const visitor = await context.newPage()
    await visitor.goto(`http://127.0.0.1:${host.port}/`)
    await expect.poll(() => visitor.title()).toBe('refused')
    await visitor.close()
  })

  test('Parlor’s own page can reach its socket and no other address', async () => {
    const app = await context.newPage()
    await app.goto(host.reusableUrl())
    await expect.poll(() => app.title()).toBe('welcome')
    const fetched = await app.evaluate(
      (url) =>
        fetch(url, { mode: 'no-cors' }).then(
          () => 'sent',
          () => 'blocked',
        ),
      evilUrl,
    )
    const own = await app.evaluate(() =>
      fetch('/').then(
        () => 'sent',
        () => 'blocked',
      ),
    )
    const socket = await app.evaluate(
      (url) =>
        new Promise((done) => {
          try {
            const other = new WebSocket(url)
            other.addEventListener('error', () => done('blocked'))
            other.addEventListener('open', () => done('sent'))
          } catch {
            done('blocked')
          }
        }),
      evilUrl.replace('http', 'ws'),
    )
    expect(fetched).toBe('blocked')
    expect(own).toBe('blocked')
    expect(socket).toBe('blocked')
    await app.close()
  })

  test('markup assigned as text to a sink throws in Parlor’s page', async () => {
    const app = await context.newPage()
    await app.goto(host.reusableUrl())
    const outcome = await app.evaluate(() => {
      try {
        document.body.insertAdjacentHTML('beforeend', '<b>x</b>')
        return 'written'
      } catch {
        return 'refused'
      }
    })
    expect(outcome).toBe('refused')
    await app.close()
  })
})
