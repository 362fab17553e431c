import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import { isAddress } from '#shared/rules/server/network-address.ts'
import { PASSPHRASE_BYTES, passphraseKey } from '#main/lib/secrets.ts'

/**
 * The outer form of a workspace file, as docs/workspace-file.md describes it: a head, then frames, each with a tag over
 * its content, its kind, its place and the head. So none can be changed, left out, repeated or moved, and the last one
 * says that it is the last. With a passphrase the content is encrypted, and the tags cannot be forged.
 */
const MAGIC = Buffer.from('ParlorWF', 'latin1')
const VERSION = 1
const { salt: SALT, check: CHECK } = PASSPHRASE_BYTES
const NONCE = 8
const TAG = 16
const SUM = 4
/** Magic, version, whether it is sealed, salt, check, nonce. */
const BODY = MAGIC.length + 1 + 1 + SALT + CHECK + NONCE
const HEAD = BODY + SUM
/** Length of the content, and kind. */
const FRAME_HEAD = 4 + 1

/** Largest content of one frame: memory use is small for files of any size. */
export const FRAME_BYTES = 1024 * 1024

export const FRAME_KINDS = { about: 1, file: 2, bytes: 3, end: 4 } as const

type FrameProblem = 'not-one' | 'newer' | 'damaged' | 'sealed' | 'passphrase'

/** A workspace file cannot be read. The message is shown to users of the command line. */
export class BadWorkspaceFile extends Error {
  readonly problem: FrameProblem

  constructor(problem: FrameProblem) {
    super(TEXTS[problem])
    this.name = 'BadWorkspaceFile'
    this.problem = problem
  }
}

const TEXTS: Readonly<Record<FrameProblem, string>> = {
  'not-one': 'This file is no workspace file of Parlor.',
  newer: 'The workspace file was written by a newer Parlor. Update this one, then try again.',
  damaged: 'The workspace file is damaged or incomplete, and nothing was taken from it. Copy it again.',
  sealed: 'The workspace file has a passphrase. Give it with --passphrase-file.',
  passphrase: 'The passphrase is wrong.',
}

type Seal = { readonly head: Buffer; readonly nonce: Buffer; readonly key: Buffer | undefined }

export type FrameWriter = { write(kind: number, content: Uint8Array): void }

/** Writes frames into an open file. */
export async function writeFrames(fd: number, passphrase: string | undefined): Promise<FrameWriter> {
  const nonce = randomBytes(NONCE)
  const salt = passphrase === undefined ? Buffer.alloc(SALT) : randomBytes(SALT)
  const derived = passphrase === undefined ? undefined : await passphraseKey(passphrase, salt)
  const check = derived?.check ?? Buffer.alloc(CHECK)
  const head = withSum(Buffer.concat([MAGIC, Buffer.of(VERSION, derived ? 1 : 0), salt, check, nonce]))
  const seal = { head, nonce, key: derived?.key }
  writeAll(fd, head)
  let count = 0
  return {
    write(kind, content) {
      const frameHead = Buffer.alloc(FRAME_HEAD)
      frameHead.writeUInt32BE(content.length)
      frameHead.writeUInt8(kind, FRAME_HEAD - 1)
      writeAll(fd, Buffer.concat([frameHead, ...closeFrame(seal, count, frameHead, content)]))
      count += 1
    },
  }
}

export type Frame = { readonly kind: number; readonly content: Buffer }

type FrameReader = {
  /** No two files have the same one. */
  readonly id: string
  readonly sealed: boolean
  readonly size: number
  /** In order, up to the one that says that it is the last. Throws {@link BadWorkspaceFile}. */
  frames(): Generator<Frame, void>
  close(): void
}

/** Opens a workspace file. Throws {@link BadWorkspaceFile}. */
export async function readFrames(path: string, passphrase: string | undefined): Promise<FrameReader> {
  const fd = openSync(path, 'r')
  try {
    const head = readHead(fd)
    const sealed = head[MAGIC.length + 1] === 1
    const [salt, check, nonce] = cut(head.subarray(MAGIC.length + 2))
    if (sealed && passphrase === undefined) throw new BadWorkspaceFile('sealed')
    const derived = sealed && passphrase !== undefined ? await passphraseKey(passphrase, salt) : undefined
    if (derived && !timingSafeEqual(derived.check, check)) throw new BadWorkspaceFile('passphrase')
    const seal = { head, nonce, key: derived?.key }
    return {
      id: head.toString('base64url'),
      sealed,
      size: fstatSync(fd).size,
      frames: () => framesIn(fd, seal),
      close: () => closeSync(fd),
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Whether a file begins like a workspace file, so that commands can tell it from a backup. */
export function isWorkspaceFile(path: string): boolean {
  const fd = openSync(path, 'r')
  try {
    return readAt(fd, MAGIC.length, 0).equals(MAGIC)
  } finally {
    closeSync(fd)
  }
}

function readHead(fd: number): Buffer {
  const head = readAt(fd, HEAD, 0)
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new BadWorkspaceFile('not-one')
  if ((head[MAGIC.length] ?? 0) > VERSION) throw new BadWorkspaceFile('newer')
  if (head.length < HEAD || !withSum(head.subarray(0, BODY)).equals(head)) throw new BadWorkspaceFile('damaged')
  return head
}

function* framesIn(fd: number, seal: Seal): Generator<Frame, void> {
  let at = HEAD
  for (let count = 0; ; count += 1) {
    const frameHead = readAt(fd, FRAME_HEAD, at)
    if (frameHead.length < FRAME_HEAD) throw new BadWorkspaceFile('damaged')
    const length = frameHead.readUInt32BE()
    const kind = frameHead.readUInt8(FRAME_HEAD - 1)
    // Before anything is read: a file cannot ask for more memory.
    if (length > FRAME_BYTES) throw new BadWorkspaceFile('damaged')
    const stored = readAt(fd, length + TAG, at + FRAME_HEAD)
    if (stored.length < length + TAG) throw new BadWorkspaceFile('damaged')
    at += FRAME_HEAD + stored.length
    const content = openFrame(seal, count, frameHead, stored)
    if (kind === FRAME_KINDS.end && readAt(fd, 1, at).length > 0) throw new BadWorkspaceFile('damaged')
    yield { kind, content }
    if (kind === FRAME_KINDS.end) return
  }
}

function closeFrame(seal: Seal, count: number, frameHead: Buffer, content: Uint8Array): readonly Uint8Array[] {
  if (seal.key === undefined) return [content, plainTag(seal, count, frameHead, content)]
  const cipher = createCipheriv('aes-256-gcm', seal.key, nonceOf(seal, count), { authTagLength: TAG })
  cipher.setAAD(Buffer.concat([seal.head, frameHead]))
  return [cipher.update(content), cipher.final(), cipher.getAuthTag()]
}

function openFrame(seal: Seal, count: number, frameHead: Buffer, stored: Buffer): Buffer {
  const [content, tag] = [stored.subarray(0, -TAG), stored.subarray(-TAG)]
  if (seal.key === undefined) {
    if (!plainTag(seal, count, frameHead, content).equals(tag)) throw new BadWorkspaceFile('damaged')
    return content
  }
  const cipher = createDecipheriv('aes-256-gcm', seal.key, nonceOf(seal, count), { authTagLength: TAG })
  cipher.setAAD(Buffer.concat([seal.head, frameHead]))
  cipher.setAuthTag(tag)
  try {
    return Buffer.concat([cipher.update(content), cipher.final()])
  } catch {
    throw new BadWorkspaceFile('damaged')
  }
}

/** Finds damage; protects against nobody. */
const plainTag = (seal: Seal, count: number, frameHead: Buffer, content: Uint8Array): Buffer =>
  createHash('sha256')
    .update(seal.head)
    .update(nonceOf(seal, count))
    .update(frameHead)
    .update(content)
    .digest()
    .subarray(0, TAG)

function nonceOf({ nonce }: Seal, count: number): Buffer {
  const place = Buffer.alloc(4)
  place.writeUInt32BE(count)
  return Buffer.concat([nonce, place])
}

function withSum(body: Buffer): Buffer {
  const sum = Buffer.alloc(SUM)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([body, sum])
}

function cut(bytes: Buffer): [Buffer, Buffer, Buffer] {
  return [
    bytes.subarray(0, SALT),
    bytes.subarray(SALT, SALT + CHECK),
    bytes.subarray(SALT + CHECK, SALT + CHECK + NONCE),
  ]
}

/** Fewer bytes at the end of the file. */
export function readAt(fd: number, length: number, at: number): Buffer {
  const bytes = Buffer.alloc(length)
  let got = 0
  while (got < length) {
    const count = readSync(fd, bytes, got, length - got, at + got)
    if (count === 0) break
    got += count
  }
  return bytes.subarray(0, got)
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const id = text(255)
const secret = v.pipe(v.string(), v.minLength(8), v.maxLength(500))

/** Where the workspace was shared on the network, for whoever tells its people the new address. */
export const cameFromSchema = v.object({
  addresses: v.pipe(v.array(v.pipe(v.string(), v.check(isAddress))), v.minLength(1), v.maxLength(16)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  /** PEM. */
  certificate: text(20_000),
  /** Shows the device that it came from who has the file. */
  secret,
})

/** The first frame of a workspace file. */
export const aboutSchema = v.object({
  kind: v.literal('parlor-workspace'),
  /** Epoch milliseconds. */
  savedAt: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000)),
  schema: v.pipe(v.number(), v.integer()),
  /** The same wherever it moves. */
  workspace: id,
  name: text(500),
  /** What it was called when it was created: settings are stored under it. */
  founded: text(500),
  icon: v.optional(v.object({ base64: v.pipe(v.string(), v.maxLength(200_000)), mime_type: text(100) })),
  owner: v.object({ id, name: text(500) }),
  /** Of all content. */
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Only with a passphrase: whoever has them can sign in as anyone. */
  keys: v.optional(v.object({ apiKey: text(500), secret: v.pipe(secret, v.minLength(32)) })),
  came: v.optional(cameFromSchema),
})
export type AboutWorkspace = v.InferOutput<typeof aboutSchema>
