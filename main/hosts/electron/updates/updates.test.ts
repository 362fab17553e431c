import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NsisUpdater } from 'electron-updater'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newKeys, signedFeed } from '../../../../.ci/sign-feed.ts'
import { createProxies } from '../../node/network.ts'
import { isFeedAddress, noUpdatesWhy, readPackagedFeed, type FeedFacts } from '../../rules/network/update-feed.ts'
import { commandBack, updatesBy } from './updates.ts'

/** The library itself against a feed on this device; only installing is left to a real system. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const INSTALLER = 'what installs version 1.1.0'
const keys = newKeys()

let folder: string
let server: Server
let feed: string
/** By path; any other path is a 404. */
let served: Map<string, string>
let elsewhere: string | undefined
/** Every address leads to itself. */
let circle: boolean
/** How the next installer is sent, if it is not sent whole. */
let sent: ((response: ServerResponse) => void) | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-updates-'))
  served = new Map()
  elsewhere = undefined
  circle = false
  sent = undefined
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    const text = served.get(path)
    if (circle) response.writeHead(302, { location: `${feed}${path}` }).end()
    else if (elsewhere !== undefined && path.endsWith('.exe')) response.writeHead(302, { location: elsewhere }).end()
    else if (sent !== undefined && path.endsWith('.exe')) sent(response)
    else response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const listOf = (version: string, installer = INSTALLER, size = Buffer.byteLength(installer)): string => {
  const sha512 = createHash('sha512').update(installer).digest('base64')
  return `version: ${version}\nfiles:\n  - url: parlor-${version}.exe\n    sha512: ${sha512}\n    size: ${size}\npath: parlor-${version}.exe\nsha512: ${sha512}\nreleaseDate: '2026-11-22T00:00:00.000Z'\n`
}

const publish = (list: string): void => {
  for (const name of ['latest.yml', 'latest-linux.yml', 'latest-mac.yml']) served.set(`/${name}`, list)
}

/** Parlor 1.0.0 as installed, with the public key. */
function installed(key: string | undefined = keys.publicKey) {
  const config = join(folder, 'app-update.yml')
  writeFileSync(config, `provider: generic\nurl: ${feed}\nupdaterCacheDirName: parlor-updater\n`)
  const updater = new NsisUpdater(undefined, {
    version: '1.0.0',
    name: 'parlor',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  })
  updater.disableDifferentialDownload = true
  return updatesBy(updater, { proxies: createProxies(), feed, channel: undefined, key, log: silent })
}

/** The files of downloads, whole ones and parts. */
const downloaded = (): string[] => readdirSync(join(folder, 'parlor-updater/pending'))

const signedText = (list: string): string => signedFeed(list, keys.privateKey)

/** Paths of the files that this process has open; nothing on other systems than Linux. */
const openFiles = (): string[] =>
  existsSync('/proc/self/fd')
    ? readdirSync('/proc/self/fd').flatMap((name) => {
        try {
          return [readlinkSync(`/proc/self/fd/${name}`)]
        } catch {
          return []
        }
      })
    : []

describe('a feed', () => {
  test('with a newer version that is signed: it is found, fetched and its bytes are checked', async () => {
    publish(signedFeed(listOf('1.1.0'), keys.privateKey))
    served.set('/parlor-1.1.0.exe', INSTALLER)
    const updates = installed()
    expect(await updates.check()).toMatchObject({ version: '1.1.0' })
    await expect(updates.download(() => {})).resolves.toBeUndefined()
  })

  test('names its file by one value, which changes with the file', async () => {
    publish(signedText(listOf('1.1.0')))
    const first = await installed().check()
    expect(first?.file).toMatch(/^[0-9a-f]{64}$/)
    expect(await installed().check()).toEqual(first)
    publish(signedText(listOf('1.1.0', 'another installer')))
    expect(await installed().check()).toMatchObject({
      version: '1.1.0',
      file: expect.not.stringContaining(first?.file ?? ''),
    })
  })

  test.each(['1.0.0', '0.9.0'])('with version %s has nothing newer: there are no downgrades', async (version) => {
    publish(signedFeed(listOf(version), keys.privateKey))
    expect(await installed().check()).toBeUndefined()
  })

  test('without a signature, with another one, or changed afterwards is refused', async () => {
    const other = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const signed = signedFeed(listOf('1.1.0'), keys.privateKey)
    for (const list of [
      listOf('1.1.0'),
      signedFeed(listOf('1.1.0'), other),
      signed.replace('version: 1.1.0', 'version: 1.2.0'),
    ]) {
      publish(list)
      await expect(installed().check()).rejects.toMatchObject({ code: 'update/untrusted' })
    }
  })

  test('that is refused does not change what is downloaded: the version that was found before', async () => {
    publish(signedFeed(listOf('1.1.0'), keys.privateKey))
    served.set('/parlor-1.1.0.exe', INSTALLER)
    const updates = installed()
    await updates.check()
    publish(listOf('1.2.0', 'what someone else made'))
    served.set('/parlor-1.2.0.exe', 'what someone else made')
    await expect(updates.check()).rejects.toMatchObject({ code: 'update/untrusted' })
    await updates.download(() => {})
    expect(downloaded()).toContain('parlor-1.1.0.exe')
    expect(downloaded()).not.toContain('parlor-1.2.0.exe')
  })

  test.each([
    ['another of the same length', signedText(listOf('1.1.0')), INSTALLER.replaceAll('1', '2')],
    ['a longer one', signedText(listOf('1.1.0')), `${INSTALLER} and more`],
    ['a shorter one', signedText(listOf('1.1.0')), INSTALLER.slice(1)],
    ['one of another size than listed', signedText(listOf('1.1.0', INSTALLER, 5)), INSTALLER],
  ])('with a file that is not the listed one but %s: nothing of it remains', async (_title, list, installer) => {
    publish(list)
    served.set('/parlor-1.1.0.exe', installer)
    const updates = installed()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/untrusted' })
    expect(downloaded()).toEqual([])
  })

  test('whose file never ends is left when the listed size is reached', async () => {
    publish(signedText(listOf('1.1.0')))
    let left: (() => void) | undefined
    const hasLeft = new Promise<void>((resolve) => (left = resolve))
    sent = (response) => {
      response.writeHead(200).write(`${INSTALLER}, and so on`)
      response.once('close', () => left?.())
    }
    const updates = installed()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/untrusted' })
    await hasLeft
  })

  test.each([0, 5])(
    'whose connection breaks after %i bytes of a file: no part remains, and the next is whole',
    async (bytes) => {
      publish(signedText(listOf('1.1.0')))
      served.set('/parlor-1.1.0.exe', INSTALLER)
      sent = (response) => {
        response.writeHead(200, { 'content-length': INSTALLER.length }).flushHeaders()
        if (bytes > 0) response.write(INSTALLER.slice(0, bytes))
        setImmediate(() => response.destroy())
      }
      const updates = installed()
      await updates.check()
      await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/not-downloaded' })
      expect(downloaded()).toEqual([])
      expect(openFiles().filter((path) => path.startsWith(folder))).toEqual([])
      sent = undefined
      await updates.download(() => {})
      expect(readFileSync(join(folder, 'parlor-updater/pending/parlor-1.1.0.exe'), 'utf8')).toBe(INSTALLER)
    },
  )

  test('with a file for which the disk has no room: it is not requested', async () => {
    publish(signedText(listOf('1.1.0', INSTALLER, Number.MAX_SAFE_INTEGER)))
    sent = () => expect.unreachable()
    const updates = installed()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/no-space' })
  })

  test('that leads elsewhere, where nothing is encrypted, is not followed', async () => {
    publish(signedFeed(listOf('1.1.0'), keys.privateKey))
    elsewhere = 'http://updates.example/parlor-1.1.0.exe'
    const updates = installed()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/not-downloaded' })
  })

  test('that sends the updater in a circle is left after ten requests', async () => {
    let requests = 0
    server.on('request', () => (requests += 1))
    publish(signedText(listOf('1.1.0')))
    elsewhere = `${feed}/parlor-1.1.0.exe`
    const updates = installed()
    await updates.check()
    requests = 0
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/not-downloaded' })
    expect(requests).toBe(10)
    circle = true
    requests = 0
    await expect(installed().check()).rejects.toMatchObject({ code: 'update/unreachable' })
    expect(requests).toBe(10)
  })

  test('that is not there, or holds no list, is unreachable', async () => {
    await expect(installed().check()).rejects.toMatchObject({ code: 'update/unreachable' })
    for (const text of ['<html>Sign in to the hotel</html>', 'null', 'version: [', 'x'.repeat(1_000_001)]) {
      publish(text)
      await expect(installed().check()).rejects.toMatchObject({ code: 'update/unreachable' })
    }
  })

  test('with a list that names no files is refused', async () => {
    publish("version: 1.1.0\nparlorSignature: 'AAAA'\n")
    await expect(installed().check()).rejects.toMatchObject({ code: 'update/untrusted' })
  })
})

describe('a downloaded version', () => {
  async function afterDownload() {
    publish(signedText(listOf('1.1.0')))
    served.set('/parlor-1.1.0.exe', INSTALLER)
    const updates = installed()
    await updates.check()
    await updates.download(() => {})
    const path = join(folder, 'parlor-updater/pending/parlor-1.1.0.exe')
    return { updates, path }
  }

  test('is checked again before it is installed', async () => {
    const { updates } = await afterDownload()
    await expect(updates.verify()).resolves.toBeUndefined()
  })

  test.each([
    ['changed', (path: string) => writeFileSync(path, 'something else')],
    ['deleted', (path: string) => rmSync(path)],
  ])('that was %s meanwhile is not installed, and can be downloaded again', async (_title, change) => {
    const { updates, path } = await afterDownload()
    change(path)
    await expect(updates.verify()).rejects.toMatchObject({ code: 'update/gone' })
    await updates.download(() => {})
    expect(readFileSync(path, 'utf8')).toBe(INSTALLER)
  })

  test('is deleted when it is of no more use', async () => {
    const { updates } = await afterDownload()
    await updates.tidy()
    expect(downloaded()).toEqual([])
  })
})

describe('where newer versions may come from', () => {
  const HERE: FeedFacts = {
    os: 'windows',
    forbidden: false,
    packaged: true,
    installed: true,
    url: 'https://updates.example',
    namesPublisher: true,
    hasKey: false,
  }

  test.each([
    ['a signed package with a feed', {}, undefined],
    ['what the administrator forbids', { forbidden: true }, 'forbidden'],
    ['files that were built here', { packaged: false }, 'files'],
    ['a folder that was unpacked', { os: 'linux', installed: false, hasKey: true }, 'unpacked'],
    ['a package without a feed', { url: undefined }, 'no-feed'],
    ['a feed that is not encrypted', { url: 'http://updates.example' }, 'no-feed'],
    ['a package of Windows that nobody signed', { namesPublisher: false }, 'unsigned'],
    ['the same with a key of its own', { namesPublisher: false, hasKey: true }, undefined],
    ['a package of Linux, where no system checks, without a key', { os: 'linux' }, 'unsigned'],
    ['macOS, which checks by itself', { os: 'macos', namesPublisher: false }, undefined],
  ] as const)('%s', (_title, over, why) => {
    expect(noUpdatesWhy({ ...HERE, ...over })).toBe(why)
  })

  test('the packager’s file is read as it writes it', () => {
    expect(readPackagedFeed("provider: generic\nurl: 'https://a.example/x'\npublisherName:\n  - Cairn\n")).toEqual({
      url: 'https://a.example/x',
      namesPublisher: true,
    })
    expect(readPackagedFeed("provider: generic\nurl: ''\n")).toEqual({ url: undefined, namesPublisher: false })
    expect(readPackagedFeed('')).toEqual({ url: undefined, namesPublisher: false })
  })

  test('only encrypted addresses, and this device', () => {
    const addresses = [
      'https://a.example',
      'http://127.0.0.1:80',
      'http://a.example',
      'file:///x',
      'https://u:p@a.example',
    ]
    expect(addresses.map(isFeedAddress)).toEqual([true, true, false, false, false])
  })
})

test('the command that puts an older version back is that of the package', () => {
  expect(commandBack('deb', '1.0.0')).toMatch(/^sudo dpkg --install parlor_1\.0\.0_\w+\.deb$/)
  expect(commandBack('rpm', '1.0.0')).toMatch(/^sudo rpm --upgrade --oldpackage parlor-1\.0\.0\.\w+\.rpm$/)
  expect(commandBack('', '1.0.0')).toBeUndefined()
})
