import type { Channel } from '#shared/domain/channel.ts'
import type { Session } from '#shared/domain/session.ts'
import { EMPTY_PLAN, type SectionName, type SidebarPlan, type SidebarSort } from '../../domain/settings.ts'

/** One section of the sidebar with its conversations from top to bottom. */
export type Section = { readonly name: SectionName; readonly cids: readonly string[] }

type Placeable = Pick<Channel, 'cid' | 'pinnedAt' | 'archivedAt' | 'directUserIds'>

const folderId = (name: string): string | undefined =>
  name.startsWith('folder:') ? name.slice('folder:'.length) : undefined

export const folderSection = (id: string): SectionName => `folder:${id}`

/** The section of a conversation: archived, then pinned, then its folder, then by its kind. */
export function sectionOf(channel: Placeable, plan: SidebarPlan): SectionName {
  if (channel.archivedAt !== undefined) return 'archived'
  if (channel.pinnedAt !== undefined) return 'pinned'
  const folder = plan.placed[channel.cid]
  if (folder !== undefined && plan.folders.some(({ id }) => id === folder)) return folderSection(folder)
  return homeOf(channel)
}

/** The default section. */
export const homeOf = (channel: Pick<Channel, 'directUserIds'>): SectionName =>
  channel.directUserIds.length > 0 ? 'direct' : 'channels'

/** All sections from top to bottom, including empty folders. */
export const sectionNames = (plan: SidebarPlan): readonly SectionName[] => [
  'pinned',
  ...plan.folders.map(({ id }) => folderSection(id)),
  'channels',
  'direct',
  'archived',
]

/** The pinned section is in custom order by default, the others by newest message. */
export const sortOf = (plan: SidebarPlan, name: SectionName): SidebarSort =>
  plan.sort[name] ?? (name === 'pinned' ? 'manual' : 'recent')

type Comparators = {
  /** 2: a mention or direct message, 1: unread, 0: neither. */
  readonly loudness: (cid: string) => number
  readonly compareNames: (a: string, b: string) => number
}

/** Sorts the conversations of a section, given by newest message. Stable. */
export function sorted(
  cids: readonly string[],
  plan: SidebarPlan,
  name: SectionName,
  comparators: Comparators,
): readonly string[] {
  switch (sortOf(plan, name)) {
    case 'recent':
      return cids
    case 'unread':
      return cids.toSorted((a, b) => comparators.loudness(b) - comparators.loudness(a))
    case 'name':
      return cids.toSorted(comparators.compareNames)
    case 'manual':
      return inOrder(cids, plan.order[name] ?? [])
  }
}

/** Conversations with a custom position come first; the others follow. */
function inOrder(cids: readonly string[], order: readonly string[]): readonly string[] {
  if (order.length === 0) return cids
  const places = new Map(order.map((cid, at) => [cid, at]))
  const placeOf = (cid: string): number => places.get(cid) ?? order.length
  return cids.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/**
 * The list while the pointer is over it: every conversation keeps its position, new ones are appended to their section,
 * and only those that left their section are removed. `all` is the section of every conversation, filtered or not.
 */
export function steadied(
  held: readonly Section[],
  next: readonly Section[],
  all: ReadonlyMap<string, SectionName>,
): readonly Section[] {
  const before = new Map(held.map(({ name, cids }) => [name, cids]))
  const after = new Map(next.map(({ name, cids }) => [name, cids]))
  const names = [...next.map(({ name }) => name), ...held.map(({ name }) => name).filter((name) => !after.has(name))]
  const merged = names.map((name) => {
    const remaining = (before.get(name) ?? []).filter((cid) => all.get(cid) === name)
    const added = (after.get(name) ?? []).filter((cid) => !remaining.includes(cid))
    return { name, cids: [...remaining, ...added] }
  })
  return merged.filter(({ name, cids }) => cids.length > 0 || after.has(name))
}

/** The caller makes the folder's id, since this module has no randomness. */
export const withFolder = (plan: SidebarPlan, folder: { readonly id: string; readonly name: string }): SidebarPlan => ({
  ...plan,
  folders: plan.folders.some(({ id }) => id === folder.id)
    ? plan.folders.map((each) => (each.id === folder.id ? folder : each))
    : [...plan.folders, folder],
})

/** The folder's conversations return to their default sections. */
export function withoutFolder(plan: SidebarPlan, id: string): SidebarPlan {
  const name = folderSection(id)
  const drop = <Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
  return {
    ...plan,
    folders: plan.folders.filter((folder) => folder.id !== id),
    placed: Object.fromEntries(Object.entries(plan.placed).filter(([, folder]) => folder !== id)),
    order: drop(plan.order),
    sort: drop(plan.sort),
  }
}

/** Moves a folder one position up (-1) or down (1). */
export function withFolderMoved(plan: SidebarPlan, id: string, by: 1 | -1): SidebarPlan {
  const at = plan.folders.findIndex((folder) => folder.id === id)
  const to = at + by
  const [moved, other] = [plan.folders[at], plan.folders[to]]
  if (moved === undefined || other === undefined) return plan
  return { ...plan, folders: plan.folders.with(at, other).with(to, moved) }
}

export const withSort = (plan: SidebarPlan, name: SectionName, sort: SidebarSort): SidebarPlan => ({
  ...plan,
  sort: { ...plan.sort, [name]: sort },
})

type Move = {
  readonly cid: string
  readonly to: SectionName
  /** The section's conversations as they are shown, from top to bottom. */
  readonly shown: readonly string[]
  /** Before this one; absent: at the end. */
  readonly before?: string
}

/** Moves a conversation by hand: its section is in custom order from then on. */
export function withMoved(plan: SidebarPlan, { cid, to, shown, before }: Move): SidebarPlan {
  const others = shown.filter((each) => each !== cid)
  const found = before === undefined ? -1 : others.indexOf(before)
  const at = found < 0 ? others.length : found
  const order = [...others.slice(0, at), cid, ...others.slice(at)]
  const { [cid]: _before, ...placed } = plan.placed
  const folder = folderId(to)
  return {
    ...plan,
    // A pinned conversation remembers its folder for when it is unpinned.
    placed: folder === undefined ? (to === 'pinned' ? plan.placed : placed) : { ...placed, [cid]: folder },
    order: { ...plan.order, [to]: order },
    sort: { ...plan.sort, [to]: 'manual' },
  }
}

/**
 * Whether a conversation can be moved to a section: a direct conversation is not a channel, and archiving has its own
 * command.
 */
export const canMoveTo = (channel: Placeable, to: SectionName): boolean =>
  to === 'pinned' || folderId(to) !== undefined || (to !== 'archived' && to === homeOf(channel))

/** The next section up or down that accepts it. */
export function neighbourSection(
  channel: Placeable,
  plan: SidebarPlan,
  step: { readonly from: SectionName; readonly by: 1 | -1 },
): SectionName | undefined {
  const names = sectionNames(plan)
  for (let at = names.indexOf(step.from) + step.by; at >= 0 && at < names.length; at += step.by) {
    const name = names[at]
    if (name !== undefined && canMoveTo(channel, name)) return name
  }
  return undefined
}

export const planOf = (plans: Readonly<Record<string, SidebarPlan>>, who: string): SidebarPlan =>
  plans[who] ?? EMPTY_PLAN

/** A local workspace gets a new port at every server start, so its key does not contain the URL. */
export function sidebarKey({ workspace, userId }: Session): string {
  const where =
    workspace?.kind === 'local'
      ? `${workspace.demo ? 'demo' : 'own'} ${workspace.founded ?? workspace.name}`
      : workspace?.url
  return `${workspace?.kind ?? 'none'} ${where ?? ''} ${userId ?? ''}`
}
