/**
 * The app of `kill-points.test.ts`: `node kill-points-app.js MODE DATA URL TOKEN QUIET BUSY POINT NTH`. Observes every
 * operation of the process, and ends it when it reaches POINT for the NTH time. What it does is `kill-points-story.ts`,
 * which is loaded after the observers are installed.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { POINTS, type Stage } from './kill-points.ts'
import { printLine } from './print-line.ts'

const [, , mode = 'live', data = '', url = '', token = '', quiet = '', busy = '', point = '', nth = '1'] = process.argv
const reached = new Map<string, number>()
let stage: Stage = 'start'

function at(moment: 'before' | 'after', deed: string): void {
  for (const each of POINTS) {
    if (each.moment !== moment || (each.stage !== undefined && each.stage !== stage) || !each.deed.test(deed)) continue
    reached.set(each.name, (reached.get(each.name) ?? 0) + 1)
    if (each.name === point && reached.get(point) === Number(nth)) process.kill(process.pid, 'SIGKILL')
  }
}

/** A path as it appears in points: what is the same in every run. */
function named(path: unknown): string {
  const inside = relative(data, String(path))
  const account = /^accounts\/[^/.]+(\.leaving)?$/.exec(inside)
  if (account) return `accounts/ACCOUNT${account[1] ?? ''}`
  return inside.replace(/^accounts\/[^/]+\//, '').replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
}

type Any = (...args: unknown[]) => unknown
type Module = Record<string, Any>

function wrapSync(name: string, deedOf: (args: readonly unknown[]) => string): void {
  const module = fs as unknown as Module
  const plain = module[name] as Any
  module[name] = (...args) => {
    const deed = deedOf(args)
    at('before', deed)
    const result = plain(...args)
    at('after', deed)
    return result
  }
}

function wrapAsync(name: string, deedOf: (args: readonly unknown[]) => string): void {
  const module = promises as unknown as Module
  const plain = module[name] as Any
  module[name] = async (...args) => {
    const deed = deedOf(args)
    at('before', deed)
    const result = await plain(...args)
    at('after', deed)
    return result
  }
}

function watchFiles(): void {
  const move = ([from, to]: readonly unknown[]): string => `rename ${named(from)} ${named(to)}`
  const add = ([path]: readonly unknown[]): string => `append ${named(path)}`
  const remove = ([path]: readonly unknown[]): string => {
    const deed = `rm ${named(path)}`
    if (stage === 'wipe' && deed === 'rm accounts/ACCOUNT') halfOf(String(path), deed)
    return deed
  }
  wrapSync('renameSync', move)
  wrapSync('appendFileSync', add)
  wrapSync('rmSync', remove)
  wrapAsync('rename', move)
  wrapAsync('writeFile', ([path]) => `write ${named(path)}`)
  wrapAsync('appendFile', add)
  wrapAsync('rm', remove)
  const open = promises.open
  promises.open = async (path, ...rest) => {
    const handle = await open(path, ...rest)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      at('before', `sync ${named(path)}`)
      await sync()
      at('after', `sync ${named(path)}`)
    }
    return handle
  }
  syncBuiltinESMExports()
}

/** Removing a folder takes many steps: some of its files are deleted, others are not. */
function halfOf(folder: string, deed: string): void {
  if (!POINTS.some(({ name, deed: wanted }) => name === point && wanted.test(`half of ${deed}`))) {
    at('before', `half of ${deed}`)
    return
  }
  for (const name of fs.readdirSync(folder).filter((each) => each.startsWith('outbox')))
    fs.unlinkSync(join(folder, name))
  at('before', `half of ${deed}`)
}

type Cell = { readonly source: string; readonly database: Database.Database }

/** A COMMIT is named by what was written since its BEGIN. */
function watchStatements(): void {
  const written = new WeakMap<Database.Database, Set<string>>()
  const memory = new Database(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Module
  memory.close()
  for (const method of ['run', 'get', 'all']) {
    const plain = prototype[method] as Any
    prototype[method] = function (this: Cell, ...args: unknown[]) {
      const file = basename(this.database.name)
      const text = this.source.replace(/\s+/g, ' ')
      const since = written.get(this.database) ?? new Set<string>()
      if (text.startsWith('BEGIN')) since.clear()
      written.set(this.database, since)
      const table = /^(?:INSERT (?:OR \w+ )?INTO|DELETE FROM|UPDATE) (\w+)/.exec(text)?.[1]
      if (table !== undefined) since.add(table === 'meta' ? String(args[0]) : table)
      const deed = text === 'COMMIT' ? `commit ${file} ${[...since].toSorted().join(' ')}` : `sql ${file} ${text}`
      at('before', deed)
      const result = plain.apply(this, args)
      at('after', deed)
      return result
    }
  }
}

watchFiles()
watchStatements()
const { look, live } = await import('./kill-points-story.ts')
const story = {
  data,
  url,
  token,
  quiet,
  busy,
  at,
  enter: (next: Stage) => {
    stage = next
    printLine(`stage ${next}`)
  },
  reached: () => Object.fromEntries(reached),
}
await (mode === 'look' ? look(story) : live(story))
