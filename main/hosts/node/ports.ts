import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import type { Ports, FilesPort } from '#main/engine/ports.ts'
import { nodeHttp } from './http-port.ts'
import type { Proxies } from './proxies.ts'
import { nodeSockets } from './socket-port.ts'
import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The real ports: this machine's clock, random numbers, network and disk. */
export function nodePorts(log: LogSink, proxies?: Proxies): Ports {
  return {
    clock: systemClock,
    ids: systemIds,
    http: nodeHttp(proxies),
    sockets: nodeSockets(proxies),
    files: nodeFiles(),
    log,
  }
}

/** The disk, for both hosts. Folders 0700, files 0600. */
export function nodeFiles(): FilesPort {
  return {
    async append(path, bytes) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await appendFile(path, bytes, { mode: 0o600 })
    },
    sync: (path) => withFile(path, 'r+', (file) => file.sync()),
    read: (path, start, length) =>
      withFile(path, 'r', async (file) => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start)
        return buffer.subarray(0, bytesRead)
      }),
    async size(path) {
      return (await absentIfMissing(stat(path)))?.size
    },
    remove: (path) => rm(path, { recursive: true, force: true }),
    async list(folder) {
      return (await absentIfMissing(readdir(folder))) ?? []
    },
  }
}

async function withFile<T>(
  path: string,
  flags: string,
  use: (file: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function absentIfMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
