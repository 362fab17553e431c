import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { LONG } from '#kit/parts.ts'
import { invitationLink, readInvitation } from '#shared/rules/server/invitation.ts'
import { CALL, owner, type Owner } from '../../flow/sharing/devices.ts'
import { hostileHost, type HostileHost } from '../../flow/sharing/hostile-host.ts'
import { expect, test } from '../kit/world.ts'

/** What does not let somebody in, from its real cause to the sentence in the window, in every language. */

const LOCALES = join(import.meta.dirname, '../../../resources/locales')
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

/** The text of a key, as the window has it. */
function textOf(language: string, area: string, path: string): string {
  const file: unknown = JSON.parse(readFileSync(join(LOCALES, language, `${area}.json`), 'utf8'))
  const keys = area === 'errors' ? [path] : path.split('.')
  return String(keys.reduce((node: unknown, key) => (node as Record<string, unknown>)[key], file))
}

type Cause = { readonly code: string; readonly text: string }

/** Devices that share something, and what is wrong with the invitations to them. */
class Devices {
  readonly causes: Cause[] = []
  readonly #owners: Owner[] = []
  readonly #hosts: HostileHost[] = []

  async ready(): Promise<void> {
    const ann = await owner(['127.0.0.8'])
    this.#owners.push(ann)
    await ann.calls.start({ approve: false, port: await freePort(), invitation: 'Office' }, CALL)
    const invite = async (name: string): Promise<{ id: string; link: string }> => {
      const options = { name, role: 'user' as const, channels: [], uses: 1, endsAt: Date.now() + DAY_MS }
      const { invitations } = await ann.calls.invite(options, CALL)
      const { id = '', link = '' } = invitations.find((each) => each.name === name) ?? {}
      return { id, link }
    }
    const good = readInvitation((await invite('Good')).link)
    if (typeof good === 'string' || good.fingerprint === undefined) throw new Error('there is no link')
    const linkWith = (more: Partial<typeof good>): string =>
      invitationLink({ ...good, fingerprint: good.fingerprint ?? '', ...more })
    const revoked = await invite('Revoked')
    await ann.calls.revoke({ id: revoked.id }, CALL)
    const past = await this.#host({ madeAt: Date.now() - 40 * YEAR_MS })
    const newer = await this.#host({ refusal: { version: '2' } })
    const older = await this.#host({ refusal: { version: '0' } })
    this.causes.push(
      { code: 'join/unknown', text: 'https://example.org' },
      { code: 'join/mistyped', text: '7KQ4-M2XD-9TRC-0A5F-W3ZE' },
      { code: 'join/link-local', text: linkWith({}).replace('127.0.0.8', '[fe80::1]') },
      // Nothing listens there: it is off, or a firewall refuses.
      { code: 'join/unreachable', text: linkWith({ port: await freePort() }) },
      { code: 'join/wrong', text: linkWith({ secret: 'a'.repeat(22) }) },
      { code: 'join/ended', text: revoked.link },
      { code: 'join/certificate', text: linkWith({ fingerprint: 'a'.repeat(43) }) },
      { code: 'join/clock', text: past.link },
      { code: 'join/newer', text: newer.link },
      { code: 'join/older', text: older.link },
    )
  }

  async #host(options: Parameters<typeof hostileHost>[0]): Promise<HostileHost> {
    const host = await hostileHost(options)
    this.#hosts.push(host)
    return host
  }

  async dispose(): Promise<void> {
    for (const host of this.#hosts) host.dispose()
    for (const each of this.#owners) await each.dispose()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server: Server = createServer().listen(0, '127.0.0.8', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

test(
  'whatever does not let somebody in is said where they pasted the invitation, in three languages',
  LONG,
  async ({ world }) => {
    test.slow()
    const devices = new Devices()
    try {
      await devices.ready()
      for (const language of ['en', 'pl', 'ru']) {
        const data = world.folder(`newcomer-${language}`)
        writeFileSync(join(data, 'settings.json'), JSON.stringify({ settings: { activePeople: false, language } }))
        const app = await world.app(data)
        const { page } = await world.open(app.ready['url'])
        const word = (path: string): string => textOf(language, 'session', path)
        await page.getByRole('button', { name: word('ways.title') }).click()
        await page.getByRole('button', { name: word('join.door') }).click()
        for (const { code, text } of devices.causes) {
          await test.step(`${code} in ${language}`, async () => {
            await page.getByLabel(word('join.field')).fill(text)
            await page.getByRole('button', { name: word('join.look') }).click()
            await expect(page.getByRole('main').getByRole('alert')).toHaveText(textOf(language, 'errors', code))
          })
        }
      }
    } finally {
      await devices.dispose()
    }
  },
)
