import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDb } from '#main/server/store/db.ts'
import { unpack, verifyPacked, pack } from '#main/server/store/moving/workspace-file.ts'
import { startTestServer } from '../kit.ts'
import { newFolder } from './service.ts'

/** Saving and opening a workspace file, ended with SIGKILL at every step: the same command again brings it to its end. */

const UPLOADS = 12
const BYTES = 300_000
const OLDER = 'an older file'
const PATIENCE_MS = 120_000
let source: string
let file: string

beforeAll(async () => {
  source = newFolder()
  const server = await startTestServer({ dataFolder: source })
  await (await server.connect('ann', { name: 'Ann' })).close()
  await server.stopAll()
  addUploads()
  file = join(newFolder(), 'team.parlor-workspace')
  await save(file)
})

function addUploads(): void {
  const db = openDb(join(source, 'server.db'))
  for (let nth = 0; nth < UPLOADS; nth += 1) {
    const id = `${nth}`.padStart(32, 'a')
    const folder = join(source, 'uploads', id.slice(0, 2), id.slice(2, 4))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, id), randomBytes(BYTES))
    db.run(
      `INSERT INTO uploads (id, user_id, name, mime_type, size_bytes, created_at) VALUES (?, 'ann', 'x', 'text/plain', ?, 1)`,
      id,
      BYTES,
    )
  }
  db.close()
}

const save = (target: string) => pack(source, target, { force: true, nowMs: Date.now(), owner: 'ann' })

/** Runs it in a process of its own, and resolves with the signal that ended it. */
function cutOff(...words: readonly string[]): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cut-off.ts'), ...words], { stdio: 'ignore' })
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)))
}

/** Every upload under a folder, by its path, as a checksum. */
function uploadsIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(join(folder, 'uploads'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, 'uploads', name))
    .filter((path) => statSync(path).isFile())
  const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(paths.map((path) => [relative(folder, path), sumOf(path)]))
}

describe('saving', () => {
  test.each([
    ['writing', 0],
    ['writing', 0.5],
    ['checking', 0.5],
  ])(
    'that is ended while %s, at %d, keeps the workspace and an older file, and is repeated',
    async (step, share) => {
      const folder = newFolder()
      const target = join(folder, 'team.parlor-workspace')
      writeFileSync(target, OLDER)
      const before = uploadsIn(source)
      const signal = await cutOff('pack', target, source, step, `${share}`)
      const between = readFileSync(target, 'utf8')
      await save(target)

      expect(signal).toBe('SIGKILL')
      expect(between).toBe(OLDER)
      expect(await verifyPacked(target, undefined)).toMatchObject({ uploads: UPLOADS })
      expect(readdirSync(folder)).toEqual(['team.parlor-workspace'])
      expect(readdirSync(source)).not.toContain('server.db.packing')
      expect(uploadsIn(source)).toEqual(before)
    },
    PATIENCE_MS,
  )
})

/** A folder in which opening the file was ended at this share. */
async function begun(share: number): Promise<string> {
  const target = newFolder()
  expect(await cutOff('unpack', file, target, 'writing', `${share}`)).toBe('SIGKILL')
  return target
}

async function expectWhole(target: string): Promise<void> {
  await unpack(file, target, {})
  expect(uploadsIn(target)).toEqual(uploadsIn(source))
  expect(readdirSync(target)).not.toContain('restoring')
  expect(existsSync(join(target, 'server.db'))).toBe(true)
}

describe('opening', () => {
  test.each([0, 0.5, 1])(
    'that is ended at %d leaves no workspace, and goes on with the same file',
    async (share) => {
      const target = await begun(share)

      expect(existsSync(join(target, 'server.db'))).toBe(false)
      await expectWhole(target)
    },
    PATIENCE_MS,
  )

  test(
    'does not write again what is there, and mends a torn file, a longer one and a changed one',
    async () => {
      const target = await begun(1)
      const [kept = '', torn = '', longer = '', changed = ''] = Object.keys(uploadsIn(source)).toSorted()
      const at = (path: string): string => join(target, 'restoring', path)
      const before = statSync(at(kept)).mtimeMs
      writeFileSync(at(torn), readFileSync(at(torn)).subarray(0, 1_000))
      writeFileSync(at(longer), Buffer.concat([readFileSync(at(longer)), Buffer.alloc(5_000)]))
      writeFileSync(at(changed), Buffer.alloc(BYTES, 7))
      await expectWhole(target)

      expect(statSync(join(target, kept)).mtimeMs).toBe(before)
    },
    PATIENCE_MS,
  )

  test(
    'goes on when it was ended between its last two steps',
    async () => {
      const target = await begun(1)
      renameSync(join(target, 'restoring', 'uploads'), join(target, 'uploads'))

      expect(existsSync(join(target, 'server.db'))).toBe(false)
      await expectWhole(target)
    },
    PATIENCE_MS,
  )

  test(
    'takes nothing of an earlier attempt with another file, and refuses it once that has uploads in place',
    async () => {
      const other = join(newFolder(), 'other.parlor-workspace')
      await save(other)
      const [target, between] = [await begun(0.5), await begun(1)]
      writeFileSync(join(target, 'restoring', 'stray'), 'x')
      renameSync(join(between, 'restoring', 'uploads'), join(between, 'uploads'))
      await unpack(other, target, {})

      expect(uploadsIn(target)).toEqual(uploadsIn(source))
      expect(readdirSync(target)).not.toContain('stray')
      await expect(unpack(other, between, {})).rejects.toThrow('There is a workspace in this folder.')
    },
    PATIENCE_MS,
  )
})
