import * as v from 'valibot'
import type { Frame, Json } from './foreign.ts'
import type { ConnectionName, Scene } from './scene.ts'
import * as s from './shapes.ts'

/** One event of chapter 4: what causes it, who receives it and no one else, what it contains. */
export type EventExample = {
  readonly type: string
  /** Where one type is sent to different users in different cases. */
  readonly when?: string
  /** The members besides Ann; Bob and Mia by default. */
  readonly members?: readonly ConnectionName[]
  /** What must happen before: its events are not counted. */
  before?(scene: Scene): Promise<Json | undefined>
  cause(scene: Scene, prepared: Json): Promise<unknown>
  readonly to: readonly ConnectionName[]
  readonly fields: v.GenericSchema
  /** What differs between connections. */
  also?(received: ReadonlyMap<ConnectionName, Frame>, scene: Scene): void
  readonly localOnly?: string
  readonly needs?: number
}

/** 4.1: every event, and every event of a channel. */
const event = { type: s.id, created_at: s.time }
const place = { cid: s.id, channel_type: s.id, channel_id: s.id }
type Entries = Readonly<Record<string, v.GenericSchema>>

export const plain = (entries: Entries = {}): v.GenericSchema =>
  v.looseObject({ ...event, ...entries } as v.ObjectEntries)
export const inChannel = (entries: Entries = {}): v.GenericSchema =>
  v.looseObject({ ...event, ...place, ...entries } as v.ObjectEntries)

export const CNT = { total_unread_count: s.count, unread_channels: s.count, unread_count: s.count }
export const THR = { unread_threads: s.count }
/** 4.3 and 4.4: nothing from one reader's point of view. */
export const shared = s.object({ ...s.message.entries, own_reactions: v.pipe(v.array(v.unknown()), v.length(0)) })

/** The delivery classes of 4.2, as the connections of a scene. */
export const WATCHERS: readonly ConnectionName[] = ['ann', 'bob']
export const ANN_AND_WATCHERS: readonly ConnectionName[] = ['ann', 'ann/2', 'bob']
export const BOB_AND_WATCHERS: readonly ConnectionName[] = ['ann', 'bob', 'bob/2']
export const ANN: readonly ConnectionName[] = ['ann', 'ann/2']
export const BOB: readonly ConnectionName[] = ['bob', 'bob/2']
export const ABSENT: readonly ConnectionName[] = ['bob/2', 'mia']
export const EVERYONE: readonly ConnectionName[] = ['ann', 'ann/2', 'bob', 'bob/2', 'mia', 'cee', 'pam']
