import type { RefObject } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { searchChanged, type SearchTab } from '../../store/window/ui.ts'
import { useSearchState } from './results/use-results.ts'
import styles from './Tabs.module.css'

const TABS: readonly SearchTab[] = ['messages', 'files', 'channels', 'people']

type Props = {
  /** Number of results per tab; `20+` if there are more. */
  readonly counts: Readonly<Partial<Record<SearchTab, string>>>
  readonly panelId: string
}

/** Kinds of results. Arrow keys move and select. */
export function Tabs({ counts, panelId }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { tab } = useSearchState()
  const { containerProps, itemProps } = useRoving({ ids: TABS, orientation: 'horizontal', wrap: true, initialId: tab })
  const { ref, onFocus } = containerProps
  const choose = (next: SearchTab): void => void dispatch(searchChanged({ tab: next }))
  return (
    <div className={styles['tabs']}>
      <div
        role="tablist"
        tabIndex={-1}
        aria-label={t('tabsLabel')}
        className={styles['tablist']}
        ref={ref as RefObject<HTMLDivElement | null>}
        onFocus={onFocus}
        onKeyDown={(event) => {
          const target = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
          if (target === 0) return
          event.preventDefault()
          const next = TABS[(TABS.indexOf(tab) + target + TABS.length) % TABS.length] ?? tab
          choose(next)
          event.currentTarget.querySelector<HTMLElement>(`[data-roving-id="${next}"]`)?.focus()
        }}
      >
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            {...itemProps(one)}
            tabIndex={one === tab ? 0 : -1}
            aria-selected={one === tab}
            aria-controls={one === tab ? panelId : undefined}
            className={styles['tab']}
            onClick={() => choose(one)}
          >
            {t(`tabs.${one}`)}
            {counts[one] === undefined ? null : <span className={styles['count']}>{counts[one]}</span>}
          </button>
        ))}
      </div>
      <span className={styles['grow']} />
      <span className={styles['order']}>{t('order')}</span>
    </div>
  )
}
