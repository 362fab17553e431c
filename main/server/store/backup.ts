import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDamage } from '#main/lib/disk-error.ts'
import { openForReading } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { BadArchive, readArchive, writeArchive } from './archive.ts'
import { lockFolder, openReadOnly } from './db.ts'
import { inspect, readMeta, writeWorkspaceId } from './open.ts'
import { damaged, StoreProblem } from './problems.ts'
import { allUploadIds } from '../uploads/upload-table.ts'

/** A command cannot be carried out. The message is shown to users. */
export class NotDone extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotDone'
  }
}

type BackupReport = { readonly uploads: number; readonly missing: number; readonly schema: number }

/** All pages in one step: a server that writes meanwhile cannot restart the copy. */
const ALL_PAGES = 2 ** 30

/**
 * Copies a workspace into one file, with or without a running server: first the database, by SQLite's backup at one
 * moment, then the uploads that this copy refers to. Keys are left out, so that a backup cannot be used to sign in.
 *
 * @param nowMs epoch milliseconds, written into the backup
 */
export async function backUp(
  dataFolder: string,
  file: string,
  options: { force: boolean; nowMs: number },
): Promise<BackupReport> {
  const folder = resolve(dataFolder)
  const target = resolve(file)
  if (!existsSync(join(folder, 'server.db'))) throw new NotDone(`There is no workspace in ${dataFolder}.`)
  if (existsSync(target) && !options.force) throw new NotDone(`${file} is there already. Use --force to write over it.`)
  const copy = `${target}.record`
  rmSync(copy, { force: true })
  const archive = writeArchive(target)
  try {
    await copyRecord(join(folder, 'server.db'), copy)
    inspect(copy, { deep: true })
    const { ids, schema } = contentsOf(copy)
    archive.add('server.db', copy)
    const found = ids.filter((id) => archive.add(uploadName(id), join(folder, uploadName(id)))).length
    const report = { uploads: found, missing: ids.length - found, schema }
    archive.finish({
      created_at: new Date(options.nowMs).toISOString(),
      schema: String(schema),
      uploads: String(found),
    })
    return report
  } catch (error) {
    archive.drop()
    throw error
  } finally {
    rmSync(copy, { force: true })
  }
}

const uploadName = (id: string): string => `uploads/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`

async function copyRecord(from: string, to: string): Promise<void> {
  const source = openForReading(nodeDisk, from, { busyMs: 5_000 })
  try {
    await source.backup(to, { progress: () => ALL_PAGES })
    const copy = nodeDisk.open(to)
    // A single file without a WAL.
    copy.pragma('journal_mode = DELETE')
    copy.close()
  } catch (error) {
    throw isDamage(error) ? damaged(error) : error
  } finally {
    source.close()
  }
}

function contentsOf(record: string): { ids: string[]; schema: number } {
  const db = openReadOnly(record)
  try {
    return { ids: [...allUploadIds(db)].toSorted(), schema: versionOf(db) }
  } finally {
    db.close()
  }
}

type RestoreReport = { readonly uploads: number; readonly setAside: string | undefined }

/**
 * Replaces a workspace by a backup. Everything is first written and checked in a draft folder; then the previous files
 * are moved to a folder of their own, never deleted. A running server is refused by the folder's lock.
 */
export function restore(dataFolder: string, file: string, options: { force: boolean }): RestoreReport {
  const folder = resolve(dataFolder)
  const archive = readArchive(resolve(file))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const unlock = lockFolder(folder)
    try {
      return restoreLocked(folder, archive, options.force)
    } finally {
      unlock()
    }
  } catch (error) {
    if (!(error instanceof StoreProblem) || error.kind !== 'in-use') throw error
    throw new NotDone('A Parlor server is running on this folder. Stop it, then restore.')
  } finally {
    archive.close()
  }
}

function restoreLocked(folder: string, archive: ReturnType<typeof readArchive>, force: boolean): RestoreReport {
  const present = MOVED.filter((name) => existsSync(join(folder, name)))
  if (present.length > 0 && !force) {
    throw new NotDone('There is a workspace in this folder. Use --force to set it aside and restore in its place.')
  }
  const draft = join(folder, 'restoring')
  rmSync(draft, { recursive: true, force: true })
  try {
    if (!archive.names.includes('server.db')) throw new BadArchive('The backup holds no workspace.')
    archive.extract(draft)
    inspect(join(draft, 'server.db'), { deep: true })
    const setAside = present.length > 0 ? aside(folder, present) : undefined
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(folder, name))
    writeWorkspaceId(folder, workspaceOf(join(folder, 'server.db')))
    nodeDisk.syncFolder(folder)
    return { uploads: archive.names.length - 1, setAside }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** The files of a workspace's content. Keys stay, so that tokens stay valid. */
const MOVED = ['server.db', 'server.db-wal', 'server.db-shm', 'uploads']

function aside(folder: string, names: readonly string[]): string {
  let count = 1
  while (existsSync(join(folder, `before-restore-${count}`))) count += 1
  const target = join(folder, `before-restore-${count}`)
  mkdirSync(target, { mode: 0o700 })
  for (const name of names) renameSync(join(folder, name), join(target, name))
  nodeDisk.syncFolder(dirname(target))
  return target
}

function workspaceOf(path: string): string {
  const db = openReadOnly(path)
  try {
    return readMeta(db, 'workspace') ?? 'unnamed'
  } finally {
    db.close()
  }
}
