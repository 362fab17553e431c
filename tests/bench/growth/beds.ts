import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { CACHE_FILE, OUTBOX_FILE } from '#main/cache/files/database-file.ts'
import { newestOf } from '#main/lib/sqlite/migrate.ts'
import { fillCache, viewerFolder } from '../client-seed.ts'
import { benchFolder, removeFolder } from '../folders.ts'
import type { App, Host } from '../hosts/host.ts'
import type { Running } from '../processes.ts'
import { personId, VIEWER } from '../seeds.ts'
import { callerOf, type Caller } from '../server/client.ts'
import { growth, sizedFolder, type Growth } from '../server/sizes.ts'

const SHAPE = { people: 12, channels: 10, replies: 10 }

/** The same people and channels; even the smaller channels have more messages than a window loads at once. */
export const SIZES: readonly Growth[] = [growth('1k', 1_125, SHAPE), growth('1M', 1_000_000, SHAPE)]

/** A server that holds one size, the app of its viewer that holds all of it too, and a window. */
export type Bed = {
  readonly size: Growth
  readonly server: Running
  app: App
  readonly viewer: Caller
  readonly other: Caller
  /** Another process of the app, in place of the one there is. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function createBed(size: Growth, host: Host, log: (text: string) => void): Promise<Bed> {
  const [serverFolder, dataFolder] = [benchFolder(`server-${size.label}`), benchFolder(`app-${size.label}`)]
  const cachedPath = sizedFolder(serverFolder, size, log)
  const server = await host.startServer(serverFolder)
  await provideCache(dataFolder, server.url, size, cachedPath, log)
  const start = (): Promise<App> => host.startApp(dataFolder, server.url)
  const [viewer, other] = [await callerOf(server.url, VIEWER), await callerOf(server.url, personId(1))]
  const bed: Bed = {
    size,
    server,
    viewer,
    other,
    app: await start(),
    async restart() {
      await bed.app.stop()
      bed.app = await start()
    },
    async stop() {
      viewer.close()
      other.close()
      await bed.app.stop()
      await server.stop()
      removeFolder(serverFolder)
      removeFolder(dataFolder)
    },
  }
  await bed.app.show()
  return bed
}

/** Cached between runs beside the server's store, whose messages it has; other tables get other files. */
async function provideCache(
  dataFolder: string,
  serverUrl: string,
  size: Growth,
  serverPath: string,
  log: (text: string) => void,
): Promise<void> {
  const [cache, outbox] = [newestOf(CACHE_FILE.migrations), newestOf(OUTBOX_FILE.migrations)]
  const cachedFolder = `${serverPath}.client-${cache}-${outbox}`
  const folder = viewerFolder(dataFolder, serverUrl)
  if (existsSync(cachedFolder)) {
    mkdirSync(dirname(folder), { recursive: true })
    return cpSync(cachedFolder, folder, { recursive: true })
  }
  const startedAt = performance.now()
  await fillCache(dataFolder, serverUrl, size)
  cpSync(folder, `${cachedFolder}.${process.pid}`, { recursive: true })
  renameSync(`${cachedFolder}.${process.pid}`, cachedFolder)
  log(`seed ${size.label}: a cache with all of it in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
}
