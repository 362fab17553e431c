import { asCid } from '#shared/lib/brand.ts'
import { openAccount } from '#main/app/account.ts'
import { createEngine } from '#main/engine/engine.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { silentSink } from '#main/lib/logger.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { tokenFor } from './processes.ts'
import { channelCid, totalOf, VIEWER, type SeedSize } from './seeds.ts'
import { API_KEY } from './server-seed.ts'

/** Scrolls every channel of a seed to its beginning with a real engine, so that a profile's cache holds all of it. */
export async function fillCache(dataFolder: string, serverUrl: string, size: SeedSize): Promise<number> {
  const account = openAccount({
    ref: { kind: 'hosted', url: serverUrl, apiKey: API_KEY, userId: VIEWER },
    host: {
      paths: { data: dataFolder, renderer: '', resources: '' },
      ports: nodePorts(silentSink),
      log: silentSink,
    },
    openEngine: createEngine,
    workspace: undefined,
    token: await tokenFor(VIEWER),
    apiKey: API_KEY,
    settings: DEFAULT_SETTINGS,
    installId: undefined,
    onInstallId: () => undefined,
  })
  const { engine } = account
  const client = { client: 'bench' }
  engine.attach(client.client, {})
  const held = (cid: string): number =>
    engine.stores.cache.reader.db.get<{ n: number }>('SELECT count(*) AS n FROM messages WHERE cid = ?', cid)?.n ?? 0
  await until(() => held(channelCid(size.messages.length - 1)) > 0)
  for (const [index, wanted] of size.messages.entries()) {
    const cid = asCid(channelCid(index))
    await engine.handlers.channels.open({ cid }, client)
    for (let turn = 0; held(cid) < wanted && turn < wanted; turn += 1) {
      await engine.handlers.channels.page({ cid, direction: 'older' }, client)
    }
    await engine.handlers.channels.close({ cid }, client)
  }
  await account.stop()
  return totalOf(size)
}

async function until(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_200; turn += 1) {
    if (isDone()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The engine did not get its channels within a minute')
}
