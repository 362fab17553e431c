import { closeSync, copyFileSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { FRAME_KINDS, writeFrames } from '#main/server/store/moving/container.ts'
import { unpack } from '#main/server/store/moving/workspace-file.ts'
import { API_KEY, callAs, SECRET, startTestServer, tokenOf } from '../kit.ts'
import { ending, newFolder, serving, stop } from './service.ts'

/** Moving a workspace to another computer from the shell: real processes, with folders of their own. */

const CHANNEL = { type: 'messaging', id: 'kept' }
const PASSPHRASE = 'seven lamps in a row'
const NOTES = Buffer.from('just some words in a file, '.repeat(60_000))

let source: string
let passphraseFile: string
let sealed: string
let plain: string
let fileUrl: string

beforeAll(async () => {
  source = newFolder()
  writeFileSync(join(source, 'secret'), `${SECRET}\n`)
  writeFileSync(join(source, 'api-key'), `${API_KEY}\n`)
  passphraseFile = join(newFolder(), 'passphrase')
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`)
  const server = await startTestServer({ dataFolder: source })
  const ann = await server.connect('ann', { name: 'Ann Kowalska' })
  await ann.call(queryChannel, CHANNEL, { body: { data: { members: ['ann'] } } })
  await ann.call(sendMessage, CHANNEL, { body: { message: { id: 'm1', text: 'first of all' } } })
  fileUrl = await upload(server.url)
  await ann.close()
  await server.stopAll()
  sealed = await packed('--passphrase-file', passphraseFile)
  plain = await packed()
})

async function upload(url: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(NOTES)], { type: 'text/plain' }), 'notes.txt')
  const answer = await fetch(`${url}/channels/messaging/kept/file?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return ((await answer.json()) as { file: string }).file
}

async function packed(...flags: readonly string[]): Promise<string> {
  const file = join(newFolder(), 'team.parlor-workspace')
  const { code, err } = await ending(['pack', file, '--data', source, '--owner', 'ann', ...flags])
  if (code !== 0) throw new Error(err)
  return file
}

/** What is in a folder besides the lock that every server leaves. */
const namesIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name !== 'server.lock')

describe('a workspace file from the shell', () => {
  test('goes with a passphrase to another folder, whose server accepts the same tokens and has the same files', async () => {
    const target = newFolder()
    const { out } = await ending(['unpack', sealed, '--data', target, '--passphrase-file', passphraseFile])
    const { child, line } = await serving(['--data', target])
    const { body } = await callAs(line.url, { userId: 'ann' }, queryChannel, CHANNEL, {
      body: { messages: { limit: 10 } },
    })
    const file = await fetch(new URL(new URL(fileUrl).pathname, line.url), {
      headers: { Authorization: tokenOf('ann') },
    })
    const bytes = Buffer.from(await file.arrayBuffer())
    await stop(child)

    expect(out).toBe('Unpacked the workspace Parlor of Ann Kowalska with 1 uploads.\n')
    expect(body.messages?.map(({ text }) => text)).toEqual(['first of all'])
    expect(bytes.equals(NOTES)).toBe(true)
  })

  test('contains no key without a passphrase, and nothing readable with one', () => {
    const [open, closed] = [readFileSync(plain), readFileSync(sealed)]

    expect(open.includes('first of all')).toBe(true)
    expect(open.includes(SECRET)).toBe(false)
    expect(closed.includes('first of all')).toBe(false)
    expect(closed.includes('Ann Kowalska')).toBe(false)
  })

  test('without a passphrase gets new keys where it is opened', async () => {
    const target = newFolder()
    await ending(['unpack', plain, '--data', target])
    const { child, line } = await serving(['--data', target])
    const { status } = await callAs(line.url, { userId: 'ann' }, queryChannel, CHANNEL, { body: {} })
    await stop(child)

    expect(line.apiKey).not.toBe(API_KEY)
    expect(status).toBe(401)
  })

  test('is checked by verify, with and without a passphrase', async () => {
    const [one, other, none] = await Promise.all([
      ending(['verify', plain]),
      ending(['verify', sealed, '--passphrase-file', passphraseFile]),
      ending(['verify', sealed]),
    ])

    expect(one.out).toContain('is whole: the workspace Parlor of Ann Kowalska with 1 uploads')
    expect(other.out).toContain('is whole')
    expect(none).toMatchObject({
      code: 1,
      err: 'The workspace file has a passphrase. Give it with --passphrase-file.\n',
    })
  })

  test('is never written over another file, nor a workspace over another one, without being told', async () => {
    const again = await ending(['pack', plain, '--data', source, '--owner', 'ann'])
    const over = await ending(['unpack', plain, '--data', source])

    expect(again).toMatchObject({ code: 1, err: `${plain} is there already. Use --force to write over it.\n` })
    expect(over).toMatchObject({ code: 1, err: 'There is a workspace in this folder. Choose an empty one.\n' })
  })

  test('names the owner who is missing, and the passphrase that is too short', async () => {
    const short = join(newFolder(), 'short')
    writeFileSync(short, 'lamp\n')
    const file = join(newFolder(), 'a')
    const nobody = await ending(['pack', file, '--data', source, '--owner', 'eve'])
    const weak = await ending(['pack', file, '--data', source, '--owner', 'ann', '--passphrase-file', short])

    expect(nobody.err).toContain('There is no eve in this workspace.')
    expect(weak.err).toContain('has fewer than 8 characters')
    expect(namesIn(join(file, '..'))).toEqual([])
  })
})

/** A copy with one byte turned, this far from its beginning or, negative, from its end. */
function turned(file: string, at: number): Buffer {
  const bytes = Buffer.from(readFileSync(file))
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 0xff
  return bytes
}

type Frames = readonly (readonly [kind: number, content: object | Buffer])[]

async function made(frames: Frames): Promise<string> {
  const file = join(newFolder(), 'made')
  const fd = openSync(file, 'w')
  const writer = await writeFrames(fd, undefined)
  for (const [kind, content] of frames)
    writer.write(kind, Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)))
  closeSync(fd)
  return file
}

const ABOUT = {
  kind: 'parlor-workspace',
  savedAt: 0,
  schema: 10,
  workspace: 'w',
  name: 'Team',
  founded: 'Team',
  owner: { id: 'ann', name: 'Ann' },
  bytes: 3,
}
const { about, file: start, bytes, end } = FRAME_KINDS
const ABC = Buffer.from('abc')

describe('a damaged or hostile workspace file', () => {
  test.each([
    ['cut in the middle', () => readFileSync(plain).subarray(0, 400_000), 'is damaged or incomplete'],
    ['cut after its last byte but one', () => readFileSync(sealed).subarray(0, -1), 'is damaged or incomplete'],
    ['with a byte more', () => Buffer.concat([readFileSync(plain), Buffer.of(0)]), 'is damaged or incomplete'],
    ['with another byte in its head', () => turned(sealed, 20), 'is damaged or incomplete'],
    ['with another byte in its content', () => turned(plain, -100_000), 'is damaged or incomplete'],
    ['with another byte in its encrypted content', () => turned(sealed, -100_000), 'is damaged or incomplete'],
    ['of a newer version', () => turnedTo(plain, 8, 2), 'was written by a newer Parlor'],
    ['of another kind', () => Buffer.from('shopping list'), 'is no workspace file'],
    ['that is empty', () => Buffer.alloc(0), 'is no workspace file'],
  ])('%s leaves nothing behind', async (_case, content, says) => {
    const file = join(newFolder(), 'bad')
    writeFileSync(file, content())
    const target = newFolder()

    await expect(unpack(file, target, { passphrase: PASSPHRASE })).rejects.toThrow(says)
    expect(namesIn(target)).toEqual([])
  })

  test('with another passphrase says so', async () => {
    const target = newFolder()

    await expect(unpack(sealed, target, { passphrase: `${PASSPHRASE} or two` })).rejects.toThrow('passphrase is wrong')
    expect(namesIn(target)).toEqual([])
  })

  test.each<readonly [string, Frames]>([
    [
      'a path out of the folder',
      [
        [start, { path: '../server.db', size: 3 }],
        [bytes, ABC],
        [end, { files: 1, bytes: 3 }],
      ],
    ],
    [
      'a key as a file',
      [
        [start, { path: 'secret', size: 3 }],
        [bytes, ABC],
        [end, { files: 1, bytes: 3 }],
      ],
    ],
    [
      'a file twice',
      [
        [start, { path: 'server.db', size: 0 }],
        [start, { path: 'server.db', size: 0 }],
        [end, { files: 1, bytes: 0 }],
      ],
    ],
    [
      'more bytes than announced',
      [
        [start, { path: 'server.db', size: 2 }],
        [bytes, ABC],
        [end, { files: 1, bytes: 3 }],
      ],
    ],
    [
      'fewer bytes than announced',
      [
        [start, { path: 'server.db', size: 4 }],
        [bytes, ABC],
        [end, { files: 1, bytes: 3 }],
      ],
    ],
    [
      'bytes of no file',
      [
        [bytes, ABC],
        [end, { files: 0, bytes: 3 }],
      ],
    ],
    ['no database', [[end, { files: 0, bytes: 0 }]]],
    [
      'a database that is none',
      [
        [start, { path: 'server.db', size: 3 }],
        [bytes, ABC],
        [end, { files: 1, bytes: 3 }],
      ],
    ],
    [
      'another word about itself',
      [
        [about, ABOUT],
        [end, { files: 0, bytes: 0 }],
      ],
    ],
    [
      'an unknown frame',
      [
        [9, {}],
        [end, { files: 0, bytes: 0 }],
      ],
    ],
    [
      'no end',
      [
        [start, { path: 'server.db', size: 3 }],
        [bytes, ABC],
      ],
    ],
  ])('with %s is refused as a whole', async (_case, frames) => {
    const file = await made([[about, ABOUT], ...frames])
    const target = newFolder()

    await expect(unpack(file, target, {})).rejects.toThrow('is damaged or incomplete')
    expect(namesIn(target)).toEqual([])
  })

  test('that cannot be written again keeps the older file of its name', async () => {
    const file = join(newFolder(), 'team')
    copyFileSync(plain, file)
    const { code } = await ending(['pack', file, '--data', source, '--owner', 'eve', '--force'])

    expect(code).toBe(1)
    expect(readFileSync(file).equals(readFileSync(plain))).toBe(true)
    expect(namesIn(join(file, '..'))).toEqual(['team'])
  })
})

function turnedTo(file: string, at: number, value: number): Buffer {
  const bytes_ = Buffer.from(readFileSync(file))
  bytes_[at] = value
  return bytes_
}
