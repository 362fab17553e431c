import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '#shared/domain/settings.ts'
import { Admin } from '../e2e/admin.ts'
import { Cable } from '../e2e/cable.ts'
import { connectArgs, startApp, startServer, temporaryFolder } from '../e2e/processes.ts'

/**
 * Where a picture is taken. `demo`: a first start. `compact`, `large`: the same with that density, that text size.
 * `several`: the same, with an account more once a picture asks for it.
 * `joined`: the demo team on a server of its own, with reminders, and a cable that can be pulled. `left`: nobody is
 * signed in once the first picture is taken.
 */
export type StageName = 'demo' | 'several' | 'compact' | 'large' | 'joined' | 'left'

export type Stage = {
  readonly url: string
  readonly cable: Cable | undefined
  /** Of the server that is joined. */
  readonly admin: Admin | undefined
  /** What stands on the page once it is there. */
  readonly settled: string
  end(): Promise<void>
}

const OPEN_CHANNEL = '[data-message-list][data-settled="1"]'

type Look = Pick<Settings, 'language' | 'theme'>

const EXTRAS: Readonly<Partial<Record<StageName, Partial<Settings>>>> = {
  compact: { density: 'compact' },
  large: { textScale: 150 },
}

export async function openStage(name: StageName, look: Look): Promise<Stage> {
  const data = temporaryFolder('shots')
  const settings: Partial<Settings> = { ...look, motion: 'reduced', ...EXTRAS[name] }
  writeFileSync(join(data.path, 'settings.json'), JSON.stringify({ settings }))
  return name === 'joined' ? joined(data) : alone(data, name === 'left' || name === 'several' ? 'main' : OPEN_CHANNEL)
}

type Folder = ReturnType<typeof temporaryFolder>

async function alone(data: Folder, settled: string): Promise<Stage> {
  const app = await startApp(data.path)
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

async function joined(data: Folder): Promise<Stage> {
  const home = temporaryFolder('shots-server')
  const server = await startServer(home.path, { seed: 'demo' })
  const url = server.ready['url'] ?? ''
  const admin = new Admin(url)
  await remind(admin)
  const cable = await Cable.to(url)
  const app = await startApp(data.path, ...(await connectArgs(cable.url, 'ola')))
  return {
    url: app.ready['url'] ?? '',
    cable,
    admin,
    settled: OPEN_CHANNEL,
    async end() {
      await app.stop()
      await cable.end()
      await server.stop()
      data.remove()
      home.remove()
    },
  }
}

const HOUR = 3_600_000
/** Hours from now; nothing is a message saved without a time. */
const REMINDERS = [-72, -1, 0.01, 2, 48, 200, undefined] as const

/** Overdue, due, later today, upcoming and saved: one of the newest messages of the first channel each. */
async function remind(admin: Admin): Promise<void> {
  const { messages } = (await admin.call('POST', '/channels/team/release-4-2/query', {
    data: { created_by_id: 'ola' },
    state: true,
    messages: { limit: REMINDERS.length },
  })) as { messages: { id: string }[] }
  for (const [at, hours] of REMINDERS.entries()) {
    const when = hours === undefined ? {} : { remind_at: new Date(Date.now() + hours * HOUR).toISOString() }
    await admin.call('POST', `/messages/${messages[at]?.id}/reminders`, when, 'ola')
  }
}
