import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { LOCKED_KEY, RENEWED, SERVER, VALID_TO } from '#kit/certificates.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { loadCertificate, watchCertificate, type LoadedCertificate } from './network.ts'

const folder = mkdtempSync(join(tmpdir(), 'parlor-certificate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cert = join(folder, 'cert.pem')
const key = join(folder, 'key.pem')
const NOW = Date.parse('2026-12-01T09:00:00Z')

const put = (pair: { readonly cert: string; readonly key: string }): void => {
  writeFileSync(cert, pair.cert)
  writeFileSync(key, pair.key)
}
beforeEach(() => put(SERVER))

const load = (host = 'localhost', now = NOW): LoadedCertificate => loadCertificate({ cert, key }, host, now)

test.each(['localhost', '127.0.0.1'])('a certificate for %s is loaded with its end', (host) => {
  expect(load(host)).toEqual({ ...SERVER, endsAtMs: VALID_TO })
})

describe('a certificate that no client would accept is refused with what is wrong:', () => {
  test('no file', () => {
    expect(() => loadCertificate({ cert: join(folder, 'none'), key }, 'localhost', NOW)).toThrow(
      `${join(folder, 'none')} of --tls-cert is not there.`,
    )
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read', () => {
    chmodSync(key, 0o000)
    try {
      expect(load).toThrow(`${key} of --tls-key cannot be read (EACCES).`)
    } finally {
      chmodSync(key, 0o600)
    }
  })

  test('something else', () => {
    put({ cert: 'hello', key: SERVER.key })
    expect(load).toThrow(`${cert} of --tls-cert holds no certificate in PEM form.`)
  })

  test('a key with a passphrase', () => {
    put({ cert: SERVER.cert, key: LOCKED_KEY })
    expect(load).toThrow(`${key} of --tls-key holds no key in PEM form that can be read without a passphrase.`)
  })

  test('the key of another one', () => {
    put({ cert: SERVER.cert, key: RENEWED.key })
    expect(load).toThrow(`${key} of --tls-key is not the key of ${cert}.`)
  })

  test('another name', () => {
    expect(() => load('chat.example.org')).toThrow(
      `${cert} is not for chat.example.org of --url, but for DNS:localhost, DNS:chat.test, IP Address:127.0.0.1.`,
    )
    expect(() => load('10.0.0.1')).toThrow('is not for 10.0.0.1 of --url')
  })

  test('an end that has passed, and a beginning that has not come', () => {
    expect(() => load('localhost', VALID_TO)).toThrow(`${cert} ended on 2126-10-29. Renew it.`)
    expect(() => load('localhost', Date.parse('2026-11-01T00:00:00Z'))).toThrow(
      `${cert} is not valid before 2026-11-22.`,
    )
  })
})

describe('a watched certificate', () => {
  const start = () => {
    const clock = new ManualClock(NOW)
    const lines: string[] = []
    const used: string[] = []
    const sink: LogSink = (level, _area, event, fields) =>
      lines.push(`${level} ${event} ${String(fields['code'] ?? '')}`.trim())
    const watched = watchCertificate({ cert, key }, load, (loaded) => used.push(loaded.cert), {
      clock,
      log: logger('server', sink),
    })
    return { clock, lines, used, watched }
  }

  test('is loaded again within a minute after it was replaced, and only then', async () => {
    const { clock, lines, used, watched } = start()
    await clock.advance(60_000)
    put(RENEWED)
    await clock.advance(60_000)
    await clock.advance(60_000)
    watched.stop()

    expect(used).toEqual([RENEWED.cert])
    expect(lines).toEqual(['info certificate-renewed'])
    expect(clock.pending).toBe(0)
  })

  test('is loaded again at once when asked', () => {
    const { used, watched } = start()
    put(RENEWED)
    watched.look()
    watched.stop()

    expect(used).toEqual([RENEWED.cert])
  })

  test('stays in use while only one of its two files is replaced, which is reported once', async () => {
    const { clock, lines, used, watched } = start()
    put({ cert: RENEWED.cert, key: SERVER.key })
    await clock.advance(120_000)
    expect(used).toEqual([])
    put(RENEWED)
    await clock.advance(60_000)
    watched.stop()

    expect(used).toEqual([RENEWED.cert])
    expect(lines).toEqual(['error certificate-not-renewed NetworkProblem', 'info certificate-renewed'])
  })
})
