import { spawnSync } from 'node:child_process'
import { createServer, request, Agent, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { WebSocket, WebSocketServer } from 'ws'
import type { Page } from 'playwright'
import { benchFolder, removeFolder } from './folders.ts'
import { root } from './processes.ts'

/** The floors of this machine in this minute: no app could be faster. Each returns all its samples. */

const times = async (count: number, work: () => unknown): Promise<number[]> => {
  const samples: number[] = []
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now()
    await work()
    samples.push(performance.now() - startedAt)
  }
  return samples
}

/** A Node process that opens a database with better-sqlite3, reads it and ends, in milliseconds. */
export function bareNodeOpen(count: number): Promise<number[]> {
  const program = `const D=require('better-sqlite3');const d=new D(':memory:');d.prepare('SELECT 1').get()`
  return times(count, () => spawnSync(process.execPath, ['-e', program], { cwd: root }))
}

/** One row committed to a file the way the outbox does it: WAL and FULL. In milliseconds. */
export async function bareTransaction(count: number): Promise<number[]> {
  const folder = benchFolder('transaction')
  const db = new Database(join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, json TEXT)')
  const insert = db.prepare('INSERT INTO t (json) VALUES (?)')
  const row = 'x'.repeat(600)
  const samples = await times(count, () => insert.run(row))
  db.close()
  removeFolder(folder)
  return samples
}

/** Rows a second when 500 go into one transaction, with the columns and indexes of a message and nothing else. */
export function bareBatchInsert(rows: readonly string[]): number {
  const folder = benchFolder('batch')
  const db = new Database(join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec('CREATE TABLE m (id TEXT PRIMARY KEY, cid TEXT, at REAL, json TEXT); CREATE INDEX m_cid ON m (cid, at, id)')
  const insert = db.prepare('INSERT INTO m VALUES (?, ?, ?, ?)')
  const all = db.transaction((from: number) => {
    rows.slice(from, from + 500).forEach((row, index) => insert.run(`${from + index}`, `c${index % 10}`, index, row))
  })
  const startedAt = performance.now()
  for (let from = 0; from < rows.length; from += 500) all(from)
  const ms = performance.now() - startedAt
  db.close()
  removeFolder(folder)
  return (rows.length / ms) * 1_000
}

export function bareParse(texts: readonly string[]): number {
  const startedAt = performance.now()
  for (const text of texts) JSON.parse(text)
  return (texts.length / (performance.now() - startedAt)) * 1_000
}

/** POST to node:http that writes one row at FULL and responds, one in flight, kept alive. In milliseconds. */
export const barePost = (count: number): Promise<number[]> => withPost((send) => times(count, send))

/** The same as a rate per second, with so many in flight. */
export const barePostRate = (count: number, inFlight: number): Promise<number> =>
  withPost(async (send) => {
    const startedAt = performance.now()
    const lane = async (): Promise<void> => {
      for (let done = 0; done < count / inFlight; done += 1) await send()
    }
    await Promise.all(Array.from({ length: inFlight }, lane))
    return (count / (performance.now() - startedAt)) * 1_000
  })

async function withPost<T>(work: (send: () => Promise<void>) => Promise<T>): Promise<T> {
  const folder = benchFolder('post')
  const db = new Database(join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, json TEXT)')
  const insert = db.prepare('INSERT INTO t (json) VALUES (?)')
  const server = await listening((body) => {
    insert.run(body)
    return body
  })
  const agent = new Agent({ keepAlive: true })
  const { port } = server.address() as AddressInfo
  const body = JSON.stringify({ message: { text: 'x'.repeat(300) } })
  try {
    return await work(() => post(port, agent, body))
  } finally {
    agent.destroy()
    server.close()
    db.close()
    removeFolder(folder)
  }
}

function listening(answer: (body: string) => string, type = 'application/json'): Promise<Server> {
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => response.writeHead(200, { 'content-type': type }).end(answer(body)))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

function post(port: number, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, agent, method: 'POST', host: '127.0.0.1' }, (response) => {
      response.resume().on('end', resolve)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A round trip to a `ws` server on loopback, in milliseconds. */
export async function bareEcho(count: number): Promise<number[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  await new Promise((resolve) => server.once('listening', resolve))
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await new Promise((resolve) => socket.once('open', resolve))
  const samples = await times(count, async () => {
    const echoed = new Promise((resolve) => socket.once('message', resolve))
    socket.send('hello')
    await echoed
  })
  socket.close()
  server.close()
  return samples
}

const BLANK = '<!doctype html><title>blank</title><p data-bench-blank>blank</p><main id="rows"></main>'

/** A page with one line and no script. */
export async function withBlankPage<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await listening(() => BLANK, 'text/html')
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** On the blank page: 100 plain rows replaced by 100 others, click to painted, in milliseconds. */
export async function minimalListSwitch(page: Page, count: number): Promise<number[]> {
  const samples: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const sample = page.evaluate(async (label) => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      const list = document.querySelector('#rows')
      const startedAt = performance.now()
      const rows = Array.from({ length: 100 }, (_, index) => {
        const row = document.createElement('article')
        row.textContent = `${label} row ${index} with some words of a message in it`
        return row
      })
      list?.replaceChildren(...rows)
      return (await window.parlorProbe.painted(() => true)) - startedAt
    }, turn)
    samples.push(await sample)
  }
  return samples
}
