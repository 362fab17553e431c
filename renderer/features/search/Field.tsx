import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react'
import type { HasWhat } from '#shared/rules/search/search-query.ts'
import { optionPress } from '../../lib/page/option-press.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { searchChanged, searchWidened } from '../../store/window/ui.ts'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { announce } from '../../lib/page/announce.ts'
import { Portrait } from '../people/index.ts'
import { placeName, dayOf, extractChips, typingAt, useChipLabel, filterOf } from './question.ts'
import type { ResultList } from './results/results.ts'
import { useSearchState } from './results/use-results.ts'
import { useSuggestions, type Suggestion, HAS_ICONS } from './use-suggestions.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { selectHasRail } from '../../store/accounts.ts'
import { Button } from '../../ui/Button/Button.tsx'
import type { MenuItem } from '../../ui/Menu/Menu.tsx'
import { MenuPill, Pill, PillOn } from '../../ui/Mark/Pill.tsx'
import { SavedPill } from './saved/Saved.tsx'
import styles from './Field.module.css'

type Props = {
  readonly results: ResultList
  readonly input: RefObject<HTMLInputElement | null>
  /** Arrow Down moves the focus into the results. */
  readonly onDown: () => void
}

/** The query text, with the filter being typed; finished filters become chips below. */
export function Field({ results, input, onDown }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const listId = useId()
  const { text, chips, cid, nonce } = useSearchState()
  const { change, reopenLast } = useFilterText()
  const name = useAppSelector((state) => (cid === undefined ? '' : placeName(state, cid)))
  const suggesting = useSuggesting(input)
  const { suggestions, isOpen, current, take, setCaret, setActive, setClosed } = suggesting
  useEffect(() => {
    // Returning to the results does not focus the field.
    if (!results.isNewRequest(nonce)) return
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [input, results, nonce])

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const atStart = selectionStart === 0 && selectionEnd === 0
    if (suggesting.onKey(event.key)) event.preventDefault()
    else if (event.key === 'ArrowDown') onDown()
    else if (event.key === 'Enter') change(text, true)
    else if (event.key === 'Backspace' && atStart && chips.length > 0) setCaret(reopenLast())
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['fieldBox']}>
      <div className={styles['field']}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          type="text"
          aria-label={t('field')}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={800}
          placeholder={cid === undefined ? t('placeholder') : t('placeholderHere', { name })}
          value={text}
          onKeyDown={onKeyDown}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onBlur={() => setClosed(true)}
          onChange={(event) => {
            setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length)
            setClosed(false)
            setActive(0)
            change(event.currentTarget.value)
          }}
        />
        {text === '' ? null : (
          <IconButton
            icon="x"
            size="tiny"
            label={t('clear')}
            onClick={() => {
              dispatch(searchChanged({ text: '' }))
              input.current?.focus()
            }}
          />
        )}
      </div>
      {isOpen ? (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          active={current}
          onTake={take}
          onHover={(one) => setActive(suggestions.indexOf(one))}
        />
      ) : null}
    </div>
  )
}

/** Finished filters in the text become chips, and a chip becomes text again. */
function useFilterText() {
  const dispatch = useAppDispatch()
  const { text, chips } = useSearchState()
  const change = (value: string, all = false): void => {
    const { text: rest, chips: extracted } = extractChips(value, dayOf(Date.now()), all)
    dispatch(searchChanged({ text: rest, ...(extracted.length === 0 ? {} : { chips: [...chips, ...extracted] }) }))
  }
  /** Puts the last filter back into the field to be changed. Returns its end in the text. */
  const reopenLast = (): number => {
    const last = chips.at(-1) ?? ''
    dispatch(searchChanged({ text: `${last}${text === '' ? '' : ` ${text}`}`, chips: chips.slice(0, -1) }))
    return last.length
  }
  return { change, reopenLast }
}

/** The suggestions for the filter being typed: which is selected, and accepting it into the filters. */
function useSuggesting(input: RefObject<HTMLInputElement | null>) {
  const dispatch = useAppDispatch()
  const { text, chips } = useSearchState()
  const [caret, setCaret] = useState(text.length)
  const [closed, setClosed] = useState(false)
  const [active, setActive] = useState(0)
  const typing = typingAt(text, caret)
  const suggestions = useSuggestions(typing)
  const isOpen = !closed && suggestions.length > 0
  const current = isOpen ? suggestions[Math.min(active, suggestions.length - 1)] : undefined
  const take = ({ source }: Suggestion): void => {
    if (typing === undefined) return
    const before = text.slice(0, typing.start)
    dispatch(searchChanged({ text: before + text.slice(caret).trimStart(), chips: [...chips, source] }))
    setCaret(before.length)
    input.current?.focus()
  }
  /** Returns whether the key was for the list. */
  const onKey = (key: string): boolean => {
    if (current === undefined) return false
    const count = suggestions.length
    if (key === 'ArrowDown') setActive((active + 1) % count)
    else if (key === 'ArrowUp') setActive((active - 1 + count) % count)
    else if (key === 'Enter' || key === 'Tab') take(current)
    else if (key === 'Escape') setClosed(true)
    else return false
    return true
  }
  return { suggestions, isOpen, current, take, onKey, setCaret, setActive, setClosed }
}

type SuggestionListProps = {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly active: Suggestion | undefined
  readonly onTake: (suggestion: Suggestion) => void
  readonly onHover: (suggestion: Suggestion) => void
}

const SETTLED_MS = 500

/** Values for the filter being typed, below the field. */
function SuggestionList({ id, suggestions, active, onTake, onHover }: SuggestionListProps) {
  const t = useTexts('search')
  const count = suggestions.length
  useEffect(() => {
    const timer = setTimeout(() => announce(t('switcher.found', { count })), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [count, t])
  return (
    <div id={id} role="listbox" aria-label={t('suggestions')} className={styles['suggestions']}>
      {suggestions.map((one) => (
        <div
          key={one.id}
          id={`${id}-${one.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={one === active}
          className={styles['suggestion']}
          onPointerMove={() => onHover(one)}
          {...optionPress(() => onTake(one))}
        >
          {one.userId === undefined ? (
            <Icon name={one.icon ?? 'search'} size={17} />
          ) : (
            <Portrait userId={one.userId} size={20} />
          )}
          <span className="ellipsis">{one.label}</span>
          <bdi className={styles['source']}>{one.source}</bdi>
        </div>
      ))}
    </div>
  )
}

/** Active filters as removable chips, and buttons to add others. */
export function Filters({ onWanted }: { readonly onWanted: (head: 'from:' | 'in:') => void }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { chips, cid } = useSearchState()
  const today = dayOf(useMinute())
  const kinds = new Set(chips.map((source) => filterOf(source, today)?.kind))
  const isPinned = chips.includes('is:pinned')
  const set = (next: readonly string[]): void => void dispatch(searchChanged({ chips: next }))
  const add = (source: string): void => set([...chips.filter((one) => one !== source), source])
  return (
    <div className={styles['filters']} role="toolbar" aria-label={t('filters')}>
      {cid === undefined ? <ScopePill /> : <HereChip cid={cid} />}
      {chips.map((source, at) => (
        <Chip key={`${source} ${at}`} source={source} onRemove={() => set(chips.filter((_, index) => index !== at))} />
      ))}
      {cid !== undefined || kinds.has('in') ? null : (
        <Pill icon="hash" text={t('pill.in')} onPress={() => onWanted('in:')} />
      )}
      {kinds.has('from') ? null : <Pill icon="user" text={t('pill.from')} onPress={() => onWanted('from:')} />}
      {kinds.has('time') ? null : <DatePill onAdd={(sources) => set([...chips, ...sources])} />}
      <HasPill onAdd={add} />
      {isPinned ? null : <Pill icon="pin" text={t('pill.pinned')} onPress={() => add('is:pinned')} />}
      <span className={styles['grow']} />
      <SavedPill />
      {chips.length === 0 && cid === undefined ? null : (
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            set([])
            dispatch(searchWidened())
          }}
        >
          {t('clearAll')}
        </Button>
      )}
    </div>
  )
}

/** Which accounts are searched, if there are several. */
function ScopePill() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const hasSeveral = useAppSelector(selectHasRail)
  const { everywhere = false } = useSearchState()
  const items = (): readonly MenuItem[] =>
    [false, true].map((all) => ({
      id: all ? 'all' : 'one',
      label: t(all ? 'scope.all' : 'scope.one'),
      radio: true,
      checked: all === everywhere,
      onSelect: () => void dispatch(searchChanged({ everywhere: all })),
    }))
  return hasSeveral ? <MenuPill icon="grid" text={t(everywhere ? 'scope.all' : 'scope.one')} items={items} /> : null
}

function HereChip({ cid }: { readonly cid: string }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => placeName(state, cid)).replace(/^#/, '')
  return <On text={t('chip.here', { name })} icon="hash" onRemove={() => dispatch(searchWidened())} />
}

function Chip({ source, onRemove }: { readonly source: string; readonly onRemove: () => void }) {
  const label = useChipLabel()
  const filter = filterOf(source, dayOf(useMinute()))
  return <On {...(filter === undefined ? { text: source } : label(filter))} onRemove={onRemove} />
}

type OnProps = {
  readonly text: string
  readonly icon?: IconName
  readonly userId?: string
  readonly onRemove: () => void
}

function On({ text, icon, userId, onRemove }: OnProps) {
  const t = useTexts('search')
  const sign =
    userId !== undefined ? (
      <Portrait userId={userId} size={18} />
    ) : icon === undefined ? null : (
      <Icon name={icon} size={15} />
    )
  return <PillOn sign={sign} text={text} label={t('chip.remove', { chip: text })} onRemove={onRemove} />
}

function HasPill({ onAdd }: { readonly onAdd: (source: string) => void }) {
  const t = useTexts('search')
  const items = (): readonly MenuItem[] =>
    (Object.keys(HAS_ICONS) as HasWhat[]).map((what) => ({
      id: what,
      label: t(`has.${what}`),
      icon: HAS_ICONS[what],
      onSelect: () => onAdd(`has:${what}`),
    }))
  return <MenuPill icon="paperclip" text={t('pill.has')} items={items} />
}

/** Common periods relative to today; other dates are typed as `on:`, `before:` or `after:`. */
function DatePill({ onAdd }: { readonly onAdd: (sources: readonly string[]) => void }) {
  const t = useTexts('search')
  const items = (): readonly MenuItem[] => [
    { id: 'today', label: t('date.today'), onSelect: () => onAdd(['on:today']) },
    { id: 'yesterday', label: t('date.yesterday'), onSelect: () => onAdd(['on:yesterday']) },
    { id: 'week', label: t('date.week'), onSelect: () => onAdd(['after:7d']) },
    { id: 'month', label: t('date.month'), onSelect: () => onAdd(['after:30d']) },
  ]
  return <MenuPill icon="calendar" text={t('pill.date')} items={items} />
}
