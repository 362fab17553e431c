import { updateUsersPartial } from '#shared/wire/users.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Core } from '../../core.ts'
import { asWire } from '../../decode/read.ts'

type Choices = Pick<Settings, 'publishTyping' | 'publishReads' | 'publishDelivery'>

/** What others may see of the viewer, as the server keeps it. Absent there means allowed. */
export const privacyOf = ({ publishTyping, publishReads, publishDelivery }: Choices) => ({
  typing_indicators: { enabled: publishTyping },
  read_receipts: { enabled: publishReads },
  delivery_receipts: { enabled: publishDelivery },
})

/**
 * The server enforces the viewer's choices, so it has to know them. Told when they differ from what it has.
 *
 * @param known `privacy_settings` of the own user, as the server sent it
 */
export async function tellPrivacy(core: Pick<Core, 'api' | 'life' | 'me' | 'memory'>, known: unknown): Promise<void> {
  const wanted = privacyOf(core.memory.settings)
  const isKnown = Object.entries(wanted).every(
    ([name, { enabled }]) => (asWire(asWire(known)?.[name])?.['enabled'] ?? true) === enabled,
  )
  if (isKnown) return
  const users = [{ id: core.me, set: { privacy_settings: wanted } }]
  await core.api.send(updateUsersPartial, { body: { users }, signal: core.life })
}

export const isSamePrivacy = (a: Choices, b: Choices): boolean =>
  a.publishTyping === b.publishTyping && a.publishReads === b.publishReads && a.publishDelivery === b.publishDelivery
