import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { assistantWork } from '#shared/rules/assistants.ts'
import type { Appliers } from '../../sync/appliers.ts'
import { writeUser } from '../../sync/write.ts'

type Placed = { readonly cid: string; readonly parent_id?: string }

const place = ({ cid, parent_id }: Placed): string =>
  composerKey(asCid(cid), parent_id ? asMessageId(parent_id) : undefined)

/** Only what is heard live counts: what a synchronisation reads back is over. Source: wire contract 4.9. */
export const assistantEvents: Appliers = {
  'ai_indicator.update': (tx, event, { live, at, assistants }) => {
    const work = assistantWork(event.ai_state)
    if (!live || work === undefined) return
    const { user } = event
    if (user) writeUser(tx, user, at)
    assistants.note(place(event), { ...work, ...(user ? { userId: asUserId(user.id) } : {}) })
  },
  'ai_indicator.clear': (_tx, event, { assistants }) => assistants.forget(place(event)),
}
