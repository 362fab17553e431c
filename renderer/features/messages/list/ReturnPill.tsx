import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { focusRequested } from '../../../store/composers/composers.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import styles from './ReturnPill.module.css'

export type ReturnPillProps = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  /** Number of new messages below; with 0 the button only jumps back. */
  readonly newCount: number
  /** Where a jump started, to which the button goes back: to the message whose quote was followed, or to where one read. */
  readonly origin: { readonly messageId: MessageId; readonly kind: 'back' | 'where' } | undefined
  readonly toLatest: () => void
  readonly jumpFrom: (messageId: MessageId) => void
}

/** The button to the newest message, or back to where a jump started. */
export function ReturnPill({ cid, parentId, newCount, origin, toLatest, jumpFrom }: ReturnPillProps) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const press = (): void => {
    if (origin === undefined) toLatest()
    else jumpFrom(origin.messageId)
    // The button disappears on click, so the focus moves to the composer.
    dispatch(focusRequested({ key: composerKey(cid, parentId) }))
  }
  return (
    <button
      // The toolbars of the rows leave it this much room; its text changes with every new message.
      ref={(pill) => pill?.parentElement?.style.setProperty('--pill-width', `${pill.offsetWidth}px`)}
      type="button"
      className={styles['pill']}
      onClick={press}
    >
      <Icon name="arrow-down" size={16} />
      {origin === undefined && newCount > 0
        ? t('pill.new', { count: newCount })
        : t(`pill.${origin?.kind ?? 'latest'}`)}
    </button>
  )
}
