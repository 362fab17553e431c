import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Icon } from '../../ui/Icon.tsx'
import { iconOf, isPicture, mediaRef, ownName, Picture, wordOf } from '../attachments/index.ts'
import type { Item } from './gallery.ts'
import styles from './Viewer.module.css'

type Props = { readonly items: readonly Item[]; readonly at: number; readonly onTurn: (index: number) => void }

/** Neighbours drawn on either side. */
const AROUND = 4

/** Small pictures of what stands before and after. One tab stop; the viewer's arrows turn, and the focus goes along. */
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
              name: ownName(item.attachment) || t(wordOf(item.attachment)),
            })}
            onClick={() => onTurn(from + offset)}
          >
            <Small item={item} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Small({ item: { message, attachment } }: { readonly item: Item }) {
  if (!isPicture(attachment) && !attachment.hasThumb) return <Icon name={iconOf(attachment)} size={20} />
  return (
    <Picture
      mediaKey={mediaRef(message.id, attachment.index)}
      variant={attachment.hasThumb ? 'thumb' : 'full'}
      alt=""
    />
  )
}
