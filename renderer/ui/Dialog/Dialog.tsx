import { useId, useRef, type ReactNode, type RefObject } from 'react'
import { cx } from '../../lib/cx.ts'
import { tabStops } from '../../lib/page/focus.ts'
import { useTexts } from '../../i18n/index.ts'
import { IconButton } from '../Button/Button.tsx'
import { Modal } from '../Modal/Modal.tsx'
import styles from './Dialog.module.css'
import refusalStyles from '../View/text.module.css'

type Props = {
  /** Says what the dialog does; the primary button repeats its verb. */
  readonly title: string
  /** Pixels. 520, small 400. */
  readonly width?: number
  /** A question that needs an answer: focus starts on `initialFocus`, which should be the safe button. */
  readonly alert?: boolean
  readonly children: ReactNode
  /** Small text at the left of the footer. */
  readonly hint?: ReactNode
  /** Buttons, primary last. */
  readonly actions?: ReactNode
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** Makes the whole dialog a form: Enter submits it. */
  readonly onSubmit?: () => void
  readonly onClose: () => void
}

/** A modal dialog; a bottom sheet in narrow windows. Focus stays inside and returns to the opener. */
export function Dialog({
  title,
  width = 520,
  alert = false,
  children,
  hint,
  actions,
  initialFocus,
  onSubmit,
  onClose,
}: Props) {
  const titleId = useId()
  const bodyId = useId()
  const t = useTexts('common')
  const box = useRef<HTMLDivElement>(null)
  const inside = (
    <>
      <div className={styles['head']}>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon="x" label={t('close')} onClick={onClose} />
      </div>
      <div id={bodyId} className={styles['body']}>
        {children}
      </div>
      {actions === undefined ? null : (
        <div className={styles['foot']}>
          <span className={styles['hint']}>{hint}</span>
          <div className={styles['buttons']}>{actions}</div>
        </div>
      )}
    </>
  )
  return (
    <Modal
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={alert ? bodyId : undefined}
      className={styles['scrim']}
      firstFocus={() => initialFocus?.current ?? firstField(box.current)}
      onClose={onClose}
    >
      <div ref={box} data-modal-box="" className={styles['dialog']} style={{ width }}>
        {onSubmit === undefined ? (
          inside
        ) : (
          <form
            className={styles['form']}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              onSubmit()
            }}
          >
            {inside}
          </form>
        )}
      </div>
    </Modal>
  )
}

/**
 * The first field if there is one, so that typing can begin; else the first control after the close button. A dialog that
 * is only read takes the focus itself, so that the tooltip of its close button is not shown.
 */
function firstField(box: HTMLElement | null): HTMLElement | undefined {
  const stops = box === null ? [] : tabStops(box)
  return stops.find((stop) => stop.matches('input, textarea, select')) ?? stops[1]
}

/** A paragraph of text in a dialog. */
export function DialogText({ children, muted = false }: { readonly children: ReactNode; readonly muted?: boolean }) {
  return <p className={cx(styles['text'], muted && styles['muted'])}>{children}</p>
}

/** Why it could not be done, where it was requested. Nothing while there is nothing to report. */
export const Refusal = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={refusalStyles['refusal']} role="alert">
      {text}
    </p>
  )
