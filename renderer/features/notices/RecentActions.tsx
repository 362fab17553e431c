import { useRef } from 'react'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { type RecentAction, undoRecent } from '../../store/window/recent.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { EmojiText } from '../emoji/index.ts'
import styles from './Notices.module.css'

/** The last actions of the user that can be undone, newest first, with one press each. */
export function RecentActions() {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const recent = useAppSelector((state) => state.recent)
  return (
    <Dialog title={t('recent.title')} onClose={() => dispatch(dialogClosed())}>
      <DialogText muted>{t(recent.length === 0 ? 'recent.empty' : 'recent.hint')}</DialogText>
      {recent.length === 0 ? null : (
        <ul className={styles['log']}>
          {recent.toReversed().map((action) => (
            <Entry key={action.id} action={action} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Entry({ action }: { readonly action: RecentAction }) {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const state = useRef<HTMLSpanElement>(null)
  const text = errorText(action)
  const undo = async (): Promise<void> => {
    // The button is gone once it is undone: the focus stays in its row.
    if (await dispatch(undoRecent(action.id, { quiet: true }))) state.current?.focus()
  }
  const isUndone = action.state === 'undone'
  return (
    <li className={styles['action']} data-state={action.state}>
      <time dateTime={new Date(action.at).toISOString()}>{formats.time(action.at)}</time>
      <div>
        <EmojiText text={text} />
        {action.error === undefined ? null : (
          <p className={styles['refusal']} role="alert">
            {errorText(action.error)}
          </p>
        )}
      </div>
      <span ref={state} role="status" tabIndex={-1} className={styles['undone']}>
        {isUndone ? t('recent.undone') : null}
      </span>
      {isUndone ? null : (
        <Button
          size="small"
          aria-label={t('recent.undoOf', { action: text })}
          working={action.state === 'undoing'}
          onClick={() => void undo()}
        >
          {t('undo')}
        </Button>
      )}
    </li>
  )
}
