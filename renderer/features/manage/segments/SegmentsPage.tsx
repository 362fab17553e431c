import { useEffect, useMemo, useState } from 'react'
import { SEGMENT_KINDS, type Segment, type SegmentKind, type SegmentSort } from '#shared/domain/manage/segments.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Table, type TableColumn, type TableSort } from '../../../ui/Table/Table.tsx'
import { Listed, NewButton, Page } from '../Page.tsx'
import { byCursor, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadSegments, type Draft } from './drafts.ts'
import { CreateSegmentDialog } from './SegmentDialogs.tsx'
import { SegmentEditor, type Tab } from './SegmentEditor.tsx'
import styles from './Segments.module.css'

type Props = { readonly id?: string; readonly onBack?: () => void }
type Opened = { readonly id: string; readonly tab?: Tab }

/** Typing is over for the moment. */
const PAUSE_MS = 250
const KINDS = ['every', ...SEGMENT_KINDS] as const

const idOf = ({ id }: Segment): string => id

/** Audiences: listed, created, changed, deleted. */
export function SegmentsPage({ id, onBack }: Props) {
  const [opened, setOpened] = useState<Opened | undefined>(id === undefined ? undefined : { id })
  const [left, setLeft] = useState<string>()
  const [list, setList] = useState<ListState>(AT_FIRST)
  // What is being changed stays while another segment is looked at.
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  if (opened === undefined) {
    return <SegmentList state={list} onState={setList} returnTo={left} onOpen={setOpened} onBack={onBack} />
  }
  const close = (): void => {
    setLeft(opened.id)
    setOpened(undefined)
  }
  return (
    <SegmentEditor
      key={opened.id}
      id={opened.id}
      firstTab={opened.tab}
      draft={drafts[opened.id]}
      onDraft={(draft) =>
        setDrafts(({ [opened.id]: _before, ...rest }) => (draft === undefined ? rest : { ...rest, [opened.id]: draft }))
      }
      onClose={close}
    />
  )
}

type ListState = {
  readonly find: string
  readonly kind: (typeof KINDS)[number]
  readonly sort: TableSort
}
const AT_FIRST: ListState = { find: '', kind: 'every', sort: { column: 'created_at', direction: -1 } }

type ListProps = {
  readonly state: ListState
  readonly onState: (state: ListState) => void
  /** The segment that was open before. */
  readonly returnTo: string | undefined
  readonly onOpen: (opened: Opened) => void
  readonly onBack: (() => void) | undefined
}

function SegmentList({ state, onState, returnTo, onOpen, onBack }: ListProps) {
  const t = useTexts('segments')
  const formats = useFormats()
  const { offline } = useConnection()
  const [creating, setCreating] = useState(false)
  const { list, asOf } = useSegments(state)
  const columns = useColumns()
  const { find, kind, sort } = state
  return (
    <Page
      icon="segments"
      title={t('title')}
      fact={asOf === undefined ? undefined : t('asOf', { time: formats.dayAndTime(asOf) })}
      onBack={onBack}
      actions={
        <NewButton variant="primary" blocked={offline ? t('offline') : undefined} onClick={() => setCreating(true)}>
          {t('create.open')}
        </NewButton>
      }
      filters={
        <>
          <FindField
            label={t('find')}
            value={find}
            list="[role=table]"
            maxLength={100}
            onChange={(text) => onState({ ...state, find: text })}
          />
          <Segments
            label={t('kind')}
            value={kind}
            choices={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onChange={(value) => onState({ ...state, kind: value })}
          />
          <span className={styles['loaded']} role="status">
            {list.rows.length === 0 ? '' : t(list.more ? 'loadedSoFar' : 'loaded', { count: list.rows.length })}
          </span>
        </>
      }
    >
      <Listed
        list={list}
        empty={
          find.trim() === '' && kind === 'every'
            ? { scene: 'done', title: t('none'), children: t('noneText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <Table
          label={t('title')}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          sort={sort}
          onSort={(next) => onState({ ...state, sort: next })}
          onEnd={list.next}
          focusFirst={returnTo}
          onOpen={({ id }) => onOpen({ id })}
        />
      </Listed>
      {creating ? (
        <CreateSegmentDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }, by) => onOpen({ id, tab: by === 'list' ? 'list' : 'filter' })}
        />
      ) : null}
    </Page>
  )
}

function useSegments({ find, kind, sort }: ListState) {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const typed = find.trim()
  const [words, setWords] = useState(typed)
  const [asOf, setAsOf] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed), typed === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const narrowed: { kind?: SegmentKind } = kind === 'every' ? {} : { kind }
        const by = { by: sort.column as SegmentSort, direction: sort.direction }
        const page = after === undefined ? {} : { after }
        const loaded = await dispatch(loadSegments({ find: words, ...narrowed, sort: by, ...page }))
        if (!loaded.ok) return loaded
        setAsOf(loaded.value.asOf)
        return ok({ rows: loaded.value.segments, next: loaded.value.next })
      }),
    [dispatch, words, kind, sort],
  )
  // What was stored is shown without a connection, and what the server has as soon as there is one.
  const version = useTopic('segments') * 2 + Number(offline)
  return { list: usePagesOf(load, JSON.stringify([words, kind, sort]), version), asOf }
}

function useColumns(): readonly TableColumn<Segment>[] {
  const t = useTexts('segments')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(180px, 3fr)',
        sortable: true,
        render: ({ id, name, description }) => (
          <span className={styles['names']}>
            <bdi className="ellipsis">{name === '' ? id : name}</bdi>
            {description === '' ? null : (
              <span className={styles['second']}>
                <bdi>{description}</bdi>
              </span>
            )}
          </span>
        ),
      },
      {
        id: 'kind',
        title: t('columns.kind'),
        width: 'minmax(100px, 1fr)',
        priority: 1,
        render: ({ kind, all }) => (
          <span className={styles['tags']}>
            {t(`kinds.${kind}`)}
            {all ? <Tag>{t(`all.${kind}`)}</Tag> : null}
          </span>
        ),
      },
      {
        id: 'size',
        title: t('columns.size'),
        width: '110px',
        render: ({ size }) => <span className={styles['number']}>{formats.number(size)}</span>,
      },
      {
        id: 'updated_at',
        title: t('columns.updated'),
        width: '130px',
        sortable: true,
        priority: 2,
        render: ({ updatedAt }) => (updatedAt === undefined ? '' : formats.shortDate(updatedAt)),
      },
      {
        id: 'created_at',
        title: t('columns.created'),
        width: '130px',
        sortable: true,
        priority: 2,
        render: ({ createdAt }) => (createdAt === undefined ? '' : formats.shortDate(createdAt)),
      },
    ],
    [t, formats],
  )
}
