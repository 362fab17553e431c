import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { TABS, type Tab } from './groups.ts'
import styles from './Reminders.module.css'

type Props = {
  readonly tab: Tab
  readonly counts: { readonly open: number; readonly saved: number }
  readonly onChange: (tab: Tab) => void
}

/** Arrows move and select. Done reminders have no count, because they need no action. */
export function ReminderTabs({ tab, counts, onChange }: Props) {
  const t = useTexts('reminders')
  const roving = useRoving({ ids: TABS, orientation: 'horizontal', wrap: true, initialId: tab })
  const { ref } = roving.containerProps
  const countOf = (name: Tab): number => (name === 'done' ? 0 : counts[name])
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="tablist"
      tabIndex={-1}
      aria-label={t('tabs.label')}
      className={styles['tabs']}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        const next = step === undefined ? undefined : TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]
        if (next === undefined) return
        event.preventDefault()
        onChange(next)
        roving.focus(next)
      }}
    >
      {TABS.map((name) => (
        <button
          key={name}
          id={`reminders-tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === tab}
          aria-controls="reminders-panel"
          tabIndex={name === tab ? 0 : -1}
          data-roving-id={name}
          onClick={() => onChange(name)}
        >
          {t(`tabs.${name}`)}
          {countOf(name) === 0 ? null : <span className={styles['count']}>{countOf(name)}</span>}
        </button>
      ))}
    </div>
  )
}
