import type { Channel } from '#shared/domain/channel.ts'
import type { Session } from '#shared/domain/session.ts'
import { EMPTY_PLAN, type SectionName, type SidebarPlan, type SidebarSort } from '#shared/domain/sidebar.ts'

/** One section of the sidebar with its conversations from top to bottom. */
export type Section = { readonly name: SectionName; readonly cids: readonly string[] }

type Placeable = Pick<Channel, 'cid' | 'pinnedAt' | 'archivedAt' | 'directUserIds'>

const folderId = (name: string): string | undefined =>
  name.startsWith('folder:') ? name.slice('folder:'.length) : undefined

export const folderSection = (id: string): SectionName => `folder:${id}`

/** Where a conversation stands: put away, then pinned, then its folder, then by its kind. */
export function sectionOf(channel: Placeable, plan: SidebarPlan): SectionName {
  if (channel.archivedAt !== undefined) return 'archived'
  if (channel.pinnedAt !== undefined) return 'pinned'
  const folder = plan.placed[channel.cid]
  if (folder !== undefined && plan.folders.some(({ id }) => id === folder)) return folderSection(folder)
  return homeOf(channel)
}

/** Where it stands when no one put it anywhere. */
export const homeOf = (channel: Pick<Channel, 'directUserIds'>): SectionName =>
  channel.directUserIds.length > 0 ? 'direct' : 'channels'

/** All sections from top to bottom. Folders are there also while they are empty. */
export const sectionNames = (plan: SidebarPlan): readonly SectionName[] => [
  'pinned',
  ...plan.folders.map(({ id }) => folderSection(id)),
  'channels',
  'direct',
  'archived',
]

/** The pinned ones stand as they were put, the others by their newest message. */
export const sortOf = (plan: SidebarPlan, name: SectionName): SidebarSort =>
  plan.sort[name] ?? (name === 'pinned' ? 'manual' : 'recent')

type Looks = {
  /** 2: meant for the reader, 1: unread, 0: neither. */
  readonly loudness: (cid: string) => number
  readonly compareNames: (a: string, b: string) => number
}

/** Orders the conversations of a section, given by newest message. Equal ones keep that order. */
export function sorted(cids: readonly string[], plan: SidebarPlan, name: SectionName, looks: Looks): readonly string[] {
  switch (sortOf(plan, name)) {
    case 'recent':
      return cids
    case 'unread':
      return cids.toSorted((a, b) => looks.loudness(b) - looks.loudness(a))
    case 'name':
      return cids.toSorted(looks.compareNames)
    case 'manual':
      return inOrder(cids, plan.order[name] ?? [])
  }
}

/** Those that were put somewhere stand there; the others follow. */
function inOrder(cids: readonly string[], order: readonly string[]): readonly string[] {
  if (order.length === 0) return cids
  const places = new Map(order.map((cid, at) => [cid, at]))
  const placeOf = (cid: string): number => places.get(cid) ?? order.length
  return cids.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/**
 * What is shown while someone points at the list: everything keeps its place, new ones come at the end of their section,
 * and only what left its section goes. `all` is where everything stands, filtered or not.
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
    const kept = (before.get(name) ?? []).filter((cid) => all.get(cid) === name)
    const added = (after.get(name) ?? []).filter((cid) => !kept.includes(cid))
    return { name, cids: [...kept, ...added] }
  })
  return merged.filter(({ name, cids }) => cids.length > 0 || after.has(name))
}

/** The folder's id is the caller's: this file knows no chance. */
export const withFolder = (plan: SidebarPlan, folder: { readonly id: string; readonly name: string }): SidebarPlan => ({
  ...plan,
  folders: plan.folders.some(({ id }) => id === folder.id)
    ? plan.folders.map((each) => (each.id === folder.id ? folder : each))
    : [...plan.folders, folder],
})

/** What stood in it goes back to where it belongs by itself. */
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

/** A folder one place up (-1) or down (1) among the folders. */
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
  readonly before?: string | undefined
}

/** Puts a conversation somewhere by hand: its section stands as the person put it from then on. */
export function withMoved(plan: SidebarPlan, { cid, to, shown, before }: Move): SidebarPlan {
  const others = shown.filter((each) => each !== cid)
  const found = before === undefined ? -1 : others.indexOf(before)
  const at = found < 0 ? others.length : found
  const order = [...others.slice(0, at), cid, ...others.slice(at)]
  const { [cid]: _before, ...placed } = plan.placed
  const folder = folderId(to)
  return {
    ...plan,
    // A pinned one keeps its folder, to go back to when it is unpinned.
    placed: folder === undefined ? (to === 'pinned' ? plan.placed : placed) : { ...placed, [cid]: folder },
    order: { ...plan.order, [to]: order },
    sort: { ...plan.sort, [to]: 'manual' },
  }
}

/** Whether a person may put it there: a direct conversation is no channel, and putting away has its own command. */
export const mayStandIn = (channel: Placeable, to: SectionName): boolean =>
  to === 'pinned' || folderId(to) !== undefined || (to !== 'archived' && to === homeOf(channel))

/** The next section up or down that takes it. */
export function neighbourSection(
  channel: Placeable,
  plan: SidebarPlan,
  step: { readonly from: SectionName; readonly by: 1 | -1 },
): SectionName | undefined {
  const names = sectionNames(plan)
  for (let at = names.indexOf(step.from) + step.by; at >= 0 && at < names.length; at += step.by) {
    const name = names[at]
    if (name !== undefined && mayStandIn(channel, name)) return name
  }
  return undefined
}

export const planOf = (plans: Readonly<Record<string, SidebarPlan>>, who: string): SidebarPlan =>
  plans[who] ?? EMPTY_PLAN

/** A local workspace changes its address whenever its server starts, and stays the same place. */
export function sidebarKey({ workspace, userId }: Session): string {
  const where = workspace?.kind === 'local' ? `${workspace.demo ? 'demo' : 'own'} ${workspace.name}` : workspace?.url
  return `${workspace?.kind ?? 'none'} ${where ?? ''} ${userId ?? ''}`
}
