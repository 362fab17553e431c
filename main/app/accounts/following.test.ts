import { afterEach, expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import { createCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { signNote } from '#main/server/sharing/moved-note.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { type Account, accountKey } from './account.ts'
import { Following } from './following.ts'

type HostedRef = Extract<AccountRef, { kind: 'hosted' }>

const hosts: FakeHost[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose()
})

/** A joined account, whose device says where the workspace is. */
async function joined({ accepted = () => true }: { readonly accepted?: (ref: HostedRef) => boolean } = {}) {
  const host = new FakeHost()
  hosts.push(host)
  const [old, fresh, other] = await Promise.all([1, 2, 3].map(() => createCertificate(host.clock.now())))
  if (!old || !fresh || !other) throw new Error('there is no certificate')
  const ref: HostedRef = {
    kind: 'hosted',
    userId: 'marek',
    url: 'https://192.168.1.24:7443',
    apiKey: 'k',
    certificate: old.cert,
  }
  const connection = { state: 'waiting' }
  const account = { ref, key: accountKey(ref), engine: { connection: () => connection } } as unknown as Account
  const moved: HostedRef[] = []
  host.certificateAt = (address) => Promise.resolve(address === '192.168.1.30' ? fresh.cert : other.cert)
  const following = new Following({
    host: host.host,
    isAccepted: (each) => Promise.resolve(accepted(each)),
    moveTo: (each) => Promise.resolve(void moved.push(each)),
  })
  const note = { addresses: ['192.168.1.29', '192.168.1.30'], port: 7_444, certificate: fresh.cert }
  const says = (body: object): void => void host.http.on('POST', '/join/where', { body })
  const asked = (): number => host.http.to('POST', '/join/where').length
  return { host, old, fresh, other, account, connection, moved, following, note, says, asked }
}

test('a workspace that is out of reach is asked where it is, after a moment and then once a minute', async () => {
  const { host, account, following, says, asked } = await joined()
  says({})
  following.look(account)
  following.look(account)
  const counts: number[] = []
  for (const ms of [2_900, 200, 120_000]) {
    await host.clock.advance(ms)
    counts.push(asked())
  }
  following.closing(account)
  await host.clock.advance(120_000)

  expect(counts).toEqual([0, 1, 3])
  expect(asked()).toBe(3)
})

test('one that is connected is never asked', async () => {
  const { host, account, connection, following, asked } = await joined()
  following.look(account)
  connection.state = 'healthy'
  following.look(account)
  await host.clock.advance(120_000)

  expect(asked()).toBe(0)
})

test('the account moves to the address where the new certificate answers, and stays the same account', async () => {
  const { host, old, account, moved, following, note, says } = await joined()
  says({ moved: true, ...signNote(note, old.key) })
  following.look(account)
  await host.clock.advance(4_000)

  expect(moved).toMatchObject([{ url: 'https://192.168.1.30:7444', trusts: note.certificate, certificate: old.cert }])
  expect(moved.map((ref) => accountKey(ref))).toEqual([account.key])
})

test('a note of somebody else, one that nobody signed, and a server that does not know the account change nothing', async () => {
  const strangers = await joined()
  strangers.says({ moved: true, ...signNote(strangers.note, strangers.other.key) })
  const unsigned = await joined()
  unsigned.says({ moved: true, note: JSON.stringify(unsigned.note), signature: '' })
  const unknown = await joined({ accepted: () => false })
  unknown.says({ moved: true, ...signNote(unknown.note, unknown.old.key) })
  for (const { host, account, following } of [strangers, unsigned, unknown]) {
    following.look(account)
    await host.clock.advance(4_000)
  }

  expect([strangers, unsigned, unknown].flatMap(({ moved }) => moved)).toEqual([])
  // The last one is asked too, whether the workspace has moved on; what the first one signed does not count there.
  expect([strangers, unsigned, unknown].map(({ asked }) => asked())).toEqual([1, 1, 2])
})

test('a workspace that has moved twice is found through the device between, which the first one trusts', async () => {
  const { host, old, fresh, other, account, moved, following, note } = await joined({
    accepted: ({ url }) => url === 'https://192.168.1.31:7445',
  })
  const on = { addresses: ['192.168.1.31'], port: 7_445, certificate: other.cert }
  host.http.on('POST', '/join/where', ({ at }) => ({
    body: at.hostname === '192.168.1.24' ? signNote(note, old.key) : signNote(on, fresh.key),
  }))
  following.look(account)
  await host.clock.advance(4_000)

  expect(moved).toMatchObject([{ url: 'https://192.168.1.31:7445', trusts: other.cert, certificate: old.cert }])
})

test('devices that send to each other without end are not asked without end', async () => {
  const { host, old, fresh, account, moved, following, note, asked } = await joined({ accepted: () => false })
  host.http.on('POST', '/join/where', ({ at }) => ({
    body: signNote(note, at.hostname === '192.168.1.24' ? old.key : fresh.key),
  }))
  following.look(account)
  await host.clock.advance(4_000)

  expect(moved).toEqual([])
  expect(asked()).toBe(8)
})

test('an account that is closed while it is asked about stays as it is, and is not asked about again', async () => {
  const { host, old, account, moved, following, note, asked } = await joined()
  let answer = (): void => undefined
  const late = new Promise<void>((resolve) => (answer = resolve))
  host.http.on('POST', '/join/where', async () => {
    await late
    return { body: signNote(note, old.key) }
  })
  following.look(account)
  await host.clock.advance(4_000)
  following.closing(account)
  answer()
  await host.clock.advance(300_000)

  expect(moved).toEqual([])
  expect(asked()).toBe(1)
})
