import type { SeedAttachment, SeedMessage, SeedReaction } from '../plan.ts'

/** One message of a scene with its author and extras. Short names, because there are many. */
export type Line = {
  readonly who: string
  readonly text: string
  /** Minutes after the previous line; 2 by default. */
  readonly after?: number
  /** The name by which other lines of the scene refer to this one. */
  readonly as?: string
  readonly replyTo?: string
  readonly quotes?: string
  readonly alsoInChannel?: boolean
  readonly mentions?: readonly string[]
  readonly files?: readonly SeedAttachment[]
  readonly poll?: string
  readonly pinned?: boolean
  readonly edited?: boolean
  readonly deleted?: boolean
  readonly system?: boolean
  readonly reactions?: Readonly<Record<string, readonly string[]>>
  /** The default person has put it aside, or is reminded of it in this many minutes from now. */
  readonly later?: 'saved' | number
}

/** A conversation at one time. `ago` is minutes before now of its first line. */
export type Scene = { readonly cid: string; readonly ago: number; readonly lines: readonly Line[] }

const DEFAULT_GAP_MINUTES = 2
export const DAY = 24 * 60

export const post = (who: string, text: string, more: Omit<Line, 'who' | 'text'> = {}): Line => ({ who, text, ...more })

export const picture = (file: string, title: string): SeedAttachment => ({
  file,
  kind: 'image',
  title,
  mimeType: 'image/png',
  width: 1_280,
  height: 880,
})

export const attachedFile = (file: string, title: string, mimeType: string): SeedAttachment => ({
  file,
  kind: 'file',
  title,
  mimeType,
})

/** Turns scenes into messages. Ids consist of the channel and a running number, so they are always the same. */
export function perform(scenes: readonly Scene[]): SeedMessage[] {
  const counters = new Map<string, number>()
  return scenes.flatMap((scene) => performScene(scene, counters))
}

function performScene({ cid, ago, lines }: Scene, counters: Map<string, number>): SeedMessage[] {
  const names = new Map<string, string>()
  let at = ago
  return lines.map((line, index) => {
    if (index > 0) at = Math.max(0.2, at - (line.after ?? DEFAULT_GAP_MINUTES))
    const number = (counters.get(cid) ?? 0) + 1
    counters.set(cid, number)
    const id = `demo-${cid.replace(/^[a-z]+:/, '')}-${number}`
    if (line.as !== undefined) names.set(line.as, id)
    return toMessage(line, { id, cid, at, names })
  })
}

type Position = {
  readonly id: string
  readonly cid: string
  readonly at: number
  readonly names: ReadonlyMap<string, string>
}

function toMessage(line: Line, { id, cid, at, names }: Position): SeedMessage {
  const parentId = named(line.replyTo, names)
  const quotedId = named(line.quotes, names)
  return {
    id,
    cid,
    userId: line.who,
    text: line.text,
    at,
    parentId,
    quotedId,
    showInChannel: line.alsoInChannel ? true : undefined,
    mentionedUserIds: line.mentions,
    attachments: line.files,
    pollId: line.poll,
    pinned: line.pinned ? true : undefined,
    edited: line.edited ? Math.max(0.1, at - 1) : undefined,
    deleted: line.deleted ? true : undefined,
    system: line.system ? true : undefined,
    reactions: line.reactions ? toReactions(line.reactions) : undefined,
    later: line.later === undefined ? undefined : [toLater(line.later)],
  }
}

const toLater = (later: NonNullable<Line['later']>): NonNullable<SeedMessage['later']>[number] =>
  later === 'saved' ? { userId: 'ola' } : { userId: 'ola', inMinutes: later }

const toReactions = (reactions: Readonly<Record<string, readonly string[]>>): SeedReaction[] =>
  Object.entries(reactions).map(([type, userIds]) => ({ type, userIds }))

function named(name: string | undefined, names: ReadonlyMap<string, string>): string | undefined {
  if (name === undefined) return undefined
  const id = names.get(name)
  if (id === undefined) throw new Error(`The demo script refers to "${name}" before it was said`)
  return id
}
