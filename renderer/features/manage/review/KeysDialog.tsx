import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import styles from './Review.module.css'

/** All keys of the review queue. */
export function KeysDialog() {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const keys = [
    [['J'], t('keys.next')],
    [['K'], t('keys.previous')],
    [['A'], t('keys.approve')],
    [['D'], t('keys.delete')],
    [['B'], t('keys.ban')],
    [['M'], t('keys.mute')],
    [['X'], t('keys.select')],
    [['Shift', 'J', 'K'], t('keys.extend')],
    [['Ctrl', 'A'], t('keys.all_loaded')],
    [['Esc'], t('keys.clear')],
    [['Enter'], t('keys.open')],
    [['U'], t('keys.undo')],
    [['?'], t('keys.all')],
  ] as const
  return (
    <Dialog title={t('keys.title')} width={400} onClose={() => dispatch(dialogClosed())}>
      <DialogText muted>{t('keys.hint')}</DialogText>
      <dl className={styles['keyList']}>
        {keys.map(([names, text]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              <Keys keys={names} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
