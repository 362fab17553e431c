import type { WireMessage } from '#shared/wire/objects.ts'
import {
  keptChannel,
  trimKept,
  type KeptChannel,
  type KeptMessage,
  createGaps,
  type Filling,
} from '../channels/kept-channels.ts'
import { parentsOfDrafts } from '../drafts/draft-table.ts'
import type { WrittenJson } from '../http/json.ts'
import type { Work } from '../work.ts'
import { encodeMessages } from './encode-messages.ts'
import { exceptionsOf, messagesByIds, newestPages, type MessageExtra, type MessageRow } from './message-table.ts'

type Place = { readonly cid: string; readonly floor: number }

/**
 * The newest messages of several channels. Most are what everybody was sent before, and only their people are filled in:
 * see {@link KeptMessage}. The others are encoded for this reader: those that show something of the reader, of a time, or
 * of a table that nothing watches.
 */
export function newestMessages(
  work: Work,
  places: readonly Place[],
  view: { readonly viewer: string; readonly limit: number; readonly filling: Filling },
): WrittenJson<readonly WireMessage[]>[] {
  const { viewer, filling } = view
  const pages = newestPages(work.db, places, viewer, view.limit)
  const drafts = parentsOfDrafts(work.db, viewer)
  const kept = new Map<string, KeptMessage>()
  for (const [index, page] of pages.entries()) {
    const { messages } = keptChannel(work.db, places[index]?.cid ?? '')
    for (const id of page) {
      const found = messages.get(id)
      if (found) kept.set(id, found)
    }
  }
  const isForViewer = (id: string): boolean => {
    const found = kept.get(id)
    return found === undefined || found.except.has(viewer) || drafts.has(id)
  }
  const rows = [...messagesByIds(work.db, pages.flat().filter(isForViewer)).values()]
  const made = keep(
    work,
    rows.filter((row) => !kept.has(row.id) && isForAll(row)),
  )
  for (const [id, message] of made) kept.set(id, message)
  // Of those that were kept just now, only what differs for this viewer.
  const own = rows.filter((row) => isForViewer(row.id))
  const encoded = encodeMessages(work.db, own, { viewer, now: work.now, people: work.people })
  const written = new Map(encoded.map((message) => [message.id, Buffer.from(JSON.stringify(message))]))
  filling.load([...kept.values()].map(({ json }) => json))
  return pages.map((page) => filling.list(page.flatMap((id) => written.get(id) ?? kept.get(id)?.json ?? [])))
}

/**
 * Whether the message is the same for all readers and at all times, but for those in {@link KeptMessage.except}. A quote
 * is not shown to everybody; polls and groups change in tables of their own; a pin ends with time.
 */
function isForAll(row: MessageRow): boolean {
  if (row.quoted_id !== null || row.poll_id !== null || row.pin_expires !== null) return false
  if ((JSON.parse(row.extra) as MessageExtra).mentioned_group_ids !== undefined) return false
  // Addresses are signed in the stored text, which is then sent as it is.
  return !row.attachments.includes('/files/') || JSON.stringify(JSON.parse(row.attachments)) === row.attachments
}

/** Keeps these from now on: nothing in them is of a reader, and people are left open. */
function keep(work: Work, rows: readonly MessageRow[]): Map<string, KeptMessage> {
  if (rows.length === 0) return new Map()
  const gaps = createGaps()
  const exceptions = exceptionsOf(
    work.db,
    rows.map((row) => row.id),
  )
  const messages = encodeMessages(work.db, rows, { viewer: undefined, now: work.now, people: gaps.people })
  const made = new Map<string, KeptMessage>()
  const changed = new Set<KeptChannel>()
  for (const [index, { cid, id }] of rows.entries()) {
    const message = messages[index]
    if (!message) continue
    const kept = { json: gaps.keep(message), except: exceptions.get(id) ?? NOBODY }
    const channel = keptChannel(work.db, cid)
    channel.messages.set(id, kept)
    changed.add(channel)
    made.set(id, kept)
  }
  trimKept(work.db, changed)
  return made
}

const NOBODY: ReadonlySet<string> = new Set()
