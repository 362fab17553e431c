import styles from '../View/text.module.css'

/** Why it could not be done, where it was asked for. Nothing while there is nothing to say. */
export const Refusal = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles['refusal']} role="alert">
      {text}
    </p>
  )
