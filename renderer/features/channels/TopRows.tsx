import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import { panelOpened, routeOpened } from '../../store/ui.ts'
import { Icon } from '../../ui/Icon.tsx'
import { cx } from '../../lib/cx.ts'
import styles from './ChannelRow.module.css'

const selectDraftCount = (state: AppState): number => Object.keys(state.entities.drafts).length
const selectOutboxCount = (state: AppState): number =>
  state.windows.byKey['outbox']?.ids.length ?? Object.keys(state.entities.outbox).length

/** Places above the sections. Each is there only while it has something to show. */
export function useTopRowIds(): readonly string[] {
  const drafts = useAppSelector(selectDraftCount) > 0
  const outbox = useAppSelector(selectOutboxCount) > 0
  return [...(drafts ? ['drafts'] : []), ...(outbox ? ['outbox'] : [])]
}

type Props = { readonly tabIndexOf: (id: string) => 0 | -1 }

export function TopRows({ tabIndexOf }: Props) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const drafts = useAppSelector(selectDraftCount)
  const outbox = useAppSelector(selectOutboxCount)
  const onDrafts = useAppSelector((state) => state.ui.route.view === 'drafts')
  if (drafts === 0 && outbox === 0) return null
  return (
    <ul>
      {drafts > 0 ? (
        <li>
          <button
            type="button"
            role="link"
            className={styles['row']}
            tabIndex={tabIndexOf('drafts')}
            data-roving-id="drafts"
            aria-current={onDrafts ? 'page' : undefined}
            aria-label={t('drafts.label', { count: drafts })}
            onClick={() => dispatch(routeOpened({ view: 'drafts' }))}
          >
            <Icon name="draft" />
            <span className={styles['name']}>{t('drafts.title')}</span>
            <span className={cx(styles['end'], styles['words'])}>{drafts}</span>
          </button>
        </li>
      ) : null}
      {outbox > 0 ? (
        <li>
          <button
            type="button"
            className={styles['row']}
            tabIndex={tabIndexOf('outbox')}
            data-roving-id="outbox"
            aria-label={t('outbox.label', { count: outbox })}
            onClick={() => dispatch(panelOpened({ kind: 'outbox' }))}
          >
            <Icon name="outbox" />
            <span className={styles['name']}>{t('outbox.title')}</span>
            <span className={cx(styles['end'], styles['alert'])}>{outbox}</span>
          </button>
        </li>
      ) : null}
    </ul>
  )
}
