import type { SendPayload } from '#shared/domain/intent.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import type { ClientId } from '../../context.ts'
import type { Submissions } from '../../core.ts'
import { dropUnsent } from './unsent.ts'
import { placeOf } from './place.ts'

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
