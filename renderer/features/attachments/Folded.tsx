import { useState, type ReactNode } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { FileName } from './FileCard.tsx'
import { rememberAsked, wasAskedFor } from './hidden-media.ts'
import { mediaRef } from './media-ref.ts'
import { altOf, iconOf, isPicture, ownName, wordOf } from './names.ts'
import styles from './Attachments.module.css'

type Props = {
  readonly messageId: MessageId
  readonly attachment: Attachment
  /** Drawn, and so loaded, once it is asked for. */
  readonly children: ReactNode
}

/** One thing of a channel without pictures: a line with its name and size, that shows it and folds it again. */
export function Folded({ messageId, attachment, children }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const ref = mediaRef(messageId, attachment.index)
  const [isOpen, setOpen] = useState(() => wasAskedFor(ref))
  const what = t(wordOf(attachment))
  const name = ownName(attachment)
  // Read out like the row: a picture by what it shows, where its sender said so.
  const shown = (isPicture(attachment) && altOf(attachment)) || name
  const label = shown === '' ? what : t('row.named', { what, name: shown })
  const size = attachment.sizeBytes === undefined ? undefined : formats.bytes(attachment.sizeBytes)
  const turn = (): void => {
    rememberAsked(ref, !isOpen)
    setOpen(!isOpen)
  }
  return (
    <>
      <button
        type="button"
        className={styles['folded']}
        aria-expanded={isOpen}
        aria-label={size === undefined ? label : t('media.sized', { name: label, size })}
        onClick={turn}
      >
        <Icon name={attachment.kind === 'link' ? 'link' : iconOf(attachment)} size={16} />
        <FileName name={name === '' ? what : name} />
        {size === undefined ? null : <span className={styles['meta']}>{size}</span>}
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={14} />
      </button>
      {isOpen ? children : null}
    </>
  )
}
