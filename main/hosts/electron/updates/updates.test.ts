import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NsisUpdater } from 'electron-updater'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newKeys, signedFeed } from '../../../../.ci/sign-feed.ts'
import { createProxies } from '../../node/proxies.ts'
import { isFeedAddress, noUpdatesWhy, readPackagedFeed, type FeedFacts } from '../../rules/network/update-feed.ts'
import { updatesBy } from './updates.ts'

/** The library itself against a feed on this computer; only installing is left to a real system. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const INSTALLER = 'what installs version 1.1.0'
const keys = newKeys()

let folder: string
let server: Server
let feed: string
/** By path; any other path is a 404. */
let served: Map<string, string>
let elsewhere: string | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-updates-'))
  served = new Map()
  elsewhere = undefined
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    const text = served.get(path)
    if (elsewhere !== undefined && path.endsWith('.exe')) response.writeHead(302, { location: elsewhere }).end()
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

const listOf = (version: string, installer = INSTALLER): string => {
  const sha512 = createHash('sha512').update(installer).digest('base64')
  const size = Buffer.byteLength(installer)
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
  return updatesBy(updater, { proxies: createProxies(), feed, key, log: silent })
}

describe('a feed', () => {
  test('with a newer version that is signed: it is found, fetched and its bytes are checked', async () => {
    publish(signedFeed(listOf('1.1.0'), keys.privateKey))
    served.set('/parlor-1.1.0.exe', INSTALLER)
    const updates = installed()
    expect(await updates.check()).toBe('1.1.0')
    await expect(updates.download(() => {})).resolves.toBeUndefined()
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

  test('with a file other than the listed one: the file is deleted', async () => {
    publish(signedFeed(listOf('1.1.0'), keys.privateKey))
    served.set('/parlor-1.1.0.exe', 'what somebody put in its place')
    const updates = installed()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/untrusted' })
  })

  test('that leads elsewhere, where nothing is encrypted, is not followed', async () => {
    publish(signedFeed(listOf('1.1.0'), keys.privateKey))
    elsewhere = 'http://updates.example/parlor-1.1.0.exe'
    const updates = installed()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject({ code: 'update/unreachable' })
  })

  test('that is not there, or holds no list, is unreachable', async () => {
    await expect(installed().check()).rejects.toMatchObject({ code: 'update/unreachable' })
    publish('<html>Sign in to the hotel</html>')
    await expect(installed().check()).rejects.toMatchObject({ code: 'update/unreachable' })
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
    ['what whoever manages the computer forbids', { forbidden: true }, 'forbidden'],
    ['files that were built here', { packaged: false }, 'files'],
    ['a folder that was unpacked', { os: 'linux', installed: false, hasKey: true }, 'files'],
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

  test('only encrypted addresses, and this computer', () => {
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
