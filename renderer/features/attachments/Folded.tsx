import { useState, type ReactNode } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId, Cid } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useObject, useAppSelector, useSetting } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { FileName } from './FileName.tsx'
import { mediaRef, altOf, iconOf, isPicture, ownName, labelKeyOf } from './presentation.ts'
import styles from './Attachments.module.css'
import { isChosen } from '#shared/rules/channels/channels.ts'
import { perAccount } from '../../store/objects.ts'
import { selectSession, selectSettings } from '../../store/selectors.ts'

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

/** Whether images, videos and link previews of this channel are hidden, and loaded only when unfolded one by one. */
export const useHidesMedia = (cid: Cid | undefined): boolean =>
  useAppSelector((state) => cid !== undefined && isChosen(selectSettings(state).hiddenMedia, selectSession(state), cid))

/** Whether a small picture is not loaded: media of its channel are hidden, and it was not unfolded. */
export function useThumbHidden(cid: Cid, ref: string): boolean {
  const unfolded = useObject(UNFOLDED)
  return useHidesMedia(cid) && !unfolded.has(ref)
}

/** Whether a picture is blurred, because the user chose so and has not clicked it yet. */
export function useBlurred(ref: string): { readonly isBlurred: boolean; readonly show: () => void } {
  const isChosen = useSetting('blurMedia')
  const unfolded = useObject(UNFOLDED)
  const [isShown, setShown] = useState(() => unfolded.has(ref))
  return {
    isBlurred: isChosen && !isShown,
    show: () => {
      unfolded.set(ref, true)
      setShown(true)
    },
  }
}

const MAX_UNFOLDED = 500

/** The attachments that were unfolded or shown sharp, so that a row that scrolls back into view is as it was. By reference, see `mediaRef`. */
class Unfolded {
  readonly #refs = new Set<string>()

  has = (ref: string): boolean => this.#refs.has(ref)

  set(ref: string, isOpen: boolean): void {
    this.#refs.delete(ref)
    if (isOpen) this.#refs.add(ref)
    const oldest = this.#refs.size > MAX_UNFOLDED ? this.#refs.values().next().value : undefined
    if (oldest !== undefined) this.#refs.delete(oldest)
  }
}

export const UNFOLDED = perAccount(() => new Unfolded())
