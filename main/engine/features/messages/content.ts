import type { SendPayload } from '#shared/domain/intent.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import type { ClientId } from '../../context.ts'
import type { Core } from '../../core.ts'
import { dropUnsent } from './unsent.ts'
import { placeOf } from './place.ts'

type Asked = {
  readonly cid: Cid
  readonly content: Pick<SendPayload, 'poll' | 'pollId' | 'place'>
  /** Id of an unsent message that this one takes the place of. */
  readonly replaces: string | undefined
  readonly again: boolean | undefined
}

/** A message that is a poll or a place: into the outbox like any other. Answers its id. */
export function submitContent(core: Core, { cid, content, replaces, again }: Asked, client: ClientId): MessageId {
  const { poll, place } = content
  // When a live share ends is another moment each time.
  const same = { poll, place: { ...place, live: place?.live?.forMs } }
  if (!again) core.recentSends.ask(cid, same, client)
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
  // Only now: a crash in between leaves both, of which the older one is not sent.
  const old = replaces === undefined ? undefined : core.outbox.byId(replaces)
  if (old?.kind === 'send-message' && old.state === 'parked') dropUnsent(core, old)
  core.runner.kick()
  return id
}
