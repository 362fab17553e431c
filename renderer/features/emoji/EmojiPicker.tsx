import {
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { useLanguage, useTexts } from '../../i18n/index.ts'
import { selectEmojiTerms } from '../../store/selectors.ts'
import { useAppDispatch, useAppSelector, useAppStore, useObject } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { takeEarlyText } from '../../ui/Modal/Modal.tsx'
import { usePressOutside, useReturnFocus } from '../../lib/page/focus.ts'
import { Anchored, type Placement } from '../../ui/Popover/Popover.tsx'
import {
  searchEmoji,
  withTone,
  type Emoji,
  type Tone,
  GROUPS,
  type GroupName,
  loadEmoji,
  selectCustomEntries,
  readTone,
  RECENT_EMOJI,
  recentIn,
  rememberTone,
} from './emoji-list.ts'
import { EmojiGrid } from './EmojiGrid.tsx'
import styles from './EmojiPicker.module.css'

type Props = {
  readonly onPick: (unicode: string) => void
  /** Called on Escape. Clicks outside are handled by the container. */
  readonly onClose?: () => void
}

/** Maximum number of search results. */
const HITS = 96

/** Search, groups, a grid and a skin tone. One tab stop each; arrows move inside. Used in {@link EmojiPopover}. */
export function EmojiPicker({ onPick, onClose }: Props) {
  const t = useTexts('emoji')
  const { list, failed } = useEmojiList(useLanguage())
  const custom = useAppSelector(selectCustomEntries)
  const mayAdd = useAppSelector(selectEmojiTerms)?.canCreate ?? false
  const hasCustom = custom.length > 0 || mayAdd
  const [query, setQuery] = useState('')
  const [section, setSection] = useState<Section>('recent')
  const [tone, setTone] = useState<Tone>(readTone)
  const root = useRef<HTMLDivElement>(null)
  const gridId = useId()
  const recent = useObject(RECENT_EMOJI)
  const shown = useShown(list, custom, query, section)
  const heading = query.trim() === '' ? t(section) : t('results')
  const more = useMore(list, shown, query.trim() === '' && section === 'recent')

  useEscape(root, onClose)

  const pick = (emoji: Emoji): void => {
    const unicode = withTone(emoji, tone)
    recent.add(unicode)
    onPick(unicode)
  }
  const isLoading = list === undefined && !failed
  const pickFirst = useOnceLoaded(isLoading, query, () => {
    if (shown[0] !== undefined) pick(shown[0])
  })
  const onSearchKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) pickFirst()
    else if (event.key === 'ArrowDown') root.current?.querySelector<HTMLElement>('[role="gridcell"] button')?.focus()
    else return
    event.preventDefault()
  }

  return (
    <section ref={root} className={styles['picker']} aria-label={t('title')}>
      <SearchField gridId={gridId} query={query} onChange={setQuery} onKeyDown={onSearchKey} />
      <GroupTabs
        section={section}
        hasCustom={hasCustom}
        onSelect={(next) => {
          setQuery('')
          setSection(next)
        }}
        gridId={gridId}
      />
      <div className={styles['heading']} aria-hidden="true">
        {heading}
      </div>
      <EmojiGrid
        id={gridId}
        label={heading}
        emoji={shown}
        more={more === undefined ? undefined : { label: t(MORE_GROUP), emoji: more }}
        tone={tone}
        onPick={pick}
        busy={isLoading}
      >
        {query.trim() === '' && section === 'custom'
          ? t('customNone')
          : failed
            ? t('failed')
            : list === undefined
              ? t('loading')
              : t('nothing', { query: query.trim() })}
      </EmojiGrid>
      {mayAdd && section === 'custom' && query.trim() === '' ? <AddOwn onOpen={onClose} /> : null}
      <ToneChoice
        tone={tone}
        onChange={(next) => {
          rememberTone(next)
          setTone(next)
        }}
      />
      <output className="sr-only">
        {query.trim() === '' || list === undefined ? '' : t('found', { count: shown.length })}
      </output>
    </section>
  )
}

/** Runs what Enter does, or once the emoji are loaded what it would have done then, unless the query is another by then. */
function useOnceLoaded(isLoading: boolean, query: string, run: () => void): () => void {
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (isLoading || wanted.current === undefined) return
    const isSame = wanted.current === query
    wanted.current = undefined
    if (isSame) run()
  })
  return () => {
    if (!isLoading) run()
    else if (query !== '') wanted.current = query
  }
}

type SearchFieldProps = {
  readonly gridId: string
  readonly query: string
  readonly onChange: (query: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function SearchField({ gridId, query, onChange, onKeyDown }: SearchFieldProps) {
  const t = useTexts('emoji')
  const input = useRef<HTMLInputElement>(null)
  // Before the browser handles another key, and again once the focus of what was here until now has been given back.
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    takeEarlyText(input.current)
  }, [])
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles['search']}>
      <Icon name="search" size={15} />
      <input
        ref={input}
        type="search"
        className={styles['input']}
        aria-label={t('search')}
        aria-controls={gridId}
        placeholder={t('search')}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

function useShown(
  list: readonly Emoji[] | undefined,
  custom: readonly Emoji[],
  query: string,
  section: Section,
): readonly Emoji[] {
  const store = useAppStore()
  const [recent] = useState(() => recentIn(store))
  return useMemo(() => {
    // Custom emoji need no loading.
    const all = [...custom, ...(list ?? [])]
    if (query.trim() !== '') return searchEmoji(all, query, HITS)
    if (section !== 'recent') return all.filter((emoji) => emoji.group === section)
    return list === undefined ? [] : recent.flatMap((unicode) => recentEmoji(all, unicode))
  }, [list, custom, query, section, recent])
}

/** Shown below the recent emoji, so that the first tab is not nearly empty. */
const MORE_GROUP = 'smileys'

/** `MORE_GROUP` without the emoji shown above it; rendered deferred, so that the picker opens at once. */
function useMore(
  list: readonly Emoji[] | undefined,
  above: readonly Emoji[],
  isWanted: boolean,
): readonly Emoji[] | undefined {
  const more = useMemo(() => {
    if (list === undefined || !isWanted) return undefined
    const held = new Set(above.map(({ unicode }) => unicode))
    return list.filter(({ group, unicode }) => group === MORE_GROUP && !held.has(unicode))
  }, [list, above, isWanted])
  const later = useDeferredValue(more, undefined)
  return isWanted ? later : undefined
}

/** A button to the settings page for custom emoji. */
function AddOwn({ onOpen }: { readonly onOpen: (() => void) | undefined }) {
  const t = useTexts('emoji')
  const settings = useTexts('settings')
  const dispatch = useAppDispatch()
  return (
    <div className={styles['add']}>
      <Button
        size="small"
        onClick={() => {
          onOpen?.()
          dispatch(routeOpened({ view: 'settings', section: 'messages', row: settings('emoji.title') }))
        }}
      >
        {t('customAdd')}
      </Button>
    </div>
  )
}

/** A recent emoji has the skin tone it was picked with. */
function recentEmoji(list: readonly Emoji[], unicode: string): readonly Emoji[] {
  const plain = list.find((emoji) => emoji.unicode === unicode)
  if (plain !== undefined) return [plain]
  const toned = list.find((emoji) => emoji.tones.includes(unicode))
  return toned === undefined ? [] : [{ ...toned, unicode, tones: [] }]
}

function useEscape(root: RefObject<HTMLElement | null>, onClose: (() => void) | undefined): void {
  useEffect(() => {
    const picker = root.current
    if (picker === null || onClose === undefined) return undefined
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
    picker.addEventListener('keydown', listen)
    return () => picker.removeEventListener('keydown', listen)
  }, [root, onClose])
}

const TONES: readonly { readonly tone: Tone; readonly hand: string }[] = [
  { tone: 0, hand: '✋' },
  { tone: 1, hand: '✋🏻' },
  { tone: 2, hand: '✋🏼' },
  { tone: 3, hand: '✋🏽' },
  { tone: 4, hand: '✋🏾' },
  { tone: 5, hand: '✋🏿' },
]

/** Skin tone for all emoji that have one; stored. */
function ToneChoice({ tone, onChange }: { readonly tone: Tone; readonly onChange: (tone: Tone) => void }) {
  const t = useTexts('emoji')
  const name = useId()
  return (
    <fieldset className={styles['tones']}>
      <legend className="sr-only">{t('tone')}</legend>
      {TONES.map((choice) => (
        <label key={choice.tone} className={styles['tone']} title={t(`tone${choice.tone}`)}>
          <input
            type="radio"
            className="sr-only"
            name={name}
            checked={choice.tone === tone}
            onChange={() => onChange(choice.tone)}
            aria-label={t(`tone${choice.tone}`)}
          />
          <span aria-hidden="true">{choice.hand}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The emoji list of a language once it is loaded. */
function useEmojiList(language: string): {
  readonly list: readonly Emoji[] | undefined
  readonly failed: boolean
} {
  const [state, setState] = useState<{ language: string; list?: readonly Emoji[] }>()
  useEffect(() => {
    let live = true
    loadEmoji(language).then(
      (list) => live && setState({ language, list }),
      () => live && setState({ language }),
    )
    return () => {
      live = false
    }
  }, [language])
  const current = state?.language === language ? state : undefined
  return { list: current?.list, failed: current !== undefined && current.list === undefined }
}

type Section = GroupName | 'recent' | 'custom'

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

type GroupTabsProps = {
  readonly section: Section
  /** The workspace has custom emoji, or the viewer can add some. */
  readonly hasCustom: boolean
  readonly gridId: string
  readonly onSelect: (section: Section) => void
}

function GroupTabs({ section, hasCustom, gridId, onSelect }: GroupTabsProps) {
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

type EmojiPopoverProps = {
  readonly anchor: Element | DOMRect
  readonly placement?: Placement
  readonly onPick: (unicode: string) => void
  readonly onClose: () => void
}

const ABOVE: Placement = { side: 'above', align: 'start', gap: 6 }

/** The picker beside a button. Focus moves into it, and back to the opener on close. */
export function EmojiPopover({ anchor, placement = ABOVE, onPick, onClose }: EmojiPopoverProps) {
  const t = useTexts('emoji')
  const ref = useRef<HTMLDivElement>(null)
  useReturnFocus()
  usePressOutside(ref, onClose)
  return (
    <Anchored
      ref={ref}
      anchor={anchor}
      placement={placement}
      role="dialog"
      aria-label={t('title')}
      data-returns-focus=""
      className={styles['popover']}
    >
      <EmojiPicker onPick={onPick} onClose={onClose} />
    </Anchored>
  )
}
