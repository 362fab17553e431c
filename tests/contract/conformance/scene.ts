import type { Frame, Socket } from './foreign.ts'
import { must, type Channel, type Stage } from './stage.ts'

/**
 * Who listens, and from where. Ann and Bob each have a first line that watches the channel and a second one that does
 * not; Mia is a member and watches nothing; Cee shares nothing with anyone; Pam asked for Ann's presence only.
 */
export const LINES = ['ann', 'ann/2', 'bob', 'bob/2', 'mia', 'cee', 'pam'] as const
export type Line = (typeof LINES)[number]

export type Lines = Readonly<Record<Line, Socket>>

export type Scene = {
  readonly stage: Stage
  readonly lines: Lines
  readonly ann: Socket
  readonly bob: Socket
  readonly mia: Socket
  /** Of Ann's, with Bob and Mia in it. */
  readonly room: Channel
  /** Acts by the server token in Ann's name. */
  readonly asAnn: ReturnType<Stage['serverAs']>
}

export async function openLines(stage: Stage): Promise<Lines> {
  const opened: [Line, Socket][] = []
  for (const line of LINES) {
    const [name = line] = line.split('/')
    const { userId } = await stage.person(name)
    opened.push([line, await stage.connect(userId, { name })])
  }
  const lines = Object.fromEntries(opened) as unknown as Lines
  const payload = { filter_conditions: { id: lines.ann.userId }, presence: true }
  await must(lines.pam.get('/users', { payload }))
  return lines
}

/** A new channel that the two first lines watch, and silence on every line. */
export async function openScene(stage: Stage, lines: Lines, members: readonly Line[] = ['bob', 'mia']): Promise<Scene> {
  const { ann, bob, mia } = lines
  const on = { polls: true, user_message_reminders: true, shared_locations: true }
  const data = stage.target.isLocal ? {} : { config_overrides: on }
  const room = await stage.channel({ as: ann, members: members.map((line) => lines[line].userId), data })
  for (const line of [ann, bob]) await must(line.post(`${room.path}/query`, { watch: true, state: true }))
  for (const line of LINES) await lines[line].takeEvents()
  return { stage, lines, ann, bob, mia, room, asAnn: stage.serverAs(ann.userId) }
}

/** What each line heard of one type since the last time. */
export async function takeEventsOf(lines: Lines, type: string): Promise<Map<Line, readonly Frame[]>> {
  const received = new Map<Line, readonly Frame[]>()
  for (const line of LINES) {
    const frames = (await lines[line].takeEvents()).filter((frame) => frame.type === type)
    if (frames.length > 0) received.set(line, frames)
  }
  return received
}
