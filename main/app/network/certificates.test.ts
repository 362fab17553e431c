import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AUTHORITY, PERSON } from '#kit/certificates.ts'
import type { FakeHost, FakeWindow } from '#kit/fake-host.ts'
import { codeOf, testApp } from '#kit/test-app.ts'

const bench = testApp()
const { start, stop, live } = bench
let world: FakeHost

beforeEach(() => {
  world = bench.begin()
})
afterEach(bench.end)

describe('added authorities', () => {
  const list = async (window: FakeWindow) => (await window.call('certificates.list')) as { value: { by: string }[] }

  test('apply at once and after a restart, until they are removed', async () => {
    const window = await start()
    expect(await codeOf(window.call('certificates.trust', { text: 'words' }))).toBe('certificates/none')
    await window.call('certificates.trust', { text: AUTHORITY })
    expect(world.trusted).toEqual([AUTHORITY.trim()])
    await stop()
    world.trusted = []
    const again = await start()
    expect(world.trusted).toEqual([AUTHORITY.trim()])
    const [{ fingerprint = '' } = {}] = (await list(again)).value as { fingerprint?: string }[]
    await again.call('certificates.remove', { fingerprint })
    expect(world.trusted).toEqual([])
    expect((await list(again)).value).toEqual([])
  })

  test('are added to those of the administrator, which stay', async () => {
    const path = join(world.data, 'company.pem')
    writeFileSync(path, AUTHORITY)
    const managed = { values: { ExtraCaFile: path }, sources: [], origins: {}, unknown: [], refused: [] }
    Object.assign(world.host.info, { managed })
    const window = await start()
    const [one] = (await list(window)).value as { fingerprint: string; by: string }[]
    await window.call('certificates.trust', { text: AUTHORITY })
    await window.call('certificates.remove', { fingerprint: one?.fingerprint ?? '' })
    expect((await list(window)).value.map(({ by }) => by)).toEqual(['policy'])
    expect(world.trusted).toEqual([AUTHORITY.trim()])
  })

  test('that cannot be read do not prevent a start', async () => {
    writeFileSync(join(world.data, 'certificates.pem'), 'torn')
    await start()
    expect(live()).toEqual(['ola'])
    expect(world.trusted).toEqual([])
    expect(world.logged).toContainEqual({
      area: 'certificates',
      event: 'unreadable',
      fields: { whose: 'own', reason: 'certificates/none' },
    })
  })
})

describe('a client certificate', () => {
  const files = [Buffer.from(PERSON.pem).toString('base64')]
  const given = { host: ' https://chat.example/x ', files, passphrase: PERSON.passphrase }

  test('is sent to the named server, from the first request of the next start, until it is removed', async () => {
    const window = await start()
    expect(await window.call('certificates.setOwn', given)).toMatchObject({
      value: { host: 'chat.example', subject: 'Ola Nowak, Cairn Maps' },
    })
    await stop()
    world.identified = undefined
    const again = await start()
    expect(world.identified).toBe('chat.example')
    expect(await again.call('certificates.own')).toMatchObject({ value: { certificate: { host: 'chat.example' } } })
    await again.call('certificates.removeOwn')
    expect(world.identified).toBeUndefined()
    expect(await again.call('certificates.own')).toEqual({ ok: true, value: {} })
  })

  test('that is invalid is refused by name and not sent; its key is in no settings and no log', async () => {
    const window = await start()
    expect(await codeOf(window.call('certificates.setOwn', { ...given, passphrase: 'wrong' }))).toBe(
      'identity/passphrase',
    )
    expect(await codeOf(window.call('certificates.setOwn', { ...given, host: 'not a host' }))).toBe('identity/host')
    expect(world.identified).toBeUndefined()
    await window.call('certificates.setOwn', given)
    const settings = readFileSync(join(world.data, 'settings.json'), 'utf8')
    expect(settings.includes(PERSON.passphrase)).toBe(false)
    expect(settings.includes(files[0]?.slice(0, 40) ?? '')).toBe(false)
    expect(JSON.stringify(world.logged)).not.toContain(PERSON.passphrase)
  })
})
