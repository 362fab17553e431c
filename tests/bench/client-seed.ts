import { asCid, type Cid } from '#shared/lib/brand.ts'
import { parseTime } from '#shared/lib/rfc3339.ts'
import type { Placed } from '#shared/domain/message.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { accountFolder, accountKey, openAccount, type Account } from '#main/app/accounts/account.ts'
import * as docs from '#main/cache/search/docs.ts'
import { searchableOf } from '#main/cache/search/query.ts'
import * as pages from '#main/cache/messages/pages.ts'
import { createEngine } from '#main/engine/engine.ts'
import { writeChannelState } from '#main/engine/sync/write.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { silentSink } from '#main/lib/logger.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { tokenFor } from './processes.ts'
import { channelCid, totalOf, VIEWER, type SeedSize } from './seeds.ts'
import { API_KEY } from './server-seed.ts'

const viewerAt = (url: string) => ({ kind: 'hosted', url, apiKey: API_KEY, userId: VIEWER }) as const

/** Where a profile has the files of the viewer's account at a server. */
export const viewerFolder = (dataFolder: string, serverUrl: string): string =>
  accountFolder(dataFolder, accountKey(viewerAt(serverUrl)))

/**
 * Fills a profile's cache with a whole seed: a real engine connects and loads its channel list, then each channel's
 * history is requested in the server's largest pages and written the way the engine writes a page. All of it is
 * indexed for search, as an idle app would have done.
 */
export async function fillCache(dataFolder: string, serverUrl: string, size: SeedSize): Promise<void> {
  const account = openAccount({
    ref: viewerAt(serverUrl),
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
  const { cache } = account.engine.stores
  const held = cache.reader.db.get<{ n: number }>('SELECT count(*) AS n FROM messages WHERE in_channel = 1')?.n
  await account.stop()
  if (held !== totalOf(size)) throw new Error(`The cache holds ${held} messages and not ${totalOf(size)}`)
}

async function fillChannel({ api, engine }: Account, cid: Cid, wanted: number): Promise<void> {
  const { cache } = engine.stores
  const read = (id: string) => searchableOf(cache.reader, id)
  let cursor = pages.newest(cache.reader, `timeline:${cid}`, wanted)[0]
  for (let requested = 0; requested < wanted; requested += PAGE) {
    if (cursor === undefined) throw new Error(`The list brought no message of ${cid}`)
    const query = { kind: 'older', cursor } as const
    const reply = await api.send(queryChannel, {
      params: splitCid(cid),
      body: { state: true, messages: { limit: PAGE, id_lt: cursor.id }, members: { limit: 1 } },
    })
    cache.transaction((tx) => writeChannelState(tx, reply, { asOf: 0 }, { query, requested: PAGE }))
    while (cache.transaction((tx) => docs.step(tx, { limit: PAGE, enough: () => false, read })));
    const [oldest, ...newer] = reply.messages ?? []
    if (oldest === undefined || newer.length + 1 < PAGE) return
    cursor = { createdAt: parseTime(oldest.created_at ?? '') ?? Number.NaN, id: oldest.id }
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
