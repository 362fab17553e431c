import type { FiledReport, OwnReport, ReviewDecision, ReviewItem, ReviewReport } from '#shared/domain/manage/review.ts'
import { asCid, asMessageId, type UserId } from '#shared/lib/brand.ts'
import { pictureRef, unsigned } from '#main/cache/messages/media.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx } from '#main/cache/store.ts'
import { asList, asWire, eachOf, idOf, nameOf, textOf, timeOf, urlOf, type Wire } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { readBan } from '../bans/calls.ts'

const REASON_LIMIT = 1_000
const MAX_REPORTS = 100
const NANOS_PER_MS = 1_000_000

/** Dates of this family may be numbers of nanoseconds. */
export const whenOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value / NANOS_PER_MS) : timeOf(value)

const ACTIONS: Readonly<Record<string, ReviewDecision['action']>> = {
  mark_reviewed: 'approve',
  delete_message: 'delete',
  restore: 'restore',
  ban: 'ban',
  unban: 'unban',
  reopen: 'reopen',
}

/**
 * Times on this side are whole milliseconds.
 *
 * @param pictures where the address of a reported picture is noted
 */
export function readItem(tx: Tx, value: unknown, asOf: number, pictures: Map<string, string>): ReviewItem | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  const type = textOf(wire['entity_type']) ?? ''
  const message = asWire(wire['message'])
  const isMessage = type.includes('message')
  const authorId = authorOf(tx, wire, message, asOf)
  const cid = idOf(wire['channel_cid']) ?? idOf(message?.['cid'])
  const parentId = idOf(message?.['parent_id'])
  const decisions = eachOf(wire['actions'], (each) => readDecision(tx, each, asOf))
  const isDecided = wire['status'] !== 'needs_review' && whenOf(wire['reviewed_at']) !== undefined
  return {
    id,
    subject: isMessage ? 'message' : 'person',
    authorId,
    ...(isMessage ? { messageId: asMessageId(idOf(wire['entity_id']) ?? id) } : {}),
    parentId: parentId === undefined ? undefined : asMessageId(parentId),
    cid: cid === undefined || !cid.includes(':') ? undefined : asCid(cid),
    channelName: nameOf(asWire(message?.['channel'])?.['name']) ?? nameOf(wire['channel_name']),
    text: isMessage ? saidIn(wire, message) : '',
    profile: isMessage || authorId === undefined ? undefined : profileIn(tx, wire, authorId, pictures),
    fileCount: asList(message?.['attachments']).length,
    caught: caughtBy(wire, message),
    state: !isMessage ? 'there' : message === undefined ? 'gone' : isDeleted(message) ? 'deleted' : 'there',
    status: isDecided ? 'decided' : 'waiting',
    reports: eachOf(wire['flags'], (each) => readReport(tx, each, asOf), MAX_REPORTS),
    decisions,
    bans: eachOf(wire['bans'], (each) => readBan(tx, each, asOf)),
    ...(isDecided ? decider(wire, decisions) : {}),
    createdAt: whenOf(wire['created_at']) ?? asOf,
    updatedAt: whenOf(wire['updated_at']) ?? asOf,
  }
}

const isDeleted = (message: Wire): boolean =>
  message['type'] === 'deleted' || timeOf(message['deleted_at']) !== undefined

function authorOf(tx: Tx, wire: Wire, message: Wire | undefined, asOf: number) {
  for (const user of [wire['entity_creator'], message?.['user']]) {
    const row = asWire(user) && writeUser(tx, user, asOf)
    if (row) return row.id
  }
  const id = idOf(wire['entity_creator_id'])
  return id === undefined ? undefined : writeUser(tx, { id }, 0)?.id
}

/** The text that was judged: of a blocked message the one that its author wrote. */
function saidIn(wire: Wire, message: Wire | undefined): string {
  const texts = eachOf(asWire(wire['moderation_payload'])?.['texts'], textOf, 10)
  return texts.join('\n') || (textOf(message?.['text']) ?? '')
}

/** Pictures of as many items as a moderator looks through; older ones are shown as initials. */
const MAX_PICTURES = 1_000

/** What a person's profile was, as the server recorded it: the name is the first text, the picture the first image. */
function profileIn(tx: Tx, wire: Wire, userId: UserId, pictures: Map<string, string>): ReviewItem['profile'] {
  const payload = asWire(wire['moderation_payload'])
  const name = nameOf(asList(payload?.['texts'])[0])
  if (name === undefined) return undefined
  const url = urlOf(asList(payload?.['images'])[0])
  const now = users.byId(tx, userId)
  const picture = url === undefined ? undefined : pictureRef('profile', idOf(wire['id']) ?? '', url)
  if (picture !== undefined && url !== undefined) {
    pictures.delete(picture)
    pictures.set(picture, url)
    const [oldest] = pictures.keys()
    if (pictures.size > MAX_PICTURES && oldest !== undefined) pictures.delete(oldest)
  }
  const same = (url === undefined ? '' : unsigned(url)) === (now?.imageUrl === undefined ? '' : unsigned(now.imageUrl))
  return { name, picture, changed: { name: (now?.name ?? userId) !== name, picture: !same } }
}

function caughtBy(wire: Wire, message: Wire | undefined): ReviewItem['caught'] {
  if (message?.['type'] === 'error') return 'blocked'
  if (message?.['shadowed'] === true) return 'hidden'
  return wire['recommended_action'] === 'mask' ? 'masked' : undefined
}

function decider(wire: Wire, decisions: readonly ReviewDecision[]): Pick<ReviewItem, 'decidedById' | 'decidedAt'> {
  const last = decisions.at(-1)
  return { decidedById: last?.byId, decidedAt: whenOf(wire['reviewed_at']) ?? last?.at }
}

/** Stores the person who is named by an object or by an id. */
function personIn(tx: Tx, wire: Wire, asOf: number) {
  const user = asWire(wire['user'])
  if (user) return writeUser(tx, user, asOf)?.id
  const id = idOf(wire['user_id'])
  return id === undefined ? undefined : writeUser(tx, { id }, 0)?.id
}

function readReport(tx: Tx, value: unknown, asOf: number): ReviewReport | undefined {
  const wire = asWire(value)
  if (!wire) return undefined
  const byId = personIn(tx, wire, asOf)
  const labels = eachOf(wire['labels'], (label) => nameOf(label), 10)
  const isRule = byId === undefined || wire['type'] === 'blocklist'
  return {
    byId: isRule ? undefined : byId,
    reason: textOf(wire['reason'], REASON_LIMIT),
    ...(isRule ? { rule: labels.join(', ') || nameOf(wire['type']) } : {}),
    at: whenOf(wire['created_at']),
  }
}

function readDecision(tx: Tx, value: unknown, asOf: number): ReviewDecision | undefined {
  const wire = asWire(value)
  const at = whenOf(wire?.['created_at'])
  if (!wire || at === undefined) return undefined
  const type = textOf(wire['type']) ?? ''
  return {
    action: (Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined) ?? 'other',
    byId: personIn(tx, wire, asOf),
    at,
  }
}

type Filed = Omit<FiledReport, 'byId' | 'isDecided'>

function readFiled(tx: Tx, wire: Wire, asOf: number): Filed {
  const message = asWire(wire['target_message'])
  const messageId = idOf(wire['target_message_id']) ?? idOf(message?.['id'])
  const author = asWire(wire['target_user']) ?? asWire(message?.['user'])
  const cid = idOf(message?.['cid'])
  const at = whenOf(wire['created_at']) ?? asOf
  const authorId = author && writeUser(tx, author, asOf)?.id
  return {
    id: idOf(wire['id']) ?? `${messageId ?? authorId ?? ''} ${at}`,
    reason: textOf(wire['reason'], REASON_LIMIT),
    at,
    authorId,
    messageId: messageId === undefined ? undefined : asMessageId(messageId),
    cid: cid === undefined || !cid.includes(':') ? undefined : asCid(cid),
    channelName: nameOf(asWire(message?.['channel'])?.['name']),
    text: textOf(message?.['text']) ?? '',
  }
}

export function readFiledReport(tx: Tx, value: unknown, asOf: number): FiledReport | undefined {
  const wire = asWire(value)
  if (!wire) return undefined
  const by = asWire(wire['user'])
  return {
    ...readFiled(tx, wire, asOf),
    byId: by && writeUser(tx, by, asOf)?.id,
    isDecided: whenOf(wire['reviewed_at']) !== undefined,
  }
}

const OUTCOMES: Readonly<Record<string, OwnReport['outcome']>> = {
  deleted: 'deleted',
  delete_message: 'deleted',
  action_taken: 'acted',
  ban: 'acted',
}

export function readOwnReport(tx: Tx, value: unknown, asOf: number): OwnReport | undefined {
  const wire = asWire(value)
  if (!wire) return undefined
  const decidedAt = whenOf(wire['reviewed_at'])
  const result = textOf(wire['review_result']) ?? ''
  const outcome = (Object.hasOwn(OUTCOMES, result) ? OUTCOMES[result] : undefined) ?? 'none'
  return { ...readFiled(tx, wire, asOf), outcome: decidedAt === undefined ? 'waiting' : outcome, decidedAt }
}
