import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Appliers, ApplyContext } from '../../sync/appliers.ts'
import { writeUser } from '../../sync/write.ts'

type TypingEvent = { readonly cid: string; readonly parent_id?: string }

const place = (event: TypingEvent): string =>
  composerKey(asCid(event.cid), event.parent_id ? asMessageId(event.parent_id) : undefined)

const isOther = (context: ApplyContext, id: UserId): boolean => context.live && id !== context.me

/** Only what is heard live counts: a synchronisation replays typing that is long over. */
export const typingEvents: Appliers = {
  'typing.start': (tx, event, context) => {
    const id = asUserId(event.user.id)
    if (!isOther(context, id)) return
    writeUser(tx, event.user, context.at)
    context.typing.start(place(event), id)
  },
  'typing.stop': (_tx, event, context) => {
    const id = asUserId(event.user.id)
    if (isOther(context, id)) context.typing.stop(place(event), id)
  },
}
