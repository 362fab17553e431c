import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountFolder, accountKey } from '#main/app/accounts/account.ts'
import type { Composed } from '#main/app/launch-options.ts'
import { compose } from '#main/app/compose.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import { createEngine, type Engine } from '#main/engine/engine.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { FakeHost, type FakeWindow } from './fake-host.ts'
import { aWireChannelState, aWireMessage, aWireUser, at } from './lone-engine.ts'
import { tokenOf } from './test-app.ts'

export const CID = 'team:general'
const URL_ = 'https://chat.example'
const REF: AccountRef = { kind: 'hosted', url: URL_, apiKey: 'K', userId: 'ann' }
const TOKEN = tokenOf({ user_id: 'ann' })

/**
 * One account of the whole app over real files and a manual server, which has a channel of forty messages and records
 * what it receives. Ends are normal exits or kills, and each start uses the same profile.
 */
export class AccountOnDisk {
  readonly host = new FakeHost()
  /** The text of each message the server accepted, in order, once for each id. */
  readonly sent: string[] = []
  /** The newest one: damage opens an account again. */
  engine!: Engine
  /** The first snapshot of the window of the newest start. */
  attached!: ChangeSet
  /** The disk under its databases; the real one unless a test gives another. */
  disk: Disk | undefined
  #composed: Composed | undefined

  constructor() {
    const known = new Set<string>()
    const texts = Array.from({ length: 40 }, (_, n) => aWireMessage(`m${n}`, n * 1_000, { text: aText(n) }))
    const me = { user_id: 'ann', user: aWireUser('ann'), created_at: at(-1e6) }
    const channel = { ...aWireChannelState(texts), members: [me], membership: me, read: [] }
    this.host.http
      .on('GET', '/app', { body: { app: { name: 'x' } } })
      .on('POST', '/channels', { body: { channels: [channel] } })
      .on('POST', '/channels/:type/:id/query', { body: channel })
      .on('POST', '/sync', { body: { events: [] } })
      .on('POST', '/channels/:type/:id/message', (call) => {
        const { message } = call.json as { message: { id: string; text: string } }
        // A repeated id is the same message, as every server of the contract treats it.
        if (!known.has(message.id)) this.sent.push(message.text)
        known.add(message.id)
        return {
          status: 201,
          body: { message: { ...aWireMessage(message.id, 90_000, { user: aWireUser('ann') }), ...message } },
        }
      })
  }

  get folder(): string {
    return accountFolder(this.host.data, accountKey(REF))
  }

  async start(): Promise<FakeWindow> {
    this.#composed = await compose(
      this.host.host,
      this.host.dispatch,
      { connect: { url: URL_, apiKey: 'K', credential: { kind: 'token', token: TOKEN } } },
      (options) => {
        const openStores: typeof options.openStores = (onCommit) => options.openStores(onCommit, this.disk)
        return (this.engine = createEngine({ ...options, openStores }))
      },
    )
    const window = this.host.window()
    this.attached = await this.call<ChangeSet>(window, 'app.attach')
    await this.online()
    return window
  }

  async stop(): Promise<void> {
    const stopping = this.#composed?.stop()
    this.#composed = undefined
    await this.passing(stopping ?? Promise.resolve())
  }

  /** What a killed process leaves behind: its files as they are, with their write-ahead logs. */
  async kill(): Promise<void> {
    const left = mkdtempSync(join(tmpdir(), 'parlor-killed-'))
    cpSync(this.host.data, left, { recursive: true })
    await this.stop()
    rmSync(this.host.data, { recursive: true })
    cpSync(left, this.host.data, { recursive: true })
    rmSync(left, { recursive: true })
  }

  async end(): Promise<void> {
    await this.stop()
    this.host.dispose()
  }

  async online(): Promise<void> {
    await this.host.clock.settle()
    for (const socket of this.host.sockets.all) if (socket.state === 'opening') socket.accept({ id: 'ann' })
    await this.host.clock.advance(2_000)
  }

  async offline(): Promise<void> {
    for (const socket of this.host.sockets.live) socket.end()
    await this.host.clock.advance(1_000)
  }

  /** Lets time pass until it is done: the disk responds with turns of the event loop and not with the clock. */
  async passing<Value>(work: Promise<Value>): Promise<Value> {
    const state = { isDone: false }
    void work.finally(() => (state.isDone = true)).catch(() => undefined)
    while (!state.isDone) {
      await this.host.clock.advance(20)
      await aTurn()
    }
    return work
  }

  /** Returns what the call returns; throws what it is refused with. */
  async call<Answer>(window: FakeWindow, name: string, ...given: readonly unknown[]): Promise<Answer> {
    const reply = await this.passing(window.call(name, given.length === 0 ? {} : given[0]))
    if (!reply.ok) throw new AppError(reply.error.code)
    return reply.value as Answer
  }

  notices(): string[] {
    return this.engine.notices().map(({ code }) => code)
  }

  /** Names of files that were moved aside. */
  quarantined(): string[] {
    try {
      return readdirSync(join(this.folder, 'quarantine'))
    } catch {
      return []
    }
  }

  /** Until the account is opened again, with a new engine and a new connection, within five seconds of the clock. */
  async reopened(before: Engine): Promise<void> {
    for (let ms = 0; ms < 5_000 && this.engine === before; ms += 1) {
      await this.host.clock.advance(1)
      await aTurn()
    }
    if (this.engine === before) throw new Error('The account was not opened again')
    await this.online()
  }

  /** Nothing of the databases is in memory anymore. */
  forget({ logsToo }: { readonly logsToo: boolean }): void {
    const { stores } = this.engine
    if (logsToo) stores.checkpoint()
    for (const { reader } of [stores.cache, stores.outbox]) {
      reader.db.memo.clear()
      reader.db.raw.pragma('shrink_memory')
    }
  }
}

/** The text of message `n` of the channel. */
export const aText = (n: number): string => `words ${n} `.repeat(20)

/** One turn of the event loop: what waits for the disk continues. */
export const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
