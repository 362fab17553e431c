import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createToken } from '#main/server/http/auth/identify.ts'
import type { ServerOptions } from '#main/server/app.ts'
import { messageIdOf } from '#main/server/imports/import-tables.ts'
import type { ImportCheck, ImportProgress, ImportSource, ImportState } from '#shared/domain/imports.ts'
import type { ImportAction } from '#shared/wire/sharing.ts'
import { API_KEY, SECRET, startTestServer, type TestServer } from '../kit.ts'

type Start = Partial<Pick<Extract<ImportAction, { action: 'start' }>, 'people' | 'channels'>>

/** A server with its owner, and the calls of the app that imports into it. */
export type Importer = {
  readonly server: TestServer
  readonly folder: string
  ask(action: object, token?: string): Promise<{ status: number; state: ImportState }>
  /** Asks until nothing is under way. */
  settled(): Promise<ImportProgress>
  check(source: ImportSource, path: string): Promise<ImportCheck>
  /** Checks and imports all of it; returns the number of messages added. */
  import(source: ImportSource, path: string, choices?: Start): Promise<number>
  /** The ids of messages by those of the export. */
  id: typeof messageIdOf
  all<T>(sql: string, ...values: (string | number)[]): T[]
  restart(options?: Partial<ServerOptions>): Promise<void>
  stop(): Promise<void>
}

const UNDER_WAY: ReadonlySet<string> = new Set(['reading', 'running', 'undoing'])

export async function startImporter(options: Partial<ServerOptions> = {}): Promise<Importer> {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-import-'))
  const dataFolder = join(folder, 'data')
  const start = async (more: Partial<ServerOptions>): Promise<TestServer> => {
    const { mkdirSync } = await import('node:fs')
    mkdirSync(dataFolder, { recursive: true })
    return startTestServer({ ...options, ...more, dataFolder })
  }
  let server = await start({})
  await (await server.connect('owner', { name: 'Ola' })).close()
  const ask: Importer['ask'] = async (action, token = createToken({}, SECRET)) => {
    const { status, text } = await server.request(`/imports?api_key=${API_KEY}`, {
      method: 'POST',
      headers: { Authorization: token, 'Content-Type': 'application/json' },
      body: JSON.stringify(action),
    })
    return { status, state: (JSON.parse(text) as { import: ImportState }).import }
  }
  const settled = async (): Promise<ImportProgress> => {
    for (;;) {
      const { progress } = (await ask({ action: 'state' })).state
      if (!UNDER_WAY.has(progress.step)) return progress
    }
  }
  const check: Importer['check'] = async (source, path) => {
    await ask({ action: 'check', source, path, name: 'export' })
    const progress = await settled()
    if (progress.step !== 'checked') throw new Error(`not checked: ${JSON.stringify(progress)}`)
    return progress.check
  }
  return {
    get server() {
      return server
    },
    folder,
    ask,
    settled,
    check,
    async import(source, path, choices = {}) {
      await check(source, path)
      await ask({ action: 'start', owner: 'owner', people: {}, channels: {}, ...choices })
      const progress = await settled()
      if (progress.step !== 'done') throw new Error(`not done: ${JSON.stringify(progress)}`)
      await ask({ action: 'close' })
      return progress.report.messages
    },
    id: messageIdOf,
    all: (sql, ...values) => server.services.db.all(sql, ...values),
    async restart(more = {}) {
      await server.stopAll()
      server = await start(more)
    },
    async stop() {
      await server.stopAll()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
