import { useEffect, useId, useRef, type RefObject } from 'react'
import { parseQuery, FILTER_NAMES, type FilterKey } from '#shared/rules/search/search-query.ts'
import { SEARCH_ORDERS, type SearchOrder, type SearchNote } from '#shared/domain/search.ts'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { useFormats, useTexts, useErrorText, useLanguage } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useDelayed, useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useConnection, useSetting } from '../../store/hooks.ts'
import { searchChanged, type SearchTab, searchWidened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { useRoving } from '../../lib/page/roving.ts'
import { LoadingText, SKELETON_DELAY_MS } from '../connection/index.ts'
import { chooseOrder } from './commands.ts'
import { Field, Filters } from './Field.tsx'
import { HitList } from './results/HitList.tsx'
import { ChannelList, type NamesEverywhere, PeopleList, useNamesFound } from './results/NameList.tsx'
import { dayOf, textOf, withoutBegun } from './question.ts'
import type { Found, ResultList, OtherAccount } from './results/results.ts'
import { useResults, useSearchedElsewhere, useSearchState } from './results/use-results.ts'
import { selectAccount } from '../../store/accounts.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Empty, Skeleton } from '../../ui/View/Empty.tsx'
import { SavedList } from './saved/Saved.tsx'
import styles from './Search.module.css'

type Props = {
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
}

/** Searches one channel, one workspace or all of them, on this device and on the servers. */
export function SearchView({ onBack }: Props) {
  const t = useTexts('search')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const panelId = useId()
  const input = useRef<HTMLInputElement>(null)
  const searchState = useSearchState()
  const { tab } = searchState
  const isFiles = tab === 'files'
  const messages = useResults('messages', !isFiles)
  const files = useResults('files', isFiles)
  const shown = isFiles ? files : messages
  const text = parseQuery(textOf(searchState), dayOf(useMinute()))
    .terms.flatMap((term) => (term.exclude ? [] : term.words))
    .join(' ')
  const names = useNamesFound(text, useSearchedElsewhere())
  const isEmpty = textOf(searchState).trim() === ''
  useAnnounced(shown.found, isEmpty)
  const counts = useCounts(messages.found, files.found, names)
  const wanted = (head: string): void => {
    const before = searchState.text.trim()
    dispatch(searchChanged({ text: before === '' ? head : `${before} ${head}` }))
    input.current?.focus()
  }
  const toField = (): void => input.current?.focus()
  return (
    <main className={styles['sheet']} aria-label={t('title')}>
      <h1 className="sr-only">{t('title')}</h1>
      <header className={styles['head']} data-region="header">
        {onBack === undefined ? null : <IconButton icon="arrow-left" label={common('back')} onClick={onBack} />}
        <Field key={searchState.nonce} input={input} results={messages.results} onDown={focusFirst} />
      </header>
      <Filters onWanted={wanted} />
      {isEmpty ? (
        <Start onWanted={wanted} />
      ) : (
        <>
          <Tabs counts={counts} panelId={panelId} />
          <div
            id={panelId}
            role="tabpanel"
            aria-label={t(`tabs.${tab}`)}
            className={styles['panel']}
            data-results=""
            data-answered={shown.isAnswered || undefined}
          >
            {tab === 'channels' || tab === 'people' ? <NamesNote /> : null}
            {tab === 'channels' ? (
              <ChannelList found={names.channels} query={text} onUp={toField} />
            ) : tab === 'people' ? (
              <PeopleList found={names.people} query={text} onUp={toField} />
            ) : (
              <Messages key={tab} {...shown} onUp={toField} />
            )}
          </div>
        </>
      )}
    </main>
  )
}

function Messages({ results, found, onUp }: { results: ResultList; found: Found; onUp: () => void }) {
  const settled = found.busy === 'none'
  const waiting = useDelayed(found.hits.length === 0 && !settled, SKELETON_DELAY_MS)
  if (found.error !== undefined && found.hits.length === 0 && settled) return <Failed found={found} results={results} />
  return (
    <>
      <ResultNotes found={found} results={results} />
      <Sources found={found} />
      {found.hits.length > 0 ? (
        <HitList results={results} found={found} onUp={onUp} />
      ) : settled ? (
        <None here={found.server === 'unreachable'} />
      ) : waiting ? (
        <Waiting onRetry={() => results.again()} />
      ) : null}
    </>
  )
}

function Waiting({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts('search')
  return (
    <div className={styles['waiting']} aria-busy="true">
      <LoadingText what={t('searching')} onRetry={onRetry} />
      {[62, 78, 45].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  )
}

/** Focuses the first row of the current list. */
function focusFirst(): void {
  document.querySelector<HTMLElement>('[data-results] [data-roving-id][tabindex="0"]')?.focus()
}

type Counts = Readonly<Partial<Record<SearchTab, string>>>

/** Results per tab; `20+` if there are more. A tab without an entry has no results. */
function useCounts(messages: Found, files: Found, names: NamesEverywhere): Counts {
  const { number } = useFormats()
  const loaded = ({ hits, next, busy }: Found): string =>
    busy === 'searching' ? '' : `${number(hits.length)}${next === undefined ? '' : '+'}`
  const named = (count: number): string | undefined => (count === 0 ? undefined : number(count))
  const hasFiles = messages.files || files.hits.length > 0
  return {
    messages: loaded(messages),
    // Counted when they are opened: until then only that there are some is known.
    files: hasFiles ? (files.hits.length === 0 ? '' : loaded(files)) : undefined,
    channels: named(names.channels.total),
    people: named(names.people.total),
  }
}

const SETTLED_MS = 600

/** Announces the number of results once typing pauses and the search is complete. */
function useAnnounced(found: Found, isEmpty: boolean): void {
  const t = useTexts('search')
  const count = found.hits.length
  const settled = found.busy === 'none' && !isEmpty
  useEffect(() => {
    if (!settled) return undefined
    const timer = setTimeout(() => announce(t('found', { count })), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [settled, count, t])
}

const TABS: readonly SearchTab[] = ['messages', 'files', 'channels', 'people']

type TabsProps = { readonly counts: Counts; readonly panelId: string }

/** Kinds of results that there are, and the one on screen. Arrow keys move and select. */
function Tabs({ counts, panelId }: TabsProps) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { tab } = useSearchState()
  const tabs = TABS.filter((one) => one === 'messages' || one === tab || counts[one] !== undefined)
  const { containerProps, itemProps } = useRoving({ ids: tabs, orientation: 'horizontal', wrap: true, initialId: tab })
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
          const next = tabs[(tabs.indexOf(tab) + target + tabs.length) % tabs.length] ?? tab
          choose(next)
          event.currentTarget.querySelector<HTMLElement>(`[data-roving-id="${next}"]`)?.focus()
        }}
      >
        {tabs.map((one) => (
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
            {(counts[one] ?? '') === '' ? null : <span className={styles['count']}>{counts[one]}</span>}
          </button>
        ))}
      </div>
      <span className={styles['grow']} />
      {tab === 'messages' || tab === 'files' ? <Order /> : null}
    </div>
  )
}

/** The order of the results, for this and later searches. */
function Order() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const order = useSetting('searchOrder')
  const items = (): readonly MenuItem[] =>
    SEARCH_ORDERS.map((one: SearchOrder) => ({
      id: one,
      label: t(`orders.${one}`),
      radio: true,
      checked: one === order,
      onSelect: () => void dispatch(chooseOrder(one)),
    }))
  const menu = useMenu({ label: t('order'), items, placement: { side: 'below', align: 'end', gap: 4 } })
  return (
    <>
      <button type="button" className={styles['order']} {...menu.triggerProps}>
        {t(`orders.${order}`)}
        <Icon name="chevron-down" size={14} />
      </button>
      {menu.menu}
    </>
  )
}

const OPERATORS: readonly FilterKey[] = ['from', 'in', 'has', 'is', 'mentions', 'before', 'after', 'on', 'during']
/** Shown without a query: saved searches and the available filters. */
function Start({ onWanted }: { readonly onWanted: (head: string) => void }) {
  const t = useTexts('search')
  const language = useLanguage()
  const at = Math.max(
    0,
    LANGUAGES.findIndex((each) => each === language),
  )
  return (
    <div className={styles['start']} data-region="messages">
      <SavedList />
      <h2>{t('start')}</h2>
      <p>{t('startText')}</p>
      <ul>
        {OPERATORS.map((key) => {
          const head = `${FILTER_NAMES[key][at] ?? key}:`
          return (
            <li key={key}>
              <button type="button" className={styles['operator']} onClick={() => onWanted(head)}>
                <code>{head}</code>
                {t(`operator.${key}`)}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** No results, with suggestions. */
function None({ here }: { readonly here: boolean }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const searchState = useSearchState()
  const words = withoutBegun(searchState.text).trim()
  const query = words === '' ? textOf(searchState).trim() : words
  return (
    <Empty
      scene="search"
      title={t(here || offline ? 'noneOnThis' : 'none', { query })}
      action={
        searchState.cid !== undefined ? (
          <Button onClick={() => dispatch(searchWidened())}>{t('noneHere')}</Button>
        ) : searchState.chips.length > 0 && searchState.text.trim() !== '' ? (
          <Button onClick={() => dispatch(searchChanged({ chips: [] }))}>{t('noneFilters')}</Button>
        ) : undefined
      }
    >
      {t(offline ? 'noneOffline' : 'noneText')}
    </Empty>
  )
}

/** The search failed: the reason and a retry button. */
function Failed({ found, results }: { readonly found: Found; readonly results: ResultList }) {
  const t = useTexts('search')
  const common = useTexts('common')
  const errorText = useErrorText()
  if (found.error === undefined) return null
  return (
    <Empty
      scene="offline"
      title={t('failed')}
      action={<Button onClick={() => results.again()}>{common('tryAgain')}</Button>}
    >
      {errorText(found.error)}
    </Empty>
  )
}

function OfflineNote() {
  const t = useTexts('search')
  const { knownUntil } = useConnection()
  return (
    <p>
      <Icon name="cloud-off" size={15} />
      {t('offline')} <Age knownUntil={knownUntil} />
    </p>
  )
}

/** Up to when this device knows everything. */
function Age({ knownUntil }: { readonly knownUntil: number | undefined }) {
  const common = useTexts('common')
  const formats = useFormats()
  const now = useMinute()
  return knownUntil === undefined ? null : common('connection.asOf', { time: formats.timeOrDay(knownUntil, now) })
}

/** Above people and channels found by name: offline says that they come from this device. */
function NamesNote() {
  const { offline } = useConnection()
  return (
    <div role="status" className={styles['notes']}>
      {offline ? <OfflineNote /> : null}
    </div>
  )
}

/** Notes on the results: their source, what is missing, and which filters were not understood. */
function ResultNotes({ found, results }: { readonly found: Found; readonly results: ResultList }) {
  const t = useTexts('search')
  const { offline } = useConnection()
  const text = results.text()
  const unreachable = found.server === 'unreachable'
  return (
    <div role="status" className={styles['notes']}>
      {offline ? (
        <OfflineNote />
      ) : unreachable ? (
        <p>
          <Icon name="cloud-off" size={15} />
          {t('unreachable')} <Age knownUntil={found.knownUntil} />
          <Button size="small" variant="link" onClick={() => results.again()}>
            {t('askAgain')}
          </Button>
        </p>
      ) : null}
      {found.others.map((other) => (
        <OtherNote key={other.key} other={other} results={results} />
      ))}
      {found.indexing ? (
        <p>
          <Icon name="hourglass" size={15} />
          {t('indexing')}
        </p>
      ) : null}
      {found.notes.map((note) => (
        <p key={`${note.code} ${note.start}`}>
          <Icon name="info" size={15} />
          {t(NOTES[note.code], { part: text.slice(note.start, note.end) })}
        </p>
      ))}
    </div>
  )
}

/** How many of the listed results were on this device, and how many the server added, with the signs of the rows. */
function Sources({ found }: { readonly found: Found }) {
  const t = useTexts('search')
  const { number } = useFormats()
  const { offline } = useConnection()
  const server = found.hits.filter(({ fromServer }) => fromServer === true).length
  if (offline || found.server === 'unreachable' || found.hits.length === 0) return null
  return (
    <p className={styles['sources']}>
      <span>
        <Icon name="monitor" size={13} />
        {t('sources.local', { found: number(found.hits.length - server) })}
      </span>
      {found.server === 'asked' ? (
        <span>
          <Icon name="cloud" size={13} />
          {t('sources.added', { found: number(server) })}
        </span>
      ) : null}
    </p>
  )
}

type OtherNoteProps = { readonly other: OtherAccount; readonly results: ResultList }

/** What became of the search in another workspace, unless it simply answered. */
function OtherNote({ other: { key, state, code, knownUntil }, results }: OtherNoteProps) {
  const t = useTexts('search')
  const name = useAppSelector((store) => selectAccount(store, key)?.name)
  if (name === undefined || state === 'searching' || state === 'done') return null
  const isFailed = state === 'refused' && code !== 'session/signed-out' && code !== 'search/not-open'
  const text =
    state === 'slow'
      ? t('others.slow', { name })
      : state === 'unreachable'
        ? t('others.offline', { name })
        : isFailed
          ? t('others.failed', { name })
          : t(code === 'session/signed-out' ? 'others.signIn' : 'others.notOpen', { name })
  return (
    <p>
      <Icon name={state === 'slow' ? 'hourglass' : state === 'unreachable' ? 'cloud-off' : 'alert-circle'} size={15} />
      {text} {state === 'unreachable' ? <Age knownUntil={knownUntil} /> : null}
      {isFailed ? (
        <Button size="small" variant="link" onClick={() => results.again()}>
          {t('askAgain')}
        </Button>
      ) : null}
    </p>
  )
}

const NOTES = {
  'search/unknown-value': 'notes.value',
  'search/unknown-date': 'notes.date',
  'search/nobody': 'notes.nobody',
} as const satisfies Record<SearchNote['code'], string>
