import * as v from 'valibot'
import { composerKey, NEW_POLL } from '#shared/domain/draft.ts'
import type { CarriedLeft, PartCounts } from '#shared/domain/account-file.ts'
import type { Intent, IntentFor, SendPayload } from '#shared/domain/intent.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { pollForm } from '#shared/bridge/calls/messages.ts'
import { cid, key, longText, messageId, shortText, text, userId } from '#shared/bridge/schemas.ts'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { DraftRow } from '#main/cache/rows.ts'
import type { Tx } from '#main/cache/store.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reminderFacts from '#main/cache/people/reminders.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as localReads from '#main/cache/outbox/local-reads.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import type { Core } from '../../core.ts'
import { WITHDRAWN } from '../messages/unsent.ts'

/** What an account file holds of one account's own database, entry by entry. See docs/account-file.md. */

const moment = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const indexes = v.optional(v.pipe(v.array(count), v.maxLength(100)))
const degrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most))
const url = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^https?:\/\//i))
/** An attachment in the form of the contract, as the server gave it. */
const wireAttachment = v.record(v.string(), v.unknown())

const draft = v.object({
  cid,
  parentId: v.optional(messageId),
  text: longText,
  quotedId: v.optional(messageId),
  showInChannel: v.boolean(),
  updatedAt: moment,
  /** A new poll that is being written. */
  poll: v.optional(pollForm),
  edit: v.optional(v.object({ messageId, text: longText, original: text, dropped: indexes, erased: indexes })),
})

const line = v.pipe(v.string(), v.minLength(1), v.maxLength(500))
const poll = v.object({
  name: line,
  description: v.pipe(v.string(), v.maxLength(5_000)),
  options: v.pipe(v.array(line), v.minLength(1), v.maxLength(100)),
  enforceUniqueVote: v.boolean(),
  maxVotes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10))),
  anonymous: v.boolean(),
  allowSuggestions: v.boolean(),
  allowAnswers: v.boolean(),
  closesAt: v.optional(moment),
})

/** Without the picture of a preview or a quote: both are only on the device where it was written. */
const payload = v.object({
  text,
  mentionedUserIds: v.pipe(v.array(userId), v.maxLength(100)),
  reach: v.optional(v.pipe(v.array(v.picklist(['channel', 'here'])), v.maxLength(2))),
  showInChannel: v.boolean(),
  files: v.optional(
    v.pipe(
      v.array(
        v.object({
          kind: v.picklist(['image', 'video', 'audio', 'file', 'voiceRecording', 'giphy', 'link', 'other']),
          name: shortText,
          sizeBytes: count,
          mimeType: shortText,
          raw: wireAttachment,
        }),
      ),
      v.maxLength(MAX_FILES_PER_MESSAGE),
    ),
  ),
  previews: v.optional(
    v.pipe(
      v.array(
        v.object({
          shown: v.object({
            url,
            title: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
            text: v.optional(v.pipe(v.string(), v.maxLength(5_000))),
            siteName: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
          }),
          raw: wireAttachment,
        }),
      ),
      v.maxLength(10),
    ),
  ),
  skipEnrich: v.optional(v.boolean()),
  quotedId: v.optional(messageId),
  quoted: v.optional(v.object({ id: messageId, userId, text, deleted: v.boolean() })),
  pollId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
  poll: v.optional(poll),
  place: v.optional(
    v.object({
      latitude: degrees(90),
      longitude: degrees(180),
      precision: v.picklist(['exact', 'near', 'city']),
      device: v.optional(shortText),
    }),
  ),
  silent: v.optional(v.boolean()),
  unreadAfter: v.optional(moment),
  sendAt: v.optional(moment),
  part: v.optional(
    v.object({
      whole: messageId,
      after: v.pipe(v.string(), v.maxLength(100)),
      opened: v.pipe(v.string(), v.maxLength(1_000)),
      closed: v.pipe(v.string(), v.maxLength(1_000)),
    }),
  ),
  placedAt: moment,
})

/** An unsent message. Its id is the one that the server will know it by, whichever device sends it. */
const message = v.object({
  id: v.pipe(v.string(), v.uuid()),
  cid,
  parentId: v.optional(messageId),
  /** The message that has to be sent first. */
  dependsOn: v.optional(key),
  createdAt: moment,
  /** Present: it waits for the user, for this reason, and is not sent without them. */
  refused: v.optional(
    v.object({
      code: v.pipe(v.string(), v.maxLength(100)),
      params: v.optional(v.pipe(v.record(v.string(), v.union([shortText, v.number()])), v.maxEntries(20))),
      retryable: v.boolean(),
    }),
  ),
  payload,
})

/** A reminder that the server does not know yet. Without a time: saved for later. */
const reminder = v.object({
  messageId,
  cid,
  parentId: v.optional(messageId),
  remindAt: v.optional(moment),
  setAt: moment,
})

/** A completed reminder: no server has it. */
const doneReminder = v.object({ messageId, cid, doneAt: moment, remindAt: v.optional(moment) })

/** A thread that was followed or unfollowed by hand: no server has it. */
const follow = v.object({ parentId: messageId, cid, follows: v.boolean(), at: moment })

/** A read mark that is only on the device. */
const read = v.object({
  cid,
  threadId: v.optional(messageId),
  readAt: moment,
  upTo: v.optional(messageId),
  firstUnreadId: v.optional(messageId),
  at: moment,
})

export const carriedEntries = {
  drafts: draft,
  messages: message,
  reminders: reminder,
  done: doneReminder,
  follows: follow,
  reads: read,
}

export type CarriedKind = keyof typeof carriedEntries
export type Carried = { readonly [Kind in CarriedKind]: readonly v.InferOutput<(typeof carriedEntries)[Kind]>[] }

type Parts = Pick<Core, 'cache' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stores'>

/** What is taken to another device, and how much of what is unsent stays here. */
export type CarriedAway = { readonly carried: Carried; readonly left: CarriedLeft }

/**
 * What only this device has of the account. Of the outbox these are messages and new reminders: the server recognizes a
 * message by its id, however many devices send it. Other changes would be repeated over what happened since, so they stay
 * with the device, as do messages whose files are only here, and live locations, which only their own device shares.
 */
export function carriedAway(core: Parts): CarriedAway {
  const { reader } = core.stores.outbox
  const intents = core.outbox.all()
  const rows = drafts.all(reader)
  const sends = intents.filter((each): each is IntentFor<'send-message'> => each.kind === 'send-message')
  const goes = withoutFollowers(sends.filter(canGo), sends)
  const set = intents.filter((each): each is IntentFor<'set-reminder'> => each.kind === 'set-reminder')
  const others = intents.filter(
    ({ kind }) => !STAYS_UNSAID.has(kind) && kind !== 'send-message' && kind !== 'set-reminder',
  )
  const carried: Carried = {
    drafts: rows.flatMap(draftOf),
    messages: goes.map(messageOf),
    reminders: set.flatMap(({ messageId, cid, parentId, payload }) =>
      messageId === undefined ? [] : [{ messageId, cid, parentId, remindAt: payload.remindAt, setAt: payload.setAt }],
    ),
    done: notes
      .all(reader)
      .flatMap(({ messageId, cid, doneAt, remindAt }) =>
        doneAt === undefined ? [] : [{ messageId, cid, doneAt, remindAt }],
      ),
    follows: [...follows.all(reader).values()],
    // What a server refused is settled between this device and that server.
    reads: [...localReads.all(reader).values()].filter(({ refused }) => refused !== true),
  }
  const files = rows.reduce((sum, { uploadIds }) => sum + uploadIds.length, 0)
  return { carried, left: { messages: sends.length - goes.length, changes: others.length, files } }
}

/** Their loss on the other device is not noticed: they are made anew there. */
const STAYS_UNSAID: ReadonlySet<string> = new Set<Intent['kind']>([
  'mark-read',
  'create-draft',
  'delete-draft',
  'upload',
])

const canGo = ({ payload, reason }: IntentFor<'send-message'>): boolean =>
  payload.uploadIds.length === 0 && payload.place?.live === undefined && reason?.code !== WITHDRAWN

/** The parts of a long text go together, or not at all. */
function withoutFollowers(
  goes: readonly IntentFor<'send-message'>[],
  all: readonly IntentFor<'send-message'>[],
): readonly IntentFor<'send-message'>[] {
  const staying = new Set(all.filter((each) => !goes.includes(each)).map(({ id }) => id))
  return goes.filter(({ id, dependsOn }) => {
    const stays = dependsOn !== undefined && staying.has(dependsOn)
    if (stays) staying.add(id)
    return !stays
  })
}

function draftOf({ cid, parentId, text, quotedId, showInChannel, updatedAt, polls, edit }: DraftRow) {
  const poll = polls?.[NEW_POLL]
  if (text.trim() === '' && quotedId === undefined && edit === undefined && poll === undefined) return []
  return [{ cid, parentId, text, quotedId, showInChannel, updatedAt, edit, poll }] as unknown as Carried['drafts']
}

function messageOf(intent: IntentFor<'send-message'>) {
  const { id, cid, parentId, dependsOn, createdAt, state, reason, retryable, payload } = intent
  const { uploadIds: _none, quoted, previews, ...rest } = payload
  const carried = {
    id,
    cid,
    parentId,
    dependsOn,
    createdAt,
    refused: state === 'parked' ? { code: reason?.code ?? '', params: reason?.params, retryable } : undefined,
    payload: {
      ...rest,
      quoted: quoted && { id: quoted.id, userId: quoted.userId, text: quoted.text, deleted: quoted.deleted },
      previews: previews?.map(({ shown: { picture: _picture, ...shown }, raw }) => ({ shown, raw })),
    },
  }
  return carried as unknown as Carried['messages'][number]
}

/** What opening a file changes here. `added` and `replaced` are done, what is newer or known here stays. */
export type CarryPlan = {
  readonly drafts: readonly DraftRow[]
  /** Texts that newer ones replace: they stay among the earlier drafts. */
  readonly replacedDrafts: readonly DraftRow[]
  readonly intents: readonly Intent[]
  readonly dropped: readonly string[]
  readonly done: Carried['done']
  readonly follows: Carried['follows']
  readonly reads: Carried['reads']
  readonly counts: Readonly<Record<'drafts' | 'messages' | 'reminders' | 'marks', PartCounts>>
  /** The messages among them. */
  readonly sends: Carried['messages']
}

/** The rules by which a file joins what is here; see docs/account-file.md. Changes nothing. */
export function planCarryIn(core: Parts, given: Carried): CarryPlan {
  const { reader } = core.stores.outbox
  const now = core.ports.clock.now()
  const carried = withoutFuture(given, core.serverNow())
  const known = carried.drafts.map((each) => ({
    each,
    here: drafts.byKey(reader, composerKey(each.cid, each.parentId)),
  }))
  const wanted = known.filter(({ each, here }) => here === undefined || isNewerDraft(each, here, now))
  const sends = onePerId(carried.messages).filter(({ id }) => isUnknown(core, asMessageId(id)))
  const set = carried.reminders.filter((each) => isNewerReminder(core, each))
  const dropped = set.flatMap(({ messageId }) => remindersOf(core, messageId).map(({ id }) => id))
  const done = carried.done.filter(({ messageId, doneAt }) => isNewerChange(core, messageId, doneAt))
  const followed = carried.follows.filter(({ parentId, at }) => (follows.byParent(reader, parentId)?.at ?? 0) < at)
  const reads = carried.reads.filter((each) => (localReads.of(reader, each.cid, each.threadId)?.at ?? 0) < each.at)
  const ids = new Set([...sends.map(({ id }) => id), ...core.outbox.all().map(({ id }) => id)])
  const replaced = wanted.flatMap(({ here }) => here ?? [])
  const marks = { total: carried.follows.length + carried.reads.length, taken: followed.length + reads.length }
  return {
    drafts: wanted.map(({ each, here }) => draftRow(each, here, now)),
    replacedDrafts: replaced,
    intents: [...sends.map((each) => sendIntent(each, ids)), ...set.map((each) => reminderIntent(core, each, ids))],
    dropped,
    done,
    follows: followed,
    reads,
    sends,
    counts: {
      drafts: countsOf(carried.drafts.length, wanted.length - replaced.length, replaced.length),
      messages: countsOf(carried.messages.length, sends.length),
      reminders: countsOf(carried.reminders.length + carried.done.length, set.length + done.length),
      marks: countsOf(marks.total, marks.taken),
    },
  }
}

/** Times in the future count as now: what a wrong clock made does not win over everything that comes later. */
const withoutFuture = (carried: Carried, now: number): Carried => ({
  ...carried,
  reminders: carried.reminders.map((each) => ({ ...each, setAt: Math.min(each.setAt, now) })),
  done: carried.done.map((each) => ({ ...each, doneAt: Math.min(each.doneAt, now) })),
  follows: carried.follows.map((each) => ({ ...each, at: Math.min(each.at, now) })),
  reads: carried.reads.map((each) => ({ ...each, at: Math.min(each.at, now) })),
})

const onePerId = <Entry extends { readonly id: string }>(entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((each) => [each.id, each])).values(),
]

const countsOf = (total: number, added: number, replaced = 0): PartCounts => ({
  total,
  added,
  replaced,
  kept: total - added - replaced,
  full: 0,
})

/**
 * Carries a plan out in one transaction of the outbox; `within` runs last in it: what it throws undoes everything. Throws
 * `outbox/full` and `disk/full`, and then nothing has changed.
 */
export function carryIn(core: Parts, plan: CarryPlan, within: () => void): void {
  const now = core.ports.clock.now()
  core.outbox.adopt(plan.intents, plan.dropped, (tx) => {
    for (const row of plan.replacedDrafts) drafts.noteVersion(tx, row, now)
    for (const row of plan.drafts) writeDraft(tx, row, now)
    for (const each of plan.done) notes.put(tx, each)
    for (const each of plan.follows) follows.put(tx, each)
    for (const { threadId, upTo, firstUnreadId, ...each } of plan.reads)
      localReads.put(tx, { ...each, threadId, upTo, firstUnreadId })
    within()
  })
  core.runner.kick()
}

function writeDraft(tx: Tx, row: DraftRow, now: number): void {
  drafts.put(tx, row)
  drafts.noteVersion(tx, row, now)
}

/** The same content is not newer, whenever it was written. */
function isNewerDraft(each: Carried['drafts'][number], here: DraftRow, now: number): boolean {
  const row = draftRow(each, here, now)
  const contentOf = ({ text, quotedId, showInChannel, edit, polls }: DraftRow) => [
    text,
    quotedId,
    showInChannel,
    edit,
    polls,
  ]
  return row.updatedAt > here.updatedAt && !isSame(contentOf(row), contentOf(here))
}

/** Files and the polls of withdrawn messages stay with the draft of this device. A time in the future counts as now. */
function draftRow(each: Carried['drafts'][number], here: DraftRow | undefined, now: number): DraftRow {
  const { poll, ...content } = each
  const polls = { ...here?.polls, ...(poll === undefined ? {} : { [NEW_POLL]: poll }) }
  return {
    ...content,
    key: composerKey(each.cid, each.parentId),
    uploadIds: here?.uploadIds ?? [],
    caret: each.text.length,
    updatedAt: Math.min(each.updatedAt, now),
    polls: Object.keys(polls).length === 0 ? undefined : polls,
    synced: here?.synced,
    lost: here?.lost,
  }
}

/** Neither sent as far as this device knows, nor waiting here. */
const isUnknown = (core: Parts, id: MessageId): boolean =>
  core.outbox.byId(id) === undefined &&
  core.outbox.about(id).length === 0 &&
  messages.byId(core.cache.reader, id) === undefined

function sendIntent(
  { id, payload, dependsOn, refused, ...each }: Carried['messages'][number],
  ids: ReadonlySet<string>,
): Intent {
  const isScheduled = refused === undefined && payload.sendAt !== undefined
  return {
    ...each,
    id,
    seq: 0,
    kind: 'send-message',
    messageId: asMessageId(id),
    // What it waited for was sent from the other device.
    dependsOn: dependsOn !== undefined && ids.has(dependsOn) ? dependsOn : undefined,
    state: refused ? 'parked' : isScheduled ? 'scheduled' : 'ready',
    reason: refused && { code: refused.code, params: refused.params },
    retryable: refused?.retryable ?? true,
    attempts: 0,
    nextAt: isScheduled ? (payload.sendAt ?? 0) : 0,
    payload: { ...payload, uploadIds: [] } as unknown as SendPayload,
  }
}

const remindersOf = (core: Parts, messageId: MessageId): readonly Intent[] =>
  core.outbox.about(messageId).filter(({ kind }) => kind === 'set-reminder' || kind === 'delete-reminder')

const isNewerReminder = (core: Parts, { messageId, setAt }: Carried['reminders'][number]): boolean =>
  remindersOf(core, messageId).every(({ state }) => state !== 'inflight') && isNewerChange(core, messageId, setAt)

/** Newer than every change of this reminder here, and than what the server said of it. */
function isNewerChange(core: Parts, messageId: MessageId, at: number): boolean {
  const waiting = remindersOf(core, messageId)
  const times = waiting.map((each) => (each.kind === 'set-reminder' ? each.payload.setAt : each.createdAt))
  const fact = reminderFacts.byId(core.cache.reader, messageId)?.updatedAt ?? 0
  const doneAt = notes.byId(core.stores.outbox.reader, messageId)?.doneAt ?? 0
  return at > Math.max(0, fact, doneAt, ...times)
}

function reminderIntent(
  core: Parts,
  { messageId, cid, parentId, remindAt, setAt }: Carried['reminders'][number],
  ids: ReadonlySet<string>,
): Intent {
  return {
    id: core.ports.ids.uuid(),
    seq: 0,
    kind: 'set-reminder',
    cid,
    parentId,
    messageId,
    dependsOn: ids.has(messageId) ? messageId : undefined,
    state: 'ready',
    retryable: true,
    attempts: 0,
    nextAt: 0,
    createdAt: core.ports.clock.now(),
    payload: { remindAt, setAt },
  }
}
