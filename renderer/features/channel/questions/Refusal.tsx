import styles from '../Info.module.css'

/** Why it could not be done, where it was asked for. */
export const Refusal = ({ words }: { readonly words: string | undefined }) =>
  words === undefined ? null : (
    <p className={styles['error']} role="alert">
      {words}
    </p>
  )
