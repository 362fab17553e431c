import { asCid } from '#shared/lib/brand.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { openAccount, type Account } from '#main/app/accounts/account.ts'
import { createEngine, type Engine } from '#main/engine/engine.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { silentSink } from '#main/lib/logger.ts'
import { benchFolder, removeFolder } from '../folders.ts'
import { barePostRate, bareTransaction } from '../limits.ts'
import type { ServerHost } from '../hosts/host.ts'
import { tokenFor, type Running } from '../processes.ts'
import { channelCid, SEED_S, VIEWER } from '../seeds.ts'
import { API_KEY, seedServer } from '../server-seed.ts'
import { figure, median, verdict, type Figure } from '../stats.ts'

/** Messages written offline are sent once there is a connection, in order. */
const QUEUED = 1_000
const CHANNELS = 10
const CLIENT = 'bench'
const PATIENCE_MS = 120_000

type Drain = { readonly queueMs: readonly number[]; readonly drainMs: number }

export async function drainFigures(repeats: number, host: ServerHost): Promise<Figure[]> {
  const drains: Drain[] = []
  const atOne: number[] = []
  const atFour: number[] = []
  const commits: number[] = []
  for (let turn = 0; turn < repeats; turn += 1) {
    drains.push(await drainOnce(host))
    atOne.push(await barePostRate(QUEUED, 1))
    atFour.push(await barePostRate(QUEUED, 4))
    commits.push(median(await bareTransaction(QUEUED)))
  }
  const rates = drains.map(({ drainMs }) => (QUEUED / drainMs) * 1_000)
  const drained = figure(`engine: ${QUEUED} queued messages drained over ${CHANNELS} channels`, 'per second', rates, {
    limit: { name: 'bare POST that stores, four at once', values: atFour },
    note: `one at once ${Math.round(median(atOne))} a second; goal: 0.3 of that, stretch 0.5 of four at once`,
  })
  const goal = median(atFour) / (0.3 * median(atOne))
  const queued = figure(
    'engine: one message queued without a line',
    'ms',
    drains.map(({ queueMs }) => median(queueMs)),
    { limit: { name: 'bare transaction at FULL', values: commits }, note: 'goal: stretch 3' },
  )
  return [
    { ...drained, verdict: verdict(1 / (drained.ratio ?? Number.NaN), goal, 2) },
    { ...queued, verdict: verdict(queued.ratio ?? Number.NaN, 3, 3) },
  ]
}

async function drainOnce(host: ServerHost): Promise<Drain> {
  const [serverFolder, dataFolder] = [benchFolder('drain-server'), benchFolder('drain-app')]
  await seedServer(serverFolder, SEED_S)
  let server: Running | undefined
  let account: Account | undefined
  try {
    server = await host.startServer(serverFolder)
    const port = Number(new URL(server.url).port)
    account = await openFor(dataFolder, server.url)
    const screen = watch(account.engine)
    await screen.until(() => screen.isHealthy() && screen.channels() === SEED_S.messages.length)
    await server.stop()
    await screen.until(() => !screen.isHealthy())
    const queueMs = await queue(account.engine)
    server = await host.startServer(serverFolder, { port })
    account.networkChanged('online')
    await screen.until(() => screen.isHealthy())
    const startedAt = performance.now()
    await screen.until(() => screen.sent() === QUEUED)
    return { queueMs, drainMs: performance.now() - startedAt }
  } finally {
    await account?.stop()
    await server?.stop()
    removeFolder(serverFolder)
    removeFolder(dataFolder)
  }
}

async function openFor(dataFolder: string, url: string): Promise<Account> {
  return openAccount({
    ref: { kind: 'hosted', url, apiKey: API_KEY, userId: VIEWER },
    host: {
      paths: { data: dataFolder, renderer: '', resources: '', notices: '' },
      ports: nodePorts(silentSink),
      log: silentSink,
    },
    openEngine: createEngine,
    workspace: undefined,
    credential: await tokenFor(VIEWER),
    apiKey: API_KEY,
    settings: DEFAULT_SETTINGS,
    installId: undefined,
    onInstallId: () => undefined,
  })
}

async function queue(engine: Engine): Promise<number[]> {
  const times: number[] = []
  const none = { mentionedUserIds: [], uploadIds: [], files: [] }
  const rest = { parentId: undefined, quotedId: undefined, showInChannel: false, ...none }
  for (let n = 0; n < QUEUED; n += 1) {
    const cid = asCid(channelCid(n % CHANNELS))
    const startedAt = performance.now()
    await engine.handlers.messages.send({ cid, text: `queued ${n}`, whenReady: false, ...rest }, { client: CLIENT })
    times.push(performance.now() - startedAt)
  }
  return times
}

type Screen = {
  isHealthy(): boolean
  channels(): number
  /** Items that left the outbox. */
  sent(): number
  until(isDone: () => boolean): Promise<void>
}

/** What a window receives, as it arrives. */
function watch(engine: Engine): Screen {
  const first = engine.attach(CLIENT, {})
  const channels = new Set(Object.keys(first.put.channels ?? {}))
  let connection = first.put.connection?.['self']
  let sent = 0
  let check: () => void = () => undefined
  engine.onCommitted((commit) => {
    const changes = commit.changes.get(CLIENT)
    if (!changes) return
    for (const cid of Object.keys(changes.put.channels ?? {})) channels.add(cid)
    connection = changes.put.connection?.['self'] ?? connection
    sent += changes.del.outbox?.length ?? 0
    check()
  })
  return {
    isHealthy: () => connection?.state === 'healthy',
    channels: () => channels.size,
    sent: () => sent,
    until: (isDone) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('The engine did not get there in time')), PATIENCE_MS)
        check = () => {
          if (!isDone()) return
          clearTimeout(late)
          check = () => undefined
          resolve()
        }
        check()
      }),
  }
}
