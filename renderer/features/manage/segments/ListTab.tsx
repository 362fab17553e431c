import { useMemo, useRef, useState } from 'react'
import { SEGMENT_LIMITS, type Segment, type SegmentMember, type SegmentTarget } from '#shared/domain/manage/segments.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { BulkBar, Listed } from '../Page.tsx'
import { byCursor, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { AddList } from './AddList.tsx'
import { loadTargets, removeTargets } from './commands.ts'
import { Sign } from './Who.tsx'
import styles from './Segments.module.css'

type Props = { readonly segment: Segment }
type Target = SegmentTarget & { readonly member?: SegmentMember }

const NOTHING: ReadonlySet<string> = new Set()
const idOf = ({ id }: Target): string => id

/** Who was added by hand, and adding more of them. */
export function ListTab({ segment }: Props) {
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
