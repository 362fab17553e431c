import { useTexts } from '../../../i18n/index.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import styles from './MessagePane.module.css'

type Props = {
  readonly shown: boolean
  /** Number of new messages below; with 0 the button only jumps back. */
  readonly count: number
  readonly label: string
  readonly onPress: () => void
}

/** Jumps to the newest message, or back to where a jump started. */
export function JumpPill({ shown, count, label, onPress }: Props) {
  const t = useTexts('messages')
  if (!shown) return null
  return (
    <button type="button" className={styles['pill']} onClick={onPress}>
      <Icon name="arrow-down" size={16} />
      {count > 0 ? t('pill.new', { count }) : label}
    </button>
  )
}
