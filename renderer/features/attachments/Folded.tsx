import { useState, type ReactNode } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useObject } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { FileName } from './FileName.tsx'
import { UNFOLDED } from './hidden-media.ts'
import { mediaRef, altOf, iconOf, isPicture, ownName, labelKeyOf } from './presentation.ts'
import styles from './Attachments.module.css'

type Props = {
  readonly messageId: MessageId
  readonly attachment: Attachment
  /** Rendered, and so loaded, once it is unfolded. */
  readonly children: ReactNode
}

/** One attachment in a channel with hidden media: a button with its name and size that unfolds and folds it. */
export function Folded({ messageId, attachment, children }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const ref = mediaRef(messageId, attachment.index)
  const unfolded = useObject(UNFOLDED)
  const [isOpen, setOpen] = useState(() => unfolded.has(ref))
  const what = t(labelKeyOf(attachment))
  const name = ownName(attachment)
  // Labelled like the row: an image by its alt text, if its sender wrote one.
  const shown = (isPicture(attachment) && altOf(attachment)) || name
  const label = shown === '' ? what : t('row.named', { what, name: shown })
  const size = attachment.sizeBytes === undefined ? undefined : formats.bytes(attachment.sizeBytes)
  const turn = (): void => {
    unfolded.set(ref, !isOpen)
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
