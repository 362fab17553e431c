import { excerpt } from '#shared/rules/messages/text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { richText } from '../../../lib/text/rich.tsx'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { EmojiText } from '../../emoji/index.ts'
import { settleConflict } from '../send/commands.ts'
import type { Place } from '../place.ts'
import { selectComposer } from '../selectors.ts'
import styles from '../Composer.module.css'

const EXCERPT_LENGTH = 120

/** The draft was also edited in another window or on another device: the user chooses which text to use. */
export function ConflictBar({ place, editing }: { readonly place: Place; readonly editing: boolean }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => state.entities.drafts[place.key])
  const current = useAppSelector((state) => selectComposer(state, place.key).text)
  if (draft?.conflict === undefined || editing) return null
  // The field may show either text: the newer one that arrived, or the one typed here.
  const other = draft.conflict.text.includes(current) ? draft.text : draft.conflict.text
  return (
    <div className={cx(styles['context'], styles['choice'])} role="group" aria-label={t('conflict.label')}>
      <Icon name="laptop" size={16} />
      <span className={styles['contextText']}>
        {richText((values) => t('conflict.text', values), {
          text: <EmojiText text={excerpt(other, EXCERPT_LENGTH) || t('conflict.nothing')} />,
        })}
      </span>
      <Button size="small" onClick={() => void dispatch(settleConflict(place, other))}>
        {t('conflict.use')}
      </Button>
      <Button size="small" variant="quiet" onClick={() => void dispatch(settleConflict(place, current))}>
        {t('conflict.keep')}
      </Button>
    </div>
  )
}
