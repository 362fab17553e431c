import styles from './TypingLine.module.css'

/** Three dots in a slow wave. Decorative. */
export function TypingDots() {
  return (
    <span className={styles['dots']} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  )
}
