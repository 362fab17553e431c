import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import {
  iconOf,
  isPicture,
  mediaRef,
  ownName,
  Picture,
  UNFOLDED,
  useHidesMedia,
  labelKeyOf,
} from '../attachments/index.ts'
import { useObject } from '../../store/hooks.ts'
import type { Item } from './gallery.ts'
import styles from './Viewer.module.css'

type Props = { readonly items: readonly Item[]; readonly at: number; readonly onTurn: (index: number) => void }

/** Number of thumbnails on either side. */
const AROUND = 4

/** Thumbnails of the neighbouring items. One tab stop; when the item changes by arrows, the focus follows. */
export function Strip({ items, at, onTurn }: Props) {
  const t = useTexts('messages')
  const list = useRef<HTMLUListElement>(null)
  const currentId = items[at]?.id ?? ''
  useEffect(() => {
    if (!list.current?.contains(document.activeElement)) return
    list.current.querySelector<HTMLElement>(`[data-item="${CSS.escape(currentId)}"]`)?.focus()
  }, [currentId])
  const width = AROUND * 2 + 1
  const from = Math.max(0, Math.min(at - AROUND, items.length - width))
  return (
    <ul ref={list} className={styles['strip']} aria-label={t('viewer.strip')}>
      {items.slice(from, from + width).map((item, offset) => (
        <li key={item.id}>
          <button
            type="button"
            className={styles['thumb']}
            data-item={item.id}
            tabIndex={from + offset === at ? 0 : -1}
            aria-current={from + offset === at}
            aria-label={t('viewer.item', {
              index: from + offset + 1,
              total: items.length,
              name: ownName(item.attachment) || t(labelKeyOf(item.attachment)),
            })}
            onClick={() => onTurn(from + offset)}
          >
            <Small item={item} isCurrent={from + offset === at} />
          </button>
        </li>
      ))}
    </ul>
  )
}

type SmallProps = { readonly item: Item; readonly isCurrent: boolean }

/** In a channel with hidden media, only the current item and unfolded ones have thumbnails. */
function Small({ item: { message, attachment }, isCurrent }: SmallProps) {
  const ref = mediaRef(message.id, attachment.index)
  const unfolded = useObject(UNFOLDED)
  const isHidden = useHidesMedia(message.cid) && !isCurrent && !unfolded.has(ref)
  if (isHidden || (!isPicture(attachment) && !attachment.hasThumb)) return <Icon name={iconOf(attachment)} size={20} />
  return <Picture mediaKey={ref} variant={attachment.hasThumb ? 'thumb' : 'full'} alt="" />
}
