import { asCid, type Cid } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/lib/order.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { openAccount, type Account } from '#main/app/accounts/account.ts'
import * as pages from '#main/cache/messages/pages.ts'
import { createEngine } from '#main/engine/engine.ts'
import { writeChannelState } from '#main/engine/sync/write.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { silentSink } from '#main/lib/logger.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { tokenFor } from './processes.ts'
import { channelCid, totalOf, VIEWER, type SeedSize } from './seeds.ts'
import { API_KEY } from './server-seed.ts'

/**
 * Fills a profile's cache with a whole seed: a real engine connects and loads its channel list, then each channel's
 * history is requested in the server's largest pages and written the way the engine writes a page.
 */
export async function fillCache(dataFolder: string, serverUrl: string, size: SeedSize): Promise<void> {
  const account = openAccount({
    ref: { kind: 'hosted', url: serverUrl, apiKey: API_KEY, userId: VIEWER },
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
  const last = asCid(channelCid(size.messages.length - 1))
  await until(() => oldestHeld(account, last) !== undefined)
  for (const [index, wanted] of size.messages.entries()) await fillChannel(account, asCid(channelCid(index)), wanted)
  const held = account.engine.stores.cache.reader.db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n
  await account.stop()
  if (held !== totalOf(size)) throw new Error(`The cache holds ${held} messages and not ${totalOf(size)}`)
}

async function fillChannel({ api, engine }: Account, cid: Cid, wanted: number): Promise<void> {
  const { cache } = engine.stores
  for (let requested = 0; requested < wanted; requested += PAGE) {
    const cursor = pages.newest(cache.reader, `timeline:${cid}`, wanted)[0]
    if (cursor === undefined) throw new Error(`The list brought no message of ${cid}`)
    const reply = await api.send(queryChannel, {
      params: splitCid(cid),
      body: { state: true, messages: { limit: PAGE, id_lt: cursor.id }, members: { limit: 1 } },
    })
    const query = { kind: 'older', cursor } as const
    cache.transaction((tx) => writeChannelState(tx, reply, { asOf: 0 }, { query, requested: PAGE }))
    if ((reply.messages ?? []).length < PAGE) return
  }
}

const oldestHeld = ({ engine }: Account, cid: Cid): Placed | undefined =>
  pages.newest(engine.stores.cache.reader, `timeline:${cid}`, 1)[0]

/** Most messages in one response. See docs/wire.md 6.3. */
const PAGE = 300

async function until(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_200; turn += 1) {
    if (isDone()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The engine did not get its channels within a minute')
}
