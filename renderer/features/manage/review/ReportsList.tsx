import { useCallback } from 'react'
import type { FiledReport } from '#shared/domain/manage/review.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { Portrait } from '../../people/index.ts'
import { Listed } from '../Page.tsx'
import { usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadReports, openItem } from './commands.ts'
import { splitReason, type ReviewFilters, useWords } from './words.ts'
import styles from './Review.module.css'

/** Every report in a row of its own, with what the reporter wrote. */
export function ReportsList({ filters }: { readonly filters: ReviewFilters }) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const query = JSON.stringify(filters)
  const load = useCallback(
    async (offset: number) => {
      const { authorId: _author, ...rest } = JSON.parse(query) as ReviewFilters
      const loaded = await dispatch(loadReports({ ...rest, offset }))
      return loaded.ok ? ok({ rows: loaded.value.reports, more: loaded.value.more }) : loaded
    },
    [dispatch, query],
  )
  const list = usePagesOf(load, query, useTopic('review'))
  const columns = useColumns()
  return (
    <Listed
      list={list}
      empty={
        query === '{}'
          ? { scene: 'done', title: t('empty.reports'), children: t('empty.reportsText') }
          : { scene: 'search', title: t('empty.found') }
      }
    >
      <Table
        label={t('tabs.reports')}
        columns={columns}
        rows={list.rows}
        idOf={idOf}
        onEnd={list.next}
        onOpen={(report) => dispatch(openItem(report))}
      />
    </Listed>
  )
}

const idOf = ({ id }: FiledReport): string => id

function useColumns(): readonly TableColumn<FiledReport>[] {
  const t = useTexts('review')
  const words = useWords()
  const columns: readonly TableColumn<FiledReport>[] = [
    {
      id: 'reporter',
      title: t('list.reporter'),
      width: 'minmax(140px, 1fr)',
      render: ({ byId }) => (
        <span className={styles['cellWho']}>
          {byId === undefined ? null : <Portrait userId={byId} size={24} />}
          <bdi className="ellipsis">{words.name(byId)}</bdi>
        </span>
      ),
    },
    {
      id: 'reason',
      title: t('list.reason'),
      width: 'minmax(120px, 1.4fr)',
      render: (report) => {
        const { note } = splitReason(report.reason ?? '')
        return (
          <bdi title={note === '' ? undefined : note}>
            {words.reasonOf(report)}
            {note === '' ? null : <> {t('reports.note', { note })}</>}
          </bdi>
        )
      },
    },
    {
      id: 'message',
      title: t('list.message'),
      width: 'minmax(160px, 2fr)',
      priority: 1,
      render: ({ authorId, text }) => (
        <bdi>
          {words.name(authorId)}
          {text === '' ? '' : `: ${text}`}
        </bdi>
      ),
    },
    {
      id: 'where',
      title: t('list.where'),
      width: '130px',
      priority: 2,
      render: (report) => (
        <bdi>{words.place({ ...report, subject: report.messageId === undefined ? 'person' : 'message' })}</bdi>
      ),
    },
    { id: 'when', title: t('list.when'), width: '100px', priority: 1, render: ({ at }) => words.time(at) },
    {
      id: 'state',
      title: t('list.state'),
      width: '110px',
      render: ({ isDecided }) => <Tag>{t(isDecided ? 'list.decided' : 'list.waiting')}</Tag>,
    },
  ]
  return columns
}
