import { updateUsersPartial } from '#shared/wire/users.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Core } from '../../core.ts'
import { asWire } from '../../decode/read.ts'

type Choices = Pick<Settings, 'publishTyping' | 'publishReads' | 'publishDelivery' | 'publishPresence' | 'awayByHand'>

/** The viewer's privacy choices in the form that the server stores with the own user. Absent there means allowed. */
export const privacyOf = ({
  publishTyping,
  publishReads,
  publishDelivery,
  publishPresence,
}: Omit<Choices, 'awayByHand'>) => ({
  privacy_settings: {
    typing_indicators: { enabled: publishTyping },
    read_receipts: { enabled: publishReads },
    delivery_receipts: { enabled: publishDelivery },
  },
  invisible: !publishPresence,
})

/** Whether others see the viewer as away. See docs/wire.md 5.2. */
export const isAway = ({ away, settings }: Pick<Core['memory'], 'away' | 'settings'>): boolean =>
  (away || settings.awayByHand) && settings.publishPresence

/**
 * Sends the viewer's privacy choices, and whether they are away, if they differ from the server's.
 *
 * @param known the own user as the server sent it
 */
export async function sendPrivacy(core: Pick<Core, 'api' | 'life' | 'me' | 'memory'>, known: unknown): Promise<void> {
  const wanted = privacyOf(core.memory.settings)
  const away = isAway(core.memory)
  const before = asWire(known)
  const stored = asWire(before?.['privacy_settings'])
  const isKnown = Object.entries(wanted.privacy_settings).every(
    ([name, { enabled }]) => (asWire(stored?.[name])?.['enabled'] ?? true) === enabled,
  )
  const isSeen = (before?.['invisible'] ?? false) === wanted.invisible
  const isAwayKnown = (before?.['away'] ?? false) === away
  if (isKnown && isSeen && isAwayKnown) return
  const set = {
    ...(isKnown ? {} : { privacy_settings: wanted.privacy_settings }),
    ...(isSeen ? {} : { invisible: wanted.invisible }),
    ...(isAwayKnown ? {} : { away }),
  }
  const users = [{ id: core.me, set }]
  await core.api.send(updateUsersPartial, { body: { users }, signal: core.life })
}

export const isSamePrivacy = (a: Choices, b: Choices): boolean =>
  a.publishTyping === b.publishTyping &&
  a.publishReads === b.publishReads &&
  a.publishDelivery === b.publishDelivery &&
  a.publishPresence === b.publishPresence &&
  a.awayByHand === b.awayByHand
