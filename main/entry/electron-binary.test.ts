import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { downloadElectron, installedElectron } from './launch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')) as {
  version: string
}
const file = `electron-v${version}-linux-${process.arch}.zip`
const archive = zipSync({ electron: strToU8('a program'), version: strToU8(version) })

/** The npm package without its binary, where its installer finds its own dependencies; a mirror; an empty cache. */
describe.runIf(process.platform === 'linux')('the download of Electron', () => {
  let folder: string
  let electronPackage: string
  let mirror: Server
  let requests: string[]
  let answer: { status: number; body: Uint8Array }

  beforeEach(async () => {
    const cache = join(root, 'node_modules/.cache')
    mkdirSync(cache, { recursive: true })
    folder = mkdtempSync(join(cache, 'electron-download-'))
    electronPackage = join(folder, 'electron')
    for (const name of ['package.json', 'install.js'])
      cpSync(join(root, 'node_modules/electron', name), join(electronPackage, name))
    writeFileSync(
      join(electronPackage, 'checksums.json'),
      JSON.stringify({ [file]: createHash('sha256').update(archive).digest('hex') }),
    )
    requests = []
    answer = { status: 200, body: archive }
    mirror = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.writeHead(answer.status, { 'content-length': answer.body.length }).end(answer.body)
    })
    await new Promise<void>((done) => mirror.listen(0, '127.0.0.1', done))
  })
  afterEach(async () => {
    await new Promise((done) => mirror.close(done))
    rmSync(folder, { recursive: true })
  })

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    ELECTRON_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`,
    electron_config_cache: join(folder, 'cache'),
  })

  test('is unpacked where Electron is looked for, and not repeated', async () => {
    expect(installedElectron(electronPackage, {})).toBeUndefined()
    const path = join(electronPackage, 'dist/electron')
    expect(await downloadElectron(electronPackage, environment())).toEqual({ path })
    expect(readFileSync(path, 'utf8')).toBe('a program')
    expect(installedElectron(electronPackage, {})).toBe(path)
    expect(requests).toEqual([`/v${version}/${file}`])
    rmSync(join(electronPackage, 'dist'), { recursive: true })
    expect(await downloadElectron(electronPackage, environment())).toEqual({ path })
    expect(requests).toHaveLength(1)
  })

  test('says how far it is, in lines where there is no terminal', async () => {
    const program = join(root, 'main/entry/download-electron.ts')
    const child = spawn(process.execPath, [program, electronPackage], { stdio: 'pipe', env: environment() })
    const [problem, progress] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(problem).toBe('')
    expect(progress).toMatch(new RegExp(`^Downloading Electron ${version}: 0 MB of 0 MB$`, 'm'))
  })

  test('is refused where it is not the file that the package names', async () => {
    answer.body = zipSync({ electron: strToU8('another program'), version: strToU8(version) })
    const download = await downloadElectron(electronPackage, environment())
    expect(download).toEqual({ problem: expect.stringMatching(/checksum.*did not match/i) })
    expect(installedElectron(electronPackage, {})).toBeUndefined()
  })

  test.each([404, 503])('whose response is %d names the response', async (status) => {
    answer.status = status
    expect(await downloadElectron(electronPackage, environment())).toEqual({
      problem: expect.stringContaining(`Response code ${status}`),
    })
  })

  test('without a server names the connection', async () => {
    const stopped = environment()
    await new Promise((done) => mirror.close(done))
    expect(await downloadElectron(electronPackage, stopped)).toEqual({
      problem: expect.stringContaining('ECONNREFUSED'),
    })
    await new Promise<void>((done) => mirror.listen(0, '127.0.0.1', done))
  })
})
