import type { ReactNode } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { jumpRequested, panelOpened } from '../../../store/window/ui.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useWhen } from '../../../ui/Dates/MessageTime.tsx'
import { useName } from '../../people/index.ts'
import styles from '../Info.module.css'

type Props = {
  readonly message: Message
  readonly tile: ReactNode
  readonly name: ReactNode
  /** Shown beside the author and the time. */
  readonly more?: string
  readonly children?: ReactNode
}

/** An item of a media tab: content, author, time, and a button that goes to its message. */
export function ItemRow({ message, tile, name, more, children }: Props) {
  const t = useTexts('details')
  const formats = useFormats()
  const when = useWhen()
  const now = useMinute()
  const dispatch = useAppDispatch()
  const author = useName(message.userId)
  const { cid, id: messageId, parentId } = message
  const show = (): void => {
    if (parentId !== undefined) dispatch(panelOpened({ kind: 'thread', cid, parentId }))
    dispatch(jumpRequested({ cid, messageId, parentId }))
  }
  return (
    <li className={styles['item']} data-shelf-item={messageId}>
      {tile}
      <div className={styles['itemText']}>
        <div className={styles['itemName']}>{name}</div>
        <div className={styles['second']}>
          {more === undefined ? null : <span>{more}</span>}
          <span className="ellipsis">
            {t('shelf.by', { name: author, when: when(message, (at) => formats.listTime(at, now)) })}
          </span>
        </div>
      </div>
      {children}
      <IconButton icon="arrow-right" size="small" label={t('shelf.show')} onClick={show} />
    </li>
  )
}
