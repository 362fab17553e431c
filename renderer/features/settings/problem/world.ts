import { REPORT_LIMITS, type ProblemReport } from '#shared/bridge/problem-report.ts'
import type { Message } from '#shared/domain/message.ts'
import { filler, Pseudonyms } from '#shared/rules/desktop/filler.ts'
import { cutText } from '#shared/rules/messages/text.ts'
import { selectSession } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'

const MAX_CHANNELS = 100
/** Of each channel, the newest; more if an older one was used. */
const MAX_MESSAGES = 30
/** Of all channels together. */
const MAX_HELD = 5_000
/** Server and device may disagree by this much about the time. */
const CLOCKS_DIFFER_MS = 60_000

type Entities = AppState['entities']
type ReportChannel = ProblemReport['channels'][number]
type Posted = ReportChannel['messages'][number]
type World = Pick<ProblemReport, 'me' | 'people' | 'channels' | 'start'>

/** Filler that a report can hold: a character may become longer. */
export const shortFiller = (text: string): string => cutText(filler(text), REPORT_LIMITS.text / 2)

/**
 * What there was before a recording began, without anything of it: people, channels and messages under pseudonyms, their
 * texts as filler. Messages that a window loads later were there before too.
 */
export class ReportWorld {
  readonly names = new Pseudonyms()
  readonly #people = new Map<string, string>()
  readonly #channels = new Map<string, Omit<ReportChannel, 'messages'>>()
  readonly #messages = new Map<string, Message>()
  readonly #me: string
  readonly #start: string | undefined
  /** Messages up to this time of the server were there before. */
  readonly #beganAt: number

  constructor(state: AppState, start: string | undefined, now: number) {
    const { entities } = state
    this.#me = this.person(selectSession(state).userId ?? '', entities)
    this.#start = start === undefined ? undefined : this.names.of('c', start)
    const messages = Object.values(entities.messages).toSorted((a, b) => a.createdAt - b.createdAt)
    const times = [messages.at(-1)?.createdAt, ...Object.values(entities.channels).map((each) => each.lastMessageAt)]
    this.#beganAt = Math.max(now - CLOCKS_DIFFER_MS, ...times.map((time) => time ?? 0))
    for (const cid of (state.windows.byKey['channels']?.ids ?? []).slice(0, MAX_CHANNELS))
      this.#addChannel(cid, entities)
    for (const message of messages.toReversed()) this.#hold(message)
  }

  /** Whether a message that the window did not know was there before; then it is a part of the world. */
  loaded(message: Message, entities: Entities): boolean {
    if (message.createdAt > this.#beganAt) return false
    this.#addChannel(message.cid, entities)
    this.#hold(message)
    return true
  }

  person(id: string, { users }: Entities): string {
    const name = this.names.of('u', id)
    if (this.#people.has(name) || this.#people.size < REPORT_LIMITS.people)
      this.#people.set(name, cutText(filler(users[id]?.name ?? ''), REPORT_LIMITS.name / 2))
    return name
  }

  posted({ id, userId, text, parentId }: Message, entities: Entities): Posted {
    const thread = parentId === undefined ? undefined : this.names.of('m', parentId)
    return { id: this.names.of('m', id), by: this.person(userId, entities), text: shortFiller(text), thread }
  }

  describe(entities: Entities): World {
    const held = [...this.#messages.values()].toSorted((a, b) => a.createdAt - b.createdAt)
    const channels = [...this.#channels].map(([cid, channel]) => {
      const own = held.filter((one) => one.cid === cid)
      const used = own.findIndex(({ id }) => this.names.knows('m', id))
      const newest = Math.max(0, own.length - MAX_MESSAGES)
      const messages = own.slice(used < 0 ? newest : Math.min(used, newest)).map((one) => this.posted(one, entities))
      return { ...channel, members: [...new Set([...channel.members, ...messages.map(({ by }) => by)])], messages }
    })
    const people = [...this.#people].map(([id, name]) => ({ id, name }))
    return { me: this.#me, people, start: this.#start, channels }
  }

  #addChannel(cid: string, entities: Entities): void {
    const channel = entities.channels[cid]
    if (channel === undefined || this.#channels.has(cid) || this.#channels.size >= REPORT_LIMITS.channels) return
    const isDirect = channel.directUserIds.length > 0
    this.#channels.set(cid, {
      id: this.names.of('c', cid),
      type: channel.type === 'team' ? 'team' : 'messaging',
      name: isDirect ? undefined : cutText(filler(channel.name), REPORT_LIMITS.name / 2),
      ...(isDirect && { direct: true }),
      members: [this.#me, ...channel.directUserIds.map((id) => this.person(id, entities))],
    })
  }

  #hold(message: Message): void {
    const isWanted = message.deletedAt === undefined && this.#channels.has(message.cid)
    if (isWanted && this.#messages.size < MAX_HELD) this.#messages.set(message.id, message)
  }
}
