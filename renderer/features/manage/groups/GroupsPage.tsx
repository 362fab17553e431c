import { useMemo, useState } from 'react'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { byCursor, Listed, Page, usePagesOf, useReturnToRow, useTopic } from '../index.ts'
import { Faces } from '../../people/index.ts'
import { loadGroups } from './commands.ts'
import { CreateGroupDialog, DeleteGroupDialog } from './GroupDialogs.tsx'
import { GroupPanel } from './GroupPanel.tsx'
import styles from './Groups.module.css'

type Props = { readonly id?: string; readonly onBack?: () => void }

const idOf = ({ id }: UserGroup): string => id

/** People who can be mentioned together: listed, created, changed, deleted. */
export function GroupsPage({ id, onBack }: Props) {
  const t = useTexts('groups')
  const [find, setFind] = useState('')
  const [openId, setOpenId] = useState(id)
  const [asking, setAsking] = useState<'create' | 'delete'>()
  const list = useGroups(find.trim())
  const closePanel = useReturnToRow(openId, setOpenId)
  const columns = useColumns()
  const open = list.rows.find((group) => group.id === openId)
  return (
    <Page
      icon="at"
      title={t('title')}
      fact={list.rows.length === 0 ? undefined : t('fact', { count: list.rows.length })}
      onBack={onBack}
      actions={
        <Button variant="primary" icon="plus" onClick={() => setAsking('create')}>
          {t('create.open')}
        </Button>
      }
      filters={<FindField label={t('find')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />}
      onClosePanel={closePanel}
      panel={
        open === undefined ? undefined : (
          <GroupPanel key={open.id} group={open} onClose={closePanel} onDelete={() => setAsking('delete')} />
        )
      }
    >
      <Listed
        list={list}
        empty={
          find.trim() === ''
            ? { scene: 'done', title: t('none'), children: t('noneText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <Table
          label={t('title')}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          onEnd={list.next}
          openId={openId}
          onOpen={(group) => setOpenId(group.id)}
        />
      </Listed>
      {asking === 'create' ? (
        <CreateGroupDialog
          onClose={() => setAsking(undefined)}
          onCreated={(group) => {
            setFind('')
            setOpenId(group.id)
          }}
        />
      ) : null}
      {asking === 'delete' && open !== undefined ? (
        <DeleteGroupDialog group={open} onClose={() => setAsking(undefined)} onDeleted={() => setOpenId(undefined)} />
      ) : null}
    </Page>
  )
}

function useGroups(find: string) {
  const dispatch = useAppDispatch()
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const loaded = await dispatch(loadGroups({ find, ...(after === undefined ? {} : { after }) }))
        return loaded.ok ? ok({ rows: loaded.value.groups, next: loaded.value.next }) : loaded
      }),
    [dispatch, find],
  )
  return usePagesOf(load, find, useTopic('people'))
}

function useColumns(): readonly TableColumn<UserGroup>[] {
  const t = useTexts('groups')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        render: ({ id, name }) => (
          <span className={styles['names']}>
            <bdi className="ellipsis">{name}</bdi>
            <span className={styles['second']}>
              <bdi>{id}</bdi>
            </span>
          </span>
        ),
      },
      {
        id: 'members',
        title: t('columns.members'),
        width: 'minmax(110px, 1fr)',
        render: ({ members }) => (
          <span className={styles['members']}>
            <Faces userIds={members.map(({ userId }) => userId)} />
            {formats.number(members.length)}
          </span>
        ),
      },
      {
        id: 'description',
        title: t('columns.description'),
        width: 'minmax(120px, 2fr)',
        priority: 1,
        render: ({ description }) => <bdi>{description}</bdi>,
      },
      {
        id: 'created',
        title: t('columns.created'),
        width: '120px',
        priority: 2,
        render: ({ createdAt }) => (createdAt === undefined ? '' : formats.shortDate(createdAt)),
      },
    ],
    [t, formats],
  )
}
