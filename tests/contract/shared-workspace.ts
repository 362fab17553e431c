import { askNetwork, type NetworkAnswer } from '#kit/network.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { createCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { invitationKey } from '#main/lib/secrets.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import type { InvitationSecrets, WireSharing } from '#shared/wire/sharing.ts'
import { API_KEY, SECRET, startTestServer, type TestServer } from './kit.ts'

/** A server that its owner shares on the network, and strangers who ask to join. */

const ADDRESS = '127.0.0.2'
const HOUR_MS = 3_600_000

type Reply = {
  readonly status: number
  readonly sharing: WireSharing
  readonly invited?: InvitationSecrets
  readonly problem?: string
}

export type SharedWorkspace = {
  readonly server: TestServer
  readonly clock: ManualClock
  /** How often the app was told that something changed. */
  readonly told: number[]
  readonly port: () => number
  /** `POST /sharing` with the server token. */
  owner(body: object): Promise<Reply>
  start(options?: object): Promise<Reply>
  invite(options?: object): Promise<InvitationSecrets>
  /** Asks to join under a name; asked again with the same letters, it is the same request. */
  ask(secret: string, name: string, letters?: string): Promise<NetworkAnswer>
  answer(letters: string): Promise<NetworkAnswer>
  cancel(letters: string): Promise<NetworkAnswer>
  /** A call on the port of the network. */
  call(path: string, options?: Parameters<typeof askNetwork>[2]): Promise<NetworkAnswer>
  decide(name: string, accept: boolean): Promise<Reply>
}

const requestOf = (letters: string): string => `${letters}${'r'.repeat(22)}`.replaceAll(' ', '-').slice(0, 22)

export async function sharedWorkspace(): Promise<SharedWorkspace> {
  const clock = new ManualClock()
  const told: number[] = []
  const certificate = await createCertificate(clock.now())
  const server = await startTestServer({ clock, onSharing: () => void told.push(1) })
  await (await server.connect('ann', { name: 'Ann' })).close()
  let port = 0
  async function owner(body: object): Promise<Reply> {
    const { status, text } = await server.request(`/sharing?api_key=${API_KEY}`, {
      method: 'POST',
      headers: { Authorization: createToken({}, SECRET), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const reply = { ...(JSON.parse(text) as Reply), status }
    port = reply.sharing?.port ?? port
    return reply
  }
  const call: SharedWorkspace['call'] = (path, options) => askNetwork({ address: ADDRESS, port }, path, options)
  const ends = () => clock.now() + HOUR_MS
  return {
    server,
    clock,
    told,
    port: () => port,
    owner,
    call,
    start: (options = {}) =>
      owner({
        action: 'start',
        addresses: [ADDRESS],
        port: 0,
        approve: true,
        workspace: 'Cairn Maps',
        owner: 'Ann',
        ...certificate,
        ...options,
      }),
    async invite(options = {}) {
      const { invited } = await owner({
        action: 'invite',
        name: 'Office',
        role: 'user',
        uses: 5,
        ends_at: ends(),
        ...options,
      })
      if (!invited) throw new Error('there is no invitation')
      return invited
    },
    async ask(secret, name, letters = name) {
      const { id } = await invitationKey(secret)
      return call('/join/ask', { body: { id, secret, name, request: requestOf(letters) } })
    },
    answer: (letters) => call('/join/answer', { body: { request: requestOf(letters) } }),
    cancel: (letters) => call('/join/cancel', { body: { request: requestOf(letters) } }),
    async decide(name, accept) {
      const { sharing } = await owner({ action: 'state' })
      return owner({ action: 'decide', id: sharing.waiting.find((each) => each.name === name)?.id, accept })
    },
  }
}
