import { useMemo, useState, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { type Segment, SEGMENT_LIMITS, type SegmentMember, type SegmentTarget } from '#shared/domain/manage/segments.ts'
import { type ErrorBody, ok } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { Listed, Page, BulkBar } from '../Page.tsx'
import { useLoaded, byCursor, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import {
  changeSegment,
  loadSegment,
  loadTargets,
  removeTargets,
  draftOf,
  isChanged,
  obstacleOf,
  withGroup,
  withoutMistake,
  withText,
  type Draft,
} from './drafts.ts'
import { FilterTab, JsonTab } from './FilterTab.tsx'
import { DeleteSegmentDialog, RenameSegmentDialog } from './SegmentDialogs.tsx'
import { Who, Sign } from './Who.tsx'
import { AddList } from './AddList.tsx'
import styles from './Segments.module.css'

const TABS = ['filter', 'list', 'json'] as const
export type Tab = (typeof TABS)[number] | 'who'

type Props = {
  readonly id: string
  readonly firstTab: Tab | undefined
  /** What is being changed; absent: nothing. */
  readonly draft: Draft | undefined
  readonly onDraft: (draft: Draft | undefined) => void
  readonly onClose: () => void
}

/** One segment: its filter, its list, and who is in it. */
export function SegmentEditor({ id, firstTab, draft, onDraft, onClose }: Props) {
  const t = useTexts('segments')
  const { offline } = useConnection()
  const load = useMemo(() => loadSegment({ id }), [id])
  const loaded = useLoaded(load, useTopic('segments') * 2 + Number(offline))
  const { value, error } = loaded
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // Escape would leave administration.
    event.stopPropagation()
    onClose()
  }
  return (
    <div role="presentation" className={styles['whole']} onKeyDown={onKeyDown}>
      {value === undefined ? (
        <Page icon="segments" title={t('title')} onBack={onClose}>
          <Listed
            list={{ rows: [], loading: loaded.loading, error, again: loaded.again }}
            empty={{ scene: 'lines', title: t('title') }}
          >
            {null}
          </Listed>
        </Page>
      ) : (
        <Open
          segment={value.segment}
          asOf={value.asOf}
          isGone={error?.code === 'segments/gone'}
          onAgain={loaded.again}
          firstTab={firstTab}
          draft={draft}
          onDraft={onDraft}
          onClose={onClose}
        />
      )}
    </div>
  )
}

type OpenProps = Pick<Props, 'firstTab' | 'draft' | 'onDraft' | 'onClose'> & {
  readonly segment: Segment
  readonly asOf: number | undefined
  /** Someone else has deleted it. */
  readonly isGone: boolean
  /** Loads it again: someone else has changed it. */
  readonly onAgain: () => void
}

function Open({ segment, asOf, isGone, onAgain, firstTab, onClose, ...props }: OpenProps) {
  const t = useTexts('segments')
  const formats = useFormats()
  const breakpoint = useBreakpoint()
  const isWide = breakpoint === 'wide'
  const [tab, setTab] = useState<Tab>(firstTab ?? 'filter')
  const [asking, setAsking] = useState<'rename' | 'delete'>()
  const draft = props.draft ?? draftOf(segment)
  const tabs: readonly Tab[] = [...(segment.all ? [] : TABS), ...(isWide ? [] : (['who'] as const))]
  const shown = tabs.includes(tab) ? tab : (tabs[0] ?? 'who')
  const who = <Who segment={segment} draft={draft} />
  const facts = [
    t(`kinds.${segment.kind}`),
    ...(asOf === undefined ? [] : [t('asOf', { time: formats.dayAndTime(asOf) })]),
  ]
  const onDraft = (next: Draft): void => props.onDraft(isChanged(next, segment) ? next : undefined)
  return (
    <Page
      icon="segments"
      title={segment.name === '' ? segment.id : segment.name}
      fact={facts.join(' · ')}
      onBack={onClose}
      actions={
        <>
          <IconButton icon="pencil" label={t('rename.open')} onClick={() => setAsking('rename')} />
          <IconButton icon="trash" label={t('delete.open')} onClick={() => setAsking('delete')} />
          {tabs.length < 2 ? null : (
            <Segments
              label={t('view')}
              value={shown}
              choices={tabs.map((value) => ({ value, label: t(`tabs.${value}`) }))}
              onChange={setTab}
            />
          )}
        </>
      }
      aside={isWide ? who : undefined}
      asideWide
      foot={
        props.draft === undefined && !isGone ? undefined : (
          <Foot
            segment={segment}
            draft={props.draft}
            isGone={isGone}
            onDraft={props.onDraft}
            onAgain={onAgain}
            onJson={shown === 'json' || shown === 'filter' ? undefined : () => setTab('json')}
          />
        )
      }
    >
      <Body>
        {shown === 'who' ? who : null}
        {segment.all ? <p className={styles['note']}>{t(`allText.${segment.kind}`)}</p> : null}
        {shown === 'filter' ? (
          <FilterTab
            kind={segment.kind}
            draft={draft}
            onGroup={(group) => onDraft(withGroup(segment.kind, draft, group))}
            onJson={() => setTab('json')}
            onDiscard={() => onDraft(withoutMistake(draft))}
          />
        ) : null}
        {shown === 'json' ? (
          <JsonTab kind={segment.kind} draft={draft} onText={(text) => onDraft(withText(segment.kind, draft, text))} />
        ) : null}
        {shown === 'list' ? <ListTab segment={segment} /> : null}
      </Body>
      {asking === 'rename' ? <RenameSegmentDialog segment={segment} onClose={() => setAsking(undefined)} /> : null}
      {asking === 'delete' ? (
        <DeleteSegmentDialog segment={segment} onClose={() => setAsking(undefined)} onDeleted={onClose} />
      ) : null}
    </Page>
  )
}

const Body = ({ children }: { readonly children: ReactNode }) => <div className={styles['body']}>{children}</div>

type FootProps = {
  readonly segment: Segment
  readonly draft: Draft | undefined
  readonly isGone: boolean
  readonly onDraft: (draft: Draft | undefined) => void
  readonly onAgain: () => void
  /** Absent: it is open, or the tab offers it. */
  readonly onJson: (() => void) | undefined
}

/** Saves the filter. What someone else has saved meanwhile is never overwritten without asking. */
function Foot({ segment, draft, isGone, onDraft, onAgain, onJson }: FootProps) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const isElsewhere = draft !== undefined && draft.base !== segment.version
  if (isGone) {
    return (
      <p className={styles['refusal']} role="alert">
        {errorText({ code: 'segments/gone' })}
      </p>
    )
  }
  if (draft === undefined) return undefined
  const obstacle = obstacleOf(draft)
  const isOff = offline || obstacle !== undefined
  const save = async (version: string): Promise<void> => {
    if (isOff || working) return
    setWorking(true)
    setError(undefined)
    const done = await dispatch(changeSegment({ id: segment.id, version, filter: draft.valid }))
    setWorking(false)
    if (!done.ok) {
      if (done.error.code === 'segments/changed') onAgain()
      return setError(done.error)
    }
    announce(t('saved'))
    onDraft(undefined)
  }
  const why = offline ? t('offline') : obstacle === undefined ? undefined : t(`obstacles.${obstacle}`)
  return (
    <>
      <span className={styles['why']} role="status">
        {isElsewhere ? t('elsewhere') : error === undefined ? (why ?? t('unsaved')) : errorText(error)}
      </span>
      {obstacle === 'problem' && onJson !== undefined ? <Button onClick={onJson}>{t('toJson')}</Button> : null}
      <Button onClick={() => onDraft(undefined)}>{t(isElsewhere ? 'useTheirs' : 'discard')}</Button>
      <Button
        variant="primary"
        working={working}
        aria-disabled={isOff || undefined}
        onClick={() => void save(isElsewhere ? segment.version : draft.base)}
      >
        {t(isElsewhere ? 'saveMine' : 'save')}
      </Button>
    </>
  )
}

type ListTabProps = { readonly segment: Segment }
type Target = SegmentTarget & { readonly member?: SegmentMember }

const NOTHING: ReadonlySet<string> = new Set()
const idOf = ({ id }: Target): string => id

/** Who was added by hand, and adding more of them. */
function ListTab({ segment }: ListTabProps) {
  const t = useTexts('segments')
  const { offline } = useConnection()
  const [from, setFrom] = useState('')
  const [selected, setSelected] = useState(NOTHING)
  const list = useTargets(segment, from.trim())
  const columns = useColumns(segment)
  const { rows } = list
  return (
    <div className={styles['listTab']}>
      <AddList segment={segment} />
      <div className={styles['targetsHead']}>
        <h2 className={styles['heading']}>{t('byHand')}</h2>
        <FindField label={t('targets.from')} value={from} list="[role=table]" maxLength={255} onChange={setFrom} />
      </div>
      <div className={styles['targets']}>
        <Listed
          list={list}
          empty={
            from.trim() === ''
              ? { scene: 'done', title: t(`targets.none.${segment.kind}`) }
              : { scene: 'search', title: t('targets.noneFrom') }
          }
        >
          <Table
            label={t('byHand')}
            columns={columns}
            rows={rows}
            idOf={idOf}
            rowPx={44}
            onEnd={list.next}
            selection={{
              ids: selected,
              labelOf: (id) => t('targets.select', { name: rows.find((row) => row.id === id)?.member?.name ?? id }),
              allLabel: t('targets.selectAll'),
              onChange: setSelected,
            }}
          />
        </Listed>
        {selected.size === 0 ? null : (
          <RemoveBar segment={segment} ids={selected} offline={offline} onClear={() => setSelected(NOTHING)} />
        )}
      </div>
    </div>
  )
}

function useTargets({ id, kind }: Segment, from: string) {
  const dispatch = useAppDispatch()
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const place = { ...(from === '' ? {} : { from }), ...(after === undefined ? {} : { after }) }
        const loaded = await dispatch(loadTargets({ id, kind, ...place }))
        return loaded.ok ? ok({ rows: loaded.value.targets, next: loaded.value.next }) : loaded
      }),
    [dispatch, id, kind, from],
  )
  return usePagesOf<Target>(load, `${id} ${from}`, useTopic('segments'))
}

function useColumns({ kind }: Segment): readonly TableColumn<Target>[] {
  const t = useTexts('segments')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t(kind === 'user' ? 'columns.person' : 'columns.name'),
        width: 'minmax(160px, 2fr)',
        render: ({ id, member }) => (
          <span className={styles['target']}>
            <Sign kind={kind} id={id} size={24} />
            <bdi className="ellipsis">{member?.name ?? t('targets.gone')}</bdi>
            {member?.inactive === true ? <Tag>{t('inactive')}</Tag> : null}
          </span>
        ),
      },
      {
        id: 'id',
        title: t('columns.id'),
        width: 'minmax(120px, 2fr)',
        priority: 1,
        render: ({ id }) => <code className="ellipsis">{id}</code>,
      },
      {
        id: 'added',
        title: t('columns.added'),
        width: '120px',
        priority: 2,
        render: ({ addedAt }) => (addedAt === undefined ? '' : formats.shortDate(addedAt)),
      },
    ],
    [t, formats, kind],
  )
}

type RemoveProps = {
  readonly segment: Segment
  readonly ids: ReadonlySet<string>
  readonly offline: boolean
  readonly onClear: () => void
}

/** Removes those that are selected, in steps of what one call takes. */
function RemoveBar({ segment, ids, offline, onClear }: RemoveProps) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string>()
  const run = useRef(false)
  const remove = async (): Promise<void> => {
    if (offline || run.current) return
    run.current = true
    setWorking(true)
    const all = [...ids]
    let failed: string | undefined
    for (let at = 0; at < all.length && failed === undefined; at += SEGMENT_LIMITS.removed) {
      const targetIds = all.slice(at, at + SEGMENT_LIMITS.removed)
      const done = await dispatch(removeTargets({ id: segment.id, targetIds }))
      if (!done.ok) failed = errorText(done.error)
    }
    run.current = false
    setWorking(false)
    setError(failed)
    if (failed !== undefined) return
    announce(t('targets.removed', { count: all.length }))
    onClear()
  }
  return (
    <BulkBar count={ids.size} onClear={onClear}>
      {error === undefined ? null : <span className={styles['refusal']}>{error}</span>}
      <Button
        size="small"
        variant="risky"
        working={working}
        aria-disabled={offline || undefined}
        onClick={() => void remove()}
      >
        {t('targets.remove')}
      </Button>
    </BulkBar>
  )
}
