import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Person } from '#kit/sim/person.ts'
import type { World } from '#kit/world.ts'
import type { Target } from './schedule.ts'

export type Verdict = readonly string[]

type Entry = Target & { isDeleted: boolean }

/** What users were promised, and the comparison with what the server and every client have in the end. */
export class History {
  readonly #world: World
  readonly #entries: Entry[] = []
  /** `message user type` → wanted. Only what its author last wanted is judged. */
  readonly #reactions = new Map<string, boolean>()
  /** Texts with an unknown result: the process was killed before it responded. */
  readonly #unsure = new Set<string>()
  #count = 0

  constructor(world: World) {
    this.#world = world
  }

  next(): number {
    return (this.#count += 1)
  }

  accepted(target: Target): void {
    this.#entries.push({ ...target, isDeleted: false })
  }

  /** It may exist or not, with this text or with its previous one. */
  unsure(text: string, id?: MessageId): void {
    this.#unsure.add(text)
    const index = this.#entries.findIndex((each) => each.id === id)
    if (index >= 0) for (const entry of this.#entries.splice(index, 1)) this.#unsure.add(entry.text)
  }

  edited(id: MessageId, text: string): void {
    const entry = this.#entries.find((each) => each.id === id)
    if (entry) entry.text = text
  }

  deleted(id: MessageId): void {
    const entry = this.#entries.find((each) => each.id === id)
    if (entry) entry.isDeleted = true
  }

  reacted(id: MessageId, userId: string, type: string, wanted: boolean): void {
    this.#reactions.set(`${id} ${userId} ${type}`, wanted)
  }

  alive(userId: string): readonly Entry[] {
    return this.#entries.filter((entry) => entry.userId === userId && !entry.isDeleted)
  }

  /** Empty when every promise held. */
  async judge(): Promise<Verdict> {
    const faults: string[] = []
    for (const cid of this.#world.cids) {
      faults.push(...this.#judgeServer(cid))
      for (const person of this.#world.people) faults.push(...(await this.#judgeClient(person, cid)))
    }
    for (const person of this.#world.people) {
      faults.push(...this.#judgeOutbox(person))
    }
    return faults
  }

  /**
   * Nothing is waiting anymore. What is parked was refused permanently: it was about a message that its author had
   * deleted.
   */
  #judgeOutbox(person: Person): string[] {
    const items = person.replica.all('outbox')
    const deletedIds = new Set(this.#entries.filter(({ isDeleted }) => isDeleted).map(({ id }) => id as string))
    const wrong = items.filter(
      (item) => item.state !== 'parked' || item.retryable || !deletedIds.has(item.messageId ?? ''),
    )
    const hidden = person.account.engine.unsentCount() - items.length
    return [
      ...wrong.map(
        ({ kind, state, reason }) => `${person.userId} still has unsent: ${kind} ${state} ${reason?.code ?? ''}`,
      ),
      ...(hidden > 0 ? [`${person.userId} has ${hidden} unsent things that nobody sees`] : []),
    ]
  }

  /** Lost, duplicated, out of order, wrong text. */
  #judgeServer(cid: Cid): string[] {
    const faults: string[] = []
    const stored = this.#world.stored(cid)
    const promised = this.#entries.filter((entry) => entry.cid === cid)
    for (const entry of promised) {
      const rows = stored.filter(({ id }) => id === entry.id)
      const shown = rows.filter(({ deleted }) => !deleted)
      if (rows.length > 1) faults.push(`${entry.text} is stored ${rows.length} times`)
      if (entry.isDeleted && shown.length > 0) faults.push(`${entry.text} was deleted and is still there`)
      if (!entry.isDeleted && shown.length === 0) faults.push(`${entry.text} is lost`)
      if (!entry.isDeleted && shown[0] !== undefined && shown[0].text !== entry.text)
        faults.push(`${entry.text} reads ${shown[0].text}`)
    }
    const known = new Set(promised.map(({ id }) => id as string))
    for (const row of stored)
      if (!known.has(row.id) && !this.#unsure.has(row.text)) faults.push(`${row.text} was never accepted`)
    for (const { userId } of this.#world.people) {
      const order = stored.filter((row) => row.userId === userId && known.has(row.id)).map(({ id }) => id)
      const wanted = promised
        .filter((entry) => entry.userId === userId && order.includes(entry.id))
        .map(({ id }) => id as string)
      if (order.join() !== wanted.join()) faults.push(`${userId}'s messages in ${cid} changed their order`)
    }
    return faults
  }

  /** The client shows what the server has, and counts unread messages as a recount does. */
  async #judgeClient(person: Person, cid: Cid): Promise<string[]> {
    await person.open(cid)
    await this.#world.pass(20_000)
    await this.#loadAll(person, cid)
    const faults: string[] = []
    const held = person
      .messages(cid)
      .map(({ id, text, deletedAt, status }) => `${id} ${deletedAt === undefined ? text : 'deleted'} ${status}`)
    const stored = this.#world
      .stored(cid)
      .map(({ id, text, deleted }) => `${id} ${deleted ? 'deleted' : text} received`)
    if (held.join('\n') !== stored.join('\n'))
      faults.push(`${person.userId} sees ${cid} differently:\n${difference(held, stored)}`)
    const still = person.replica.get('connection', 'self')?.stillLoading
    if (still !== undefined) faults.push(`${person.userId} is still loading ${still.join()}`)
    const gaps = person.replica.window(`timeline:${cid}`)?.gapsBefore ?? []
    if (gaps.length > 0) faults.push(`${person.userId} is told of holes in ${cid}: ${gaps.join()}`)
    faults.push(...this.#judgeReactions(person, cid), ...this.#judgeUnread(person, cid))
    return faults
  }

  async #loadAll(person: Person, cid: Cid): Promise<void> {
    for (let page = 0; page < 10 && person.replica.window(`timeline:${cid}`)?.hasPrev === true; page++) {
      await this.#world.done(person.ui.channels.page({ cid, direction: 'older' }))
      await this.#world.pass(2_000)
    }
  }

  #judgeReactions(person: Person, cid: Cid): string[] {
    const rows = this.#world.server.services.db.all<{ message_id: string; user_id: string; type: string }>(
      'SELECT r.message_id, r.user_id, r.type FROM reactions r JOIN messages m ON m.id = r.message_id WHERE m.cid = ? AND m.deleted_at IS NULL',
      cid,
    )
    const faults: string[] = []
    for (const message of person.messages(cid)) {
      if (message.deletedAt !== undefined) continue
      const here = message.reactions
        .map(({ type, count, own }) => `${type}${count}${own ? '*' : ''}`)
        .toSorted()
        .join(' ')
      const mine = rows.filter((row) => row.message_id === message.id)
      const types = [...new Set(mine.map(({ type }) => type))]
      const there = types
        .map(
          (type) =>
            `${type}${mine.filter((row) => row.type === type).length}${mine.some((row) => row.type === type && row.user_id === person.userId) ? '*' : ''}`,
        )
        .toSorted()
        .join(' ')
      if (here !== there)
        faults.push(`${person.userId} sees reactions "${here}" on ${message.text}, the server has "${there}"`)
      for (const type of ['👍', '❤️']) {
        const wanted = this.#reactions.get(`${message.id} ${person.userId} ${type}`)
        const has = mine.some((row) => row.type === type && row.user_id === person.userId)
        if (wanted !== undefined && wanted !== has)
          faults.push(`${person.userId} wanted ${type} on ${message.text} to be ${wanted}, the server says ${has}`)
      }
    }
    return faults
  }

  #judgeUnread(person: Person, cid: Cid): string[] {
    const channel = person.channel(cid)
    if (!channel) return [`${person.userId} lost ${cid}`]
    const lastReadAt = channel.lastReadAt ?? 0
    const counted = person
      .messages(cid)
      .filter(
        (message) =>
          message.createdAt > lastReadAt && message.userId !== person.userId && message.deletedAt === undefined,
      )
    return channel.unread === counted.length
      ? []
      : [`${person.userId} counts ${channel.unread} unread in ${cid}, a recount ${counted.length}`]
  }
}

function difference(held: readonly string[], stored: readonly string[]): string {
  const missing = stored.filter((line) => !held.includes(line)).map((line) => `  missing ${line}`)
  const extra = held.filter((line) => !stored.includes(line)).map((line) => `  extra ${line}`)
  return [...missing, ...extra].join('\n') || '  another order'
}
