import styles from './Keys.module.css'

/** Keycaps. Decorative if the control already names its shortcut. */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className={styles['keys']}>
      {keys.map((key) => (
        <kbd key={key} className={styles['key']}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
