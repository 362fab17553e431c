import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { tokenOf } from '#kit/test-app.ts'
import { CALL, newcomer, type Device } from './devices.ts'
import { hostileHost, type HostileHost } from './hostile-host.ts'

/** Someone follows an invitation of a device that means no good. */

const open: (Device | HostileHost)[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.dispose()
})

async function invitedBy(answers: Parameters<typeof hostileHost>[0]): Promise<{ marek: Device; host: HostileHost }> {
  const host = await hostileHost(answers)
  const marek = newcomer()
  open.push(host, marek)
  return { marek, host }
}

const reasonOf = (call: unknown): Promise<string> =>
  Promise.resolve(call).then(
    () => 'none',
    (error: unknown) => (error instanceof AppError ? error.code : 'unknown'),
  )

const accepted = (userId: unknown, token: unknown): object => ({ state: 'accepted', user_id: userId, token })
const PAYLOAD = Buffer.from(JSON.stringify({ user_id: 'marek-1' })).toString('base64url')

describe('what a hostile host sends', () => {
  test.each([
    ['a program to run', accepted('marek-1', 'command ["touch","/tmp/owned"]')],
    ['a program to run, dressed up as a token', accepted('marek-1', `command ["touch","a.${PAYLOAD}.b"]`)],
    ['an address to fetch tokens from', accepted('marek-1', 'endpoint http://127.0.0.1:9/token')],
    ['the token of somebody else', accepted('marek-1', tokenOf({ user_id: 'ada' }))],
    ['a token of a megabyte', accepted('marek-1', tokenOf({ user_id: 'marek-1', more: 'x'.repeat(1_000_000) }))],
    ['a user that no server can have', accepted('../../etc', tokenOf({ user_id: '../../etc' }))],
  ])('is refused when it is %s: nobody is signed in', async (_what, answer) => {
    const { marek, host } = await invitedBy({ answer })
    await marek.joining.look({ text: host.link }, CALL)
    const reason = await reasonOf(marek.joining.join({ name: 'Marek' }, CALL))

    expect(reason).toBe('join/unreachable')
    expect(marek.signedIn).toEqual([])
  })

  test('is one short line where it is a name, without marks that disguise it', async () => {
    const { marek, host } = await invitedBy({
      hello: { workspace: `Bank\u202E\n${'x'.repeat(5_000)}`, owner: `Ada\u200F${'\u0301'.repeat(90)}` },
    })
    const { workspace, owner } = await marek.joining.look({ text: host.link }, CALL)

    expect(workspace).toMatch(/^Bankx{1,251}$/)
    expect(owner.length).toBeLessThan(20)
    expect(owner).not.toContain('\u200F')
  })

  test.each([
    ['no visible name', { workspace: '\u200B ' }],
    ['a key of a megabyte', { api_key: 'k'.repeat(1_000_000) }],
  ])('is not followed when it has %s', async (_what, hello) => {
    const { marek, host } = await invitedBy({ hello })

    expect(await reasonOf(marek.joining.look({ text: host.link }, CALL))).toBe('join/unreachable')
  })
})
