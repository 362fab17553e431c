import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { SharingState } from '#shared/domain/sharing.ts'
import { bundle, Process } from '../kill-process.ts'
import { Computer, type Programs } from './computer.ts'
import { type Place, Room } from './room.ts'

/** A server that was killed is started again after a while, and a line that is dead is noticed after a while. */
const PATIENCE_MS = 90_000
const POLL_MS = 100

/** Waits until it holds, at most as long as recovering from anything takes. */
export const eventually = <Value>(ask: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(async () => ask(), { timeout: PATIENCE_MS, interval: POLL_MS })

/** What someone has written: what the app accepted is promised. */
export type Written = { readonly begun: string[]; readonly accepted: string[] }

/** Somebody at a computer. */
export class Person {
  readonly name: string
  readonly computer: Computer
  readonly written: Written = { begun: [], accepted: [] }

  constructor(name: string, computer: Computer) {
    this.name = name
    this.computer = computer
  }

  /** Writes one message after the other, until the app ends. */
  async write(cid: string, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const text = `${this.name} ${this.written.begun.length + 1}`
      this.written.begun.push(text)
      try {
        await this.computer.call('messages.send', { cid, text })
      } catch (error) {
        if (String(error).includes('ended')) return
        throw error
      }
      this.written.accepted.push(text)
    }
  }

  /** The one account of this computer follows its server, and nothing waits to be sent. */
  async isSettled(): Promise<boolean> {
    const [line] = await this.computer.rows('connection')
    return line?.state === 'healthy' && (await this.computer.call<number>('session.unsentCount')) === 0
  }
}

const CHANNELS = 3
/** Each channel begins with so many messages. */
const MESSAGES = 8
const DAY_MS = 86_400_000
/** As many messages of an opened channel are loaded at least. */
const PAGE = 20

export type Limits = Pick<Programs, 'without' | 'disk'>

type TeamParts = {
  readonly room: Room
  readonly folder: string
  readonly programs: Programs
  readonly ann: Person
  readonly at: string
}

/** Ann, who shares her workspace, in a room that others can enter. */
export class Team {
  readonly ann: Person
  /** Channels, each of which begins with a few messages of Ann. */
  readonly cids: string[] = []
  /** Everyone who has joined. */
  readonly others: Person[] = []
  readonly #room: Room
  readonly #folder: string
  readonly #programs: Programs
  #address: string
  #invitations = 0

  private constructor(parts: TeamParts) {
    this.#room = parts.room
    this.#folder = parts.folder
    this.#programs = parts.programs
    this.ann = parts.ann
    this.#address = parts.at
  }

  /** @param name of the folder of the built programs */
  static async gather(name: string, address = '192.168.7.1'): Promise<Team> {
    const built = await bundle(name, { app: 'tests/crash/computers/app.ts', server: 'main/entry/server.ts' })
    const folder = mkdtempSync(join(tmpdir(), 'parlor-team-'))
    const programs = {
      app: join(built, 'app.js'),
      server: join(built, 'server.js'),
      env: { NODE_COMPILE_CACHE: join(folder, 'compiled') },
    }
    const room = await Room.open()
    const computer = new Computer(await room.place([address]), join(folder, 'ann'), programs)
    await computer.start()
    await computer.call('session.createWorkspace', { name: 'Cairn Maps', yourName: 'Ann' })
    await computer.call('app.attach')
    const ann = new Person('Ann', computer)
    await eventually(() => must(ann.isSettled()))
    const team = new Team({ room, folder, programs, ann, at: address })
    for (let channel = 0; channel < CHANNELS; channel += 1) await team.channel()
    await computer.call('sharing.start', { approve: false, invitation: 'Office' })
    await computer.call('sharing.announce', { on: true })
    return team
  }

  /** Another channel, that everyone who joins from now on is in. */
  async channel(): Promise<string> {
    const name = `Channel ${this.cids.length + 1}`
    // What was cut before may still be on its way back, and a channel is created online only.
    await eventually(() => must(this.ann.isSettled()))
    const cid = await this.ann.computer.call<string>('channels.create', { name, isPrivate: false, memberIds: [] })
    this.cids.push(cid)
    await this.ann.write(cid, MESSAGES)
    return cid
  }

  /** The link of a new invitation, to where Ann's computer is now. */
  async invite(): Promise<string> {
    this.#invitations += 1
    const name = `Invitation ${this.#invitations}`
    const state = await this.ann.computer.call<SharingState>('sharing.invite', {
      name,
      role: 'user',
      uses: 1,
      endsAt: Date.now() + DAY_MS,
    })
    const { link } = state.invitations.find((each) => each.name === name) ?? {}
    if (link === undefined) throw new Error('there is no link')
    return link
  }

  /** Somebody with a computer of their own, who is about to join. */
  async enters(name: string): Promise<Person> {
    const at = this.others.length + 101
    const person = await this.visitor(name, [`192.168.7.${at}`, `fd00:7::${at}`])
    this.others.push(person)
    return person
  }

  /**
   * Somebody with a computer at these addresses, who does not join.
   *
   * @param limits capabilities (`net_bind_service`) that their programs do not have, and the size of their disk
   */
  async visitor(name: string, addresses: readonly string[], limits: Limits = {}): Promise<Person> {
    const place: Place = await this.#room.place(addresses)
    const computer = new Computer(place, join(this.#folder, name), { ...this.#programs, ...limits })
    await computer.start()
    return new Person(name, computer)
  }

  /** Joins by the link of an invitation, new or renewed. */
  async join({ name, computer }: Person, link: string): Promise<void> {
    await computer.call('sharing.look', { text: link })
    await computer.call('sharing.join', { name })
    await computer.call('app.attach')
  }

  /** Ann's computer gets this address instead of the one that it has. */
  move(address: string): void {
    const { place } = this.ann.computer
    // In this order: others of the same network go with the first one.
    place.remove(this.#address)
    place.add(address)
    this.#address = address
  }

  /** Where the shared port listens. */
  async listensAt(): Promise<readonly string[]> {
    return (await this.ann.computer.call<SharingState>('sharing.state')).addresses
  }

  disperse(): void {
    for (const child of Process.running) child.kill('SIGKILL')
    this.#room.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** For `eventually`: what does not hold yet is asked again. */
export async function must(holds: Promise<boolean> | boolean, what = 'this'): Promise<void> {
  if (!(await holds)) throw new Error(`${what} does not hold`)
}

type Row = { readonly cid: string; readonly text: string }

/** Of what people wrote; the server and the cache have these columns. */
const WRITTEN = `SELECT cid, text FROM messages WHERE type = 'regular' ORDER BY created_at, id`

/** Waits until nothing is lost, doubled, out of order or different on the two computers; fails with what is. */
export const isWhole = (team: Team, person: Person): Promise<void> =>
  eventually(async () => {
    await must(team.ann.isSettled(), 'that Ann is connected and everything is sent')
    await must(person.isSettled(), `that ${person.name} is connected and everything is sent`)
    for (const cid of team.cids) await person.computer.call('channels.open', { cid })
    const faults = [...faultsOnServer(team), ...faultsAt(team, person)]
    if (faults.length > 0) throw new Error(faults.join('\n'))
  })

function faultsOnServer({ ann, others, cids }: Team): string[] {
  const faults: string[] = []
  const rows = ann.computer.onServer<Row>(WRITTEN)
  for (const { name, written } of [ann, ...others]) {
    const own = rows.filter(({ text }) => text.startsWith(`${name} `))
    const texts = own.map(({ text }) => text)
    faults.push(
      ...written.accepted.filter((text) => !texts.includes(text)).map((text) => `"${text}" is lost`),
      ...texts.filter((text, at) => texts.indexOf(text) !== at).map((text) => `"${text}" is doubled`),
      ...texts.filter((text) => !written.begun.includes(text)).map((text) => `"${text}" was never written`),
    )
    for (const cid of cids) {
      const numbers = own.filter((row) => row.cid === cid).map(({ text }) => Number(text.slice(name.length)))
      if (numbers.some((n, at) => n < (numbers[at - 1] ?? 0))) faults.push(`${name} in ${cid}: ${numbers.join()}`)
    }
  }
  const people = ann.computer.onServer<{ name: string }>('SELECT name FROM users ORDER BY name').map(({ name }) => name)
  const expected = [ann, ...others].map(({ name }) => name).toSorted()
  if (people.join() !== expected.join()) faults.push(`people: ${people.join()}`)
  return faults
}

function faultsAt({ ann, cids }: Team, { name, computer }: Person): string[] {
  const accounts = computer.accounts()
  if (accounts.length !== 1) return [`${name} has ${accounts.length} accounts`]
  const [there, here] = [ann.computer.onServer<Row>(WRITTEN), computer.inCache<Row>(WRITTEN)]
  const textsIn = (rows: readonly Row[], cid: string): string[] =>
    rows.flatMap((row) => (row.cid === cid ? [row.text] : []))
  return cids.flatMap((cid) => {
    const [all, held] = [textsIn(there, cid), textsIn(here, cid)]
    // Of a long one the newest page.
    const isSame = held.length >= Math.min(all.length, PAGE) && held.join() === all.slice(-held.length).join()
    return isSame ? [] : [`${cid} differs: ${held.join()} instead of ${all.join()}`]
  })
}
