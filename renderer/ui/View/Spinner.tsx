import styles from './Spinner.module.css'

/** Work going on. Decorative: say the same in words beside it. */
export function Spinner({ size = 16 }: { readonly size?: number }) {
  return (
    <svg className={styles['spinner']} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <circle className={styles['track']} cx="10" cy="10" r="7.5" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" />
    </svg>
  )
}
