import { useEffect, useId, useLayoutEffect, useState, type KeyboardEvent, type RefObject, useMemo } from 'react'
import { type HasWhat, HAS, IS, type IsWhat } from '#shared/rules/search/search-query.ts'
import { nameRank, nameWords } from '#shared/rules/search/search-names.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { optionPress } from '../../lib/page/focus.ts'
import { useTexts, formatsFor, useFormats } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useMe } from '../../store/hooks.ts'
import { searchChanged, searchWidened } from '../../store/window/ui.ts'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { announce } from '../../lib/page/announce.ts'
import { Portrait } from '../people/index.ts'
import {
  placeName,
  dayOf,
  extractChips,
  typingAt,
  useChipLabel,
  filterOf,
  isoDay,
  quoted,
  type Typing,
} from './question.ts'
import type { ResultList } from './results/results.ts'
import { useSearchState } from './results/use-results.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { selectHasRail } from '../../store/accounts.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import type { MenuItem } from '../../ui/Menu/Menu.tsx'
import { takeEarlyText } from '../../ui/Modal/Modal.tsx'
import { MenuPill, Pill, PillOn } from '../../ui/Mark/Pill.tsx'
import { SavedPill } from './saved/Saved.tsx'
import styles from './Field.module.css'
import { channelTitle, selectConversationOrder } from '../sidebar/index.ts'

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
  // Before the browser handles another key: what was typed until now is taken over, and the next one belongs here too.
  useLayoutEffect(() => {
    // Returning to the results does not focus the field.
    if (!results.isNewRequest(nonce)) return
    input.current?.focus({ preventScroll: true })
    if (!takeEarlyText(input.current, true)) input.current?.select()
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

/** A value for the filter being typed. */
type Suggestion = {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly userId?: string
  /** The complete filter: `from:"Ola Wiśniewska"`. */
  readonly source: string
}

const MOST = 8

const HAS_ICONS: Readonly<Record<HasWhat, IconName>> = {
  link: 'link',
  image: 'image',
  video: 'video',
  audio: 'mic',
  file: 'file',
  poll: 'poll',
  location: 'map-pin',
  reaction: 'smile',
}
const IS_ICONS: Readonly<Record<IsWhat, IconName>> = {
  pinned: 'pin',
  thread: 'thread',
  edited: 'pencil',
  mine: 'user',
  reply: 'reply',
  unread: 'inbox',
}

type Candidate = Omit<Suggestion, 'source'> & { readonly value: string; readonly also?: readonly string[] }

/** Values that match the text after the colon; empty while no filter is being typed. */
function useSuggestions(typing: Typing | undefined): readonly Suggestion[] {
  const people = usePeople(typing?.key === 'from' || typing?.key === 'mentions')
  const places = usePlaces()
  const fixed = useFixed()
  return useMemo(() => {
    if (typing === undefined) return []
    const { key, value, head } = typing
    const from =
      key === 'from' || key === 'mentions'
        ? people
        : key === 'in'
          ? places
          : key === 'has' || key === 'is'
            ? fixed[key]
            : fixed.date
    return best(from, value).map(({ value: taken, also: _also, ...one }) => ({
      ...one,
      source: `${head}${quoted(taken)}`,
    }))
  }, [typing, people, places, fixed])
}

function best(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const text = nameWords(typed.replace(/^[@#]/, ''))
  if (text.length === 0) return candidates.slice(0, MOST)
  return candidates
    .flatMap((one, at) => {
      const ranks = [one.label, one.value, ...(one.also ?? [])].map((name) => nameRank(nameWords(name), text) ?? 99)
      const rank = Math.min(...ranks)
      return rank === 99 ? [] : [{ one, rank, at }]
    })
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, MOST)
    .map(({ one }) => one)
}

const NO_ONE: readonly Candidate[] = []

/** The viewer first, then other people by name, apps last. Sorted only while they are needed. */
function usePeople(wanted: boolean): readonly Candidate[] {
  const t = useTexts('search')
  const { compare } = useFormats()
  const users = useAppSelector((state) => state.entities.users)
  const me = useMe()
  return useMemo(() => {
    if (!wanted) return NO_ONE
    const others = Object.values(users).filter(({ id }) => id !== me?.id)
    const names = others.map(({ name }) => fold(name))
    const isShared = (name: string): boolean => names.filter((other) => other === fold(name)).length > 1
    const own =
      me === undefined
        ? []
        : [{ id: me.id, label: t('meNamed', { name: cleanName(me.name) }), userId: me.id, value: 'me' }]
    return [
      ...own,
      ...others
        .toSorted((a, b) => Number(a.bot) - Number(b.bot) || compare(a.name, b.name))
        .map(({ id, name }) => ({
          id,
          label: cleanName(name),
          userId: id,
          value: name.includes('"') || isShared(name) ? id : name,
        })),
    ]
  }, [wanted, users, me, t, compare])
}

/** Conversations in sidebar order; unnamed ones by their id. */
function usePlaces(): readonly Candidate[] {
  const order = useAppSelector(selectConversationOrder)
  const channels = useAppSelector((state) => state.entities.channels)
  const titles = useAppSelector((state) => order.map((cid) => channelTitle(state, cid)).join('\n'))
  return useMemo(() => {
    const names = titles.split('\n')
    return order.map((cid, at): Candidate => {
      const channel = channels[cid]
      const name = channel?.name ?? ''
      return {
        id: cid,
        label: names[at] ?? cid,
        icon: channel?.isPrivate === true ? 'lock' : 'hash',
        value: name === '' || name.includes('"') ? cid : name,
        ...(channel?.directUserId === undefined ? {} : { userId: channel.directUserId }),
      }
    })
  }, [order, channels, titles])
}

/** Fixed values: kinds, states and a few days. */
function useFixed(): {
  readonly has: readonly Candidate[]
  readonly is: readonly Candidate[]
  readonly date: readonly Candidate[]
} {
  const t = useTexts('search')
  const formats = useFormats()
  const now = useMinute()
  return useMemo(() => fixedValues(t, formats, now), [t, formats, now])
}

type Texts = ReturnType<typeof useTexts<'search'>>

function fixedValues(t: Texts, formats: ReturnType<typeof formatsFor>, now: number) {
  const has = (Object.keys(HAS_ICONS) as HasWhat[]).map((what): Candidate => ({
    id: what,
    label: t(`has.${what}`),
    icon: HAS_ICONS[what],
    value: what,
    also: aliases(HAS, what),
  }))
  const is = (Object.keys(IS_ICONS) as IsWhat[]).map((what): Candidate => ({
    id: what,
    label: t(`is.${what}`),
    icon: IS_ICONS[what],
    value: what,
    also: aliases(IS, what),
  }))
  const day = (id: string, label: string, value: string): Candidate => ({ id, label, icon: 'calendar', value })
  const ago = (days: number): number => new Date(now).setDate(new Date(now).getDate() - days)
  const date = [
    day('today', t('date.today'), 'today'),
    day('yesterday', t('date.yesterday'), 'yesterday'),
    ...[7, 30].map((days) => day(String(days), formats.shortDate(ago(days)), isoDay(dayOf(ago(days))))),
    day('month', isoDay(dayOf(now)).slice(0, 7), isoDay(dayOf(now)).slice(0, 7)),
    day('year', String(dayOf(now).year), String(dayOf(now).year)),
  ]
  return { has, is, date }
}

const aliases = (table: ReadonlyMap<string, string>, what: string): readonly string[] =>
  [...table].flatMap(([name, means]) => (means === what ? [name] : []))
