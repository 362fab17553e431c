import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ending, newFolder, serving, stop } from './service.ts'

/** The names of all samples with their values. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

const LINE =
  /^(?:# HELP [a-z_]+ .+|# TYPE [a-z_]+ (?:gauge|counter|histogram)|[a-z_]+(?:\{[a-z]+="[^"]*"\})? [\d.e+-]+)$/

test('SRV-56 metrics are numbers about the whole server in the format of Prometheus, and name nobody', async () => {
  const folder = newFolder()
  const backups = join(folder, 'backups')
  const service = await serving(['--data', folder, '--metrics', 'on', '--backups', backups, '--seed', 'demo'])
  await service.logged('backed-up')
  const { url } = service.line
  await (await fetch(`${url}/app`)).text()
  await (await fetch(`${url}/nowhere`)).text()
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  const samples = samplesOf(text)
  await stop(service.child)

  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text.split('\n').filter((line) => line !== '' && !LINE.test(line))).toEqual([])
  expect([...samples.values()].filter((value) => !Number.isFinite(value))).toEqual([])
  expect(Object.fromEntries(samples)).toMatchObject({
    parlor_connections: 0,
    parlor_backups_failed_total: 0,
    'parlor_requests_total{status="401"}': 1,
    'parlor_requests_total{status="404"}': 1,
    'parlor_request_duration_seconds_bucket{le="+Inf"}': 2,
    parlor_request_duration_seconds_count: 2,
  })
  expect(samples.get('parlor_database_bytes')).toBeGreaterThan(100_000)
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(Math.abs((samples.get('parlor_backup_newest_timestamp_seconds') ?? 0) * 1_000 - Date.now())).toBeLessThan(
    600_000,
  )
  expect(text).not.toMatch(/ola|messaging:|general/i)
}, 120_000)

test('SRV-56 there are none unless they are asked for, and none under another host name', async () => {
  const [without, with_] = [
    await serving(['--data', newFolder()]),
    await serving(['--data', newFolder(), '--metrics', 'on']),
  ]
  const absent = await fetch(`${without.line.url}/metrics`)
  const { port } = new URL(with_.line.url)
  const status = await new Promise((resolve, reject) =>
    request({ host: '127.0.0.1', port, path: '/metrics', headers: { host: 'evil.example' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end(),
  )
  await Promise.all([stop(without.child), stop(with_.child)])

  expect(absent.status).toBe(404)
  expect(status).toBe(421)
})

test('a process that answers is alive, and ready while people can work', async () => {
  const service = await serving(['--data', newFolder()])
  const answers = await Promise.all(
    ['/healthz', '/readyz'].map(async (path) => {
      const response = await fetch(service.line.url + path)
      return [response.status, await response.json()]
    }),
  )
  await stop(service.child)

  expect(answers).toEqual([
    [200, { status: 'ok' }],
    [200, { status: expect.stringMatching(/^(ok|degraded)$/) as string }],
  ])
})

test('the log goes into a file when asked, and nothing of it to standard error', async () => {
  const folder = newFolder()
  const path = join(folder, 'logs', 'server.log')
  const service = await serving(['--data', folder, '--log-file', path])
  await stop(service.child)
  const events = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event)

  expect(service.log()).toBe('')
  expect(events).toEqual(['listening', 'stopping', 'stopped'])
})

test('a log file that cannot be written ends the start with one line', async () => {
  const folder = newFolder()
  const { code, out, err } = await ending(['--data', folder, '--log-file', folder])

  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: `The Parlor server could not start. ${folder} of --log-file cannot be written.\n`,
  })
})
