import type { Frame, Socket } from './foreign.ts'
import { must, type Channel, type Stage } from './stage.ts'

/**
 * The connections that listen. Ann and Bob each have a first connection that watches the channel and a second one that
 * does not; Mia is a member and watches nothing; Cee shares no channel with anyone; Pam subscribed to Ann's presence
 * only.
 */
export const CONNECTION_NAMES = ['ann', 'ann/2', 'bob', 'bob/2', 'mia', 'cee', 'pam'] as const
export type ConnectionName = (typeof CONNECTION_NAMES)[number]

export type Connections = Readonly<Record<ConnectionName, Socket>>

export type Scene = {
  readonly stage: Stage
  readonly connections: Connections
  readonly ann: Socket
  readonly bob: Socket
  readonly mia: Socket
  /** A channel of Ann's, with Bob and Mia in it. */
  readonly room: Channel
  /** Acts by the server token in Ann's name. */
  readonly asAnn: ReturnType<Stage['serverAs']>
}

export async function openConnections(stage: Stage): Promise<Connections> {
  const opened: [ConnectionName, Socket][] = []
  for (const key of CONNECTION_NAMES) {
    const [name = key] = key.split('/')
    const { userId } = await stage.person(name)
    opened.push([key, await stage.connect(userId, { name })])
  }
  const connections = Object.fromEntries(opened) as unknown as Connections
  const payload = { filter_conditions: { id: connections.ann.userId }, presence: true }
  await must(connections.pam.get('/users', { payload }))
  return connections
}

/** A new channel that the first connections of Ann and Bob watch; events so far are dropped. */
export async function openScene(
  stage: Stage,
  connections: Connections,
  members: readonly ConnectionName[] = ['bob', 'mia'],
): Promise<Scene> {
  const { ann, bob, mia } = connections
  const on = { polls: true, user_message_reminders: true, shared_locations: true }
  const data = stage.target.isLocal ? {} : { config_overrides: on }
  const room = await stage.channel({ as: ann, members: members.map((name) => connections[name].userId), data })
  for (const socket of [ann, bob]) await must(socket.post(`${room.path}/query`, { watch: true, state: true }))
  for (const name of CONNECTION_NAMES) await connections[name].takeEvents()
  return { stage, connections, ann, bob, mia, room, asAnn: stage.serverAs(ann.userId) }
}

/** The events of one type that each connection received since the last call. */
export async function takeEventsOf(
  connections: Connections,
  type: string,
): Promise<Map<ConnectionName, readonly Frame[]>> {
  const received = new Map<ConnectionName, readonly Frame[]>()
  for (const name of CONNECTION_NAMES) {
    const frames = (await connections[name].takeEvents()).filter((frame) => frame.type === type)
    if (frames.length > 0) received.set(name, frames)
  }
  return received
}
