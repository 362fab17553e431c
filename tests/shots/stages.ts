import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '#shared/domain/settings.ts'
import { Admin } from '../e2e/kit/admin.ts'
import { Cable } from '../e2e/kit/cable.ts'
import { connectArgs, startApp, startServer, temporaryFolder } from '../e2e/kit/processes.ts'
import { addCrowd } from './crowd.ts'
import { addReports } from './reports.ts'
import { addSampleData, addSampleChannels, remind } from './sample-data.ts'

/**
 * Where a picture is taken. `demo`: the demo as Ola. `compact`, `large`, `icons`: the same with that density, text size,
 * sidebar. `several`: the same, with another account once a picture needs it. `left`: the same, with no one signed in
 * once the first picture is taken. `joined`: Ola in the demo team on a separate server, with reminders, a channel that
 * has every kind of message and channels that are closed in every way. `wired`: the same over a cable that can be
 * unplugged, which carries text but no pictures. `reviewing`: Ola
 * there as an administrator, with reports to decide. `crowd`: Ola there as an administrator of thousands of people, over a
 * cable that can be unplugged. `member`: Luis there, with fewer permissions. `empty`: a new user with
 * no data yet.
 */
export type StageName =
  | 'demo'
  | 'several'
  | 'compact'
  | 'large'
  | 'icons'
  | 'joined'
  | 'wired'
  | 'reviewing'
  | 'crowd'
  | 'member'
  | 'empty'
  | 'left'

export type Stage = {
  readonly url: string
  readonly cable: Cable | undefined
  /** Of the server that is joined. */
  readonly admin: Admin | undefined
  /** What the page shows once it is ready. */
  readonly settled: string
  end(): Promise<void>
}

const OPEN_CHANNEL = '[data-message-list][data-settled="1"]'

const EXTRAS: Readonly<Partial<Record<StageName, Partial<Settings>>>> = {
  compact: { density: 'compact' },
  large: { textScale: 150 },
  icons: { sidebarCollapsed: true },
}

export async function openStage(name: StageName): Promise<Stage> {
  const data = temporaryFolder('shots')
  const settings: Partial<Settings> = {
    language: 'en',
    theme: 'light',
    motion: 'reduced',
    activePeople: false,
    ...EXTRAS[name],
  }
  writeFileSync(join(data.path, 'settings.json'), JSON.stringify({ settings }))
  if (name === 'joined') return joined(data, 'ola', OPEN_CHANNEL)
  if (name === 'wired') return joined(data, 'ola', OPEN_CHANNEL, (serverUrl) => Cable.to(serverUrl))
  if (name === 'reviewing') return joined(data, 'ola', OPEN_CHANNEL, undefined, (admin) => addReports(admin, 'ola'))
  if (name === 'crowd') return joined(data, 'ola', OPEN_CHANNEL, (serverUrl) => Cable.to(serverUrl), addCrowd)
  if (name === 'member') return joined(data, 'luis', OPEN_CHANNEL)
  if (name === 'empty') return joined(data, 'newcomer', 'main')
  return alone(data, name === 'left' || name === 'several' ? 'main' : OPEN_CHANNEL)
}

type Folder = ReturnType<typeof temporaryFolder>

async function alone(data: Folder, settled: string): Promise<Stage> {
  const app = await startApp(data.path, '--demo')
  return {
    url: app.ready['url'] ?? '',
    cable: undefined,
    admin: undefined,
    settled,
    async end() {
      await app.stop()
      data.remove()
    },
  }
}

async function joined(
  data: Folder,
  who: string,
  settled: string,
  wire?: (serverUrl: string) => Promise<Cable>,
  prepare?: (admin: Admin) => Promise<void>,
): Promise<Stage> {
  const home = temporaryFolder('shots-server')
  const server = await startServer(home.path, { seed: 'demo' })
  const url = server.ready['url'] ?? ''
  const admin = new Admin(url)
  if (who === 'newcomer') await admin.people('newcomer')
  else if (prepare !== undefined) await prepare(admin)
  else {
    await remind(admin)
    await addSampleChannels(admin)
    await addSampleData(admin, url)
  }
  const cable = await wire?.(url)
  const app = await startApp(data.path, ...(await connectArgs(cable?.url ?? url, who)))
  return {
    url: app.ready['url'] ?? '',
    cable,
    admin,
    settled,
    async end() {
      await app.stop()
      await cable?.end()
      await server.stop()
      data.remove()
      home.remove()
    },
  }
}
