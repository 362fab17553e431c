import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { filterRanked } from '../../sidebar/index.ts'
import styles from './Review.module.css'

type Choice = { readonly id: string; readonly label: string; readonly sign?: ReactNode }

type Props = {
  readonly icon: IconName
  readonly text: string
  /** What is chosen; a press removes it. */
  readonly chosen: Choice | undefined
  /** Called when the list opens. */
  readonly choices: () => readonly Choice[]
  readonly onChoose: (id: string | undefined) => void
}

/** More are found by typing. */
const MOST_SHOWN = 50

/** A filter with a list that is searched by typing. */
export function PickPill({ icon, text, chosen, choices, onChoose }: Props) {
  const t = useTexts('review')
  if (chosen !== undefined) {
    return (
      <PillOn
        sign={chosen.sign}
        text={chosen.label}
        label={t('filters.remove', { filter: `${text}: ${chosen.label}` })}
        onRemove={() => onChoose(undefined)}
      />
    )
  }
  return (
    <PopoverPill icon={icon} text={text}>
      {(close) => (
        <Choices
          text={text}
          choices={choices()}
          onChoose={(id) => {
            close()
            onChoose(id)
          }}
        />
      )}
    </PopoverPill>
  )
}

/** Arrow keys move through the choices while the focus stays in the field; Enter selects. */
function Choices({
  text,
  choices,
  onChoose,
}: {
  readonly text: string
  readonly choices: readonly Choice[]
  readonly onChoose: (id: string) => void
}) {
  const t = useTexts('review')
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const found = filterRanked(choices, query.trim(), ({ label }) => label).slice(0, MOST_SHOWN)
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = found[active]
    if (event.key === 'ArrowDown') setActive((at) => Math.min(at + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive((at) => Math.max(at - 1, 0))
    else if (event.key === 'Enter' && current !== undefined) onChoose(current.id)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['choices']}>
      <TextField
        ref={field}
        label={t('filters.find')}
        labelHidden
        placeholder={t('filters.find')}
        icon="search"
        value={query}
        autoComplete="off"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found[active] === undefined ? undefined : `${listId}-${active}`}
        onKeyDown={onKeyDown}
        onChange={(value) => {
          setQuery(value)
          setActive(0)
        }}
      />
      <div id={listId} role="listbox" aria-label={text} className={styles['choiceList']}>
        {found.map(({ id, label, sign }, at) => (
          <div
            key={id}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={styles['choice']}
            onPointerDown={(event) => {
              event.preventDefault()
              onChoose(id)
            }}
          >
            {sign}
            <bdi className="ellipsis">{label}</bdi>
          </div>
        ))}
      </div>
      {found.length > 0 ? null : (
        <p role="status" className={styles['choiceNone']}>
          {t('filters.none')}
        </p>
      )}
    </div>
  )
}
