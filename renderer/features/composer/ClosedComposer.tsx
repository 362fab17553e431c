import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Closed, Place } from './place.ts'
import { useTitle } from './use-title.ts'
import styles from './Composer.module.css'

type Props = { readonly place: Place; readonly closed: Closed }

/** One sentence in place of the field, where nothing can be written. What was typed before is kept. */
export function ClosedComposer({ place, closed }: Props) {
  const t = useTexts('composer')
  const name = useTitle(place.cid)
  return (
    <section className={cx(styles['wrap'], styles['closedWrap'])} aria-label={t('region')}>
      <p className={styles['closed']} data-composer-closed={place.key}>
        <Icon name={closed.icon} size={18} />
        <span>{t(closed.text, { name })}</span>
      </p>
    </section>
  )
}
