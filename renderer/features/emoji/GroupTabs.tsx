import type { KeyboardEvent } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { GROUPS, type GroupName } from './emoji-list.ts'
import styles from './EmojiPicker.module.css'

export type Section = GroupName | 'recent' | 'custom'

/** The icon of each group. */
const TAB_ICONS: Readonly<Record<Section, string>> = {
  recent: '🕘',
  custom: '⭐',
  smileys: '😀',
  people: '👋',
  animals: '🐻',
  food: '🍏',
  travel: '🏔️',
  activities: '⚽',
  objects: '💡',
  symbols: '❤️',
  flags: '🏁',
}

type Props = {
  readonly section: Section
  /** The workspace has custom emoji, or the viewer can add some. */
  readonly hasCustom: boolean
  readonly gridId: string
  readonly onSelect: (section: Section) => void
}

export function GroupTabs({ section, hasCustom, gridId, onSelect }: Props) {
  const t = useTexts('emoji')
  const sections: readonly Section[] = ['recent', ...(hasCustom ? (['custom'] as const) : []), ...GROUPS]
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = sections[(sections.indexOf(section) + step + sections.length) % sections.length]
    if (next === undefined) return
    onSelect(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-section="${next}"]`)?.focus()
  }
  return (
    <div role="tablist" tabIndex={-1} aria-label={t('groups')} className={styles['tabs']} onKeyDown={onKeyDown}>
      {sections.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-section={name}
          aria-selected={name === section}
          aria-controls={gridId}
          aria-label={t(name)}
          title={t(name)}
          tabIndex={name === section ? 0 : -1}
          className={styles['tab']}
          onClick={() => onSelect(name)}
        >
          <span aria-hidden="true">{TAB_ICONS[name]}</span>
        </button>
      ))}
    </div>
  )
}
