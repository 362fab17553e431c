import type { WireDraft } from '#shared/wire/objects.ts'
import type { DraftRow } from './draft-table.ts'
import { toText } from '../time.ts'
import type { People } from '../messages/load-messages.ts'

/** The content of {@link DraftRow.message}. */
type Stored = {
  readonly id: string
  readonly text?: string
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
  readonly mentioned_users?: readonly string[]
  readonly custom: Readonly<Record<string, unknown>>
}

/** Without the channel and the messages it refers to. See docs/wire.md 5.11. */
export function bareDraft({ people }: { readonly people: People }, row: DraftRow): WireDraft {
  const { custom, mentioned_users, ...message } = JSON.parse(row.message) as Stored
  return {
    channel_cid: row.cid,
    created_at: toText(row.created_at),
    ...(row.parent_id === '' ? {} : { parent_id: row.parent_id }),
    message: {
      ...custom,
      ...message,
      text: message.text ?? '',
      attachments: JSON.parse(people.fresh(JSON.stringify(message.attachments ?? []))),
      mentioned_users: (mentioned_users ?? []).map(people),
    },
  }
}
