import type { SendPayload, IntentFor } from '#shared/domain/intent.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { PLACE_STEP_MS } from '#shared/domain/message.ts'
import { isForLater } from '#shared/rules/messages/predict.ts'
import { previewLinks } from '#shared/rules/messages/link-previews.ts'
import { joinParts, MAX_PARTS, splitText, type TextPart } from '#shared/rules/composer/split-text.ts'
import { isLongerThan } from '#shared/rules/messages/text.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { Tx } from '#main/cache/store.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { ClientId } from '../../context.ts'
import type { Submissions, Core } from '../../core.ts'

type ContentInput = {
  readonly cid: Cid
  readonly content: Pick<SendPayload, 'poll' | 'pollId' | 'place'>
  /** Id of an unsent message that this one replaces. */
  readonly replaces: string | undefined
  readonly again: boolean | undefined
}

/** Queues a message that is a poll or a location. Returns its id. */
export function submitContent(
  core: Submissions,
  { cid, content, replaces, again }: ContentInput,
  client: ClientId,
): MessageId {
  const { poll, place } = content
  // The end time of a live share differs each time.
  const same = { poll, place: { ...place, live: place?.live?.forMs } }
  if (!again) core.recentSends.check(cid, same, client)
  const id = asMessageId(core.ports.ids.uuid())
  const nothing = { text: '', mentionedUserIds: [], showInChannel: false, uploadIds: [] }
  const payload = { ...nothing, ...content, placedAt: placeOf(core, cid, undefined) }
  if (content.place?.live) core.memory.sharing.begun.add(id)
  try {
    core.outbox.add({ kind: 'send-message', id, cid, messageId: id, payload })
  } catch (refused) {
    core.notify(content.place === undefined ? NOTICES.pollFailed : NOTICES.locationFailed)
    throw refused
  }
  core.recentSends.note(cid, same, client)
  // Only after that: a crash in between leaves both, and the older one is parked.
  const old = replaces === undefined ? undefined : core.outbox.byId(replaces)
  if (old?.kind === 'send-message' && old.state === 'parked') dropUnsent(core, old)
  core.runner.kick()
  return id
}

/**
 * A position after everything known in the channel and everything queued, so that own messages keep their order within one
 * millisecond and are never above the message they reply to.
 */
export function placeOf(
  core: Pick<Core, 'cache' | 'outbox' | 'serverNow'>,
  cid: Cid,
  parentId: MessageId | undefined,
): number {
  const timeline = pages.newest(core.cache.reader, `timeline:${cid}`, 1)[0]
  const thread = parentId === undefined ? undefined : pages.newest(core.cache.reader, `thread:${parentId}`, 1)[0]
  const waiting = core.outbox
    .sends(cid)
    .filter((intent) => !isForLater(intent))
    .map((intent) => intent.payload.placedAt)
  const newest = Math.max(timeline?.createdAt ?? 0, thread?.createdAt ?? 0, ...waiting)
  return Math.max(core.serverNow(), newest + PLACE_STEP_MS)
}

/** Reason of a parked poll or location that the user withdrew to change it. */
export const WITHDRAWN = 'outbox/taken-back'

/** Drops an unsent message. If it was tried it may be on the server, so a delete is queued for it. */
export function dropUnsent(
  core: Pick<Core, 'outbox' | 'serverNow'>,
  intent: IntentFor<'send-message'>,
  within?: (tx: Tx) => void,
): void {
  const { cid, parentId, messageId, id, attempts } = intent
  if (messageId === undefined) return core.outbox.remove([id], within)
  const payload = { deletedAt: core.serverNow() }
  // Parked by the user, not rejected by the server: it may exist there.
  if (intent.reason?.code === WITHDRAWN && attempts > 0) core.outbox.remove([id])
  core.outbox.add({ kind: 'delete-message', cid, parentId, messageId, payload }, within)
}

/** The messages that a long text is split into; none if one message is enough, or if there would be too many. */
export function partsOf(text: string, maxLength: number, isWanted: boolean | undefined): readonly TextPart[] {
  if (isWanted !== true || !isLongerThan(text, maxLength) || isLongerThan(text, maxLength * MAX_PARTS)) return []
  const parts = splitText(text, maxLength)
  return parts.length > MAX_PARTS ? [] : parts
}

type PartOfSend = {
  readonly id: MessageId
  readonly before: MessageId | undefined
  readonly payload: SendPayload
}

/**
 * Each part as a separate message: the first has the files and the quote, each has the mentions of its own text
 * (`mentionsOf`) and the previews of its own links.
 */
export function sendsOf(
  core: Pick<Core, 'ports'>,
  parts: readonly TextPart[],
  { quotedId, quoted, uploadIds, files, previews = [], ...whole }: SendPayload,
  mentionsOf: (text: string) => Pick<SendPayload, 'mentionedUserIds' | 'reach'>,
  first: MessageId,
): readonly PartOfSend[] {
  const ids = parts.map((_part, index) => (index === 0 ? first : asMessageId(core.ports.ids.uuid())))
  const { reach: _whole, ...same } = whole
  const leading = {
    uploadIds,
    ...(files === undefined ? {} : { files }),
    ...(quotedId === undefined ? {} : { quotedId }),
    ...(quoted === undefined ? {} : { quoted }),
  }
  return parts.map(({ text, ...seam }, index) => {
    const links = new Set(previewLinks(text))
    const own = previews.filter(({ shown }) => links.has(shown.url))
    return {
      id: ids[index] ?? first,
      before: ids[index - 1],
      payload: {
        ...same,
        ...(index === 0 ? leading : { uploadIds: [] }),
        previews: own.length === 0 ? undefined : own,
        ...mentionsOf(text),
        text,
        part: { whole: first, ...seam },
        placedAt: whole.placedAt + index * PLACE_STEP_MS,
      },
    }
  })
}

/** This message and the other unsent parts of the same text, in order. */
export function unsentParts(
  core: Pick<Core, 'outbox'>,
  intent: IntentFor<'send-message'>,
): readonly IntentFor<'send-message'>[] {
  const { cid, payload } = intent
  if (payload.part === undefined) return [intent]
  const { whole } = payload.part
  return core.outbox.sends(cid).filter((each) => each.payload.part?.whole === whole && each.state !== 'inflight')
}

/** The texts of these messages joined. */
export function textOf(parts: readonly IntentFor<'send-message'>[]): string {
  return joinParts(
    parts.map(({ payload: { text, part = { after: '', opened: '', closed: '' } } }) => ({ ...part, text })),
  )
}

/** Within this time the same message from two windows of one user is likely a mistake. */
const REPEATED_WITHIN_MS = 10_000

type Sent = { readonly place: string; readonly what: string; readonly client: ClientId; readonly at: number }

/** Messages that the windows of one user sent in the last seconds. */
export type RecentSends = {
  /** Throws `message/just-sent` if another window has just sent the same to this place. */
  check(place: string, content: unknown, client: ClientId): void
  /** Records an accepted message. */
  note(place: string, content: unknown, client: ClientId): void
}

export function createRecentSends(clock: Pick<Clock, 'monotonic'>): RecentSends {
  let sent: readonly Sent[] = []

  return {
    check(place, content, client) {
      const what = JSON.stringify(content)
      const since = clock.monotonic() - REPEATED_WITHIN_MS
      const same = sent.filter((each) => each.place === place && each.what === what && each.at > since)
      // Repeating after that warning, or in the same window, is deliberate.
      if (same.length > 0 && same.every((each) => each.client !== client)) throw new AppError('message/just-sent')
    },
    note(place, content, client) {
      const at = clock.monotonic()
      sent = sent.filter((each) => each.at > at - REPEATED_WITHIN_MS)
      sent = [...sent, { place, what: JSON.stringify(content), client, at }]
    },
  }
}
