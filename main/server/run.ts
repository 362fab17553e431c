import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { startServer } from './app.ts'
import { STRICT_LIMITS } from './http/limits.ts'
import type { Metric } from './http/metrics.ts'
import type { Network, NetworkOptions } from './network/network.ts'
import { MIN_FREE_BYTES, systemDisk } from './store/blobs.ts'
import { backupBytes } from './store/backup.ts'
import { startBackups, type BackupPlan, type BackupPorts, type Backups } from './store/scheduled-backups.ts'
import type { Services } from './work.ts'
import { systemPrograms } from './integrations/program-net.ts'
import { systemNet } from './og/fetch.ts'
import { createToken } from './http/auth/identify.ts'
import { seedDemo } from './seed/demo.ts'

/** Correct from the source and from the bundle in `out/main`. */
const RESOURCES = fileURLToPath(new URL('../../resources', import.meta.url))

type RunOptions = {
  readonly port: number
  readonly dataFolder: string
  readonly seed: 'demo' | 'none'
  readonly apiKey: string | undefined
  /** From the environment; otherwise one is stored in the data folder. */
  readonly secret: string | undefined
  /** Where `demo/` with the demo's pictures is; Parlor's own resources by default. */
  readonly resources?: string
  /** Fetches previews for links of sent messages automatically; off by default. */
  readonly enrichSent?: boolean
  /** Connections of all users together; 256 by default. */
  readonly maxConnections?: number
  /** Calls per minute; loose by default. */
  readonly rates?: 'loose' | 'strict'
  /** The entry file of the worker thread that resizes pictures. */
  readonly picturesEntry?: string
  readonly onSharing?: () => void
  /** Serves metrics on the port of loopback. */
  readonly metrics?: boolean
  /** Bytes of one upload, and of all of them; by default 100 MB, and what the disk has. */
  readonly uploadBytes?: number | undefined
  readonly mostUploadBytes?: number | undefined
  /** Backups while it runs. */
  readonly backups?: BackupPlan | undefined
  /** Makes one in another process; needed with `backups`. */
  readonly writeBackup?: BackupPorts['write']
  /** The port for people on other devices. */
  readonly network?: NetworkOptions | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly log: LogSink
}

/** Starts the server on a folder: keys are stored there, the demo is written into an empty store. */
export async function runServer(
  options: RunOptions,
): Promise<{ url: string; apiKey: string; network: Network | undefined; stop: () => Promise<void> }> {
  const folder = resolve(options.dataFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const apiKey = options.apiKey ?? storedKey(folder, 'api-key', 12)
  const secret = options.secret ?? storedKey(folder, 'secret', 32)
  const limits = options.rates === 'strict' ? STRICT_LIMITS : {}
  let backups: Backups | undefined
  const metrics = options.metrics === true ? () => ofBackups(backups) : undefined
  const uploads = options.uploadBytes === undefined ? {} : { size_limit: options.uploadBytes }
  const given = {
    ...options,
    limits,
    uploads,
    metrics,
    net: systemNet,
    programs: systemPrograms,
    dataFolder: folder,
    apiKey,
    secret,
  }
  const server = await startServer(given)
  try {
    if (options.seed === 'demo') seedDemo(server.services, options.resources ?? RESOURCES)
  } catch (error) {
    await server.stop()
    throw error
  }
  backups = scheduled(options, server.services)
  const stop = async (): Promise<void> => {
    backups?.stop()
    await server.stop()
  }
  return { url: server.url, apiKey, network: server.network, stop }
}

function ofBackups(backups: Backups | undefined): readonly Metric[] {
  if (!backups) return []
  const { newestAtMs, failed } = backups.state()
  return [
    {
      name: 'parlor_backup_newest_timestamp_seconds',
      help: 'When the newest backup was made.',
      type: 'gauge',
      value: newestAtMs === undefined ? undefined : newestAtMs / 1_000,
    },
    {
      name: 'parlor_backups_failed_total',
      help: 'Backups that failed since the start.',
      type: 'counter',
      value: failed,
    },
  ]
}

function scheduled(
  { backups, writeBackup: write }: Pick<RunOptions, 'backups' | 'writeBackup'>,
  { clock, log, db }: Services,
): Backups | undefined {
  if (!backups || !write) return undefined
  return startBackups(backups, {
    clock,
    log,
    write,
    async room(folder) {
      const { bytes } = await systemDisk.free(folder)
      return { free: bytes - MIN_FREE_BYTES, needed: backupBytes(db) }
    },
  })
}

/** A user token of the server in this folder. It carries the time it was made, so that it can be revoked. */
export function tokenFor(
  dataFolder: string,
  userId: string,
  options: { secret: string | undefined; nowMs: number; expiresAtMs?: number },
): string {
  const path = `${resolve(dataFolder)}/secret`
  if (options.secret === undefined && !existsSync(path)) {
    throw new Error('There is no secret in the data folder. Start the server there once, or set PARLOR_SECRET.')
  }
  const { nowMs, expiresAtMs } = options
  const claims = { userId, issuedAtMs: nowMs, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) }
  return createToken(claims, options.secret ?? readFileSync(path, 'utf8').trim())
}

/** The key and the secret of the server in this folder. */
export function keysOf(
  dataFolder: string,
  given: { readonly secret: string | undefined; readonly apiKey: string | undefined },
): { readonly secret: string; readonly apiKey: string } {
  const stored = (name: string): string => readFileSync(`${resolve(dataFolder)}/${name}`, 'utf8').trim()
  return { secret: given.secret ?? stored('secret'), apiKey: given.apiKey ?? stored('api-key') }
}

/** A random key in a file that only its owner can read, made at the first start. */
function storedKey(folder: string, name: string, bytes: number): string {
  const path = `${folder}/${name}`
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  const key = randomBytes(bytes).toString('base64url')
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return key
}
