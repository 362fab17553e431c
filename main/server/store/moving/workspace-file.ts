import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
  fsyncSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { ARCHIVED_NAME, NotDone, copyRecord, uploadName } from '../backup.ts'
import { lockFolder, openDb, StoreProblem, openReadOnly, type Db } from '../db.ts'
import { inspect, writeWorkspaceId, readMeta } from '../open.ts'
import {
  BadWorkspaceFile,
  FRAME_KINDS,
  readAt,
  readFrames,
  type Frame,
  aboutSchema,
  type AboutWorkspace,
  FRAME_BYTES,
  writeFrames,
  type FrameWriter,
} from './container.ts'
import { appSettings } from '../../admin/settings.ts'
import { allUploadIds } from '../../uploads/upload-files.ts'
import { firstAdministrator, userById } from '../../users/user-tables.ts'

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

const fileSchema = v.object({
  path: v.pipe(v.string(), v.regex(ARCHIVED_NAME)),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
const endSchema = v.object({ files: v.number(), bytes: v.number() })

/** What a workspace file says about itself, from its beginning. Throws {@link BadWorkspaceFile}. */
export async function lookInto(
  file: string,
  passphrase: string | undefined,
): Promise<{ readonly about: AboutWorkspace; readonly sealed: boolean }> {
  const reader = await openFile(file, passphrase)
  try {
    const [first] = reader.frames()
    return { about: aboutIn(first), sealed: reader.sealed }
  } finally {
    reader.close()
  }
}

type UnpackReport = { readonly about: AboutWorkspace; readonly uploads: number }

/** Reads all of a workspace file. Throws {@link BadWorkspaceFile}. */
export async function verifyPacked(
  file: string,
  passphrase: string | undefined,
  onProgress?: OnProgress,
): Promise<UnpackReport> {
  const reader = await openFile(file, passphrase)
  try {
    return readAll(
      reader.frames(),
      () => NOWHERE,
      (done, total) => onProgress?.('checking', done, total),
    )
  } finally {
    reader.close()
  }
}

/**
 * Puts the workspace of a file into a folder without one. Everything is written and checked beside its place first: if
 * anything fails, the folder is as it was. After an end in the middle the same file goes on where it was.
 */
export async function unpack(
  file: string,
  dataFolder: string,
  options: { readonly passphrase?: string | undefined; readonly onProgress?: OnProgress },
): Promise<UnpackReport> {
  const folder = resolve(dataFolder)
  const reader = await openFile(file, options.passphrase)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const unlock = lockFolder(folder)
    try {
      const isBegun = isOf(join(folder, DRAFT), reader.id)
      if (existsSync(join(folder, RECORD)) || (existsSync(join(folder, UPLOADS)) && !isBegun))
        throw new NotDone('There is a workspace in this folder. Choose an empty one.')
      return place(folder, reader, options.onProgress)
    } finally {
      unlock()
    }
  } finally {
    reader.close()
  }
}

/** The keys of a file that had a passphrase: with them the people of the workspace stay signed in. */
export function writeKeys(dataFolder: string, { keys }: AboutWorkspace): void {
  if (keys === undefined) return
  for (const [name, key] of [
    ['api-key', keys.apiKey],
    ['secret', keys.secret],
  ] as const) {
    writeFileSync(join(resolve(dataFolder), name), `${key}\n`, { mode: 0o600, flush: true })
  }
}

async function openFile(file: string, passphrase: string | undefined) {
  const path = resolve(file)
  if (!existsSync(path)) throw new NotDone(`There is no file ${file}.`)
  return readFrames(path, passphrase)
}

const [RECORD, UPLOADS, DRAFT] = ['server.db', 'uploads', 'restoring']
/** In the draft: which file it comes from. */
const ORIGIN = 'origin'

const isOf = (draft: string, id: string): boolean =>
  existsSync(join(draft, ORIGIN)) && readFileSync(join(draft, ORIGIN), 'utf8') === id

function place(
  folder: string,
  { id, frames }: Pick<Awaited<ReturnType<typeof openFile>>, 'id' | 'frames'>,
  onProgress: OnProgress | undefined,
): UnpackReport {
  const draft = join(folder, DRAFT)
  begin(folder, draft, id)
  try {
    const report = readAll(
      frames(),
      (path) => newFile(join(draft, path)),
      (done, total) => onProgress?.('writing', done, total),
    )
    makeItsOwn(join(draft, RECORD), report.about)
    writeWorkspaceId(folder, report.about.workspace)
    // The database last: without it, there is no workspace here.
    if (existsSync(join(draft, UPLOADS))) renameSync(join(draft, UPLOADS), join(folder, UPLOADS))
    renameSync(join(draft, RECORD), join(folder, RECORD))
    nodeDisk.syncFolder(folder)
    return report
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** The draft of this file: as it was left, or a new one. */
function begin(folder: string, draft: string, id: string): void {
  if (!isOf(draft, id)) {
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { mode: 0o700 })
    writeFileSync(join(draft, ORIGIN), id, { mode: 0o600, flush: true })
    return
  }
  // It was ended between the two last steps.
  if (existsSync(join(folder, UPLOADS))) renameSync(join(folder, UPLOADS), join(draft, UPLOADS))
  // Of the database as it was changed at the end: it begins as it is in the file.
  for (const rest of ['-wal', '-shm', '-journal']) rmSync(join(draft, RECORD + rest), { force: true })
}

/** Checks the database, and ends what belongs to the device that it came from. */
function makeItsOwn(path: string, { workspace }: AboutWorkspace): void {
  try {
    inspect(path, { deep: true, workspace })
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error
    throw new BadWorkspaceFile(error.kind === 'too-new' ? 'newer' : 'damaged')
  }
  const db = openDb(path)
  try {
    // Their links lead to the other device, and show its certificate.
    db.changing('settings').run("DELETE FROM settings WHERE kind IN ('invitation', 'join_request', 'moved')")
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  nodeDisk.sync(path)
}

type Sink = { write(bytes: Buffer): void; finish(): void; abandon(): void }

const NOWHERE: Sink = { write: () => undefined, finish: () => undefined, abandon: () => undefined }

/** What is there already is compared instead of written: a draft goes on where it was. */
function newFile(path: string): Sink {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  const known = fstatSync(fd).size
  let at = 0
  return {
    write(bytes) {
      const end = at + bytes.length
      const isThere = end <= known && readAt(fd, bytes.length, at).equals(bytes)
      for (let done = isThere ? bytes.length : 0; done < bytes.length;)
        done += writeSync(fd, bytes, done, bytes.length - done, at + done)
      at = end
    },
    finish() {
      if (known > at) ftruncateSync(fd, at)
      closeSync(fd)
      nodeDisk.sync(path)
    },
    abandon: () => closeSync(fd),
  }
}

/** Every frame in its order; each file has the size that it announced, and none comes twice. */
function readAll(
  frames: Iterable<Frame>,
  sinkFor: (path: string) => Sink,
  onProgress: (done: number, total: number) => void,
): UnpackReport {
  const paths = new Set<string>()
  let about: AboutWorkspace | undefined
  let open: { readonly sink: Sink; left: number } | undefined
  let done = 0
  let isEnded = false
  const close = (): void => {
    if (open && open.left !== 0) throw new BadWorkspaceFile('damaged')
    open?.sink.finish()
    open = undefined
  }
  try {
    for (const frame of frames) {
      if (about === undefined) {
        about = aboutIn(frame)
        continue
      }
      if (frame.kind === FRAME_KINDS.bytes) {
        if (!open || frame.content.length > open.left) throw new BadWorkspaceFile('damaged')
        open.sink.write(frame.content)
        open.left -= frame.content.length
        done += frame.content.length
        onProgress(done, about.bytes)
        continue
      }
      close()
      if (frame.kind === FRAME_KINDS.file) {
        const { path, size } = contentOf(fileSchema, frame)
        if (paths.has(path)) throw new BadWorkspaceFile('damaged')
        paths.add(path)
        open = { sink: sinkFor(path), left: size }
      } else if (frame.kind === FRAME_KINDS.end) {
        const { files, bytes } = contentOf(endSchema, frame)
        isEnded = files === paths.size && bytes === done
      } else throw new BadWorkspaceFile('damaged')
    }
  } finally {
    open?.sink.abandon()
  }
  if (about === undefined || !isEnded || !paths.has('server.db')) throw new BadWorkspaceFile('damaged')
  return { about, uploads: paths.size - 1 }
}

function aboutIn(frame: Frame | undefined): AboutWorkspace {
  if (frame?.kind !== FRAME_KINDS.about) throw new BadWorkspaceFile('damaged')
  return contentOf(aboutSchema, frame)
}

function contentOf<Schema extends v.GenericSchema>(schema: Schema, { content }: Frame): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(content.toString('utf8')))
  } catch {
    throw new BadWorkspaceFile('damaged')
  }
}
