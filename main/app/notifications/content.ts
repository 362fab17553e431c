import type { NotificationChoices } from '#shared/domain/notification.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { AboutArrival } from '#main/engine/features/notifications/about.ts'
import type { Translate } from '../texts.ts'
import type { LocalTime } from '#shared/rules/notifications/notifying.ts'

export const BODY_LENGTH = 140

/** How much of a message may be shown now: nothing while the screen is shared. */
export const shownOf = ({
  preview,
  presenting,
}: Pick<NotificationChoices, 'preview' | 'presenting'>): NotificationChoices['preview'] =>
  presenting ? 'nothing' : preview

/** Viewers of a shared screen would hear the sound too. */
export const isSilent = ({ sound, presenting }: Pick<NotificationChoices, 'sound' | 'presenting'>): boolean =>
  !sound || presenting

/** Title and body of one message, reduced to what may be shown. */
export function contentOf(
  about: AboutArrival,
  choices: Pick<NotificationChoices, 'preview' | 'presenting'>,
  translate: Translate,
): { readonly title: string; readonly body: string } {
  const shown = shownOf(choices)
  if (shown === 'nothing') {
    return {
      title: translate('notifications', 'system.hiddenTitle'),
      body: translate('notifications', 'system.hiddenBody'),
    }
  }
  const { author, placeName } = about
  const title = placeName === '' ? author : translate('notifications', 'system.inPlace', { author, place: placeName })
  return {
    title,
    body: shown === 'sender' ? translate('notifications', 'system.hiddenBody') : bodyOf(about, translate),
  }
}

function bodyOf({ message, attachments }: AboutArrival, translate: Translate): string {
  const text = excerpt(message.text, BODY_LENGTH)
  if (text !== '') return text
  const [kind] = attachments
  if (kind === undefined) return translate('notifications', 'system.hiddenBody')
  return translate('notifications', `system.attachments.${kind}`, { count: attachments.length })
}

/** Nothing left to notify of: deleted, or read here or on another device. */
export const isOver = ({ message, place }: AboutArrival): boolean =>
  message.type === 'deleted' || message.createdAt <= place.lastReadAt

const SUNDAY = 7

/** Local time of this device. `at`: epoch milliseconds. */
export function localTime(at: number): LocalTime {
  const date = new Date(at)
  return { at, weekday: date.getDay() === 0 ? SUNDAY : date.getDay(), minute: date.getHours() * 60 + date.getMinutes() }
}
