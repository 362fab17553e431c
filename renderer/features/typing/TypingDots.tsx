import styles from './TypingLine.module.css'

/** Three animated dots. Decorative. */
export function TypingDots() {
  return (
    <span className={styles['dots']} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  )
}
