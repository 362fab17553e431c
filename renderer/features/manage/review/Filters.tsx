import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { optionPress } from '../../../lib/page/focus.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppStore } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MenuPill, PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import type { IconName } from '../../../ui/Icon/Icon.tsx'
import { Portrait, selectName } from '../../people/index.ts'
import { filterRanked } from '../../../lib/text/lists.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { REASON_KINDS, type ReviewFilters, useWords } from './words.ts'
import styles from './Review.module.css'

type Props = {
  readonly filters: ReviewFilters
  readonly onChange: (filters: ReviewFilters) => void
  /** Reports are not filtered by author. */
  readonly noAuthor?: boolean
}

const DAY_MS = 86_400_000
const AGES = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const
type Age = keyof typeof AGES

/** Narrows the queue by channel, reason, reporter, author and age. */
export function Filters({ filters, onChange, noAuthor = false }: Props) {
  const t = useTexts('review')
  const words = useWords()
  const people = usePeople()
  const channels = useChannels()
  const set = (change: Partial<ReviewFilters>): void => {
    const next = Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined)
    onChange(Object.fromEntries(next))
  }
  const { cid, reason, reporterId, authorId, since } = filters
  const person = (userId: string) => ({
    id: userId,
    label: words.name(userId),
    sign: <Portrait userId={userId} size={18} />,
  })
  const now = useMinute()
  const age = (Object.keys(AGES) as Age[]).find((each) => since !== undefined && now - since < AGES[each] + DAY_MS / 2)
  return (
    <>
      <PickPill
        icon="hash"
        text={t('filters.channel')}
        chosen={cid === undefined ? undefined : { id: cid, label: words.place({ cid, subject: 'message' }) }}
        choices={channels}
        onChoose={(id) => set({ cid: id === undefined ? undefined : asCid(id) })}
      />
      <PickPill
        icon="flag"
        text={t('filters.reason')}
        chosen={reason === undefined ? undefined : { id: reason, label: words.kind(reason) }}
        choices={() => REASON_KINDS.map((id) => ({ id, label: t(`reasons.${id}`) }))}
        onChoose={(id) => set({ reason: id })}
      />
      <PickPill
        icon="user"
        text={t('filters.reporter')}
        chosen={reporterId === undefined ? undefined : person(reporterId)}
        choices={people}
        onChoose={(id) => set({ reporterId: id === undefined ? undefined : asUserId(id) })}
      />
      {noAuthor ? null : (
        <PickPill
          icon="user"
          text={t('filters.author')}
          chosen={authorId === undefined ? undefined : person(authorId)}
          choices={people}
          onChoose={(id) => set({ authorId: id === undefined ? undefined : asUserId(id) })}
        />
      )}
      {since === undefined ? (
        <MenuPill
          icon="clock"
          text={t('filters.age')}
          items={() =>
            (Object.keys(AGES) as Age[]).map((id) => ({
              id,
              label: t(`filters.ages.${id}`),
              onSelect: () => set({ since: Date.now() - AGES[id] }),
            }))
          }
        />
      ) : (
        <PillOn
          text={t(`filters.ages.${age ?? 'month'}`)}
          label={t('filters.remove', { filter: t(`filters.ages.${age ?? 'month'}`) })}
          onRemove={() => set({ since: undefined })}
        />
      )}
      {Object.keys(filters).length === 0 ? null : (
        <Button size="small" variant="quiet" onClick={() => onChange({})}>
          {t('filters.clear')}
        </Button>
      )}
      <span className={styles['order']}>{t('filters.newest')}</span>
    </>
  )
}

/** People whom this device knows. */
function usePeople() {
  const store = useAppStore()
  const formats = useFormats()
  return () => {
    const state = store.getState()
    return Object.keys(state.entities.users)
      .map((id) => ({ id, label: selectName(state, id), sign: <Portrait userId={id} size={20} /> }))
      .toSorted((a, b) => formats.compare(a.label, b.label))
  }
}

function useChannels() {
  const store = useAppStore()
  const formats = useFormats()
  return () => {
    const state = store.getState()
    return Object.values(state.entities.channels)
      .map(({ cid, directUserIds }) => ({
        id: cid,
        label: directUserIds.length > 0 ? channelTitle(state, cid) : `#${channelTitle(state, cid)}`,
      }))
      .toSorted((a, b) => formats.compare(a.label, b.label))
  }
}

type Choice = { readonly id: string; readonly label: string; readonly sign?: ReactNode }

type PickPillProps = {
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
function PickPill({ icon, text, chosen, choices, onChoose }: PickPillProps) {
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
            {...optionPress(() => onChoose(id))}
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
