import { FILTER_NAMES, type FilterKey } from '#shared/rules/search/search-query.ts'
import { LANGUAGES } from '#shared/domain/settings.ts'
import type { SearchNote } from '#shared/domain/search.ts'
import { useErrorText, useFormats, useLanguage, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { selectAccount } from '../../../store/accounts.ts'
import { useAppDispatch, useAppSelector, useConnection } from '../../../store/hooks.ts'
import { searchChanged, searchWidened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { textOf, withoutBegun } from '../question.ts'
import { SavedList } from '../saved/Saved.tsx'
import type { Found, OtherAccount, ResultList } from './results.ts'
import { useSearchState } from './use-results.ts'
import styles from './States.module.css'

const OPERATORS: readonly FilterKey[] = ['from', 'in', 'has', 'is', 'mentions', 'before', 'after', 'on', 'during']
/** Shown without a query: saved searches and the available filters. */
export function Start({ onWanted }: { readonly onWanted: (head: string) => void }) {
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
export function None({ here }: { readonly here: boolean }) {
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
export function Failed({ found, results }: { readonly found: Found; readonly results: ResultList }) {
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
export function NamesNote() {
  const { offline } = useConnection()
  return (
    <div role="status" className={styles['notes']}>
      {offline ? <OfflineNote /> : null}
    </div>
  )
}

/** Notes on the results: their source, what is missing, and which filters were not understood. */
export function ResultNotes({ found, results }: { readonly found: Found; readonly results: ResultList }) {
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
export function Sources({ found }: { readonly found: Found }) {
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
