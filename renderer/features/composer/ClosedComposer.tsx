import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useAppSelector, useSession } from '../../store/hooks.ts'
import { addingAsked } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import type { Closed, Place } from './place.ts'
import { selectUnsentText } from './selectors.ts'
import { useTitle } from './use-title.ts'
import styles from './Composer.module.css'

type Props = { readonly place: Place; readonly closed: Closed }

/** One sentence in place of the field, where nothing can be written. What was typed before is kept, and can be read and copied. */
export function ClosedComposer({ place, closed }: Props) {
  const t = useTexts('composer')
  const name = useTitle(place.cid)
  const text = useAppSelector((state) => selectUnsentText(state, place.key))
  return (
    <section className={cx(styles['wrap'], styles['closedWrap'])} aria-label={t('region')}>
      <p className={styles['closed']} data-composer-closed={place.key}>
        <Icon name={closed.icon} size={18} />
        <span>{t(closed.text, { name })}</span>
        {closed.text === 'guest' ? <SignIn /> : null}
      </p>
      {text === '' ? null : (
        <textarea className={styles['kept']} aria-label={t('keptWords')} title={t('keptWords')} readOnly value={text} />
      )}
    </section>
  )
}

/** With a token for the same server; what was read as a guest stays beside it. */
function SignIn() {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const url = useSession().workspace?.url
  return (
    <Button
      size="small"
      variant="primary"
      onClick={() => dispatch(addingAsked(url === undefined ? undefined : { url }))}
    >
      {t('signIn')}
    </Button>
  )
}
