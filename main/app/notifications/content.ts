import type { NotificationChoices } from '#shared/domain/notification.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { AboutArrival } from '#main/engine/features/notifications/about.ts'
import type { Translate } from '../texts.ts'

export const BODY_LENGTH = 140

/** How much may be read over one's shoulder now: nothing while others see the screen. */
export const shownOf = ({
  preview,
  presenting,
}: Pick<NotificationChoices, 'preview' | 'presenting'>): NotificationChoices['preview'] =>
  presenting ? 'nothing' : preview

/** Anyone who is shown the screen hears it, too. */
export const isSilent = ({ sound, presenting }: Pick<NotificationChoices, 'sound' | 'presenting'>): boolean =>
  !sound || presenting

/** Title and body of one message, as much of it as may be read over one's shoulder. */
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
  const said = excerpt(message.text, BODY_LENGTH)
  if (said !== '') return said
  const [kind] = attachments
  if (kind === undefined) return translate('notifications', 'system.hiddenBody')
  return translate('notifications', `system.attachments.${kind}`, { count: attachments.length })
}

/** Nothing to tell of any more: deleted, or read here or elsewhere. */
export const isOver = ({ message, place }: AboutArrival): boolean =>
  message.type === 'deleted' || message.createdAt <= place.lastReadAt
