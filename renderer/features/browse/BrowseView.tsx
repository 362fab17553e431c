import { useEffect, useLayoutEffect, useMemo, useRef, useState, useCallback, memo, type CSSProperties } from 'react'
import type { ChannelCard } from '#shared/domain/channel.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useErrorText, useTexts, useFormats } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useVirtualRows } from '../../lib/page/use-virtual-rows.ts'
import { useAppDispatch, useConnection, useAppSelector, useAppStore } from '../../store/hooks.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { Segments, Select } from '../../ui/Choice/Choice.tsx'
import { FindField } from '../../ui/Field/TextField.tsx'
import { useMinute } from '../../lib/time/clocks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { takeEarlyText } from '../../ui/Modal/Modal.tsx'
import { Tag } from '../../ui/Mark/Pill.tsx'
import { channelTitle, archiveChannel } from '../sidebar/index.ts'
import { Invites } from './Invites.tsx'
import {
  loadHidden,
  loadPage,
  joinChannel,
  unhideChannel,
  SHOWS,
  SORTS,
  type Show,
  type Sort,
  linesOf,
  type Line,
} from './commands.ts'
import styles from './Browse.module.css'

const LINE_PX = 60
/** The next page is requested this many lines before the end. */
const AHEAD = 10

/** All channels visible to the viewer, to search, sort, join and leave; and the hidden and archived ones. */
export function BrowseView({ onBack }: { readonly onBack?: () => void }) {
  const t = useTexts('browse')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort>('activity')
  const [show, setShow] = useState<Show>('all')
  const browse = useBrowse({ text, sort, show })
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true })
    takeEarlyText(field.current)
  }, [])
  return (
    <main className={styles['sheet']} aria-label={t('title')}>
      <header className={styles['head']} data-region="header">
        {onBack === undefined ? null : <IconButton icon="arrow-left" label={common('back')} onClick={onBack} />}
        <h1 tabIndex={-1}>{t('title')}</h1>
        <Button size="small" icon="plus" onClick={() => dispatch(dialogOpened({ kind: 'new-channel' }))}>
          {t('new')}
        </Button>
      </header>
      <div className={styles['tools']} data-region="composer">
        <FindField ref={field} label={t('find')} value={text} onChange={setText} list="[data-browse]" maxLength={100} />
        <div className={styles['choices']}>
          <Segments
            label={t('show.label')}
            value={show}
            choices={SHOWS.map((value) => ({ value, label: t(`show.${value}`) }))}
            onChange={setShow}
          />
          <span className={styles['sort']}>
            <span aria-hidden>{t('sort.label')}</span>
            <Select
              label={t('sort.label')}
              value={sort}
              onChange={setSort}
              choices={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
            />
          </span>
        </div>
      </div>
      <Invites />
      <Trouble browse={browse} />
      <List browse={browse} show={show} query={text.trim()} />
    </main>
  )
}

function Trouble({ browse }: { readonly browse: Browse }) {
  const t = useTexts('browse')
  const errorText = useErrorText()
  const { offline } = useConnection()
  if (offline) return <p className={styles['note']}>{t('here')}</p>
  if (browse.error === undefined) return null
  return (
    <p className={styles['note']} role="status">
      {t('failed', { reason: errorText(browse.error) })}{' '}
      <Button size="small" variant="link" onClick={browse.again}>
        {t('again')}
      </Button>
    </p>
  )
}

function List({ browse, show, query }: { readonly browse: Browse; readonly show: Show; readonly query: string }) {
  const t = useTexts('browse')
  const { lines, more } = browse
  const ids = useMemo(() => lines.map(({ cid }) => cid as string), [lines])
  const heights = useMemo(() => lines.map(() => LINE_PX), [lines])
  const [focused, setFocused] = useState<string>()
  const mountedIndex = focused === undefined ? undefined : ids.indexOf(focused)
  const { attach, total, shown, styleOf, reveal } = useVirtualRows({ heights, mountedIndex })
  const { containerProps, itemProps } = useRoving({
    ids,
    pageSize: 8,
    reveal: (id) => reveal(ids.indexOf(id)),
  })
  const { ref, onFocus, onKeyDown } = containerProps
  const last = shown.at(-1) ?? 0
  useEffect(() => {
    if (last >= lines.length - AHEAD) more()
  })
  // Hidden and archived ones are stored locally; the full list is known only after the server's response.
  if (lines.length === 0 && show === 'all' && !browse.loaded) {
    return <div className={styles['list']} data-region="messages" aria-busy={browse.busy} />
  }
  if (lines.length === 0 && !browse.busy) {
    return (
      <div className={styles['list']} data-region="messages">
        <Empty scene="search" title={emptyTitle()}>
          {query === '' && show === 'all' ? t('noneText') : null}
        </Empty>
      </div>
    )
  }
  function emptyTitle(): string {
    if (query !== '') return t('noneFound', { query })
    return show === 'archived' ? t('noneArchived') : show === 'hidden' ? t('noneHidden') : t('none')
  }
  return (
    <div ref={attach} className={styles['list']} data-region="messages" data-browse="" aria-busy={browse.busy}>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['lines']}
        style={{ height: total }}
        aria-label={t('list')}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          onFocus(event)
          setFocused(event.target.closest<HTMLElement>('[data-roving-id]')?.dataset['rovingId'])
        }}
      >
        {shown.map((at) => {
          const line = lines[at]
          return line === undefined ? null : (
            <BrowseLine
              key={line.cid}
              line={line}
              show={show}
              rovingProps={itemProps(line.cid)}
              style={styleOf(at)}
              place={{ at: at + 1, of: lines.length }}
            />
          )
        })}
      </ul>
      {browse.busy && lines.length > 0 ? <p className={styles['note']}>{t('more')}</p> : null}
    </div>
  )
}

const PAUSE_MS = 250

type Browse = {
  readonly lines: readonly Line[]
  readonly busy: boolean
  /** The server's list for this query is loaded. */
  readonly loaded: boolean
  readonly error: ErrorBody | undefined
  readonly more: () => void
  readonly again: () => void
}

type LoadedPages = { readonly key: string; readonly cards: readonly ChannelCard[]; readonly hasMore: boolean }

/** Local channels at once, then those of the server, page by page. */
function useBrowse(query: { readonly text: string; readonly sort: Sort; readonly show: Show }): Browse {
  const { text, sort, show } = query
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const formats = useFormats()
  const { offline } = useConnection()
  const local = useAppSelector((state) => state.entities.channels)
  const [loaded, setLoaded] = useState<LoadedPages>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const [round, setRound] = useState(0)
  const key = `${sort} ${text.trim()} ${round}`
  const wanted = useRef(key)
  const loading = useRef(false)
  const load = useCallback(
    async (before: LoadedPages | undefined): Promise<void> => {
      loading.current = true
      setBusy(true)
      const page = await dispatch(loadPage({ text, sort, offset: before?.cards.length ?? 0 }))
      if (wanted.current !== key) return
      loading.current = false
      setBusy(false)
      setError(page.ok ? undefined : page.error)
      if (page.ok) {
        const { channels, hasMore } = page.value
        setLoaded({ key, cards: [...(before?.cards ?? []), ...channels], hasMore })
      }
    },
    [dispatch, text, sort, key],
  )
  useEffect(() => {
    wanted.current = key
    loading.current = false
    if (offline) return undefined
    const timer = setTimeout(() => void load(undefined), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [load, key, text, offline])
  useEffect(() => {
    if (show === 'hidden' && !offline) void dispatch(loadHidden(undefined))
  }, [dispatch, show, offline])
  const cards = loaded?.cards
  const lines = useMemo(
    () =>
      linesOf(
        Object.values(local),
        cards ?? [],
        { text, sort, show },
        {
          titleOf: (cid) => channelTitle(store.getState(), cid),
          compare: formats.compare,
        },
      ),
    [local, cards, text, sort, show, store, formats],
  )
  return {
    lines,
    busy,
    loaded: loaded?.key === key,
    error,
    more: () => {
      if (!loading.current && loaded?.key === key && loaded.hasMore) void load(loaded)
    },
    again: () => setRound((now) => now + 1),
  }
}

type Props = {
  readonly line: Line
  readonly show: Show
  readonly rovingProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly style: CSSProperties
  readonly place: { readonly at: number; readonly of: number }
}

/** One channel: topic, members, last activity, and a button to join or leave. A click opens it. */
const BrowseLine = memo(function BrowseLine({ line, show, rovingProps, style, place }: Props) {
  const t = useTexts('browse')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const { cid, name, channel, joined } = line
  const isPrivate = channel?.isPrivate === true
  return (
    <li
      className={styles['line']}
      style={style}
      aria-posinset={place.at}
      aria-setsize={place.of}
      data-browse-line={cid}
    >
      <button
        type="button"
        className={styles['open']}
        {...rovingProps}
        onClick={() => dispatch(routeOpened({ view: 'channel', cid }))}
      >
        <Icon name={isPrivate ? 'lock' : (channel?.directUserIds.length ?? 0) > 0 ? 'user' : 'hash'} size={18} />
        <span className={styles['text']}>
          <span className={styles['first']}>
            <bdi className="ellipsis">{name}</bdi>
            {isPrivate ? <span className="sr-only">{t('private')}</span> : null}
            {joined && show === 'all' ? (
              <span className={styles['joined']}>
                <Tag tone="accent">{t('joined')}</Tag>
              </span>
            ) : null}
            {channel?.muted === true ? (
              <>
                <Icon name="bell-off" size={14} />
                <span className="sr-only">{t('muted')}</span>
              </>
            ) : null}
          </span>
          <span className={styles['second']}>
            <span>{t('members', { count: line.memberCount })}</span>
            {line.lastMessageAt === undefined ? null : (
              <span>{t('active', { when: formats.ago(line.lastMessageAt, now) })}</span>
            )}
            {line.topic === undefined ? null : (
              <bdi className="ellipsis" dir="auto">
                {line.topic}
              </bdi>
            )}
          </span>
        </span>
      </button>
      <Act line={line} show={show} />
    </li>
  )
})

/** The button to join, leave, unarchive or unhide. */
function Act({ line, show }: Pick<Props, 'line' | 'show'>) {
  const t = useTexts('browse')
  const details = useTexts('details')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const { cid, name, channel, joined } = line
  const run = async (work: Promise<unknown>): Promise<void> => {
    setWorking(true)
    await work
    setWorking(false)
  }
  const direct = (channel?.directUserIds.length ?? 0) > 0
  const mayLeave = channel === undefined || may(channel, 'leave-channel')
  const why = offline ? details('why.offline') : undefined
  const props = { size: 'small', working, title: why, 'aria-disabled': why !== undefined } as const
  if (show === 'hidden') {
    return (
      <Button
        {...props}
        aria-label={t('unhideOf', { name })}
        onClick={() => why ?? void run(dispatch(unhideChannel({ cid })))}
      >
        {t('unhide')}
      </Button>
    )
  }
  if (show === 'archived') {
    return (
      <Button
        {...props}
        aria-label={t('unarchiveOf', { name })}
        onClick={() => why ?? void run(dispatch(archiveChannel({ cid, archived: false })))}
      >
        {t('unarchive')}
      </Button>
    )
  }
  if (!joined) {
    return (
      <Button
        {...props}
        variant="secondary"
        aria-label={t('joinOf', { name })}
        onClick={() => why ?? void run(dispatch(joinChannel({ cid })))}
      >
        {t('join')}
      </Button>
    )
  }
  if (direct) return null
  if (!mayLeave) return <span className={styles['why']}>{t('why.permission')}</span>
  return (
    <Button
      {...props}
      variant="quiet"
      aria-label={t('leaveOf', { name })}
      onClick={() => why ?? dispatch(dialogOpened({ kind: 'channel', what: 'leave', cid }))}
    >
      {t('leave')}
    </Button>
  )
}
