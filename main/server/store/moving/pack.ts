import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { appSettings } from '../../admin/settings.ts'
import { allUploadIds } from '../../uploads/upload-table.ts'
import { firstAdministrator, userById } from '../../users/user-table.ts'
import { copyRecord, NotDone, uploadName } from '../backup.ts'
import { openReadOnly, type Db } from '../db.ts'
import { inspect, readMeta } from '../open.ts'
import { FRAME_BYTES, FRAME_KINDS, writeFrames, type FrameWriter, type AboutWorkspace } from './container.ts'
import { verifyPacked } from './unpack.ts'

/** `done` of `total` bytes have been written, or read back. */
export type OnProgress = (step: 'writing' | 'checking', done: number, total: number) => void

type PackOptions = {
  /** Who is signed in as its owner where it is opened; by default the first administrator. */
  readonly owner?: string | undefined
  /** What it is called; by default what its server is called. */
  readonly name?: string | undefined
  readonly founded?: string | undefined
  readonly passphrase?: string | undefined
  /** Go along only with a passphrase. */
  readonly keys?: AboutWorkspace['keys']
  readonly came?: AboutWorkspace['came']
  readonly force: boolean
  /** Epoch milliseconds. */
  readonly nowMs: number
  readonly onProgress?: OnProgress
}

type PackReport = { readonly uploads: number; readonly missing: number; readonly about: AboutWorkspace }

/**
 * Writes a whole workspace into one file: a copy of its database and the uploads that this copy refers to. It is read back
 * before it gets its name; if anything fails, nothing of it is left, and an older file of that name is unchanged.
 */
export async function pack(dataFolder: string, file: string, options: PackOptions): Promise<PackReport> {
  const folder = resolve(dataFolder)
  const target = resolve(file)
  if (!existsSync(join(folder, 'server.db'))) throw new NotDone(`There is no workspace in ${dataFolder}.`)
  if (existsSync(target) && !options.force) throw new NotDone(`${file} is there already. Use --force to write over it.`)
  // Not beside the file: that may be a stick, and a process that is ended leaves it, unencrypted.
  const record = join(folder, 'server.db.packing')
  const draft = `${target}.part`
  for (const path of [record, draft]) rmSync(path, { force: true })
  let report: PackReport
  try {
    // First, because it says best what is wrong with the folder.
    const fd = openSync(draft, 'wx', 0o600)
    try {
      await copyRecord(join(folder, 'server.db'), record, { secrets: options.passphrase !== undefined })
      inspect(record, { deep: true })
      const { about, ids } = describe(record, folder, options)
      const found = ids.filter((id) => existsSync(join(folder, uploadName(id))))
      const contents = [
        { path: 'server.db', from: record },
        ...found.map((id) => ({ path: uploadName(id), from: join(folder, uploadName(id)) })),
      ]
      writeContent(await writeFrames(fd, options.passphrase), about, contents, options.onProgress)
      fsyncSync(fd)
      report = { uploads: found.length, missing: ids.length - found.length, about }
    } finally {
      closeSync(fd)
    }
    await verifyPacked(draft, options.passphrase, options.onProgress)
    renameSync(draft, target)
    return report
  } finally {
    for (const path of [record, draft]) rmSync(path, { force: true })
  }
}

function describe(
  record: string,
  folder: string,
  options: PackOptions,
): { readonly about: AboutWorkspace; readonly ids: readonly string[] } {
  const db = openReadOnly(record)
  try {
    const ids = [...allUploadIds(db)].toSorted()
    const uploads = ids.map((id) => join(folder, uploadName(id))).filter((path) => existsSync(path))
    const bytes = [record, ...uploads].reduce((sum, path) => sum + statSync(path).size, 0)
    const { name, workspace_icon: icon } = appSettings(db)
    const isSealed = options.passphrase !== undefined
    const about: AboutWorkspace = {
      kind: 'parlor-workspace',
      savedAt: options.nowMs,
      schema: versionOf(db),
      workspace: readMeta(db, 'workspace') ?? 'unnamed',
      name: options.name ?? name,
      founded: options.founded ?? options.name ?? name,
      ...(icon === undefined ? {} : { icon }),
      owner: ownerOf(db, options.owner),
      bytes,
      ...(isSealed && options.keys ? { keys: options.keys } : {}),
      ...(isSealed && options.came ? { came: options.came } : {}),
    }
    return { about, ids }
  } finally {
    db.close()
  }
}

function ownerOf(db: Db, wanted: string | undefined): AboutWorkspace['owner'] {
  const id = wanted ?? firstAdministrator(db)
  const row = id === undefined ? undefined : userById(db, id)
  if (row === undefined || row.deleted_at !== null) {
    throw new NotDone(
      wanted === undefined
        ? 'The workspace has no administrator. Name the person who owns it with --owner.'
        : `There is no ${wanted} in this workspace. --owner needs the id of one of its people.`,
    )
  }
  return { id: row.id, name: row.name ?? row.id }
}

type Content = { readonly path: string; readonly from: string }

function writeContent(
  frames: FrameWriter,
  about: AboutWorkspace,
  contents: readonly Content[],
  onProgress: OnProgress | undefined,
): void {
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))
  frames.write(FRAME_KINDS.about, json(about))
  let done = 0
  for (const { path, from } of contents) {
    frames.write(FRAME_KINDS.file, json({ path, size: nodeDisk.size(from) }))
    for (const bytes of piecesOf(from)) {
      frames.write(FRAME_KINDS.bytes, bytes)
      done += bytes.length
      onProgress?.('writing', done, about.bytes)
    }
  }
  frames.write(FRAME_KINDS.end, json({ files: contents.length, bytes: done }))
}

function* piecesOf(path: string): Generator<Buffer, void> {
  const fd = openSync(path, 'r')
  const buffer = Buffer.alloc(FRAME_BYTES)
  try {
    for (;;) {
      const count = readSync(fd, buffer, 0, FRAME_BYTES, null)
      if (count === 0) return
      yield buffer.subarray(0, count)
    }
  } finally {
    closeSync(fd)
  }
}
