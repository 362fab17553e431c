import { useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { Anchored, type Placement } from '../../ui/Anchored/Anchored.tsx'
import { EmojiPicker } from './EmojiPicker.tsx'
import styles from './EmojiPicker.module.css'

type Props = {
  readonly anchor: Element | DOMRect
  readonly placement?: Placement
  readonly onPick: (unicode: string) => void
  readonly onClose: () => void
}

const ABOVE: Placement = { side: 'above', align: 'start', gap: 6 }

/** The picker beside a button. Focus moves into it, and back to the opener on close. */
export function EmojiPopover({ anchor, placement = ABOVE, onPick, onClose }: Props) {
  const t = useTexts('emoji')
  const ref = useRef<HTMLDivElement>(null)
  useReturnFocus()
  usePressOutside(ref, onClose)
  return (
    <Anchored
      ref={ref}
      anchor={anchor}
      placement={placement}
      role="dialog"
      aria-label={t('title')}
      data-returns-focus=""
      className={styles['popover']}
    >
      <EmojiPicker onPick={onPick} onClose={onClose} />
    </Anchored>
  )
}
