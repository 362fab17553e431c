import type { Message } from '#shared/domain/message.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { hueOf } from '../../../lib/portrait.ts'
import { useUser } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { useName } from '../../people/index.ts'
import { useScope } from '../list/scope.ts'
import { isSentSilently } from './select.ts'
import styles from './MessageRow.module.css'

type Props = { readonly message: Message; readonly author: string; readonly time: string }

/** Name, time and badges. */
export function MessageHead({ message, author, time }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const { viewerId, act } = useScope()
  const bot = useUser(message.userId)?.bot === true
  return (
    <header className={styles['head']}>
      <button
        type="button"
        className={styles['author']}
        data-hue={hueOf(message.userId)}
        // Not a tab stop: by keyboard the profile opens with the row's key or menu.
        tabIndex={-1}
        aria-haspopup="dialog"
        onClick={(event) => act(message, 'profile', event.currentTarget)}
      >
        <bdi>{author}</bdi>
      </button>
      {bot ? <span className={styles['tag']}>{t('row.app')}</span> : null}
      {message.timeUnsure === true ? (
        <Tooltip text={time} side="above">
          <span className={styles['note']} role="img" aria-label={time}>
            <Icon name="help" size={13} />
          </span>
        </Tooltip>
      ) : (
        <Tooltip text={formats.full(message.createdAt)} side="above">
          <time dateTime={new Date(message.createdAt).toISOString()}>{time}</time>
        </Tooltip>
      )}
      {message.pinned ? <Pinned message={message} /> : null}
      {isSentSilently(message) && message.userId === viewerId ? (
        <Note icon="bell-off" text={t('row.silentMark')} />
      ) : null}
      {message.showInChannel && message.parentId !== undefined ? (
        <Note icon="thread" text={t('row.fromThread')} />
      ) : null}
    </header>
  )
}

/** A small icon with a label. */
function Note({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <span className={styles['note']}>
      <Icon name={icon} size={13} />
      {text}
    </span>
  )
}

function Pinned({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const name = useName(message.pinnedBy ?? '')
  return (
    <span className={`${styles['note']} ${styles['pin']}`}>
      <Icon name="pin" size={13} />
      {message.pinnedBy === undefined || name === ''
        ? t('row.pinnedMark')
        : t('row.pinnedBy', { name: name.split(' ')[0] ?? name })}
    </span>
  )
}
