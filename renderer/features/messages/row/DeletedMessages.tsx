import { useState, type KeyboardEvent } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useName } from '../../people/index.ts'
import { useWhen } from '../../../ui/Dates/MessageTime.tsx'
import styles from './DeletedMessages.module.css'

type Props = { readonly ids: readonly MessageId[]; readonly focusable: boolean }

/** Several consecutive deleted messages as one line. Expanded, it lists authors and times. */
export function DeletedMessages({ ids, focusable }: Props) {
  const t = useTexts('messages')
  const [open, setOpen] = useState(false)
  const text = t('gone.count', { count: ids.length })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(!open)
  }
  return (
    // Focusable and with row keys, like every row of the list.
    <article
      className={styles['deleted']}
      tabIndex={focusable ? 0 : -1}
      data-message-id={ids[0]}
      data-roving-id={ids[0]}
      aria-label={text}
      onKeyDown={onKeyDown}
    >
      <button type="button" className={styles['deletedHead']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="trash" size={16} />
        {text}
        <Icon name={open ? 'chevron-up' : 'chevron-down'} size={14} />
      </button>
      {open ? (
        <ul className={styles['deletedList']} aria-label={text}>
          {ids.map((id) => (
            <DeletedMessage key={id} id={id} />
          ))}
        </ul>
      ) : null}
    </article>
  )
}

function DeletedMessage({ id }: { readonly id: MessageId }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const message = useAppSelector((state) => state.entities.messages[id])
  const author = useName(message?.userId ?? '')
  const when = useWhen()
  return message === undefined ? null : <li>{t('gone.item', { author, time: when(message, formats.time) })}</li>
}
