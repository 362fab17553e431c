import type { Cid } from '#shared/lib/brand.ts'
import type { Channel, ChannelCard } from '#shared/domain/channel.ts'
import { command } from '../../store/command.ts'
import { fold } from '../../lib/text/fold.ts'

/** Quiet: the error is shown above the list. */
export const loadPage = command(
  'browse/asked',
  (input: { text: string; sort: Sort; offset: number }, engine) => engine.details.browse(input),
  { quiet: true },
)
export const loadHidden = command('browse/hiddenAsked', (_input: undefined, engine) => engine.details.hidden(), {
  quiet: true,
})
export const joinChannel = command('browse/joined', (input: { cid: Cid }, engine) => engine.channels.join(input))
export const unhideChannel = command('browse/unhidden', (input: { cid: Cid }, engine) =>
  engine.channels.hide({ ...input, hidden: false }),
)
export const answerInvite = command('browse/answered', (input: { cid: Cid; accept: boolean }, engine) =>
  engine.channels.answerInvite(input),
)

export const SORTS = ['activity', 'members', 'name'] as const
export type Sort = (typeof SORTS)[number]
export const SHOWS = ['all', 'joined', 'others', 'archived', 'hidden'] as const
export type Show = (typeof SHOWS)[number]

/** A line of the list. `channel`: the local row, if there is one. */
export type Line = ChannelCard & {
  readonly joined: boolean
  readonly channel?: Channel
}

type BrowseQuery = { readonly text: string; readonly sort: Sort; readonly show: Show }

/**
 * Merges local channels and those of the server. Local rows win, because they are updated by events. Direct conversations
 * have their own list and are included only if they are hidden.
 */
export function linesOf(
  local: readonly Channel[],
  listed: readonly ChannelCard[],
  query: BrowseQuery,
  { titleOf, compare }: { titleOf: (cid: string) => string; compare: (a: string, b: string) => number },
): readonly Line[] {
  const lines = new Map<string, Line>()
  for (const card of listed) lines.set(card.cid, { ...card, joined: false })
  for (const channel of local) {
    const known = lines.get(channel.cid)
    // A channel that was left, and that the server does not list, is not visible to the viewer.
    if (channel.visiting === true && known === undefined) continue
    lines.set(channel.cid, lineOf(channel, titleOf(channel.cid), known))
  }
  const wanted = fold(query.text.trim())
  return [...lines.values()]
    .filter((line) => isShown(line, query.show) && (wanted === '' || fold(line.name).includes(wanted)))
    .toSorted((a, b) => before(a, b, query.sort, compare))
}

function lineOf(channel: Channel, name: string, listed: ChannelCard | undefined): Line {
  return {
    ...listed,
    cid: channel.cid,
    name,
    memberCount: channel.memberCount,
    ...(channel.topic === undefined ? {} : { topic: channel.topic }),
    ...(channel.lastMessageAt === undefined ? {} : { lastMessageAt: channel.lastMessageAt }),
    joined: channel.visiting !== true,
    channel,
  }
}

function isShown({ joined, channel }: Line, show: Show): boolean {
  const hidden = channel?.hidden === true
  const archived = channel?.archivedAt !== undefined
  const direct = (channel?.directUserIds.length ?? 0) > 0
  switch (show) {
    case 'hidden':
      return joined && hidden
    case 'archived':
      return joined && archived
    case 'all':
      return !direct && !hidden
    case 'joined':
      return !direct && joined && !hidden && !archived
    case 'others':
      return !joined
  }
}

function before(a: Line, b: Line, sort: Sort, compare: (a: string, b: string) => number): number {
  const first =
    sort === 'activity'
      ? (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0)
      : sort === 'members'
        ? b.memberCount - a.memberCount
        : 0
  return first === 0 ? compare(a.name, b.name) : first
}
